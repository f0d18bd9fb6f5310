// The frame of every change to an existing token: it is the caller's own and no mightier than the caller, it
// stays locked while it is changed, and remembered access decisions end with the change.
import { notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { type AccessTokenRow, lockAccessToken } from './access-token.sql.ts';
import { demandCovered } from './demand-grant.ts';
import { auditToken } from './token-audit.ts';

export const changeOwnToken = <T>(
  context: Context,
  id: string,
  action: 'token.changed' | 'token.refreshed' | 'token.deleted',
  change: (tx: Tx, row: AccessTokenRow) => Promise<T>,
): Promise<T> =>
  retriedTransaction(context.db, async (tx) => {
    const { principal } = context;
    const row = isId('acc', id) ? await lockAccessToken(tx, principal.userId, id) : undefined;
    if (row === undefined) throw notFound('Access token', id);
    await demandCovered(tx, principal, row);
    const result = await change(tx, row);
    await auditToken(tx, doerOf(context), action, row, principal.userId);
    await bumpEpochs(tx, [principal.userId]);
    return result;
  });
