import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { readSubscription } from '../plan/read-subscription.ts';
import { effectiveLevel } from '../plan/subscription.ts';
import { addCredit, type Credit, insertEntry, selectCredit } from './credit.sql.ts';

/** The gift of a level comes with the first look at the credit of a space that has it, once per level. */
export const getCredit = async (
  services: Pick<Environment, 'db' | 'plans' | 'now'>,
  spaceId: string,
): Promise<Credit> => {
  const { db, plans } = services;
  const level = effectiveLevel(plans, await readSubscription(services, spaceId));
  const amount = plans.find(level)?.giftCredit ?? 0;
  if (amount > 0) {
    await retriedTransaction(db, async (tx) => {
      const entry = {
        spaceId,
        kind: 'grant',
        amount,
        reason: `gift of the plan ${level}`,
        reference: `gift ${level}`,
        createdBy: null,
      } as const;
      if (await insertEntry(tx, entry)) await addCredit(tx, spaceId, amount);
    });
  }
  return selectCredit(db, spaceId);
};
