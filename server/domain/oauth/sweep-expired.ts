// Once an hour: requests, codes and tokens of applications that are past their time, of users and applications that
// nobody has heard of since. Whoever comes back sweeps behind himself.
import type { Services } from '../../context.ts';
import { sweepGrants } from './grant.sql.ts';
import { deleteExpiredTransactions } from './transaction.sql.ts';

const batchSize = 1_000;

export const sweepExpired = async ({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> => {
  while ((await deleteExpiredTransactions(db, now())) > 0);
  while ((await sweepGrants(db, now(), batchSize)) > 0);
};
