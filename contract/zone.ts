// Wall clocks and instants: the one time zone engine, of the server and of the app. A wall time is written as the
// milliseconds that the same clock face would have in UTC. It agrees with PostgreSQL (test/api/time-zone.test.ts).

/** Words that are names of zones here and abbreviations of a fixed offset in PostgreSQL: both mean the zone that the name is an alias of. */
const aliases: Record<string, string> = {
  cet: 'Europe/Brussels',
  met: 'Europe/Brussels',
  eet: 'Europe/Athens',
  wet: 'Europe/Lisbon',
  est: 'America/Panama',
  mst: 'America/Phoenix',
  hst: 'Pacific/Honolulu',
};

/** The name to ask a time zone database for. */
export const zoneName = (timeZone: string): string => aliases[timeZone.toLowerCase()] ?? timeZone;

const formatters = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 names. */
const maxFormatters = 1_000;

// Making one costs far more than using it.
const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  // Names differ in more than case.
  const key = timeZone.toLowerCase();
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zoneName(timeZone),
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formatters.size >= maxFormatters) formatters.clear();
    formatters.set(key, formatter);
  }
  return formatter;
};

/** The zones of three letters. JavaScript also takes abbreviations such as IST and CST, which mean one thing in Asia and another in America. */
const shortNames = new Set(['utc', 'gmt', 'uct', 'prc', 'roc', 'rok', ...Object.keys(aliases)]);

/** Whether it is a name of the IANA time zone database, in any case. */
export const isTimeZone = (name: unknown): name is string => {
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return false;
  if (/^[a-z]{3}$/i.test(name) && !shortNames.has(name.toLowerCase())) return false;
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
};

/** What the clocks of the zone show at an instant. */
export const wallOf = (instant: number, timeZone: string): number => {
  if (timeZone.toLowerCase() === 'utc') return instant;
  // Read from `1/31/2024 AD, 23:30:00`: asking for the parts takes five times as long.
  const text = formatterOf(timeZone).format(instant);
  const [month, dayOfMonth, year, hour, minute, second] = (text.match(/\d+/g) as string[]).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(text.includes('B') ? 1 - year : year, month - 1, dayOfMonth);
  date.setUTCHours(hour, minute, second, ((instant % 1_000) + 1_000) % 1_000);
  return date.getTime();
};

const day = 86_400_000;

/** When the clocks of the zone show that. In an hour that they skip: as if they had not; in one they repeat: the first. */
export const instantOf = (wall: number, timeZone: string): number => {
  if (timeZone.toLowerCase() === 'utc') return wall;
  const before = wall - (wallOf(wall - day, timeZone) - (wall - day));
  if (wallOf(before, timeZone) === wall) return before;
  const after = wall - (wallOf(wall + day, timeZone) - (wall + day));
  return wallOf(after, timeZone) === wall ? after : before;
};
