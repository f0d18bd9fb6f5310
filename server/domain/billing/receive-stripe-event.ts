import { invalid } from '@rowhouse/contract/error.ts';
import type Stripe from 'stripe';
import type { Services } from '../../context.ts';
import { demandStripe } from './stripe.ts';
import { syncStripeSubscription } from './sync-stripe-subscription.ts';

const idOf = (link: string | { id: string } | null | undefined): string | undefined => (typeof link === 'string' ? link : link?.id);

/** The subscription that an event is about, whatever kind of event it is. */
const subscriptionOf = (event: Stripe.Event): string | undefined => {
  const subject = event.data.object;
  switch (subject.object) {
    case 'subscription':
      return subject.id;
    case 'checkout.session':
      return idOf(subject.subscription);
    case 'invoice':
      return idOf(subject.parent?.subscription_details?.subscription);
    default:
      return undefined;
  }
};

export const receiveStripeEvent = async (services: Services, body: string, signature: string | undefined): Promise<{ received: true }> => {
  const { stripe, webhookSecret } = demandStripe(services.config);
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret);
  } catch {
    throw invalid({ path: 'headers.stripe-signature', message: 'The event is not signed with the secret of this webhook' });
  }
  const stripeId = subscriptionOf(event);
  if (stripeId !== undefined) await syncStripeSubscription(services, stripeId);
  return { received: true };
};
