// Dates as the field shows them: an instant, read in the time zone of the field.
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';

export interface DateFormatting {
  date: string;
  time: 'None' | 'HH:mm' | 'hh:mm A';
  timeZone: string;
}

export const dateFormattingOf = (options: Record<string, unknown>): DateFormatting => ({
  date: 'YYYY-MM-DD',
  time: 'None',
  timeZone: 'UTC',
  ...(options['formatting'] as Partial<DateFormatting> | undefined),
});

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const partsIn = (instant: number, timeZone: string): Parts => {
  const face = new Date(wallOf(instant, timeZone));
  return {
    year: face.getUTCFullYear(),
    month: face.getUTCMonth() + 1,
    day: face.getUTCDate(),
    hour: face.getUTCHours(),
    minute: face.getUTCMinutes(),
    second: face.getUTCSeconds(),
  };
};

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const tokens: Record<string, (parts: Parts) => string> = {
  YYYY: ({ year }) => pad(year, 4),
  YY: ({ year }) => pad(year % 100),
  MMMM: ({ month }) => monthNames[month - 1] as string,
  MMM: ({ month }) => (monthNames[month - 1] as string).slice(0, 3),
  MM: ({ month }) => pad(month),
  M: ({ month }) => String(month),
  DD: ({ day }) => pad(day),
  D: ({ day }) => String(day),
  HH: ({ hour }) => pad(hour),
  H: ({ hour }) => String(hour),
  hh: ({ hour }) => pad(hour % 12 || 12),
  h: ({ hour }) => String(hour % 12 || 12),
  mm: ({ minute }) => pad(minute),
  ss: ({ second }) => pad(second),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
};

export const formatDate = (iso: string, { date, time, timeZone }: DateFormatting): string => {
  const instant = Date.parse(iso);
  if (Number.isNaN(instant)) return iso;
  const parts = partsIn(instant, timeZone);
  const pattern = time === 'None' ? date : `${date} ${time}`;
  return pattern.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|A/g, (token) =>
    (tokens[token] as (parts: Parts) => string)(parts),
  );
};

/** How dates are written in a language, as one of the formats that fields have. */
export const datePatternOf = (locale: string | undefined): string => {
  const parts = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts();
  const order = parts.map(({ type }) => (type === 'literal' ? '' : type.charAt(0))).join('');
  const sign = parts.find(({ type }) => type === 'literal')?.value.trim() ?? '-';
  if (order === 'mdy') return 'MM/DD/YYYY';
  if (order === 'dmy') return sign === '.' ? 'DD.MM.YYYY' : 'DD/MM/YYYY';
  return sign === '/' ? 'YYYY/MM/DD' : 'YYYY-MM-DD';
};

/** For `<input type="date">` and `<input type="datetime-local">`. */
export const toInput = (iso: string, { time, timeZone }: DateFormatting): string => {
  const { year, month, day, hour, minute } = partsIn(Date.parse(iso), timeZone);
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  return time === 'None' ? date : `${date}T${pad(hour)}:${pad(minute)}`;
};

/** The instant at which the clocks of the zone show this. */
export const fromInput = (text: string, { timeZone }: DateFormatting): string | null => {
  const wall = Date.parse(`${text.length > 10 ? text : `${text}T00:00`}:00.000Z`);
  return Number.isNaN(wall) ? null : new Date(instantOf(wall, timeZone)).toISOString();
};
