import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { closeReadersOf } from '../sql-access/reader.ts';
import { trashSpace } from './space.sql.ts';

/** Into the trash. Its bases stay as they are: anyone who looks for one finds its space in the trash. */
export const deleteSpace = (context: Context, spaceId: string): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    if (!(await trashSpace(tx, spaceId, context.principal.userId))) throw notFound('Space', spaceId);
    await closeReadersOf(tx, spaceId);
    await writeAudit(tx, doerOf(context), 'space.trashed', { spaceIds: [spaceId] }, { spaceId });
    await bumpEpochs(tx, [spaceId]);
  });
