// Records as events of a calendar file (RFC 5545). Days are days wherever they are read; times are told in UTC, which needs no
// description of time zones. PostgreSQL has made one line of JSON for each record.
import { invalid } from '@rowhouse/contract/error.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { dayLength, type WorkingTime, workingTime } from '@rowhouse/contract/working-days.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import { cellTypeOf } from '../cell/types.ts';

export interface CalendarFields {
  start: FieldSchema;
  end: FieldSchema | undefined;
  /** How many working days records last, where no field says when they end. */
  duration: FieldSchema | undefined;
  title: FieldSchema | undefined;
}

/** The same fields that the app takes. */
export const calendarFieldsOf = (sight: Sight, { id, options, ...view }: ViewSchema): CalendarFields => {
  const dates = sight.fields.filter((field) => cellTypeOf(field).kind === 'date' && !cellTypeOf(field).isMultiple);
  const chosen = dates.find((field) => field.id === options['startDateFieldId']);
  // Views that tell what they have lost take no other date in its place.
  const start =
    chosen ??
    (shapeOf(view.type).tellsLost === true ? undefined : (dates.find(({ type }) => type === 'date') ?? dates[0]));
  if (start === undefined)
    throw invalid({
      path: 'query.viewId',
      message: `View ${id} has no field with dates`,
      expected: 'a view with a date field that you see',
    });
  const end = dates.find((field) => field.id === options['endDateFieldId'] && field.id !== start.id);
  return {
    start,
    end,
    duration:
      end === undefined
        ? sight.fields.find(
            (field) =>
              field.id === options['durationFieldId'] &&
              cellTypeOf(field).kind === 'number' &&
              !cellTypeOf(field).isMultiple,
          )
        : undefined,
    title:
      sight.fields.find((field) => field.id === options['titleFieldId']) ??
      sight.fields.find(({ isPrimary }) => isPrimary),
  };
};

/** Dates and times as the format has them: `20240229`, `20240229T233000Z`. */
export interface CalendarRecord {
  id: string;
  created: string;
  changed: string;
  start: string;
  /** The first moment, or day, that is not part of it. */
  end: string | null;
  /** Working days that it lasts, where no field says when it ends. */
  days?: number | null;
  title: string | null;
  lines: string[];
}

/** Of the calendar: what its events share. */
export interface CalendarFile {
  name: string;
  timeZone: string;
  works: WorkingTime;
  /** Stands in what makes events unique: those of two calendars over different fields of a record are different events. */
  startFieldId: string;
  host: string;
  urlOf: (recordId: string) => string;
}

/** What stands for a character that may not stand for itself; undefined for one that may. */
const escapeOf = (text: string, at: number): string | undefined => {
  const code = text.charCodeAt(at);
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return text.charCodeAt(at + 1) === 0x0a ? '' : '\\n';
  if (code === 0x5c || code === 0x3b || code === 0x2c) return `\\${text[at] as string}`;
  return (code < 0x20 && code !== 0x09) || code === 0x7f ? '' : undefined;
};

/** In one go: each pattern with half a million matches takes a tenth of a second. */
const escaped = (text: string, start: number, end: number): string => {
  let [made, from] = ['', start];
  for (let at = start; at < end; at += 1) {
    const escape = escapeOf(text, at);
    if (escape === undefined) continue;
    made += text.slice(from, at) + escape;
    from = at + 1;
  }
  return made + text.slice(from, end);
};

const longestLine = 75;

/** Characters that are written in one go: some milliseconds. */
const pieceSize = 65_536;

/** A line of a file: `text` is escaped. At most 75 bytes in a line of it, and no character in two of them. */
function* written(name: string, text = ''): Generator<string> {
  let used = name.length;
  let made = name;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + pieceSize);
    // Both halves of a character.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    const bytes = Buffer.from(escaped(text, start, end));
    for (let from = 0; from < bytes.length; ) {
      let to = Math.min(bytes.length, from + longestLine - used);
      while (to < bytes.length && to > from && ((bytes[to] as number) & 0xc0) === 0x80) to -= 1;
      made += bytes.toString('utf8', from, to);
      used += to - from;
      from = to;
      if (from === bytes.length) break;
      // Further lines begin with a space.
      made += '\r\n ';
      used = 1;
    }
    start = end;
    if (start < text.length) {
      yield made;
      made = '';
    }
  }
  yield `${made}\r\n`;
}

export const calendarHead = ({ name, timeZone }: CalendarFile): string =>
  [
    'BEGIN:VCALENDAR\r\n',
    'VERSION:2.0\r\n',
    'PRODID:-//Rowhouse//Rowhouse//EN\r\n',
    'CALSCALE:GREGORIAN\r\n',
    ...written('X-WR-CALNAME:', name),
    ...written('X-WR-TIMEZONE:', timeZone),
  ].join('');

export const calendarEnd = 'END:VCALENDAR\r\n';

const when = (name: 'DTSTART' | 'DTEND', value: string): string =>
  `${name}${value.includes('T') ? '' : ';VALUE=DATE'}:${value}\r\n`;

/** What days are counted by. */
export const workingTimeOf = ({ options }: ViewSchema): WorkingTime =>
  workingTime(
    (options['workingDays'] as readonly number[] | null | undefined) ?? [],
    (options['holidays'] as readonly string[] | null | undefined) ?? [],
  );

/** The format has years of four digits. */
const longest = 3_650_000;

/** When something ends that begins then and takes so many working days. */
const endAfter = ({ timeZone, works }: CalendarFile, start: string, days: number): string | null => {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(start) ?? [];
  const begin = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const isDay = !start.includes('T');
  const wall = works.after(isDay ? begin : wallOf(begin, timeZone), days * dayLength);
  const end = isDay ? Math.ceil(wall / dayLength) * dayLength : instantOf(Math.round(wall / 1_000) * 1_000, timeZone);
  const text = new Date(end).toISOString();
  if (!/^\d{4}-/.test(text)) return null;
  const plain = text.replaceAll(/[-:]|\.\d+/g, '');
  return isDay ? plain.slice(0, 8) : plain;
};

/** In pieces that take some milliseconds each: a record may hold megabytes of text. */
export function* eventOf(
  calendar: CalendarFile,
  { id, created, changed, start, end: given, days, title, lines }: CalendarRecord,
): Generator<string> {
  const { startFieldId, host, urlOf } = calendar;
  const end = typeof days === 'number' && days > 0 && days < longest ? endAfter(calendar, start, days) : given;
  yield 'BEGIN:VEVENT\r\n';
  yield* written(`UID:`, `${id}-${startFieldId}@${host}`);
  // Where nothing is sent to anybody, this is when the event was last changed.
  yield `DTSTAMP:${changed}\r\nCREATED:${created}\r\nLAST-MODIFIED:${changed}\r\n${when('DTSTART', start)}`;
  // One that ends before it begins is shown where it begins.
  if (end !== null && end > start) yield when('DTEND', end);
  yield* written('SUMMARY:', title ?? '');
  if (lines.length > 0) yield* written('DESCRIPTION:', lines.join('\n'));
  yield* written('URL:', urlOf(id));
  yield 'TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n';
}
