// Numbers of plans as people read them.
import type { PlanLimit } from '@rowhouse/contract/plan.ts';

const counts = new Intl.NumberFormat(undefined);
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const utcShortDays = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The number that stands for no limit. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Undefined where nothing is limited. */
export const limitOf = (value: number): number | undefined => (value === unlimited ? undefined : value);

/** A server without plans: nothing has a limit or a price. */
export const isUnlimited = (limit: PlanLimit): boolean =>
  Object.values(limit).every((value) => value === true || value === unlimited);

export const countText = (value: number): string => (value === unlimited ? 'unlimited' : counts.format(value));

export const bytesText = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return bytes === unlimited ? 'unlimited' : `${counts.format(Math.round(value * 10) / 10)} ${units[unit] as string}`;
};

export const historyText = (days: number): string =>
  days === unlimited || days === 0
    ? 'History is kept without a limit.'
    : `History is kept for ${counts.format(days)} ${days === 1 ? 'day' : 'days'}.`;

export const requestText = (rate: number): string =>
  rate === unlimited
    ? 'API requests are unlimited.'
    : `API tokens can send ${counts.format(rate)} requests per second.`;

export const dayText = (iso: string): string => days.format(new Date(iso));
export const utcDayText = (iso: string): string => utcDays.format(new Date(iso));
export const utcShortDayText = (iso: string): string => utcShortDays.format(new Date(iso));

/** The smallest unit is a hundredth for most currencies, a thousandth or the whole for others: the browser knows. */
export const moneyText = (smallestUnits: number, currency: string): string => {
  const code = currency.toUpperCase();
  const digits =
    new Intl.NumberFormat(undefined, { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ??
    2;
  const amount = smallestUnits / 10 ** digits;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: code,
    ...(Number.isInteger(amount) ? { minimumFractionDigits: 0 } : {}),
  }).format(amount);
};

export const statusWords: Record<string, string> = {
  active: 'Active',
  trialing: 'On trial',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  paused: 'Paused',
  canceled: 'Cancelled',
  incomplete: 'Waiting for the first payment',
  incomplete_expired: 'Expired',
  seat_limit_exceeded: 'More people than seats',
};

/** What a status means for the space, and what to do about it; nothing when all is well. */
export const statusAdvice: Record<string, string> = {
  past_due: 'A payment is overdue. The plan stays active for now; pay to keep it.',
  unpaid: 'The payment failed, so the limits of the free plan apply. Pay to get the plan back.',
  paused: 'The subscription is paused, so the limits of the free plan apply.',
  canceled: 'The subscription has ended, so the limits of the free plan apply. Choose a plan to continue.',
  incomplete: 'The first payment is still pending; until then the limits of the free plan apply.',
  incomplete_expired: 'The first payment did not arrive in time. Choose a plan to try again.',
  seat_limit_exceeded:
    'More people can edit than seats were paid for. Buy seats, or make some of them commenters or viewers; until then no editors can be added.',
};
