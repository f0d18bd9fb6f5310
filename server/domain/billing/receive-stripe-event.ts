import { invalid } from '@rowhouse/contract/error.ts';
import type { Services } from '../../context.ts';
import { demandStripe } from './stripe.ts';
import { syncStripeSubscription } from './sync-stripe-subscription.ts';

const noEvent = () => invalid({ path: '', message: 'The text is signed, but it is not an event of Stripe' });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

/** Either the id itself, or the thing it belongs to; undefined when there is none. */
const idOf = (link: unknown): string | undefined => {
  const id = isObject(link) ? link['id'] : link;
  if (id === undefined || id === null) return undefined;
  if (typeof id !== 'string' || !/^\w{1,255}$/.test(id)) throw noEvent();
  return id;
};

/** The subscription that an event is about, whatever kind of event it is. */
const subscriptionOf = (event: unknown): string | undefined => {
  const subject = at(event, 'data', 'object');
  if (!isObject(subject)) throw noEvent();
  switch (subject['object']) {
    case 'subscription':
      return idOf(subject);
    case 'checkout.session':
      return idOf(subject['subscription']);
    case 'invoice':
      return idOf(at(subject, 'parent', 'subscription_details', 'subscription'));
    default:
      return undefined;
  }
};

export const receiveStripeEvent = async (
  services: Services,
  body: string,
  signature: string | undefined,
): Promise<{ received: true }> => {
  const { stripe, webhookSecret } = demandStripe(services.config);
  let event: unknown;
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret);
  } catch {
    throw invalid({
      path: 'headers.stripe-signature',
      message: 'The event is not signed with the secret of this webhook',
    });
  }
  const stripeId = subscriptionOf(event);
  if (stripeId !== undefined) await syncStripeSubscription(services, stripeId);
  return { received: true };
};
