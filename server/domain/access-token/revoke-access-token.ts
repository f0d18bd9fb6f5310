import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Db } from '../../db/db.ts';
import { deleteAccessTokenRow } from './access-token.sql.ts';

/** For the operator: ends anybody's personal token. */
export const revokeAccessToken = (db: Db, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await deleteAccessTokenRow(tx, id))) throw notFound('Access token', id);
    await bumpEpoch(tx);
  });
