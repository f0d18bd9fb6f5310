import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { dropTableState } from '../../db/base-schema.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { deleteTable } from './delete-table.ts';
import { demandInBase, type TablePath } from './find-table.ts';
import { unlinkTable } from '../field/unlink-table.ts';
import { closeLinks } from './related-tables.ts';
import { dropRecordTable, removeTable, selectIsTrashed } from './table.sql.ts';

/** A table with everything that was ever in it. False when it is gone already. */
export const destroyTableIn = async (tx: Tx, { baseId, tableId }: TablePath): Promise<boolean> => {
  await lockSchema(tx, baseId, tableId);
  await unlinkTable(tx, baseId, tableId);
  const dbTableName = await removeTable(tx, tableId);
  if (dbTableName === undefined) return false;
  await dropRecordTable(tx, baseId, dbTableName);
  await dropTableState(tx, baseId, tableId);
  return true;
};

/** From the trash, or at once: then it goes through the trash. Interrupted in between it is there, and can be deleted again or restored. */
export const destroyTable = async (context: Context, path: TablePath): Promise<void> => {
  demandInBase(context, path);
  if ((await selectIsTrashed(context.db, path.baseId, path.tableId)) === false) await deleteTable(context, path);
  await retriedTransaction(context.db, async (tx) => {
    await closeLinks(tx, path.baseId);
    // All of the base, as the rows are released: one before the others would be in the way of those who begin with the first.
    await lockSchemas(tx, path.baseId);
    if ((await selectIsTrashed(tx, path.baseId, path.tableId)) === false)
      throw conflict(`Table ${path.tableId} was restored meanwhile`);
    const spaceId = await releaseRows(tx, context, path.baseId, path.tableId);
    if (!(await destroyTableIn(tx, path))) throw notFound('Table', path.tableId);
    await writeAudit(tx, doerOf(context), 'table.destroyed', { baseIds: [path.baseId] }, { ...path });
    await bumpEpochs(tx, [spaceId]);
  });
  context.catalog.forget(path.tableId);
};
