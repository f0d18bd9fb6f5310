import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { selectSpace } from '../space/space.sql.ts';
import { addCredit, type Credit, type CreditEntry, insertEntry, takeCredit } from './credit.sql.ts';
import { getCredit } from './get-credit.ts';

/** Grants or uses credit; 402 when there is not that much left. An entry with a known reference changes nothing. */
export const changeCredit = async (
  services: Pick<Environment, 'db' | 'plans' | 'now'>,
  entry: CreditEntry,
): Promise<Credit> => {
  const { db } = services;
  const { spaceId, kind, amount } = entry;
  if ((await selectSpace(db, spaceId)) === undefined) throw notFound('Space', spaceId);
  const before = await getCredit(services, spaceId);
  await retriedTransaction(db, async (tx) => {
    if (!(await insertEntry(tx, entry))) return;
    if (kind === 'grant') await addCredit(tx, spaceId, amount);
    else if (!(await takeCredit(tx, spaceId, amount))) {
      throw new ApiError('payment_required', `This space has less than ${amount} of credit left`, {
        limit: before.amount,
        usage: before.usedAmount,
        asked: amount,
      });
    }
  });
  return getCredit(services, spaceId);
};
