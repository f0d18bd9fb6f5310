// Dates as people type them: `2026-03-04`, `4.3.26`, `3/4/2026` (by the format of the field), `4 Mar`, `tomorrow`,
// `+3d`, `friday 9:30`. A wall time is written as the milliseconds that the same clock face would have in UTC.
import { decideOrder, orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import type { DateFormatting } from './date-format.ts';
import { browserLanguage } from '../../ui/language.ts';

const day = 86_400_000;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Two digits are of this century up to 69, as in spreadsheets. */
const fullYear = (digits: string): number =>
  digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < 70 ? 2_000 : 1_900);

/** undefined when the calendar has no such day. */
const dayOf = (year: number, month: number, date: number): number | undefined => {
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, date);
  return wall.getUTCFullYear() === year && wall.getUTCMonth() === month - 1 && wall.getUTCDate() === date
    ? wall.getTime()
    : undefined;
};

/** The same day of another month, or its last. */
const addMonths = (wall: number, count: number): number => {
  const moved = new Date(wall);
  moved.setUTCMonth(moved.getUTCMonth() + count, 1);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(new Date(wall).getUTCDate(), last));
  return moved.getTime();
};

const relativeDay = (text: string, today: number): number | undefined => {
  const named = { today: 0, tomorrow: 1, yesterday: -1 }[text];
  if (named !== undefined) return today + named * day;
  const step = /^([+-]\s*\d{1,5})\s*(d|w|m|y|days?|weeks?|months?|years?)?$/.exec(text);
  if (step !== null) {
    const count = Number(step[1]?.replace(/\s/g, ''));
    const unit = step[2]?.[0] ?? 'd';
    return unit === 'd'
      ? today + count * day
      : unit === 'w'
        ? today + count * 7 * day
        : addMonths(today, unit === 'm' ? count : count * 12);
  }
  const weekday = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/.test(text) ? weekdays.indexOf(text.slice(0, 3)) : -1;
  return weekday < 0 ? undefined : today + (((weekday - new Date(today).getUTCDay() + 6) % 7) + 1) * day;
};

/** Reads the day at the beginning; `rest` is the time behind it. */
const calendarDay = (
  text: string,
  format: string,
  thisYear: number,
): { wall: number | undefined; rest: string } | undefined => {
  const found = (match: RegExpExecArray, year: number, month: number, date: number) => ({
    wall: dayOf(year, month, date),
    rest: text.slice(match[0].length),
  });
  const yearFirst =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text);
  if (yearFirst !== null) return found(yearFirst, Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const numbers = /^(\d{1,2})([-/.])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2})?)?(?![\d:])/.exec(text);
  if (numbers !== null) {
    const [first, second] = [Number(numbers[1]), Number(numbers[3])];
    const isDayFirst =
      first > 12 ||
      (second <= 12 &&
        (numbers[2] === '.' ||
          decideOrder(format, undefined, orderOfLocale(browserLanguage() ?? 'en-US')).order === 'dayFirst'));
    return found(
      numbers,
      numbers[4] === undefined ? thisYear : fullYear(numbers[4]),
      isDayFirst ? second : first,
      isDayFirst ? first : second,
    );
  }
  const named =
    /^(?:(\d{1,2})\.?\s*([a-z]{3,9})|([a-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?)\b,?(?:\s+(\d{4}))?(?![\d:])/.exec(
      text,
    );
  const month = named === null ? 0 : months.indexOf((named[2] ?? named[3] ?? '').slice(0, 3)) + 1;
  return named === null || month === 0
    ? undefined
    : found(named, named[5] === undefined ? thisYear : Number(named[5]), month, Number(named[1] ?? named[4]));
};

/** Milliseconds since midnight; undefined when it is no time. */
const timeOfDay = (text: string): number | undefined => {
  const match = /^(\d{1,2})(?:[:.](\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?\s*([ap])?\.?m?\.?$/.exec(text);
  if (match === null || (match[2] === undefined && match[5] === undefined)) return undefined;
  const hour = Number(match[1]);
  if (match[5] !== undefined && (hour < 1 || hour > 12)) return undefined;
  const hours = match[5] === undefined ? hour : (hour % 12) + (match[5] === 'p' ? 12 : 0);
  const [minutes, seconds] = [Number(match[2] ?? 0), Number(match[3] ?? 0)];
  return hours > 23 || minutes > 59 || seconds > 59
    ? undefined
    : ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number((match[4] ?? '0').padEnd(3, '0'));
};

const withOffset = /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s*(?:z|[+-]\d{2}:?\d{2})$/;

/** ISO text of the instant; undefined when it cannot be read. */
export const readDate = (
  given: string,
  { date: format, timeZone }: DateFormatting,
  now: number = Date.now(),
): string | undefined => {
  const text = given.trim().toLowerCase().replace(/\s+/g, ' ');
  if (text === 'now') return new Date(now).toISOString();
  if (withOffset.test(text)) return isoOf(Date.parse(text.toUpperCase().replace(' ', 'T')));
  const wallNow = wallOf(now, timeZone);
  const today = Math.floor(wallNow / day) * day;
  const onDay = (wall: number | undefined, rest: string): string | undefined => {
    const written = rest.replace(/^[t,\s]+(at )?/, '');
    const time = written === '' ? 0 : timeOfDay(written);
    return wall === undefined || time === undefined ? undefined : isoOf(instantOf(wall + time, timeZone));
  };
  const found = calendarDay(text, format, new Date(wallNow).getUTCFullYear());
  if (found !== undefined) return onDay(found.wall, found.rest);
  const [, words = text, behind = ''] = /^([a-z]+|[+-] ?\d+ ?[a-z]*)(?:,? (?:at )?(\d.*))?$/.exec(text) ?? [];
  const relative = relativeDay(words, today);
  return relative === undefined
    ? onDay(timeOfDay(text) === undefined ? undefined : today, text)
    : onDay(relative, behind);
};

const isoOf = (instant: number): string | undefined => {
  const read = new Date(instant);
  return Number.isNaN(instant) || read.getUTCFullYear() < 1 || read.getUTCFullYear() > 9_999
    ? undefined
    : read.toISOString();
};
