// Days and months as text, `2026-11-15` and `2026-11`: they compare and sort as they are, and have no time zone.
const dayMilliseconds = 86_400_000;

const textOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const instantOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

export const addDays = (day: string, count: number): string => textOf(instantOf(day) + count * dayMilliseconds);

export const addMonths = (month: string, count: number): string => {
  const first = new Date(instantOf(`${month}-01`));
  return textOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + count, 1)).slice(0, 7);
};

/** Whole weeks, from Monday to Sunday, that hold the month. */
export const weeksOf = (month: string): string[][] => {
  const first = instantOf(`${month}-01`);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * dayMilliseconds;
  const end = instantOf(`${addMonths(month, 1)}-01`);
  const weeks: string[][] = [];
  for (let monday = start; monday < end; monday += 7 * dayMilliseconds) weeks.push(Array.from({ length: 7 }, (_item, index) => textOf(monday + index * dayMilliseconds)));
  return weeks;
};

/** The days from one to another, at most so many. */
export const daysBetween = (first: string, last: string, most: number): string[] => {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < most; day = addDays(day, 1)) days.push(day);
  return days;
};

export const monthName = (month: string): string => new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(instantOf(`${month}-01`));
export const dayName = (day: string): string => new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(instantOf(day));
export const weekdayNames = (width: 'short' | 'long'): string[] =>
  Array.from({ length: 7 }, (_item, index) => new Intl.DateTimeFormat(undefined, { weekday: width, timeZone: 'UTC' }).format(instantOf('2024-01-01') + index * dayMilliseconds));
