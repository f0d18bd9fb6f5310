import type { SubscriptionView } from '@rowhouse/contract/billing.ts';
import type { Plans } from '../../catalog/plans.ts';
import { shownStatus } from '../plan/seats.ts';
import { effectiveLevel, type Subscription, subscriptionId } from '../plan/subscription.ts';

/** `level`, `priceId` and so on say what was subscribed to; `limit` says what applies at the moment. */
export const describeSubscription = (plans: Plans, it: Subscription, seats: number): SubscriptionView => ({
  base: {
    id: subscriptionId(it.spaceId),
    type: 'base',
    catalog: 'cloud',
    level: it.level,
    limit: plans.limitOf(effectiveLevel(plans, it)),
    creditSubscribeEnable: (plans.find(it.level) ?? plans.fallback).creditSubscribeEnable,
    status: shownStatus(it, seats),
    quantity: it.quantity,
    priceId: it.priceId,
    unitAmount: it.unitAmount,
    interval: it.interval,
    currentPeriodStart: it.periodStart.toISOString(),
    currentPeriodEnd: it.periodEnd.toISOString(),
    isTrialUsed: it.isTrialUsed,
    ...(it.trialEnd === null ? {} : { trialEnd: it.trialEnd.toISOString() }),
    ...(it.cancelTime === null ? {} : { cancelAt: it.cancelTime.toISOString() }),
  },
  // Credit is granted, not subscribed to: a subscription of none.
  credit: {
    id: `crd${it.spaceId.slice(3)}`,
    type: 'credit',
    catalog: 'cloud',
    unitAmount: 0,
    quantity: 0,
    interval: it.interval,
  },
});
