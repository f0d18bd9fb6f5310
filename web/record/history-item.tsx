import { countOf } from '@rowhouse/contract/button.ts';
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import { ArrowRight, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { fullTime, timeAgo } from '../ui/time.ts';
import { shownCell, shownText } from '../field-type/cell-text.ts';
import { fieldTypeOf } from '../field-type/field-types.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';

interface HistoryItemProps {
  entry: HistoryEntry;
  author: string;
  picture: string | null | undefined;
  /** The field as it is now; gone when it was deleted. */
  field: Field | undefined;
  /** Which record it is about, where that is not clear. */
  about?: ReactNode;
  busy: boolean;
  /** Absent: who looks may not. */
  onRestore: (() => void) | undefined;
}

const shownField = (meta: HistoryEntry['before']['meta']): Pick<Field, 'type' | 'options'> => ({
  type: meta.type as FieldTypeName,
  options: (meta.options ?? {}) as Record<string, unknown>,
});

/** With the value itself, where it is short enough to be read at a glance. A number alone says nothing. */
const restoreWords = (fieldName: string, { meta, data }: HistoryEntry['before']): string => {
  const name = fieldName.length > 24 ? `${fieldName.slice(0, 24).trimEnd()}…` : fieldName;
  const field = shownField(meta);
  if (data === null || data === undefined) return `Restore ${name} to empty`;
  const text = shownText(field, data).replaceAll(/\s+/g, ' ');
  return text === '' || text.length > 30 || ['files', 'tick'].includes(shownCell(field, data).as)
    ? `Restore ${name}`
    : `Restore ${name} to ${text}`;
};

export const HistoryItem = ({ entry, author, picture, field, about, busy, onRestore }: HistoryItemProps) => {
  const isPress =
    fieldTypeOf(entry.after.meta.type as FieldTypeName).isPressed === true && countOf(entry.after.data) > 0;
  return (
    <li className="relative flex gap-3 pb-5 before:absolute before:top-7 before:bottom-0 before:left-3 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Avatar name={author} seed={entry.createdBy} picture={picture} small />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <p className="min-w-0 flex-1">
            <strong className="font-medium">{author}</strong>{' '}
            <span className="text-ink-soft">{entry.created === true ? 'set' : isPress ? 'pressed' : 'changed'}</span>{' '}
            <strong className="font-medium">{field?.name ?? entry.after.meta.name}</strong>
            {about !== undefined && <> {about}</>}
          </p>
          <time
            dateTime={entry.createdTime}
            title={fullTime(entry.createdTime)}
            className="shrink-0 text-[12px] text-ink-faint"
          >
            {timeAgo(entry.createdTime)}
          </time>
        </div>
        <div className="mt-1.5 flex flex-wrap items-center gap-2 rounded-lg bg-canvas px-3 py-2 text-[13px] break-words whitespace-pre-wrap">
          {entry.created !== true && (
            <>
              <span className="min-w-0 text-ink-soft line-through decoration-line-strong">
                <CellValue field={shownField(entry.before.meta)} value={entry.before.data} />
              </span>
              <ArrowRight size={14} className="shrink-0 text-ink-faint" aria-label="became" />
            </>
          )}
          <span className="min-w-0">
            <CellValue field={shownField(entry.after.meta)} value={entry.after.data} />
          </span>
        </div>
        {entry.created !== true && field !== undefined && field.isComputed !== true && onRestore !== undefined && (
          <Button
            size="small"
            look="ghost"
            className="mt-1 -ml-2 max-w-full"
            icon={<Undo2 size={14} />}
            busy={busy}
            onClick={onRestore}
          >
            <span className="truncate">{restoreWords(field.name, entry.before)}</span>
          </Button>
        )}
      </div>
    </li>
  );
};
