// Medians and percentiles.
const sorted = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other);

/** `fraction` of the values are at most this. */
export const percentile = (values: readonly number[], fraction: number): number => {
  const list = sorted(values);
  return list[Math.min(list.length - 1, Math.max(0, Math.ceil(list.length * fraction) - 1))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => {
  const list = sorted(values);
  const middle = list.length >> 1;
  return list.length % 2 === 1
    ? (list[middle] as number)
    : ((list[middle - 1] as number) + (list[middle] as number)) / 2;
};

/** Three digits, because no measurement here has more. */
export const short = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
};
