// The hours of a day: which records stand at a time of it, and beside which others. Minutes count from midnight, by the clocks of the
// zone that the start field is shown in.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { dateFormattingOf, fromInput, toInput } from '../../field-type/date/date-format.ts';
import { addDays } from '../../field-type/date/month.ts';
import type { CalendarFields } from './calendar-fields.ts';

export interface Block {
  record: RecordVo;
  from: number;
  until: number;
  /** Which of so many equal parts of the day's width. */
  column: number;
  columns: number;
  /** It goes on in the day before or after. */
  beginsBefore: boolean;
  endsAfter: boolean;
}

export const dayMinutes = 1_440;
/** What is dragged or moved by keys stops at these. */
export const snap = 15;
/** So long a record without an end is shown, and a new one lasts. */
export const usualLength = 60;
/** Less would have no room for a name. */
const leastShown = 25;
const dayMilliseconds = 86_400_000;

export const showsTime = (field: Field): boolean => dateFormattingOf(field.options).time !== 'None';

const wallOf = (field: Field, iso: string): { day: string; minutes: number } => {
  const text = toInput(iso, { ...dateFormattingOf(field.options), time: 'HH:mm' });
  return { day: text.slice(0, -6), minutes: Number(text.slice(-5, -3)) * 60 + Number(text.slice(-2)) };
};

const endOf = ({ start, end }: CalendarFields, record: RecordVo): string | undefined => {
  const from = record.fields[start.id];
  const until = end === undefined ? undefined : record.fields[end.id];
  return typeof until === 'string' && typeof from === 'string' && until > from ? until : undefined;
};

/** Records of a day or more, and those whose end has no time, stand above the hours. */
export const isTimed = (fields: CalendarFields, record: RecordVo): boolean => {
  const from = record.fields[fields.start.id];
  if (typeof from !== 'string') return false;
  const until = endOf(fields, record);
  return (
    until === undefined ||
    (fields.end !== undefined && showsTime(fields.end) && Date.parse(until) - Date.parse(from) < dayMilliseconds)
  );
};

export const atMinutes = (field: Field, day: string, minutes: number): string | null => {
  const days = Math.floor(minutes / dayMinutes);
  const rest = minutes - days * dayMinutes;
  const time = `${String(Math.floor(rest / 60)).padStart(2, '0')}:${String(rest % 60).padStart(2, '0')}`;
  return fromInput(`${addDays(day, days)}T${time}`, dateFormattingOf(field.options));
};

/** Overlapping records share the width; those that touch nothing have all of it. */
export const blocksOf = (fields: CalendarFields, records: readonly RecordVo[], day: string): Block[] => {
  const { start } = fields;
  const pieces = records
    .filter((record) => isTimed(fields, record))
    .flatMap((record) => {
      const begin = wallOf(start, record.fields[start.id] as string);
      const end = endOf(fields, record);
      const until = end === undefined ? undefined : wallOf(start, end);
      const beginsBefore = begin.day < day;
      const endsAfter = until !== undefined && until.day > day;
      if (
        begin.day > day ||
        (beginsBefore && (until === undefined || until.day < day || (!endsAfter && until.minutes === 0)))
      )
        return [];
      const from = beginsBefore ? 0 : begin.minutes;
      const to = endsAfter ? dayMinutes : (until?.minutes ?? from + usualLength);
      return [{ record, from, until: Math.min(dayMinutes, Math.max(to, from + leastShown)), beginsBefore, endsAfter }];
    })
    .sort((one, other) => one.from - other.from || other.until - one.until);
  const blocks: Block[] = [];
  let together: Block[] = [];
  let ends: number[] = [];
  const close = (): void => {
    for (const block of together) block.columns = ends.length;
    together = [];
    ends = [];
  };
  for (const piece of pieces) {
    if (ends.every((end) => end <= piece.from)) close();
    const free = ends.findIndex((end) => end <= piece.from);
    const column = free < 0 ? ends.length : free;
    ends[column] = piece.until;
    const block = { ...piece, column, columns: 1 };
    together.push(block);
    blocks.push(block);
  }
  close();
  return blocks;
};

interface NewCell {
  field: Field;
  value: string | null;
}

/** The record begins then, and lasts as long as before. */
export const movedTo = (fields: CalendarFields, record: RecordVo, day: string, minutes: number): NewCell[] => {
  const begin = atMinutes(fields.start, day, minutes);
  const before = record.fields[fields.start.id];
  const until = endOf(fields, record);
  const lasts = until === undefined || typeof before !== 'string' ? undefined : Date.parse(until) - Date.parse(before);
  return [
    { field: fields.start, value: begin },
    ...(fields.end === undefined || lasts === undefined || begin === null
      ? []
      : [{ field: fields.end, value: new Date(Date.parse(begin) + lasts).toISOString() }]),
  ];
};

/** The same, so many days and minutes later by the clocks. */
export const movedByMinutes = (fields: CalendarFields, record: RecordVo, days: number, minutes: number): NewCell[] => {
  const from = record.fields[fields.start.id];
  if (typeof from !== 'string') return [];
  const wall = wallOf(fields.start, from);
  return movedTo(fields, record, addDays(wall.day, days), wall.minutes + minutes);
};

/** The record ends then, and never before it has lasted for one step. */
export const endedAt = ({ start, end }: CalendarFields, record: RecordVo, day: string, minutes: number): NewCell[] => {
  const from = record.fields[start.id];
  const value = atMinutes(start, day, minutes);
  if (end === undefined || typeof from !== 'string' || value === null) return [];
  const least = Date.parse(from) + snap * 60_000;
  return [{ field: end, value: new Date(Math.max(Date.parse(value), least)).toISOString() }];
};

/** Its end so many minutes later; without an end, counted from where it is shown to end. */
export const lengthened = (fields: CalendarFields, record: RecordVo, minutes: number): NewCell[] => {
  const from = record.fields[fields.start.id];
  if (typeof from !== 'string') return [];
  const until = endOf(fields, record) ?? new Date(Date.parse(from) + usualLength * 60_000).toISOString();
  const wall = wallOf(fields.start, until);
  return endedAt(fields, record, wall.day, wall.minutes + minutes);
};

export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Where the clocks of the field stand. */
export const nowOf = (field: Field, now: Date): { day: string; minutes: number } => wallOf(field, now.toISOString());
