import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { type Doer, operator } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteAccessTokenRow } from './access-token.sql.ts';
import { changeOwnToken } from './change-own-token.ts';
import { auditToken } from './token-audit.ts';

export const deleteAccessToken = (context: Context, id: string): Promise<void> =>
  changeOwnToken(context, id, 'token.deleted', async (tx) => {
    await deleteAccessTokenRow(tx, id);
  });

/** Anybody's personal token, by somebody who may. */
export const revokeToken = async (tx: Tx, doer: Doer, id: string): Promise<void> => {
  const ended = await deleteAccessTokenRow(tx, id);
  if (ended === undefined) throw notFound('Access token', id);
  await auditToken(tx, doer, 'token.deleted', ended, ended.userId);
  await bumpEpochs(tx, [ended.userId]);
};

/** For the operator. */
export const revokeAccessToken = (db: Db, id: string): Promise<void> =>
  retriedTransaction(db, (tx) => revokeToken(tx, operator, id));
