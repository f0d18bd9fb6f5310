import type { createCheckout as endpoint } from '@rowhouse/contract/billing.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, conflict, invalid } from '@rowhouse/contract/error.ts';
import type Stripe from 'stripe';
import type { Price, Product } from '../../catalog/plans.ts';
import type { Context } from '../../context.ts';
import { readSubscription } from '../plan/read-subscription.ts';
import { isOver } from '../plan/subscription.ts';
import { selectSeats } from '../plan/usage.sql.ts';
import { saveStripeCustomer, selectDetail, selectStripeCustomer } from './account.sql.ts';
import { atStripe, demandStripe } from './stripe.ts';

export const readAddress = (text: string, path: string): string => {
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol))
    throw invalid({ path, message: 'Expected a URL', expected: 'https://…' });
  return text;
};

const customerOf = async ({ db }: Context, stripe: Stripe, spaceId: string): Promise<string> => {
  const known = await selectStripeCustomer(db, spaceId);
  if (known !== null) return known;
  const { name, email } = await selectDetail(db, spaceId);
  // Two checkouts at once are the same customer.
  const made = await atStripe(
    stripe.customers.create({ name, email, metadata: { spaceId } }, { idempotencyKey: `rowhouse customer ${spaceId}` }),
  );
  await saveStripeCustomer(db, spaceId, made.id);
  return made.id;
};

/** A price that is not set up at Stripe is described there and then. */
const lineOf = (product: Product, price: Price, quantity: number): Stripe.Checkout.SessionCreateParams.LineItem =>
  price.stripePriceId === undefined
    ? {
        quantity,
        price_data: {
          currency: price.currency,
          unit_amount: price.unitAmount,
          recurring: { interval: price.interval, interval_count: price.intervalCount },
          product_data: { name: `Rowhouse ${product.level}` },
        },
      }
    : { quantity, price: price.stripePriceId };

export const createCheckout = async (
  context: Context,
  spaceId: string,
  body: BodyOf<typeof endpoint>,
): Promise<{ url: string }> => {
  const { stripe } = demandStripe(context.config);
  const { plans, db } = context;
  const found = plans.price(body.priceId);
  if (found === undefined) throw invalid({ path: 'priceId', message: `There is no price ${body.priceId}` });
  const { product, price } = found;
  if (price.unitAmount === 0)
    throw invalid({ path: 'priceId', message: 'This plan costs nothing: cancel the present one to get it' });
  const success_url = readAddress(body.successUrl, 'successUrl');
  const cancel_url = readAddress(body.cancelUrl, 'cancelUrl');
  const seats = await selectSeats(db, spaceId);
  if (body.quantity < seats)
    throw invalid({
      path: 'quantity',
      message: `${seats} people take a seat in this space`,
      expected: `at least ${seats}`,
    });
  const present = await readSubscription(context, spaceId);
  if (present.provider === 'stripe' && !isOver(plans, present))
    throw conflict('This space has a subscription at Stripe already: change it in the portal');
  const isTrial = body.isTrial ?? false;
  if (isTrial && present.isTrialUsed) throw conflict('This space has had its trial');
  if (isTrial && product.trialPeriodInDays === 0)
    throw invalid({ path: 'isTrial', message: `The plan ${product.level} has no trial` });

  const session = await atStripe(
    stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: await customerOf(context, stripe, spaceId),
      client_reference_id: spaceId,
      success_url,
      cancel_url,
      line_items: [lineOf(product, price, body.quantity)],
      subscription_data: {
        metadata: { spaceId, priceId: price.id, level: product.level },
        ...(isTrial ? { trial_period_days: product.trialPeriodInDays } : {}),
      },
    }),
  );
  if (session.url === null)
    throw new ApiError('service_unavailable', 'Stripe gave no page to pay at; try again shortly');
  return { url: session.url };
};
