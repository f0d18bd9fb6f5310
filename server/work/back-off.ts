import type { Retry } from './job.ts';

/** Seconds until the next try after `attempt` of them have failed, somewhat spread so that what failed together does not come back together. */
export const backOff = (attempt: number, { first, longest }: Retry, random: () => number = Math.random): number =>
  Math.min(longest, first * 2 ** Math.min(attempt - 1, 30)) * (0.8 + 0.4 * random());
