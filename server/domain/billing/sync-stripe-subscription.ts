// Takes over what Stripe knows of a subscription at this moment. Events only say that it is time to ask: so it does
// not matter which of them come twice, late or in the wrong order.
import type Stripe from 'stripe';
import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeSubscription } from '../plan/change-subscription.ts';
import {
  claimReading,
  nextReading,
  saveSubscription,
  selectSubscription,
  lockSubscription,
} from '../plan/subscription.sql.ts';
import { saveStripeCustomer } from './account.sql.ts';
import { readStripeSubscription } from './read-stripe-subscription.ts';
import { atStripe, demandStripe } from './stripe.ts';

/** False when it belongs to no space of ours. */
export const syncStripeSubscription = async (services: Environment, stripeId: string): Promise<boolean> => {
  const { db, plans } = services;
  const { stripe } = demandStripe(services.config);
  // Numbered before it is asked: of two that overlap, the one that began later knows everything the other does.
  const reading = await nextReading(db);
  const found: Stripe.Subscription = await atStripe(stripe.subscriptions.retrieve(stripeId));
  const spaceId = found.metadata['spaceId'] ?? '';
  return retriedTransaction(db, async (tx) => {
    await lockSubscription(tx, spaceId);
    const stored = await selectSubscription(tx, plans, spaceId);
    if (stored === undefined) return false;
    // The row that keeps the number has to be there; the space may have had the free plan so far.
    await saveSubscription(tx, plans, stored);
    if (!(await claimReading(tx, spaceId, reading))) return true;
    const changed = await changeSubscription(tx, services, spaceId, (present) =>
      readStripeSubscription(plans, present, found, services.now()),
    );
    // Not of a subscription that gives nothing: the portal of the space would show somebody else's cards.
    if (changed.provider === 'stripe' && changed.providerId === stripeId)
      await saveStripeCustomer(tx, spaceId, typeof found.customer === 'string' ? found.customer : found.customer.id);
    return true;
  });
};
