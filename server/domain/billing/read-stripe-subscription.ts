// A subscription as Stripe describes it, in our terms. Pure.
import type Stripe from 'stripe';
import type { Plans, Price, Product } from '../../catalog/plans.ts';
import { isOver, type Status, type Subscription } from '../plan/subscription.ts';

const date = (seconds: number): Date => new Date(seconds * 1_000);

const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** By the price id of Stripe when the file of plans names it, else by the price that the checkout noted. */
const findPrice = (plans: Plans, stripe: Stripe.Subscription): { product: Product; price: Price } | undefined => {
  const stripePriceId = stripe.items.data[0]?.price.id;
  for (const product of plans.products) {
    const price = product.prices.find((item) => item.stripePriceId !== undefined && item.stripePriceId === stripePriceId);
    if (price !== undefined) return { product, price };
  }
  return plans.price(stripe.metadata['priceId'] ?? '');
};

/** Whether it is this subscription that the space has, of all that Stripe may know. */
const concerns = (plans: Plans, present: Subscription, stripe: Stripe.Subscription): boolean => {
  if (present.provider === 'stripe' && present.providerId === stripe.id) return true;
  const age = present.providerCreated === null ? 1 : date(stripe.created).getTime() - present.providerCreated.getTime();
  const isNewer = age > 0 || (age === 0 && stripe.id >= (present.providerId ?? ''));
  if (!endedStatuses.has(stripe.status)) return isOver(plans, present) || present.provider === null || isNewer;
  return present.level === plans.free.level && isNewer;
};

/** The subscription of the space after what Stripe says; `present` itself when that does not concern it. */
export const readStripeSubscription = (plans: Plans, present: Subscription, stripe: Stripe.Subscription): Subscription => {
  if (!concerns(plans, present, stripe)) return present;
  const item = stripe.items.data[0];
  const found = findPrice(plans, stripe);
  const level = found?.product.level ?? stripe.metadata['level'];
  if (item === undefined || level === undefined) return present;
  const status = stripe.status as Status;
  const periodStart = date(item.current_period_start);
  const periodEnd = date(item.current_period_end);
  return {
    spaceId: present.spaceId,
    level,
    priceId: found?.price.id ?? stripe.metadata['priceId'] ?? item.price.id,
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    unitAmount: item.price.unit_amount ?? found?.price.unitAmount ?? 0,
    quantity: item.quantity ?? 1,
    status,
    anchor: periodStart,
    periodStart,
    periodEnd,
    startedTime: date(stripe.start_date),
    trialEnd: stripe.trial_end === null ? null : date(stripe.trial_end),
    isTrialUsed: present.isTrialUsed || stripe.trial_start !== null,
    cancelTime: stripe.cancel_at !== null ? date(stripe.cancel_at) : stripe.cancel_at_period_end ? periodEnd : null,
    // The payment that is overdue is the one for the period that began then, whichever event told first.
    pastDueSince: status === 'past_due' || status === 'unpaid' ? periodStart : null,
    provider: 'stripe',
    providerId: stripe.id,
    providerCreated: date(stripe.created),
  };
};
