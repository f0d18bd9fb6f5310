import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { dropBaseSchema } from '../../db/base-schema.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteBaseRow, lockBaseForDeletion, selectBase } from '../base/base.sql.ts';
import { deleteBase } from '../base/delete-base.ts';
import { deleteCollaborators } from '../collaborator/collaborator.sql.ts';
import { deleteInvitations } from '../invitation/invitation.sql.ts';
import { deleteKeysOf } from '../record/write/idempotency.sql.ts';
import { closeReader } from '../sql-access/reader.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { lockTrashedSpace } from '../space/space.sql.ts';
import { deleteJobsOf } from '../../work/job.sql.ts';
import { deleteTablesOf } from './trash.sql.ts';

/**
 * With all it holds, in one transaction: because it is in the trash, or because its space is. False when it is no longer
 * in that space.
 */
export const destroyBaseIn = async (
  context: Context,
  spaceId: string,
  baseId: string,
  because: 'trashed' | 'space trashed',
): Promise<boolean> => {
  // Those who still write in it hold its tables one after the other, in another order than PostgreSQL drops them.
  const tableIds = await retriedTransaction(context.db, async (tx) => {
    if (because === 'space trashed' && !(await lockTrashedSpace(tx, spaceId)))
      throw conflict(`Space ${spaceId} was restored meanwhile`);
    const base = await lockBaseForDeletion(tx, baseId, spaceId);
    if (base === undefined) return undefined;
    if (because === 'trashed' && !base.isTrashed) throw conflict(`Base ${baseId} was restored meanwhile`);
    await releaseRows(tx, context, baseId);
    await closeReader(tx, baseId);
    await dropBaseSchema(tx, baseId);
    const deleted = await deleteTablesOf(tx, baseId);
    await deleteInvitations(tx, baseId);
    await deleteCollaborators(tx, baseId);
    await deleteJobsOf(tx, baseId);
    await deleteKeysOf(tx, baseId);
    await deleteBaseRow(tx, baseId);
    await writeAudit(
      tx,
      doerOf(context),
      'base.destroyed',
      { spaceIds: [spaceId] },
      { baseId, name: base.name, tables: deleted.length },
    );
    await bumpEpochs(tx, [spaceId]);
    return deleted;
  });
  for (const tableId of tableIds ?? []) context.catalog.forget(tableId);
  return tableIds !== undefined;
};

/** From the trash, or at once: then it goes through the trash. */
export const destroyBase = async (context: Context, baseId: string): Promise<void> => {
  if ((await selectBase(context.db, context.principal.userId, baseId)) !== undefined) await deleteBase(context, baseId);
  if (!(await destroyBaseIn(context, context.access.spaceId as string, baseId, 'trashed')))
    throw notFound('Base', baseId);
};
