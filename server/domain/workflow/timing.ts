// When a schedule starts: Teable's intervals, and cron. Intervals count from the beginning of the hour or day, as cron does.
import { unmapped } from './node.ts';

interface Timing {
  type: string;
  interval?: number;
  triggerTime?: { hour: number; minute: number };
  weekdays?: string[];
  daysOfMonth?: number[];
  cron?: string;
}

const days: Readonly<Record<string, string>> = {
  SU: 'SUN',
  MO: 'MON',
  TU: 'TUE',
  WE: 'WED',
  TH: 'THU',
  FR: 'FRI',
  SA: 'SAT',
};
const shortDays = Object.fromEntries(Object.entries(days).map(([short, long]) => [long, short]));

const between = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const divides = (interval: unknown, whole: number): boolean => between(interval, 1, whole) && whole % interval === 0;

/** Undefined: it has no cron. */
const cronOf = ({ type, interval = 1, triggerTime, weekdays, daysOfMonth, cron }: Timing): string | undefined => {
  const { hour, minute } = triggerTime ?? {};
  const isTimed = between(hour, 0, 23) && between(minute, 0, 59);
  switch (type) {
    case 'minutes':
      return interval === 60 ? '0 * * * *' : divides(interval, 60) ? `*/${interval} * * * *` : undefined;
    case 'hours':
      return interval === 24 ? '0 0 * * *' : divides(interval, 24) ? `0 */${interval} * * *` : undefined;
    case 'days':
      return isTimed && interval === 1 ? `${minute} ${hour} * * *` : undefined;
    case 'weeks':
      return isTimed && interval === 1 && weekdays?.length && weekdays.every((day) => Object.hasOwn(days, day))
        ? `${minute} ${hour} * * ${weekdays.map((day) => days[day]).join(',')}`
        : undefined;
    case 'months':
      return isTimed && interval === 1 && daysOfMonth?.length && daysOfMonth.every((day) => between(day, 1, 31))
        ? `${minute} ${hour} ${daysOfMonth.join(',')} * *`
        : undefined;
    case 'cron':
      return cron ?? '';
    default:
      return undefined;
  }
};

export const cronFrom = (timing: unknown, node: string): string => {
  if (timing === undefined || timing === null) return '';
  const cron = typeof timing === 'object' ? cronOf(timing as Timing) : undefined;
  if (cron === undefined)
    throw unmapped(
      node,
      'config.timing',
      `${JSON.stringify(timing)?.slice(0, 200)} is not a time that a schedule here can have`,
      'minutes that divide an hour, hours that divide a day, each day, week or month at a time, or `{"type": "cron", "cron": "0 9 * * MON-FRI"}`',
    );
  return cron;
};

export const timingOf = (cron: string): Timing => {
  const whole: Timing = { type: 'cron', cron };
  const [minute, hour, day, month, weekday, ...more] = cron.split(' ');
  if (more.length > 0 || month !== '*' || day === undefined) return whole;
  const triggerTime = { hour: Number(hour), minute: Number(minute) };
  const every = /^\*\/(\d+)$/;
  const candidates: Timing[] = [
    { type: 'minutes', interval: Number(every.exec(minute ?? '')?.[1]) },
    { type: 'hours', interval: Number(every.exec(hour ?? '')?.[1]) },
    { type: 'days', interval: 1, triggerTime },
    {
      type: 'weeks',
      interval: 1,
      weekdays: (weekday ?? '').split(',').map((name) => shortDays[name] ?? ''),
      triggerTime,
    },
    { type: 'months', interval: 1, daysOfMonth: day.split(',').map(Number), triggerTime },
  ];
  return candidates.find((timing) => cronOf(timing) === cron) ?? whole;
};
