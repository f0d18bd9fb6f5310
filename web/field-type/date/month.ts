// Days and months as text, `2026-11-15` and `2026-11`: they compare and sort as they are, and have no time zone.
const dayMilliseconds = 86_400_000;

const textOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const instantOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

export const addDays = (day: string, count: number): string => textOf(instantOf(day) + count * dayMilliseconds);

export const addMonths = (month: string, count: number): string => {
  const first = new Date(instantOf(`${month}-01`));
  // Not Date.UTC: it takes the year 50 for 1950.
  return textOf(first.setUTCMonth(first.getUTCMonth() + count)).slice(0, 7);
};

/** Whole weeks, from Monday to Sunday, that hold the month. */
export const weeksOf = (month: string): string[][] => {
  const first = instantOf(`${month}-01`);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * dayMilliseconds;
  const end = instantOf(`${addMonths(month, 1)}-01`);
  const weeks: string[][] = [];
  for (let monday = start; monday < end; monday += 7 * dayMilliseconds)
    weeks.push(Array.from({ length: 7 }, (_item, index) => textOf(monday + index * dayMilliseconds)));
  return weeks;
};

/** Monday to Sunday. */
export const weekOf = (day: string): string[] => {
  const monday = addDays(day, -((new Date(instantOf(day)).getUTCDay() + 6) % 7));
  return Array.from({ length: 7 }, (_item, index) => addDays(monday, index));
};

export const daysApart = (from: string, to: string): number =>
  Math.round((instantOf(to) - instantOf(from)) / dayMilliseconds);

export const monthName = (month: string): string =>
  new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    instantOf(`${month}-01`),
  );
/** `2 – 8 November 2026` */
export const weekName = (day: string): string => {
  const week = weekOf(day);
  return new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatRange(instantOf(week[0] as string), instantOf(week[6] as string));
};
export const dayName = (day: string): string =>
  new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(instantOf(day));
export const weekdayNames = (width: 'short' | 'long'): string[] =>
  Array.from({ length: 7 }, (_item, index) =>
    new Intl.DateTimeFormat(undefined, { weekday: width, timeZone: 'UTC' }).format(
      instantOf('2024-01-01') + index * dayMilliseconds,
    ),
  );
