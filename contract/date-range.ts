// The days that a date condition speaks of, as instants: from `start` up to, but without, `end`. Weeks begin on Monday.
import type { DateMode, DateOperand } from './filter.ts';
import { instantOf, wallOf } from './zone.ts';

/** The date part of the format of a field. */
interface DateFormatting {
  date: string;
}

interface DateRange {
  start: string;
  end: string;
}

type Unit = 'day' | 'week' | 'month' | 'year';

const day = 86_400_000;

/** Wall times are read with the UTC functions of Date: they are clock faces, not instants. */
const startOf = (wall: number, unit: Unit): number => {
  const date = new Date(wall);
  date.setUTCHours(0, 0, 0, 0);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (unit === 'month' || unit === 'year') date.setUTCDate(1);
  if (unit === 'year') date.setUTCMonth(0);
  return date.getTime();
};

/** The 31st of a month plus one month is the last day of the next. */
const add = (wall: number, count: number, unit: Unit): number => {
  if (unit === 'day' || unit === 'week') return wall + count * day * (unit === 'week' ? 7 : 1);
  const date = new Date(wall);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(2000, 0, 1));
  last.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(wanted, last.getUTCDate()));
  return date.getTime();
};

type Walls = [start: number, end: number];

const whole = (wall: number, unit: Unit): Walls => [startOf(wall, unit), add(startOf(wall, unit), 1, unit)];

/** What the format of the field shows of a date: a whole year, a whole month, or a day. */
const shownUnit = ({ date }: DateFormatting): Unit =>
  date.includes('D') ? 'day' : date.includes('M') ? 'month' : 'year';

const until = (today: number, count: number, unit: Unit): Walls => [
  startOf(add(today, count, unit), 'day'),
  startOf(today, 'day') + day,
];
const from = (today: number, count: number, unit: Unit): Walls => [
  startOf(today, 'day'),
  startOf(add(today, count, unit), 'day') + day,
];

interface Asked {
  today: number;
  days: number;
  exact: number;
  formatting: DateFormatting;
}

const ranges: Record<DateMode, (asked: Asked) => Walls> = {
  today: ({ today }) => whole(today, 'day'),
  tomorrow: ({ today }) => whole(add(today, 1, 'day'), 'day'),
  yesterday: ({ today }) => whole(add(today, -1, 'day'), 'day'),
  oneWeekAgo: ({ today }) => whole(add(today, -1, 'week'), 'day'),
  oneWeekFromNow: ({ today }) => whole(add(today, 1, 'week'), 'day'),
  oneMonthAgo: ({ today }) => whole(add(today, -1, 'month'), 'day'),
  oneMonthFromNow: ({ today }) => whole(add(today, 1, 'month'), 'day'),
  daysAgo: ({ today, days }) => whole(add(today, -days, 'day'), 'day'),
  daysFromNow: ({ today, days }) => whole(add(today, days, 'day'), 'day'),
  exactDate: ({ exact }) => whole(exact, 'day'),
  exactFormatDate: ({ exact, formatting }) => whole(exact, shownUnit(formatting)),
  currentWeek: ({ today }) => whole(today, 'week'),
  lastWeek: ({ today }) => whole(add(today, -1, 'week'), 'week'),
  nextWeekPeriod: ({ today }) => whole(add(today, 1, 'week'), 'week'),
  currentMonth: ({ today }) => whole(today, 'month'),
  lastMonth: ({ today }) => whole(add(today, -1, 'month'), 'month'),
  nextMonthPeriod: ({ today }) => whole(add(today, 1, 'month'), 'month'),
  currentYear: ({ today }) => whole(today, 'year'),
  lastYear: ({ today }) => whole(add(today, -1, 'year'), 'year'),
  nextYearPeriod: ({ today }) => whole(add(today, 1, 'year'), 'year'),
  pastWeek: ({ today }) => until(today, -1, 'week'),
  pastMonth: ({ today }) => until(today, -1, 'month'),
  pastYear: ({ today }) => until(today, -1, 'year'),
  nextWeek: ({ today }) => from(today, 1, 'week'),
  nextMonth: ({ today }) => from(today, 1, 'month'),
  nextYear: ({ today }) => from(today, 1, 'year'),
  pastNumberOfDays: ({ today, days }) => until(today, -days, 'day'),
  nextNumberOfDays: ({ today, days }) => from(today, days, 'day'),
};

/** Text that PostgreSQL takes: it has no year 0, and ISO text has four digits for a year. */
const instantText = (instant: number): string => {
  const year = new Date(instant).getUTCFullYear();
  return year < 1 ? '-infinity' : year > 9_999 ? 'infinity' : new Date(instant).toISOString();
};

export const dateRange = (operand: DateOperand, now: Date, formatting: DateFormatting): DateRange => {
  const { timeZone } = operand;
  const [start, end] = ranges[operand.mode]({
    today: wallOf(now.getTime(), timeZone),
    days: operand.numberOfDays ?? 0,
    exact: operand.exactDate === undefined ? 0 : wallOf(Date.parse(operand.exactDate), timeZone),
    formatting,
  });
  return { start: instantText(instantOf(start, timeZone)), end: instantText(instantOf(end, timeZone)) };
};
