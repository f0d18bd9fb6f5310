// What a subscription is, and what time alone does to it. Pure: the clock is an argument.
// docs/guide/plans.md has the statuses and transitions in words.
import type { storedStatuses } from '@rowhouse/contract/billing.ts';
import type { Interval } from '@rowhouse/contract/plan.ts';
import type { Plans, Price } from '../../catalog/plans.ts';
import { addInterval, nextEnd } from './period.ts';

/** As stored. */
export type Status = (typeof storedStatuses)[number];

export interface Subscription {
  spaceId: string;
  level: string;
  priceId: string;
  interval: Interval;
  unitAmount: number;
  /** Seats. */
  quantity: number;
  status: Status;
  /** Periods are counted from here. */
  anchor: Date;
  periodStart: Date;
  periodEnd: Date;
  startedTime: Date;
  trialEnd: Date | null;
  isTrialUsed: boolean;
  cancelTime: Date | null;
  pastDueSince: Date | null;
  /** Null: nobody but the operator looks after it, and it goes on by itself. */
  provider: 'stripe' | null;
  providerId: string | null;
  providerCreated: Date | null;
}

const hour = 3_600_000;
const day = 24 * hour;

/** As long as Stripe waits for the first payment. */
const firstPaymentHours = 23;

const fallbackPrice = (plans: Plans): Price =>
  plans.fallback.prices.find(({ interval }) => interval === 'month') as Price;

export const fallbackSubscription = (plans: Plans, spaceId: string, since: Date): Subscription => {
  const { id, interval, unitAmount } = fallbackPrice(plans);
  return {
    spaceId,
    level: plans.fallback.level,
    priceId: id,
    interval,
    unitAmount,
    quantity: 1,
    status: 'active',
    anchor: since,
    periodStart: since,
    periodEnd: addInterval(since, interval),
    startedTime: since,
    trialEnd: null,
    isTrialUsed: false,
    cancelTime: null,
    pastDueSince: null,
    provider: null,
    providerId: null,
    providerCreated: null,
  };
};

/** What comes after a subscription: the plan that spaces have without one. */
export const fallBack = (plans: Plans, ended: Subscription, at: Date): Subscription => ({
  ...fallbackSubscription(plans, ended.spaceId, at),
  isTrialUsed: ended.isTrialUsed,
  // Remembered, so that a late word about what has ended is known as such.
  providerId: ended.providerId,
  providerCreated: ended.providerCreated,
});

interface Transition {
  at: Date;
  to: () => Subscription;
}

const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms);

/** Those that change what the space may do; rolling on to the next period is not among them. */
const transitionsOf = (plans: Plans, now: Subscription): Transition[] => {
  const list: Transition[] = [];
  const end = (at: Date): Transition => ({ at, to: () => fallBack(plans, now, at) });
  if (now.cancelTime !== null && now.status !== 'canceled' && now.status !== 'incomplete_expired')
    list.push(end(now.cancelTime));
  switch (now.status) {
    case 'trialing':
      // The provider knows whether there is a way to pay, and says what comes next.
      if (now.provider === null) list.push(end(now.trialEnd ?? now.periodEnd));
      break;
    case 'past_due':
      list.push({
        at: later(now.pastDueSince ?? now.periodStart, plans.graceDays * day),
        to: () => ({ ...now, status: 'unpaid' }),
      });
      break;
    case 'incomplete':
      list.push({
        at: later(now.startedTime, firstPaymentHours * hour),
        to: () => ({ ...now, status: 'incomplete_expired' }),
      });
      break;
    case 'canceled':
    case 'incomplete_expired':
      list.push(end(now.periodEnd));
      break;
    default:
  }
  return list;
};

const earliest = (list: Transition[]): Transition | undefined =>
  list.sort((a, b) => a.at.getTime() - b.at.getTime())[0];

export const dueTime = (plans: Plans, subscription: Subscription): Date | null =>
  earliest(transitionsOf(plans, subscription))?.at ?? null;

const rollOn = (subscription: Subscription, now: Date): Subscription => {
  let { periodStart, periodEnd } = subscription;
  let { anchor } = subscription;
  // A period that the operator cut to another length is the last of its kind: the next are counted from its end.
  if (nextEnd(anchor, periodStart, subscription.interval).getTime() !== periodEnd.getTime()) anchor = periodEnd;
  while (periodEnd <= now) {
    periodStart = periodEnd;
    periodEnd = nextEnd(anchor, periodStart, subscription.interval);
  }
  return { ...subscription, anchor, periodStart, periodEnd };
};

/** The subscription as it is at `now`. */
export const settle = (plans: Plans, subscription: Subscription, now: Date): Subscription => {
  let present = subscription;
  for (;;) {
    const next = earliest(transitionsOf(plans, present));
    if (next === undefined || next.at > now) break;
    present = next.to();
  }
  const ends =
    present.status === 'canceled' || present.status === 'incomplete_expired' || present.status === 'trialing';
  return present.provider === null && !ends && present.periodEnd <= now ? rollOn(present, now) : present;
};

const inForce: ReadonlySet<Status> = new Set(['active', 'trialing', 'past_due']);

/** The level whose limits apply. */
export const effectiveLevel = (plans: Plans, { level, status }: Subscription): string =>
  inForce.has(status) ? level : plans.fallback.level;

/** The fallback, or a subscription that is over: a new one may begin. */
export const isOver = (plans: Plans, { level, status }: Subscription): boolean =>
  level === plans.fallback.level || status === 'canceled' || status === 'incomplete_expired';

/** One per space, so its id is that of the space with another prefix. */
export const subscriptionId = (spaceId: string): string => `sub${spaceId.slice(3)}`;
