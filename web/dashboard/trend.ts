// How a number came to be: its line through the periods, and what the last one changed.

interface Change {
  by: number;
  /** In whole percent of the period before; undefined where that was nothing. */
  share: number | undefined;
}

/** Of the last period against the one before. */
export const changeOf = (values: readonly (number | null)[]): Change | undefined => {
  const [before, now] = values.slice(-2);
  if (values.length < 2 || before == null || now == null) return undefined;
  const by = now - before;
  return { by, share: before === 0 ? undefined : Math.round((by / Math.abs(before)) * 100) };
};

/** The path of a line; undefined for fewer than two values. Periods without a value are passed over. */
export const sparkline = (values: readonly (number | null)[], width: number, height: number): string | undefined => {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  if (points.length < 2) return undefined;
  const all = points.map(({ value }) => value);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const inset = 2;
  const y = (value: number): number =>
    most === least ? height / 2 : height - inset - ((value - least) / (most - least)) * (height - 2 * inset);
  return points
    .map(
      ({ at, value }, index) =>
        `${index === 0 ? 'M' : 'L'}${Number(((at / (values.length - 1)) * width).toFixed(1))} ${Number(y(value).toFixed(1))}`,
    )
    .join(' ');
};
