// Deleting many records: asks first, and stays in sight until it is done.
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface DeleteManyDialogProps {
  count: number;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** More records than this are asked about. */
export const manyRecords = 100;

export const DeleteManyDialog = ({ count, onClose, onConfirm }: DeleteManyDialogProps) => {
  const [busy, setBusy] = useState(false);
  const shown = count.toLocaleString('en');
  return (
    <Dialog open onClose={() => !busy && onClose()} title={`Delete ${shown} records?`} description="All of them come back with one undo, and from the history of the table for as long as that is kept.">
      <div className="flex flex-col gap-4">
        {busy && (
          <div role="status" className="flex flex-col gap-2 text-ink-soft">
            Deleting {shown} records…
            <span role="progressbar" aria-label="Deleting" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full w-1/3 animate-pulse rounded-full bg-accent" />
            </span>
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button autoFocus disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="danger"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void onConfirm().finally(onClose);
            }}
          >
            Delete {shown} records
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
