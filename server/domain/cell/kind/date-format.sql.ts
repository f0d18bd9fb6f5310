// Date formats: the tokens of the options, as PostgreSQL's to_char patterns and back from text.
import { isTimeZone, zoneName } from '@rowhouse/contract/zone.ts';
import { Type } from 'typebox';
import { type Sql, sql } from '../../../db/sql.ts';

export interface DateFormatting {
  date: string;
  time: 'None' | 'HH:mm' | 'hh:mm A';
  timeZone: string;
}

export const dateFormatting = Type.Object({
  date: Type.String({ minLength: 1, maxLength: 40, description: 'Made of YYYY, MM, M, DD, D and separators' }),
  time: Type.Enum(['None', 'HH:mm', 'hh:mm A']),
  timeZone: Type.Refine(
    Type.String({ maxLength: 64 }),
    (name) => isTimeZone(name),
    () => 'Expected an IANA time zone such as Europe/Berlin',
  ),
});

const defaultDateFormatting = (): DateFormatting => ({ date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' });

export const formattingOf = (options: Record<string, unknown>): DateFormatting => ({
  ...defaultDateFormatting(),
  ...(options.formatting as Partial<DateFormatting> | undefined),
});

const tokens: Record<string, string> = {
  YYYY: 'YYYY',
  YY: 'YY',
  MMMM: 'FMMonth',
  MMM: 'Mon',
  MM: 'MM',
  M: 'FMMM',
  DD: 'DD',
  D: 'FMDD',
  HH: 'HH24',
  H: 'FMHH24',
  hh: 'HH12',
  h: 'FMHH12',
  mm: 'MI',
  ss: 'SS',
  A: 'AM',
};

const tokenForm = /YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|A/g;

const toCharPattern = (format: string): string => {
  let pattern = '';
  let end = 0;
  const quote = (text: string): string => (text === '' ? '' : `"${text.replace(/["\\]/g, '\\$&')}"`);
  for (const match of format.matchAll(tokenForm)) {
    pattern += quote(format.slice(end, match.index)) + (tokens[match[0]] as string);
    end = match.index + match[0].length;
  }
  return pattern + quote(format.slice(end));
};

/** The clocks of the field's zone at the instants of a column. */
export const wallClock = (column: Sql, { timeZone }: DateFormatting): Sql =>
  sql`${column} at time zone ${sql.literal(zoneName(timeZone))}`;

/** What such a clock shows, as the field writes it. */
export const clockText = (clock: Sql, { date, time }: DateFormatting): Sql =>
  sql`to_char(${clock}, ${sql.literal(toCharPattern(time === 'None' ? date : `${date} ${time}`))})`;

export const dateText = (column: Sql, formatting: DateFormatting): Sql =>
  clockText(wallClock(column, formatting), formatting);

/** ISO text with milliseconds in UTC, in quotes: the JSON of a date cell. */
export const dateJson = (column: Sql): Sql => sql`rowhouse.json_time(${column})`;

/** The same without the quotes. */
export const isoText = (column: Sql): Sql =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
