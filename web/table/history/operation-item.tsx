// What one request changed, as one item: many cells are not listed one by one unless somebody wants to see them.
import { ChevronRight, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import { fullTime, timeAgo } from '../../ui/time.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

interface OperationItemProps {
  entries: readonly HistoryEntry[];
  author: string;
  picture: string | null | undefined;
  /** The last one that is loaded, and there are more: it may have changed more cells than are known. */
  isOpenEnded: boolean;
  busy: boolean;
  /** Absent: who looks may not. */
  onRestore: (() => void) | undefined;
  /** The items of its entries. */
  children: ReactNode;
}

const count = (number: number, what: string, isOpenEnded: boolean): string =>
  `${isOpenEnded ? 'at least ' : ''}${number} ${what}${number === 1 ? '' : 's'}`;

/** The type changes with the cell: the field was converted. */
const isConversion = ({ before, after }: HistoryEntry): boolean => before.meta.type !== after.meta.type;

export const OperationItem = ({
  entries,
  author,
  picture,
  isOpenEnded,
  busy,
  onRestore,
  children,
}: OperationItemProps) => {
  const [isOpen, setOpen] = useState(false);
  const first = entries[0] as HistoryEntry;
  const records = new Set(entries.map(({ recordId }) => recordId)).size;
  const fields = [...new Set(entries.map(({ after }) => after.meta.name))];
  return (
    <li className="relative flex gap-3 pb-5 before:absolute before:top-7 before:bottom-0 before:left-3 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Avatar name={author} seed={first.createdBy} picture={picture} small />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <p className="min-w-0 flex-1">
            <strong className="font-medium">{author}</strong>{' '}
            <span className="text-ink-soft">
              {isConversion(first) ? 'converted' : 'changed'} {count(entries.length, 'cell', isOpenEnded)} in{' '}
              {count(records, 'record', false)}:
            </span>{' '}
            <strong className="font-medium break-words">
              {fields.slice(0, 3).join(', ')}
              {fields.length > 3 && ` and ${fields.length - 3} more`}
            </strong>
          </p>
          <time
            dateTime={first.createdTime}
            title={fullTime(first.createdTime)}
            className="shrink-0 text-[12px] text-ink-faint"
          >
            {timeAgo(first.createdTime)}
          </time>
        </div>
        <div className="mt-1 -ml-2 flex flex-wrap gap-1">
          {onRestore !== undefined && (
            <Button size="small" look="ghost" icon={<Undo2 size={14} />} busy={busy} onClick={onRestore}>
              Restore this change
            </Button>
          )}
          <Button
            size="small"
            look="ghost"
            aria-expanded={isOpen}
            icon={<ChevronRight size={14} className={classNames('transition-transform', isOpen && 'rotate-90')} />}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the cells' : 'Show the cells'}
          </Button>
        </div>
        {isOpen && <ol className="mt-2 flex flex-col">{children}</ol>}
      </div>
    </li>
  );
};
