// Times as people say them, in the language and zone of the browser.
// Made when they are first needed: the words of a language take the browser a while to find.
let relative: Intl.RelativeTimeFormat | undefined;
let absolute: Intl.DateTimeFormat | undefined;

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export const timeAgo = (iso: string, now = Date.now()): string => {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (step !== undefined) return relative.format(Math.round(seconds / step[1]), step[0]);
  const moment = relative.format(0, 'second');
  return seconds <= 0 && moment === 'now' ? 'just now' : moment;
};

export const fullTime = (iso: string): string => {
  absolute ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return absolute.format(new Date(iso));
};
