import { classNames } from '../../ui/class-names.ts';
import type { Progress } from '../../record-data/undo/records.ts';

interface ProgressNoteProps {
  /** Deleting, Updating. */
  doing: string;
  count: number;
  /** Not known at first. */
  progress: Progress | undefined;
}

/** How far work on many records is. */
export const ProgressNote = ({ doing, count, progress }: ProgressNoteProps) => {
  const percent =
    progress === undefined ? undefined : Math.floor((progress.processed / Math.max(1, progress.total)) * 100);
  return (
    <div role="status" className="flex flex-col gap-2 text-ink-soft">
      {progress === undefined
        ? `${doing} ${count.toLocaleString('en')} records…`
        : `${doing} ${progress.processed.toLocaleString('en')} of ${progress.total.toLocaleString('en')} records (${percent}%)…`}
      <span
        role="progressbar"
        aria-label={doing}
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
  );
};
