// Something that was deleted, with a way back.
import { RotateCcw, Trash2 } from 'lucide-react';
import { fullTime, timeAgo } from './time.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

interface TrashRowProps {
  title: string;
  /** What it was. */
  about: string;
  deletedTime: string;
  author: string | undefined;
  busy: boolean;
  disabled: boolean;
  className?: string;
  /** Absent: it is not for this person to bring it back. */
  onRestore: (() => void) | undefined;
  /** Absent: it is not for this person to delete it for good. */
  onDelete: (() => void) | undefined;
}

export const TrashRow = ({
  title,
  about,
  deletedTime,
  author,
  busy,
  disabled,
  className,
  onRestore,
  onDelete,
}: TrashRowProps) => (
  <li className={classNames('flex items-center gap-4 py-3', className)}>
    <div className="min-w-0 flex-1">
      <p className="line-clamp-2 font-medium break-words">{title}</p>
      <p className="text-[13px] text-ink-faint" title={fullTime(deletedTime)}>
        {about}, deleted {timeAgo(deletedTime)}
        {author === undefined ? '' : ` by ${author}`}
      </p>
    </div>
    {onRestore !== undefined && (
      <Button
        size="small"
        icon={<RotateCcw size={15} />}
        busy={busy}
        disabled={disabled}
        onClick={onRestore}
        aria-label={`Restore ${title}`}
      >
        Restore
      </Button>
    )}
    {onDelete !== undefined && (
      <IconButton label={`Delete ${title} permanently`} disabled={disabled} onClick={onDelete}>
        <Trash2 size={15} />
      </IconButton>
    )}
  </li>
);
