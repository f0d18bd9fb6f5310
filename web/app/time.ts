// Times as people say them, in the language and zone of the browser.
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

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
  return step === undefined ? relative.format(0, 'second') : relative.format(Math.round(seconds / step[1]), step[0]);
};

export const fullTime = (iso: string): string => absolute.format(new Date(iso));
