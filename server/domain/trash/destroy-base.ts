import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { dropBaseSchema } from '../../db/base-schema.ts';
import { deleteBaseRow, lockBaseForDeletion } from '../base/base.sql.ts';
import { deleteCollaborators } from '../collaborator/collaborator.sql.ts';
import { deleteInvitations } from '../invitation/invitation.sql.ts';
import { closeReader } from '../plan/reader.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { deleteTablesOf } from './trash.sql.ts';

/** With all it holds, in one transaction. False when the base is no longer in that space. */
export const destroyBaseIn = async (context: Context, spaceId: string, baseId: string): Promise<boolean> => {
  const tableIds = await context.db.transaction(async (tx) => {
    if (!(await lockBaseForDeletion(tx, baseId, spaceId))) return undefined;
    await releaseRows(tx, context, baseId);
    await closeReader(tx, baseId);
    await dropBaseSchema(tx, baseId);
    const deleted = await deleteTablesOf(tx, baseId);
    await deleteInvitations(tx, baseId);
    await deleteCollaborators(tx, baseId);
    await deleteBaseRow(tx, baseId);
    await bumpEpoch(tx);
    return deleted;
  });
  for (const tableId of tableIds ?? []) context.catalog.forget(tableId);
  return tableIds !== undefined;
};

export const destroyBase = async (context: Context, baseId: string): Promise<void> => {
  if (!(await destroyBaseIn(context, context.access.spaceId as string, baseId))) throw notFound('Base', baseId);
};
