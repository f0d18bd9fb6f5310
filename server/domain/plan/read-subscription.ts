import { notFound } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeSubscription } from './change-subscription.ts';
import { settle, type Subscription } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

/** As it is by now. What time has changed is written down on the way. */
export const readSubscription = async (
  services: Pick<Environment, 'db' | 'plans' | 'now'>,
  spaceId: string,
): Promise<Subscription> => {
  const { db, plans, now } = services;
  const stored = await selectSubscription(db, plans, spaceId);
  if (stored === undefined) throw notFound('Space', spaceId);
  const present = settle(plans, stored, now());
  if (present.status === stored.status && present.level === stored.level) return present;
  return retriedTransaction(db, (tx) => changeSubscription(tx, services, spaceId, (same) => same));
};
