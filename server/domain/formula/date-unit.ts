// Units of time by the names that people give them. rowhouse.date_unit knows the same names, for those that come from a field.

export type DateUnit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export const unitNames: readonly DateUnit[] = [
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
];

const short: Record<string, DateUnit> = {
  ms: 'millisecond',
  s: 'second',
  sec: 'second',
  m: 'minute',
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  d: 'day',
  w: 'week',
  y: 'year',
};

export const unitOf = (name: string): DateUnit | undefined => {
  // A lone m is a minute, a lone M a month.
  if (name === 'M') return 'month';
  if (name === 'Q') return 'quarter';
  const word = name
    .trim()
    .toLowerCase()
    .replace(/(..)s$/, '$1');
  return short[word] ?? unitNames.find((unit) => unit === word);
};
