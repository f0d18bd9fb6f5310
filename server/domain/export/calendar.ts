// Records as events of a calendar file (RFC 5545). Days are days wherever they are read; times are told in UTC, which needs no
// description of time zones. PostgreSQL has made one line of JSON for each record.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import { cellTypeOf } from '../cell/types.ts';

export interface CalendarFields {
  start: FieldSchema;
  end: FieldSchema | undefined;
  title: FieldSchema | undefined;
}

/** The same fields that the app takes. */
export const calendarFieldsOf = (sight: Sight, { id, options }: ViewSchema): CalendarFields => {
  const dates = sight.fields.filter((field) => cellTypeOf(field).kind === 'date' && !cellTypeOf(field).isMultiple);
  const start =
    dates.find((field) => field.id === options['startDateFieldId']) ??
    dates.find(({ type }) => type === 'date') ??
    dates[0];
  if (start === undefined)
    throw invalid({
      path: 'query.viewId',
      message: `View ${id} has no field with dates`,
      expected: 'a calendar view of a table with a date field',
    });
  return {
    start,
    end: dates.find((field) => field.id === options['endDateFieldId'] && field.id !== start.id),
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
  title: string | null;
  lines: string[];
}

/** Of the calendar: what its events share. */
export interface CalendarFile {
  name: string;
  timeZone: string;
  /** Stands in what makes events unique: those of two calendars over different fields of a record are different events. */
  startFieldId: string;
  host: string;
  urlOf: (recordId: string) => string;
}

// eslint-disable-next-line no-control-regex
const special = /[\\;,\u0000-\u0008\u000A-\u001F\u007F]/;

/** What stands for a character that may not stand for itself; undefined for one that may. */
const escapeOf = (text: string, at: number): string | undefined => {
  const code = text.charCodeAt(at);
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return text.charCodeAt(at + 1) === 0x0a ? '' : '\\n';
  if (code === 0x5c || code === 0x3b || code === 0x2c) return `\\${text[at] as string}`;
  return (code < 0x20 && code !== 0x09) || code === 0x7f ? '' : undefined;
};

/** In one go: each pattern with half a million matches takes a tenth of a second. */
const escaped = (text: string): string => {
  if (!special.test(text)) return text;
  let [made, from] = ['', 0];
  for (let at = 0; at < text.length; at += 1) {
    const escape = escapeOf(text, at);
    if (escape === undefined) continue;
    made += text.slice(from, at) + escape;
    from = at + 1;
  }
  return made + text.slice(from);
};

const longestLine = 75;

/** At most 75 bytes in a line, and no character in two of them. */
const folded = (line: string): string => {
  const bytes = Buffer.from(line);
  if (bytes.length <= longestLine) return `${line}\r\n`;
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    // Further lines begin with a space.
    let to = Math.min(bytes.length, from + (from === 0 ? longestLine : longestLine - 1));
    while (to < bytes.length && ((bytes[to] as number) & 0xc0) === 0x80) to -= 1;
    lines.push(bytes.toString('utf8', from, to));
    from = to;
  }
  return `${lines.join('\r\n ')}\r\n`;
};

const written = (lines: readonly (string | null)[]): string =>
  lines.map((line) => (line === null ? '' : folded(line))).join('');

export const calendarHead = ({ name, timeZone }: CalendarFile): string =>
  written([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rowhouse//Rowhouse//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-TIMEZONE:${escaped(timeZone)}`,
  ]);

export const calendarEnd = 'END:VCALENDAR\r\n';

const when = (name: 'DTSTART' | 'DTEND', value: string): string =>
  `${name}${value.includes('T') ? '' : ';VALUE=DATE'}:${value}`;

export const eventOf = (
  { startFieldId, host, urlOf }: CalendarFile,
  { id, created, changed, start, end, title, lines }: CalendarRecord,
): string =>
  written([
    'BEGIN:VEVENT',
    `UID:${id}-${startFieldId}@${host}`,
    // Where nothing is sent to anybody, this is when the event was last changed.
    `DTSTAMP:${changed}`,
    `CREATED:${created}`,
    `LAST-MODIFIED:${changed}`,
    when('DTSTART', start),
    // One that ends before it begins is shown where it begins.
    end !== null && end > start ? when('DTEND', end) : null,
    `SUMMARY:${escaped(title ?? '')}`,
    lines.length === 0 ? null : `DESCRIPTION:${escaped(lines.join('\n'))}`,
    `URL:${urlOf(id)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
