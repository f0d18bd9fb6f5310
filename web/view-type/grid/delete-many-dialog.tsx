// Deleting many records: asks first, and stays in sight with how far it is until it is done.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Progress } from '../../record-data/undo/records.ts';

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
  const percent =
    progress === undefined ? undefined : Math.floor((progress.processed / Math.max(1, progress.total)) * 100);
  return (
    <Dialog
      open
      onClose={() => !busy && onClose()}
      title={`Delete ${shown} records?`}
      description="All of them come back with one undo, and from the history of the table for as long as that is kept."
    >
      <div className="flex flex-col gap-4">
        {busy && (
          <div role="status" className="flex flex-col gap-2 text-ink-soft">
            {progress === undefined
              ? `Deleting ${shown} records…`
              : `Deleting ${progress.processed.toLocaleString('en')} of ${progress.total.toLocaleString('en')} records (${percent}%)…`}
            <span
              role="progressbar"
              aria-label="Deleting"
              {...(percent === undefined ? {} : { 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100 })}
              className="block h-1.5 overflow-hidden rounded-full bg-sunken"
            >
              <span
                className={classNames(
                  'block h-full rounded-full bg-accent',
                  percent === undefined ? 'w-1/3 animate-pulse' : 'transition-[width]',
                )}
                {...(percent === undefined ? {} : { style: { width: `${percent}%` } })}
              />
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
