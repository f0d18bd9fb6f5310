import type { SubscriptionView } from '@rowhouse/contract/billing.ts';
import { conflict } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeSubscription } from '../plan/change-subscription.ts';
import { readSubscription } from '../plan/read-subscription.ts';
import { isOver } from '../plan/subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { atStripe, demandStripe } from './stripe.ts';
import { syncStripeSubscription } from './sync-stripe-subscription.ts';

/** The plan stays until the end of what is paid for. */
export const cancelSubscription = async (context: Context, spaceId: string): Promise<SubscriptionView> => {
  const { plans } = context;
  const present = await readSubscription(context, spaceId);
  if (isOver(plans, present)) throw conflict('There is no subscription to cancel');
  if (present.provider === 'stripe' && present.providerId !== null) {
    const { stripe } = demandStripe(context.config);
    await atStripe(stripe.subscriptions.update(present.providerId, { cancel_at_period_end: true }));
    await syncStripeSubscription(context, present.providerId);
  } else {
    await retriedTransaction(context.db, (tx) =>
      changeSubscription(tx, context, spaceId, (same) =>
        isOver(plans, same) ? same : { ...same, cancelTime: same.cancelTime ?? same.periodEnd },
      ),
    );
  }
  return getSubscription(context, spaceId);
};
