import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { closeReader } from '../sql-access/reader.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { trashBase } from './base.sql.ts';

export const deleteBase = (context: Context, baseId: string): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    if (!(await lockPlace(tx, { type: 'base', id: baseId }))) throw notFound('Base', baseId);
    const spaceId = await releaseRows(tx, context, baseId);
    if (!(await trashBase(tx, baseId, context.principal.userId))) throw notFound('Base', baseId);
    await writeAudit(tx, doerOf(context), 'base.trashed', { baseIds: [baseId] }, { baseId });
    await closeReader(tx, baseId);
    await bumpEpochs(tx, [spaceId]);
  });
