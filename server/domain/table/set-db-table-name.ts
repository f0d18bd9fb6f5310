import { notFound } from '@rowhouse/contract/error.ts';
import { bumpVersion, lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { checkDbName } from '../field/db-name.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { renameRecordTable, selectTable, selectTakenDbNames, updateTable } from './table.sql.ts';

export const setDbTableName = async (context: Context, path: TablePath, dbTableName: string): Promise<void> => {
  demandInBase(context, path);
  const { baseId, tableId } = path;
  await context.db.transaction(async (tx) => {
    await lockBase(tx, baseId);
    await lockSchema(tx, baseId, tableId);
    const before = await selectTable(tx, baseId, tableId);
    if (before === undefined) throw notFound('Table', tableId);
    if (before.dbTableName === dbTableName) return;
    checkDbName(dbTableName, await selectTakenDbNames(tx, baseId, dbTableName), 'dbTableName');
    await renameRecordTable(tx, baseId, before.dbTableName, dbTableName);
    await updateTable(tx, tableId, { db_table_name: dbTableName });
    await bumpVersion(tx, baseId, tableId, { kind: 'schema', actor: context.principal.userId });
  });
  context.catalog.forget(tableId);
};
