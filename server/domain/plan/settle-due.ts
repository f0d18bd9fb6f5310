// What time does to subscriptions, for spaces that nobody looks at.
import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeSubscription } from './change-subscription.ts';
import { selectDueSpaceIds } from './subscription.sql.ts';

/** Answers how many there were. */
export const settleDue = async (services: Pick<Environment, 'db' | 'plans' | 'now'>): Promise<number> => {
  if (!services.plans.areOn) return 0;
  const spaceIds = await selectDueSpaceIds(services.db, services.now());
  for (const spaceId of spaceIds)
    await retriedTransaction(services.db, (tx) => changeSubscription(tx, services, spaceId, (same) => same));
  return spaceIds.length;
};
