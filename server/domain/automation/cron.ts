// Times of a schedule: five fields as cron has them, by the clocks of a zone. A time that the clocks skip is the one right after; one that they repeat is the first.
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';

export interface Cron {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** 0 is Sunday. */
  weekdays: ReadonlySet<number>;
  /** When days of the month and of the week are both given, one of them is enough. */
  isEither: boolean;
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Range {
  name: string;
  from: number;
  to: number;
  names?: readonly string[];
}

const ranges: readonly Range[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, names: monthNames },
  { name: 'day of the week', from: 0, to: 7, names: dayNames },
];

const numberIn = (text: string, { from, to, names }: Range): number | undefined => {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return named + (from === 1 ? 1 : 0);
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= from && number <= to ? number : undefined;
};

/** A text says what is wrong. */
const setOf = (text: string, range: Range): Set<number> | string => {
  const wrong = `${JSON.stringify(text)} is not a ${range.name}`;
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [, body, step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (body === undefined) return wrong;
    const every = step === undefined ? 1 : Number(step);
    const [first, last, ...more] = body.split('-');
    const from = body === '*' ? range.from : numberIn(first as string, range);
    const to =
      body === '*' || (last === undefined && step !== undefined)
        ? range.to
        : last === undefined
          ? from
          : numberIn(last, range);
    if (from === undefined || to === undefined || from > to || every < 1 || more.length > 0) return wrong;
    for (let at = from; at <= to; at += every) found.add(range.names === dayNames ? at % 7 : at);
  }
  return found;
};

/** A text says what is wrong. */
export const readCron = (text: string): Cron | string => {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5) return 'Expected five fields: minute, hour, day of the month, month, day of the week';
  const sets = parts.map((part, at) => setOf(part, ranges[at] as Range));
  const wrong = sets.find((set) => typeof set === 'string');
  if (wrong !== undefined) return wrong as string;
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  return { minutes, hours, days, months, weekdays, isEither: parts[2] !== '*' && parts[4] !== '*' };
};

const day = 86_400_000;

const isDayOf = (cron: Cron, date: Date): boolean => {
  const isMonthday = cron.days.has(date.getUTCDate());
  const isWeekday = cron.weekdays.has(date.getUTCDay());
  return cron.months.has(date.getUTCMonth() + 1) && (cron.isEither ? isMonthday || isWeekday : isMonthday && isWeekday);
};

/** The first time after `after`, in milliseconds. Undefined: there is none, such as on 31 February. */
export const nextTime = (cron: Cron, timeZone: string, after: number): number | undefined => {
  const start = wallOf(after, timeZone);
  const times = [...cron.hours].flatMap((hour) => [...cron.minutes].map((minute) => hour * 60 + minute));
  times.sort((one, other) => one - other);
  // Nine years hold every 29 February on each day of the week that a schedule may ask for, or none of it.
  for (let at = Math.floor(start / day) - 1, last = at + 3_300; at <= last; at += 1) {
    if (!isDayOf(cron, new Date(at * day))) continue;
    for (const time of times) {
      const instant = instantOf(at * day + time * 60_000, timeZone);
      if (instant > after) return instant;
    }
  }
  return undefined;
};
