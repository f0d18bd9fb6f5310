import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hideFromReader } from '../sql-access/reader.ts';
import { releaseRows } from '../plan/table-rows.ts';
import { demandInBase, type TablePath } from './find-table.ts';
import { aroundRelated, closeLinks } from './related-tables.ts';
import { trashTable } from './table.sql.ts';

/** Into the trash: records and history stay until it is emptied. */
export const deleteTable = async (context: Context, path: TablePath): Promise<void> => {
  demandInBase(context, path);
  const related = await retriedTransaction(context.db, async (tx) => {
    await closeLinks(tx, path.baseId);
    const spaceId = await releaseRows(tx, context, path.baseId, path.tableId);
    const others = await aroundRelated(tx, context, path, async () => {
      if (!(await trashTable(tx, path.tableId, context.principal.userId))) throw notFound('Table', path.tableId);
    });
    await writeAudit(tx, doerOf(context), 'table.trashed', { baseIds: [path.baseId] }, { ...path });
    await noteTables(tx, path.baseId, context.principal.userId);
    await hideFromReader(tx, path.baseId, path.tableId);
    await bumpEpochs(tx, [spaceId]);
    return others;
  });
  for (const id of [path.tableId, ...related]) context.catalog.forget(id);
};
