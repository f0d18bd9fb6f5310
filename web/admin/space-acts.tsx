// What an administrator can do to a space, without seeing into it.
import { type AdminSpace, deleteAdminSpace, takeOverSpace, updateAdminSpace } from '@rowhouse/contract/admin-space.ts';
import { useMutation } from '@tanstack/react-query';
import { Crown, Ellipsis, Pencil, Trash2, UserPlus, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextAreaField } from '../ui/text-area-field.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { reloadAdmin } from './queries.ts';

const TakeOverDialog = ({ space, onClose }: { space: AdminSpace; onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const take = useMutation({
    mutationFn: () => call(takeOverSpace, { params: { spaceId: space.id }, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      await Promise.all([reloadAdmin(), queryClient.invalidateQueries({ queryKey: ['spaces'] })]);
      showToast({ kind: 'note', title: `You are an owner of ${space.name} now.` });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Take over ${space.name}`}
      description="You become an owner and see everything in it. Its owners are notified, and your reason stands in the audit log of the space."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          take.mutate();
        }}
      >
        <TextAreaField
          label="Reason"
          required
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <ProblemNote error={take.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={take.isPending} disabled={reason.trim().length < 3}>
            Take over
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const SpaceActs = ({ space }: { space: AdminSpace }) => {
  const [ask, setAsk] = useState<'rename' | 'takeOver' | 'delete' | null>(null);
  const params = { spaceId: space.id };
  const close = (): void => setAsk(null);
  const toggleJoin = async (): Promise<void> => {
    try {
      await call(updateAdminSpace, { params, body: { autoJoin: !space.autoJoin } });
      showToast({
        kind: 'note',
        title: space.autoJoin ? 'New accounts no longer join it.' : `New accounts become viewers of ${space.name}.`,
      });
    } catch (error) {
      showProblem(error);
    } finally {
      await reloadAdmin();
    }
  };
  // Its owners have it in their trash.
  if (space.deletedTime !== null) return null;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${space.name}`}>
            <Ellipsis size={17} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsk('rename')}>
          Rename
        </MenuItem>
        <MenuItem
          icon={space.autoJoin ? <UserRoundX size={16} /> : <UserPlus size={16} />}
          onSelect={() => void toggleJoin()}
        >
          {space.autoJoin ? 'New accounts no longer join' : 'New accounts join as viewers'}
        </MenuItem>
        <MenuItem icon={<Crown size={16} />} onSelect={() => setAsk('takeOver')}>
          Take over
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsk('delete')}>
          Move to trash
        </MenuItem>
      </Menu>
      {ask === 'rename' && (
        <NameDialog
          title={`Rename ${space.name}`}
          initial={space.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateAdminSpace, { params, body: { name } });
            await reloadAdmin();
          }}
        />
      )}
      {ask === 'takeOver' && <TakeOverDialog space={space} onClose={close} />}
      {ask === 'delete' && (
        <ConfirmDialog
          title={`Move ${space.name} to the trash?`}
          description="Nobody can open its bases then. Its owners can restore it from their trash, or delete it for good."
          action="Move to trash"
          onClose={close}
          onConfirm={async () => {
            await call(deleteAdminSpace, { params });
            await reloadAdmin();
          }}
        />
      )}
    </>
  );
};
