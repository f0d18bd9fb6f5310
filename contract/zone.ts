// Wall clocks and instants. A wall time is written as the milliseconds that the same clock face would have in UTC.

const formatters = new Map<string, Intl.DateTimeFormat>();

const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
};

export const isTimeZone = (name: unknown): name is string => {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return false;
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
};

/** What the clocks of the zone show at an instant. */
export const wallOf = (instant: number, timeZone: string): number => {
  if (timeZone.toLowerCase() === 'utc') return instant;
  const parts = Object.fromEntries(formatterOf(timeZone).formatToParts(instant).map((part) => [part.type, part.value]));
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const date = new Date(0);
  date.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  date.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second), ((instant % 1_000) + 1_000) % 1_000);
  return date.getTime();
};

/** When the clocks of the zone show that. In an hour that they skip: as if they had not; in one they repeat: the first. */
export const instantOf = (wall: number, timeZone: string): number => {
  const before = wall - (wallOf(wall - 86_400_000, timeZone) - (wall - 86_400_000));
  if (wallOf(before, timeZone) === wall) return before;
  const after = wall - (wallOf(wall + 86_400_000, timeZone) - (wall + 86_400_000));
  return wallOf(after, timeZone) === wall ? after : before;
};
