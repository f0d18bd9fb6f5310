// Before rights bind anybody: what each person will see then.
import { setAuthorityMatrixStatus } from '@rowhouse/contract/authority-matrix.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { PreviewPart } from './preview-part.tsx';
import { reloadRights } from './queries.ts';

const draft = { enabled: true };

export const SwitchOnDialog = ({ baseId, onClose }: { baseId: string; onClose: () => void }) => {
  const save = useMutation({
    mutationFn: () => call(setAuthorityMatrixStatus, { params: { baseId }, body: { enabled: true } }),
    onSuccess: async () => {
      await reloadRights(baseId);
      onClose();
    },
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Switch rights on?"
      description="They hold at once, in every open page. You can switch them off again at any time."
    >
      <div className="flex flex-col gap-4">
        <PreviewPart baseId={baseId} draft={draft} isOn={false} />
        <ProblemNote error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Switch on
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
