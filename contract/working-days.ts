// Working days: time that counts only on the days on which people work. Times are wall times (zone.ts): milliseconds that the same clock face would
// have in UTC. Views with bars rest on it, and the calendar files that are made of them.

export const dayLength = 86_400_000;

export interface WorkingTime {
  isWorking(day: number): boolean;
  /** How much of the time from one moment to a later one counts. */
  between(from: number, until: number): number;
  /** The first moment at which so much has passed since `from`; less than nothing leads back. */
  after(from: number, length: number): number;
  /** The last moment from which so much passes before `until`. */
  before(until: number, length: number): number;
  /** The moment itself if it is on a working day, else the beginning of the next one. */
  next(moment: number): number;
}

/** The number of a day, from 1 January 1970. */
export const dayOf = (moment: number): number => Math.floor(moment / dayLength);

/** Monday is 1, Sunday 7. 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

const everyDay: WorkingTime = {
  isWorking: () => true,
  between: (from, until) => until - from,
  after: (from, length) => from + length,
  before: (until, length) => until - length,
  next: (moment) => moment,
};

/**
 * `weekdays`: 1 for Monday to 7 for Sunday; none or all of them mean that every day counts. `holidays`: days such as `2026-12-25` on which nobody works.
 * No question takes longer for a longer time: a bar may last for centuries.
 */
export const workingTime = (weekdays: readonly number[], holidays: readonly string[] = []): WorkingTime => {
  const works = new Set(weekdays.length === 0 ? [1, 2, 3, 4, 5, 6, 7] : weekdays);
  if (works.size === 7 && holidays.length === 0) return everyDay;
  const free = [...new Set(holidays.map((text) => dayOf(Date.parse(`${text}T00:00:00.000Z`))))]
    .filter((day) => works.has(weekdayOf(day)))
    .sort((one, other) => one - other);
  const isFree = new Set(free);
  const perWeek = works.size;
  /** Of the days of a week from Monday on, how many before each work. */
  const worked = [0];
  for (let weekday = 1; weekday <= 7; weekday += 1)
    worked.push((worked[weekday - 1] as number) + (works.has(weekday) ? 1 : 0));
  const workdays = [1, 2, 3, 4, 5, 6, 7].filter((weekday) => works.has(weekday));

  /** How many holidays are before a day. */
  const freeBefore = (day: number): number => {
    let [low, high] = [0, free.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((free[middle] as number) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** Monday of the week of 1 January 1970 is day -3. */
  const weekdaysBefore = (day: number): number =>
    Math.floor((day + 3) / 7) * perWeek + (worked[weekdayOf(day) - 1] as number);
  const countBefore = (day: number): number => weekdaysBefore(day) - freeBefore(day);
  /** The working day before which so many are. */
  const dayAt = (count: number): number => {
    const weekdayAt = (index: number): number => {
      const week = Math.floor(index / perWeek);
      return week * 7 - 3 + (workdays[index - week * perWeek] as number) - 1;
    };
    // Holidays move it on; each time those that have come before it since.
    for (let day = weekdayAt(count); ; ) {
      const next = weekdayAt(count + freeBefore(day + 1));
      if (next === day) return day;
      day = next;
    }
  };

  const isWorking = (day: number): boolean => works.has(weekdayOf(day)) && !isFree.has(day);
  const counted = (moment: number): number => {
    const day = dayOf(moment);
    return countBefore(day) * dayLength + (isWorking(day) ? moment - day * dayLength : 0);
  };
  const first = (length: number): number => {
    const count = Math.floor(length / dayLength);
    const rest = length - count * dayLength;
    return rest === 0 ? (dayAt(count - 1) + 1) * dayLength : dayAt(count) * dayLength + rest;
  };
  const last = (length: number): number => {
    const count = Math.floor(length / dayLength);
    return dayAt(count) * dayLength + (length - count * dayLength);
  };
  const after = (from: number, length: number): number => {
    if (length === 0) return from;
    return length > 0 ? first(counted(from) + length) : last(counted(from) + length);
  };
  return {
    isWorking,
    between: (from, until) => counted(until) - counted(from),
    after,
    before: (until, length) => after(until, -length),
    next: (moment) => (isWorking(dayOf(moment)) ? moment : last(counted(moment))),
  };
};
