// Numbers of plans as people read them.
const counts = new Intl.NumberFormat(undefined);
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

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

export const moneyText = (smallestUnits: number, currency: string): string => new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.toUpperCase() }).format(smallestUnits / 100);

export const statusWords: Record<string, string> = {
  active: 'active', trialing: 'being tried', past_due: 'waiting for a payment', unpaid: 'not paid', paused: 'paused', canceled: 'cancelled',
  incomplete: 'not complete', incomplete_expired: 'expired', seat_limit_exceeded: 'short of seats',
};
