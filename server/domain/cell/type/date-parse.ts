// Reads dates as people write them, in the time zone of the field.
import { type DateOrder, decideOrder } from '@rowhouse/contract/date-order.ts';
import { instantOf } from '@rowhouse/contract/zone.ts';
import type { DateFormatting } from '../kind/date-format.sql.ts';

const iso = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})$/i;

/** The years 1 to 9999 in UTC: those that PostgreSQL and ISO text with four digits both hold. */
const inRange = (date: Date): Date | null => {
  const year = date.getUTCFullYear();
  return Number.isNaN(date.getTime()) || year < 1 || year > 9999 ? null : date;
};

/** An instant in full: date, time and offset, with or without seconds and their fraction. */
export const parseInstant = (text: string): Date | null => {
  const match = iso.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = match as unknown as string[];
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const utc = utcOf(
    parts[0],
    parts[1],
    parts[2],
    parts[3],
    parts[4],
    parts[5],
    Math.floor(Number(`0.${fraction}`) * 1_000),
  );
  if (utc === null) return null;
  return inRange(new Date(utc - offsetMinutes(offset as string) * 60_000));
};

/** The number that the digits from `from` up to `end` are; NaN when not all of them are digits. */
const numberIn = (text: string, from: number, end: number): number => {
  let value = 0;
  for (let at = from; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
};

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

/** Whether it has the form of `toISOString()`, for a time that there is in the years 1 to 9999. */
const isPlainIso = (text: string): boolean => {
  if (
    text.length !== 24 ||
    text[4] !== '-' ||
    text[7] !== '-' ||
    text[10] !== 'T' ||
    text[13] !== ':' ||
    text[16] !== ':' ||
    text[19] !== '.' ||
    text[23] !== 'Z'
  )
    return false;
  const [year, month, day] = [numberIn(text, 0, 4), numberIn(text, 5, 7), numberIn(text, 8, 10)];
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    numberIn(text, 11, 13) <= 23 &&
    numberIn(text, 14, 16) <= 59 &&
    numberIn(text, 17, 19) <= 59 &&
    numberIn(text, 20, 23) >= 0
  );
};

/** The same as ISO text in UTC. What programs send has that form already: finding it out takes a tenth of reading the parts. */
export const readInstant = (text: string): string | null =>
  isPlainIso(text) ? text : (parseInstant(text)?.toISOString() ?? null);

const offsetMinutes = (offset: string): number => {
  if (offset.toUpperCase() === 'Z') return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
};

/** Milliseconds of a calendar date and time, or null when there is no such day or time. */
const utcOf = (
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  ms: number,
): number | null => {
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, ms);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime()
    : null;
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const timeOf = (text: string): [number, number, number, number] | null => {
  if (text === '') return [0, 0, 0, 0];
  const match = /^[T ,]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap])?\.?m?\.?$/i.exec(text);
  if (match === null) return null;
  const half = match[5]?.toLowerCase();
  let hour = Number(match[1]);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half === 'p' ? 12 : 0);
  }
  return [hour, Number(match[2]), Number(match[3] ?? 0), Math.floor(Number(`0.${match[4] ?? 0}`) * 1_000)];
};

const calendarDate = (text: string, order: DateOrder): { date: [number, number, number]; rest: string } | null => {
  let match = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)/.exec(text);
  if (match !== null)
    return { date: [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)], rest: text.slice(match[0].length) };
  match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/.exec(text);
  if (match !== null) {
    const [first, second] = [Number(match[1]), Number(match[2])];
    const isDayFirst = first > 12 || (second <= 12 && (order === 'dayFirst' || text.includes('.')));
    return {
      date: [Number(match[3]), isDayFirst ? second : first, isDayFirst ? first : second],
      rest: text.slice(match[0].length),
    };
  }
  match = /^(?:(\d{1,2})\.?\s+([a-z]{3,9})|([a-z]{3,9})\.?\s+(\d{1,2})),?\s+(\d{4})/i.exec(text);
  if (match !== null) {
    const month = months.indexOf((match[2] ?? match[3] ?? '').slice(0, 3).toLowerCase()) + 1;
    return month === 0
      ? null
      : { date: [Number(match[5]), month, Number(match[1] ?? match[4])], rest: text.slice(match[0].length) };
  }
  match = /^(\d{4})$/.exec(text);
  return match === null ? null : { date: [Number(match[1]), 1, 1], rest: '' };
};

/** Of wall clocks that were asked for lately: an import asks for the same days again and again, and a time zone takes ten times as long as the rest. */
const instants = new Map<string, number>();
const mostInstants = 5_000;

const knownInstantOf = (wall: number, timeZone: string): number => {
  const key = `${wall} ${timeZone}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const instant = instantOf(wall, timeZone);
  if (instants.size >= mostInstants) instants.clear();
  instants.set(key, instant);
  return instant;
};

/** Any date text that a person may paste: ISO with or without offset, the field's own format, `3 Feb 2024`, … `order` is that of its column. */
export const parseDateText = (
  given: string,
  formatting: DateFormatting,
  order: DateOrder = decideOrder(formatting.date, undefined).order,
): Date | null => {
  const text = given.trim();
  const instant = parseInstant(text);
  if (instant !== null) return instant;
  const found = calendarDate(text, order);
  if (found === null) return null;
  const time = timeOf(found.rest.trim());
  if (time === null) return null;
  const wall = utcOf(...found.date, ...time);
  return wall === null ? null : inRange(new Date(knownInstantOf(wall, formatting.timeZone)));
};

export const fromEpoch = (value: number): Date | null => inRange(new Date(value));
