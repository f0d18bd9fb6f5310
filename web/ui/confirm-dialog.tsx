import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './problem-note.tsx';

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  action: string;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

export const ConfirmDialog = ({ title, description, action, onClose, onConfirm }: ConfirmDialogProps) => {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };

  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <div className="flex flex-col gap-4">
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          {/* The harmless one has the focus: Enter out of habit deletes nothing. */}
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
