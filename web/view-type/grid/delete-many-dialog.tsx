// Deleting many records: asks first, and stays in sight with how far it is until it is done.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Progress } from '../../record-data/undo/records.ts';
import { ProgressNote } from './progress-note.tsx';

interface DeleteManyDialogProps {
  count: number;
  onClose: () => void;
  onConfirm: (onProgress: (progress: Progress) => void) => Promise<void>;
}

/** More records than this are asked about. */
export const manyRecords = 100;

export const DeleteManyDialog = ({ count, onClose, onConfirm }: DeleteManyDialogProps) => {
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const shown = count.toLocaleString('en');
  return (
    <Dialog
      open
      onClose={() => !busy && onClose()}
      title={`Delete ${shown} records?`}
      description="You can undo this, or restore them from History."
    >
      <div className="flex flex-col gap-4">
        {busy && <ProgressNote doing="Deleting" count={count} progress={progress} />}
        <div className="flex justify-end gap-2">
          <Button autoFocus disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="danger"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void onConfirm(setProgress).finally(onClose);
            }}
          >
            Delete {shown} records
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
