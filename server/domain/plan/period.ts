// Periods of payment: whole months or years from an anchor. The end of January and a month is the end of
// February; two months are the end of March again, because every period is counted from the anchor.
import type { Interval } from '@rowhouse/contract/plan.ts';

const monthsOf = (interval: Interval, count: number): number => (interval === 'year' ? 12 * count : count);

export const addMonths = (from: Date, months: number): Date => {
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return moved;
};

export const addInterval = (from: Date, interval: Interval, count = 1): Date =>
  addMonths(from, monthsOf(interval, count));

/** The end of the period that begins at `start`, which is a whole number of months after the anchor. */
export const nextEnd = (anchor: Date, start: Date, interval: Interval): Date => {
  const elapsed = (start.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + start.getUTCMonth() - anchor.getUTCMonth();
  return addMonths(anchor, elapsed + monthsOf(interval, 1));
};

const day = 86_400_000;

/** `2030-12-31`, in UTC: usage is kept by days of UTC, wherever the server stands. */
export const daysBefore = (now: Date, count: number): string =>
  new Date(now.getTime() - count * day).toISOString().slice(0, 10);
