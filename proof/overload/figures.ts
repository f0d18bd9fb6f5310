// What the answers of a crowd come to.
import type { Answered } from './caller.ts';

export interface Tally {
  /** Milliseconds of each. */
  accepted: number[];
  refused: number[];
  /** Names that were acknowledged, and names that were refused. */
  created: Set<string>;
  notCreated: Set<string>;
  others: Map<number, number>;
  lost: number;
  withoutRetryAfter: number;
}

export const emptyTally = (): Tally => ({
  accepted: [],
  refused: [],
  created: new Set(),
  notCreated: new Set(),
  others: new Map(),
  lost: 0,
  withoutRetryAfter: 0,
});

export const count = (tally: Tally, { asked, status, retryAfter, milliseconds }: Answered): void => {
  if (status === 200 || status === 201) {
    tally.accepted.push(milliseconds);
    if (asked.mark !== undefined) tally.created.add(asked.mark);
  } else if (status === 503 || status === 429) {
    tally.refused.push(milliseconds);
    if (asked.mark !== undefined) tally.notCreated.add(asked.mark);
    if (!retryAfter) tally.withoutRetryAfter += 1;
  } else tally.others.set(status, (tally.others.get(status) ?? 0) + 1);
};

/** NaN when there are none. */
export const percentile = (milliseconds: readonly number[], share: number): number => {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const shown = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? 'none' : `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
