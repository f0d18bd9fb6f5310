// Numbers of plans as people read them.
const counts = new Intl.NumberFormat(undefined);
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const utcShortDays = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Operators write "no limit" as a number nobody reaches. */
const boundless = 1e12;

export const countText = (value: number): string => (value >= boundless ? 'no limit' : counts.format(value));

export const bytesText = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return bytes >= Number.MAX_SAFE_INTEGER / 2 ? 'no limit' : `${counts.format(Math.round(value * 10) / 10)} ${units[unit] as string}`;
};

export const dayText = (iso: string): string => days.format(new Date(iso));
export const utcDayText = (iso: string): string => utcDays.format(new Date(iso));
export const utcShortDayText = (iso: string): string => utcShortDays.format(new Date(iso));

/** The smallest unit is a hundredth for most currencies, a thousandth or the whole for others: the browser knows. */
export const moneyText = (smallestUnits: number, currency: string): string => {
  const code = currency.toUpperCase();
  const digits = new Intl.NumberFormat(undefined, { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2;
  const amount = smallestUnits / 10 ** digits;
  return new Intl.NumberFormat(undefined, { style: 'currency', currency: code, ...(Number.isInteger(amount) ? { minimumFractionDigits: 0 } : {}) }).format(amount);
};

export const statusWords: Record<string, string> = {
  active: 'Active', trialing: 'On trial', past_due: 'Payment overdue', unpaid: 'Unpaid', paused: 'Paused', canceled: 'Cancelled',
  incomplete: 'Waiting for the first payment', incomplete_expired: 'Expired', seat_limit_exceeded: 'More people than seats',
};

/** What a status means for the space, and what to do about it; nothing when all is well. */
export const statusAdvice: Record<string, string> = {
  past_due: 'A payment is overdue. The plan stays in force for a while; pay to keep it.',
  unpaid: 'The payment did not come, so the limits of the free plan apply. Pay to get the plan back.',
  paused: 'The subscription is set aside, so the limits of the free plan apply.',
  canceled: 'The subscription has ended, so the limits of the free plan apply. Choose a plan to go on.',
  incomplete: 'The first payment has not come yet; until then the limits of the free plan apply.',
  incomplete_expired: 'The first payment did not come in time. Choose a plan to try again.',
  seat_limit_exceeded: 'More people can edit than seats were paid for. Buy seats, or make some of them commenters or viewers; until then nobody can be added as editor.',
};
