import type { SubscriptionView } from '@rowhouse/contract/billing.ts';
import type { Environment } from '../../context.ts';
import { readSubscription } from '../plan/read-subscription.ts';
import { selectSeats } from '../plan/usage.sql.ts';
import { describeSubscription } from './describe-subscription.ts';

export const getSubscription = async (
  services: Pick<Environment, 'db' | 'plans' | 'now'>,
  spaceId: string,
): Promise<SubscriptionView> => {
  const subscription = await readSubscription(services, spaceId);
  return describeSubscription(services.plans, subscription, await selectSeats(services.db, spaceId));
};
