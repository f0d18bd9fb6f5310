import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { dropTableState } from '../../db/base-schema.ts';
import type { Tx } from '../../db/db.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { demandPlace, type TablePlace } from './find-table.ts';
import { dropRecordTable, removeTable } from './table.sql.ts';

/** A table with everything that was ever in it. False when it is gone already. */
export const destroyTableIn = async (tx: Tx, { baseId, tableId }: TablePlace): Promise<boolean> => {
  await lockSchema(tx, baseId, tableId);
  const dbTableName = await removeTable(tx, tableId);
  if (dbTableName === undefined) return false;
  await dropRecordTable(tx, baseId, dbTableName);
  await dropTableState(tx, baseId, tableId);
  return true;
};

export const destroyTable = async (context: Context, place: TablePlace): Promise<void> => {
  demandPlace(context, place);
  await context.db.transaction(async (tx) => {
    await releaseRows(tx, context, place.baseId, place.tableId);
    if (!(await destroyTableIn(tx, place))) throw notFound('Table', place.tableId);
    await bumpEpoch(tx);
  });
  context.catalog.forget(place.tableId);
};
