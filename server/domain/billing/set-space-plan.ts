// What the operator says about the plan of a space, by the admin endpoint or `rowhouse space plan`.
import type { PlanChange, SubscriptionView } from '@rowhouse/contract/billing.ts';
import { ApiError, conflict, invalid } from '@rowhouse/contract/error.ts';
import type { Plans, Price, Product } from '../../catalog/plans.ts';
import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeSubscription } from '../plan/change-subscription.ts';
import { addInterval } from '../plan/period.ts';
import { isOver, type Subscription } from '../plan/subscription.ts';
import { selectSeats } from '../plan/usage.sql.ts';
import { describeSubscription } from './describe-subscription.ts';

const day = 86_400_000;

const dateOf = (text: string, path: string): Date => {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw invalid({ path, message: 'Expected a date and time', expected: 'ISO 8601' });
  return date;
};

const priceOf = (plans: Plans, level: string, interval: Subscription['interval']): Price => {
  const product = plans.products.find((item) => item.level === level);
  if (product === undefined) {
    const words = plans.products.map((item) => item.level).join(', ');
    throw invalid({ path: 'level', message: `There is no plan ${level}`, expected: words });
  }
  const price = product.prices.find((item) => item.interval === interval && item.intervalCount === 1);
  if (price === undefined)
    throw invalid({ path: 'interval', message: `The plan ${level} has no price by the ${interval}` });
  return price;
};

/** Another level or interval is a new subscription, from now on. */
const withLevel = (plans: Plans, present: Subscription, { level, interval }: PlanChange, now: Date): Subscription => {
  if ((level ?? present.level) === present.level && (interval ?? present.interval) === present.interval) return present;
  const price = priceOf(
    plans,
    level ?? present.level,
    interval ?? (level === undefined || level === present.level ? present.interval : 'month'),
  );
  return {
    ...present,
    level: level ?? present.level,
    priceId: price.id,
    interval: price.interval,
    unitAmount: price.unitAmount,
    quantity: level === plans.fallback.level ? 1 : present.quantity,
    status: 'active',
    anchor: now,
    periodStart: now,
    periodEnd: addInterval(now, price.interval),
    startedTime: now,
    trialEnd: null,
    cancelTime: null,
    pastDueSince: null,
    provider: null,
  };
};

const beginTrial = (plans: Plans, present: Subscription, trialEnd: Date | undefined, now: Date): Subscription => {
  if (present.isTrialUsed) throw conflict(`Space ${present.spaceId} has had its trial`);
  const days = (plans.find(present.level) as Product).trialPeriodInDays;
  if (days === 0 && trialEnd === undefined)
    throw invalid({ path: 'trialEnd', message: `The plan ${present.level} has no trial: say when it ends` });
  const end = trialEnd ?? new Date(now.getTime() + days * day);
  return {
    ...present,
    status: 'trialing',
    isTrialUsed: true,
    trialEnd: end,
    anchor: now,
    periodStart: now,
    periodEnd: end,
  };
};

const withStatus = (plans: Plans, present: Subscription, { status, trialEnd }: PlanChange, now: Date): Subscription => {
  const end = trialEnd === undefined ? undefined : dateOf(trialEnd, 'trialEnd');
  if (status === undefined || status === present.status)
    return end === undefined ? present : { ...present, trialEnd: end };
  if (present.level === plans.fallback.level)
    throw invalid({ path: 'status', message: 'The free plan is always active: set a level too' });
  switch (status) {
    case 'trialing':
      return beginTrial(plans, present, end, now);
    case 'past_due':
      return { ...present, status, pastDueSince: now };
    case 'incomplete':
      return { ...present, status, startedTime: now };
    case 'active':
      return { ...present, status, pastDueSince: null };
    default:
      return { ...present, status };
  }
};

const withDates = (present: Subscription, change: PlanChange): Subscription => {
  const periodStart =
    change.currentPeriodStart === undefined
      ? present.periodStart
      : dateOf(change.currentPeriodStart, 'currentPeriodStart');
  const periodEnd =
    change.currentPeriodEnd === undefined ? present.periodEnd : dateOf(change.currentPeriodEnd, 'currentPeriodEnd');
  if (periodEnd <= periodStart)
    throw invalid({ path: 'currentPeriodEnd', message: 'The period must end after it begins' });
  const anchor = change.currentPeriodStart === undefined ? present.anchor : periodStart;
  const cancelTime =
    change.cancelAt === undefined
      ? present.cancelTime
      : change.cancelAt === null
        ? null
        : dateOf(change.cancelAt, 'cancelAt');
  return { ...present, anchor, periodStart, periodEnd, cancelTime };
};

export const setSpacePlan = (
  services: Pick<Environment, 'db' | 'plans' | 'now'>,
  spaceId: string,
  change: PlanChange,
): Promise<SubscriptionView> =>
  retriedTransaction(services.db, async (tx) => {
    const { plans } = services;
    if (!plans.areOn)
      throw new ApiError(
        'unprocessable_entity',
        'Plans are off on this server, so every space may use everything: its operator turns them on with ROWHOUSE_PLANS',
      );
    const now = services.now();
    const changed = await changeSubscription(tx, services, spaceId, (present) => {
      if (present.provider === 'stripe' && !isOver(plans, present)) {
        throw conflict(
          'This subscription is paid through Stripe: change or cancel it there, or it would be set back by the next payment',
        );
      }
      const next = withDates(withStatus(plans, withLevel(plans, present, change, now), change, now), change);
      return { ...next, quantity: change.quantity ?? next.quantity };
    });
    return describeSubscription(plans, changed, await selectSeats(tx, spaceId));
  });
