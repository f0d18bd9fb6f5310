// Time along the screen: how much of it a pixel is, which lines it is divided by, and what they are called.
import { dayLength } from '@rowhouse/contract/working-days.ts';

type Unit = 'quarterHour' | 'hour' | 'sixHours' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade';

export const levels = [
  { value: 'hours', label: 'Hours', pxPerDay: 1_152 },
  { value: 'days', label: 'Days', pxPerDay: 48 },
  { value: 'weeks', label: 'Weeks', pxPerDay: 16 },
  { value: 'months', label: 'Months', pxPerDay: 4.5 },
  { value: 'quarters', label: 'Quarters', pxPerDay: 0.9 },
  { value: 'years', label: 'Years', pxPerDay: 0.25 },
] as const;

export const leastScale = 0.02;
export const mostScale = 6_000;

export const limitedScale = (pxPerDay: number): number => Math.min(mostScale, Math.max(leastScale, pxPerDay));

/** The level that a scale is nearest to. */
export const levelOf = (pxPerDay: number): (typeof levels)[number] => {
  const away = (level: (typeof levels)[number]): number => Math.abs(Math.log(level.pxPerDay / pxPerDay));
  return levels.toSorted((one, other) => away(one) - away(other))[0] as (typeof levels)[number];
};

/** The next level in or out. */
export const steppedScale = (pxPerDay: number, step: 1 | -1): number => {
  const further = levels.filter((level) =>
    step === 1 ? level.pxPerDay > pxPerDay * 1.05 : level.pxPerDay < pxPerDay / 1.05,
  );
  return (step === 1 ? further.at(-1) : further[0])?.pxPerDay ?? limitedScale(step === 1 ? pxPerDay * 2 : pxPerDay / 2);
};

const hour = dayLength / 24;

/** Each with how wide it must be at least to be written, and what stands above it. */
const units: { unit: Unit; length: number; least: number; above: Unit | 'hours' }[] = [
  { unit: 'quarterHour', length: hour / 4, least: 44, above: 'day' },
  { unit: 'hour', length: hour, least: 40, above: 'day' },
  { unit: 'sixHours', length: 6 * hour, least: 44, above: 'day' },
  { unit: 'day', length: dayLength, least: 24, above: 'month' },
  { unit: 'week', length: 7 * dayLength, least: 38, above: 'month' },
  { unit: 'month', length: 30 * dayLength, least: 38, above: 'year' },
  { unit: 'quarter', length: 91 * dayLength, least: 34, above: 'year' },
  { unit: 'year', length: 365 * dayLength, least: 40, above: 'decade' },
  { unit: 'decade', length: 3_652 * dayLength, least: 1, above: 'decade' },
];

export const unitsAt = (pxPerDay: number): { minor: Unit; major: Unit } => {
  const found =
    units.find(({ length, least }) => (length / dayLength) * pxPerDay >= least) ?? (units.at(-1) as (typeof units)[0]);
  return { minor: found.unit, major: found.above as Unit };
};

const monthsOf: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12, decade: 120 };

const monthStart = (index: number): number => {
  const date = new Date(0);
  return date.setUTCFullYear(Math.floor(index / 12), index - Math.floor(index / 12) * 12, 1);
};

const monthIndex = (moment: number): number => {
  const date = new Date(moment);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The beginnings of a unit from before `from` up to behind `until`, so that neighbours enclose all of it. */
export const ticksOf = (unit: Unit, from: number, until: number): number[] => {
  const ticks: number[] = [];
  const months = monthsOf[unit];
  if (months !== undefined) {
    for (let index = Math.floor(monthIndex(from) / months) * months; ; index += months) {
      const tick = monthStart(index);
      ticks.push(tick);
      if (tick >= until || Number.isNaN(tick)) return ticks;
    }
  }
  const length = (units.find((one) => one.unit === unit) as (typeof units)[0]).length;
  // Weeks begin on Mondays; the first one of 1970 was the 5th of January.
  const shift = unit === 'week' ? 4 * dayLength : 0;
  for (let tick = Math.floor((from - shift) / length) * length + shift; ; tick += length) {
    ticks.push(tick);
    if (tick >= until) return ticks;
  }
};

const formats = new Map<string, Intl.DateTimeFormat>();
const format = (options: Intl.DateTimeFormatOptions, moment: number): string => {
  const key = JSON.stringify(options);
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
    formats.set(key, made);
  }
  return made.format(moment);
};

/** `isMajor`: it stands alone above others, and says all that they do not. */
export const tickName = (unit: Unit, moment: number, isMajor: boolean): string => {
  const year = String(new Date(moment).getUTCFullYear());
  switch (unit) {
    case 'quarterHour':
    case 'hour':
    case 'sixHours':
      return format({ hour: '2-digit', minute: '2-digit' }, moment);
    case 'day':
      return isMajor
        ? format({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' }, moment)
        : String(new Date(moment).getUTCDate());
    case 'week':
      return format({ day: 'numeric', month: 'short' }, moment);
    case 'month':
      return isMajor ? format({ month: 'long', year: 'numeric' }, moment) : format({ month: 'short' }, moment);
    case 'quarter':
      return `Q${Math.floor(new Date(moment).getUTCMonth() / 3) + 1}`;
    case 'decade':
      return `${year}s`;
    default:
      return year;
  }
};

const dayName = (moment: number): string => format({ day: 'numeric', month: 'short', year: 'numeric' }, moment);
const timeName = (moment: number): string =>
  format({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }, moment);

/** A span in words; days are named up to the last one that is part of it. */
export const spanName = ({ start, end }: { start: number; end: number }, byDay: boolean): string => {
  const nameOf = byDay ? dayName : timeName;
  const last = byDay ? Math.max(start, end - dayLength) : end;
  return last === start ? nameOf(start) : `${nameOf(start)} – ${nameOf(last)}`;
};
