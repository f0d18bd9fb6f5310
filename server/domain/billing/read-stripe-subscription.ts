// A subscription as Stripe describes it, in our terms. Pure.
import type Stripe from 'stripe';
import type { Plans, Price, Product } from '../../catalog/plans.ts';
import { fallBack, isOver, type Status, type Subscription } from '../plan/subscription.ts';

const date = (seconds: number): Date => new Date(seconds * 1_000);

const endedStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

interface Found {
  product: Product;
  price: Price;
}

const pays = (
  price: Price,
  { id, unit_amount, currency, recurring }: Stripe.Price,
  noted: string | undefined,
): boolean =>
  price.stripePriceId === undefined
    ? price.id === noted &&
      price.unitAmount === unit_amount &&
      price.currency === currency &&
      price.interval === recurring?.interval &&
      price.intervalCount === recurring.interval_count
    : price.stripePriceId === id;

/**
 * The price of the catalogue that is paid: the one with that id at Stripe, or the one that the checkout noted if amount,
 * currency and interval are its own. The note alone proves nothing: others who use the same account at Stripe can write one.
 */
const findPrice = (plans: Plans, paid: Stripe.Price, { priceId, level }: Stripe.Metadata): Found | undefined => {
  const retired = plans.find(level ?? '');
  for (const product of retired === undefined ? plans.products : [...plans.products, retired]) {
    const price = product.prices.find((item) => pays(item, paid, priceId));
    if (price !== undefined) return { product, price };
  }
  return undefined;
};

/** What the space pays for is still what it was found to pay for: a catalogue that has changed since is for others. */
const isKept = (present: Subscription, stripe: Stripe.Subscription, paid: Stripe.Price): boolean =>
  present.provider === 'stripe' &&
  present.providerId === stripe.id &&
  present.priceId === stripe.metadata['priceId'] &&
  present.unitAmount === paid.unit_amount &&
  present.interval === paid.recurring?.interval;

/** The one thing that is paid for, with its seats. */
const itemOf = ({
  items: { data },
}: Stripe.Subscription): (Stripe.SubscriptionItem & { quantity: number }) | undefined => {
  const [item] = data;
  return data.length === 1 && item?.quantity !== undefined && item.quantity >= 1
    ? (item as Stripe.SubscriptionItem & { quantity: number })
    : undefined;
};

/** Whether it is this subscription that the space has, of all that Stripe may know. */
const concerns = (plans: Plans, present: Subscription, stripe: Stripe.Subscription): boolean => {
  if (present.provider === 'stripe' && present.providerId === stripe.id) return true;
  const age = present.providerCreated === null ? 1 : date(stripe.created).getTime() - present.providerCreated.getTime();
  const isNewer = age > 0 || (age === 0 && stripe.id >= (present.providerId ?? ''));
  if (!endedStatuses.has(stripe.status)) return isOver(plans, present) || present.provider === null || isNewer;
  return present.level === plans.fallback.level && isNewer;
};

/**
 * The subscription of the space after what Stripe says; `present` itself when that does not concern it. What fits no
 * price of the catalogue gives nothing, and ends what the same subscription has given before.
 */
export const readStripeSubscription = (
  plans: Plans,
  present: Subscription,
  stripe: Stripe.Subscription,
  now: Date,
): Subscription => {
  if (!concerns(plans, present, stripe)) return present;
  const item = itemOf(stripe);
  const found = item === undefined ? undefined : findPrice(plans, item.price, stripe.metadata);
  const level =
    found?.product.level ?? (item !== undefined && isKept(present, stripe, item.price) ? present.level : undefined);
  if (item === undefined || level === undefined)
    return present.provider === 'stripe' && present.providerId === stripe.id ? fallBack(plans, present, now) : present;
  const status = stripe.status as Status;
  const periodStart = date(item.current_period_start);
  const periodEnd = date(item.current_period_end);
  return {
    spaceId: present.spaceId,
    level,
    priceId: found?.price.id ?? present.priceId,
    interval: item.price.recurring?.interval === 'year' ? 'year' : 'month',
    unitAmount: item.price.unit_amount ?? found?.price.unitAmount ?? present.unitAmount,
    quantity: item.quantity,
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
