// A date is typed as people write it, or chosen from the calendar beside it. It gives the text as it was typed;
// anyone who takes it decides whether it is a date.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays } from './month.ts';
import { type DateFormatting, dateFormattingOf, formatDate, fromInput, toInput } from './date-format.ts';
import { readDate } from './read-date.ts';
import { isUnparsed } from '../cell/cell-parts.ts';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';
import { MonthCalendar } from './month-calendar.tsx';

/** For how much of it there must be room below. */
const calendarHeight = 300;

/** A dialog that scrolls would cut it off. */
const bringIntoSight = (calendar: HTMLElement | null): void => {
  if (calendar?.closest('[role=dialog]') != null) calendar.scrollIntoView({ block: 'nearest' });
};

const dayIn = (formatting: DateFormatting, iso: string): string => toInput(iso, { ...formatting, time: 'None' });

const DateEditor = ({
  field,
  value,
  initialText,
  label,
  id,
  className,
  autoFocus,
  onChange,
  onFinish,
}: EditorProps) => {
  const formatting = dateFormattingOf(field.options);
  const frame = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(
    initialText ??
      (isUnparsed(value) ? value.unparsed : typeof value === 'string' ? formatDate(value, formatting) : ''),
  );
  const [open, setOpen] = useState<'below' | 'above' | null>(null);
  const read = readDate(text, formatting);
  // The key that opened the editor counts even when no other follows.
  useEffect(() => {
    if (initialText !== undefined) onChange({ unparsed: initialText });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const change = (next: string): void => {
    setText(next);
    onChange({ unparsed: next });
  };
  /** The same time of day on another day. */
  const onDay = (day: string): string | null =>
    fromInput(
      formatting.time === 'None' ? day : `${day}T${read === undefined ? '00:00' : toInput(read, formatting).slice(11)}`,
      formatting,
    );
  const choose = (day: string): void => {
    const chosen = onDay(day);
    if (chosen === null) return;
    setText(formatDate(chosen, formatting));
    onChange(chosen);
    onFinish(chosen);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const days = { ArrowUp: -1, ArrowDown: 1, PageUp: -7, PageDown: 7 }[event.key];
    if (days === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    const moved = onDay(addDays(dayIn(formatting, read ?? new Date().toISOString()), read === undefined ? 0 : days));
    if (moved !== null) change(formatDate(moved, formatting));
  };
  const show = (): void => {
    const bottom = frame.current?.getBoundingClientRect().bottom ?? 0;
    setOpen(bottom + calendarHeight > window.innerHeight && bottom > calendarHeight ? 'above' : 'below');
  };
  return (
    <div ref={frame} className="relative" onFocus={show} onBlur={() => setOpen(null)} onKeyDown={onKeyDown}>
      <input
        id={id}
        aria-label={label}
        autoFocus={autoFocus === true}
        autoComplete="off"
        aria-invalid={text !== '' && read === undefined ? true : undefined}
        className={className ?? 'w-full bg-transparent text-ink tabular-nums outline-none aria-invalid:text-danger'}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      {open !== null && (
        <div
          ref={bringIntoSight}
          className={`absolute -left-3 z-10 rounded-xl border border-line bg-raised shadow-float ${open === 'below' ? 'top-full mt-1.5' : 'bottom-full mb-1.5'}`}
        >
          <MonthCalendar
            chosen={read === undefined ? undefined : dayIn(formatting, read)}
            today={dayIn(formatting, new Date().toISOString())}
            onChoose={choose}
          />
        </div>
      )}
    </div>
  );
};

export const dateEditing: CellEditing = { Editor: DateEditor, frame: 'line' };
