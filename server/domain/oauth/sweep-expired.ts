// Once an hour: requests, codes and tokens of applications that are past their time, of users and applications that
// nobody has heard of since. Anyone who comes back sweeps behind himself.
import type { Environment } from '../../context.ts';
import { deleteExpiredDeviceRequests } from './device.sql.ts';
import { sweepGrants } from './grant.sql.ts';
import { deleteExpiredTransactions } from './transaction.sql.ts';

const batchSize = 1_000;

export const sweepExpired = async (
  { db, now }: Pick<Environment, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> => {
  while ((await deleteExpiredTransactions(db, now())) > 0) signal?.throwIfAborted();
  while ((await deleteExpiredDeviceRequests(db, now())) > 0) signal?.throwIfAborted();
  while ((await sweepGrants(db, now(), batchSize)) > 0) signal?.throwIfAborted();
};
