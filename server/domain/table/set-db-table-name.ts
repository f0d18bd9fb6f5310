import { notFound } from '@rowhouse/contract/error.ts';
import { bumpVersion, lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { checkDbTableName } from '../field/db-name.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { aroundRelated, closeLinks } from './related-tables.ts';
import { renameRecordTable, selectTable, selectTakenDbNames, updateTable } from './table.sql.ts';

export const setDbTableName = async (context: Context, path: TablePath, dbTableName: string): Promise<void> => {
  demandInBase(context, path);
  const { baseId, tableId } = path;
  const related = await retriedTransaction(context.db, async (tx) => {
    await closeLinks(tx, baseId);
    await lockBase(tx, baseId);
    await lockSchema(tx, baseId, tableId);
    const before = await selectTable(tx, baseId, tableId);
    if (before === undefined) throw notFound('Table', tableId);
    if (before.dbTableName === dbTableName) return [];
    checkDbTableName(dbTableName, await selectTakenDbNames(tx, baseId, dbTableName), 'dbTableName');
    const others = await aroundRelated(tx, context, path, async () => {
      await renameRecordTable(tx, baseId, before.dbTableName, dbTableName);
      await updateTable(tx, tableId, { db_table_name: dbTableName });
    });
    await bumpVersion(tx, baseId, tableId, { kind: 'schema', actor: context.principal.userId });
    return others;
  });
  for (const id of [tableId, ...related]) context.catalog.forget(id);
};
