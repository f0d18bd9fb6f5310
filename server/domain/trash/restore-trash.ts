import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { bumpVersion, noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { untrashBase } from '../base/base.sql.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { showToReader } from '../sql-access/reader.ts';
import { reclaimRows } from '../plan/table-rows.ts';
import { untrashSpace } from '../space/space.sql.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { settleTree } from '../table/arrange.ts';
import { aroundRelated, closeLinks } from '../table/related-tables.ts';
import { recordTrashOf } from './record-trash-id.ts';
import { restoreAutomation } from './restore-automation.ts';
import { restoreDashboard } from './restore-dashboard.ts';
import { restoreDeletedRecords } from './restore-deleted-records.ts';
import { findTablePart, restoreTablePart } from './restore-table-part.ts';
import { tailOf } from './show-trash.ts';
import { selectTableNames, selectTrashed, untrashTable } from './trash.sql.ts';

const restoreTable = async (
  tx: Tx,
  context: Context,
  baseId: string,
  tableId: string,
): Promise<string[] | undefined> => {
  await closeLinks(tx, baseId);
  await lockPlace(tx, { type: 'base', id: baseId });
  // Not this one first: counting its rows takes all of them in order, as deleting another table does at the same time.
  await lockSchemas(tx, baseId);
  const { own, taken } = await selectTableNames(tx, baseId, tableId);
  let isBack = false;
  const related = await aroundRelated(tx, context, { baseId, tableId }, async () => {
    isBack = own !== undefined && (await untrashTable(tx, tableId, uniqueName(own, taken)));
  });
  if (!isBack) return undefined;
  await settleTree(tx, baseId);
  await noteTables(tx, baseId, context.principal.userId);
  // It may have another name now.
  await bumpVersion(tx, baseId, tableId);
  return related;
};

/** What comes back to a table is a step to undo there. */
const asStepOf = (context: Context, tableId: string): Context => ({
  ...context,
  step: context.step === undefined ? undefined : { ...context.step, tableId },
});

/** Anyone who may delete a thing may bring it back. */
export const restoreTrash = async (context: Context, trashId: string): Promise<void> => {
  const records = recordTrashOf(trashId);
  if (records !== undefined) return restoreDeletedRecords(asStepOf(context, records.tableId), trashId, records);
  const part = isId('tra', trashId) ? await findTablePart(context, trashId) : undefined;
  if (part !== undefined) return restoreTablePart(asStepOf(context, part.tableId), trashId, part);
  if (isId('tra', trashId) && (await restoreAutomation(context, trashId))) return;
  if (isId('tra', trashId) && (await restoreDashboard(context, trashId))) return;
  const restored = await retriedTransaction(context.db, async (tx) => {
    const missing = notFound('Trash item', trashId);
    const trashed = isId('tra', trashId) ? await selectTrashed(tx, tailOf(trashId)) : undefined;
    if (trashed === undefined) throw missing;
    const stand = await demandAccess(tx, context, { ...trashed, trashed: true }, `${trashed.type}|delete`, missing);
    if (trashed.type !== 'space' && stand.spaceTrashed)
      throw conflict(`Its space ${stand.spaceId} is in the trash: restore that first`);
    if (trashed.type === 'table' && stand.baseTrashed)
      throw conflict(`Its base ${stand.baseId} is in the trash: restore that first`);
    const related =
      trashed.type === 'table' ? await restoreTable(tx, context, stand.baseId as string, trashed.id) : undefined;
    const isRestored =
      trashed.type === 'space'
        ? await untrashSpace(tx, trashed.id)
        : trashed.type === 'base'
          ? await untrashBase(tx, trashed.id)
          : related !== undefined;
    if (!isRestored) throw missing;
    if (trashed.type !== 'space')
      await reclaimRows(tx, context, stand.baseId as string, trashed.type === 'table' ? trashed.id : undefined);
    if (trashed.type === 'table') await showToReader(tx, stand.baseId as string, trashed.id);
    await writeAudit(
      tx,
      doerOf(context),
      `${trashed.type}.restored`,
      { spaceIds: [stand.spaceId] },
      { [`${trashed.type}Id`]: trashed.id },
    );
    await bumpEpochs(tx, [stand.spaceId]);
    return { ...trashed, baseId: stand.baseId, related: related ?? [] };
  });
  if (restored.type !== 'table') return;
  for (const id of [restored.id, ...restored.related]) context.catalog.forget(id);
  context.live.changed(restored.baseId as string);
  // What is computed through its links may be left to a job.
  context.work.wake();
};
