import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { hideFromReader } from '../plan/reader.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { demandPlace, type TablePlace } from './find-table.ts';
import { trashTable } from './table.sql.ts';

/** Into the trash: records and history stay until it is emptied. */
export const deleteTable = async (context: Context, place: TablePlace): Promise<void> => {
  demandPlace(context, place);
  await context.db.transaction(async (tx) => {
    await releaseRows(tx, context, place.baseId, place.tableId);
    if (!(await trashTable(tx, place.tableId, context.principal.userId))) throw notFound('Table', place.tableId);
    await hideFromReader(tx, place.baseId, place.tableId);
    await bumpEpoch(tx);
  });
  context.catalog.forget(place.tableId);
};
