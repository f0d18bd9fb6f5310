import type { Context } from '../../context.ts';
import { bumpVersion, lockSchema, noteTables } from '../../catalog/table.sql.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { selectTables, updateTable } from './table.sql.ts';

/** A name that is taken gets a number, as when a table is created. */
export const renameTable = async (context: Context, path: TablePath, name: string): Promise<void> => {
  demandInBase(context, path);
  const { baseId, tableId } = path;
  await retriedTransaction(context.db, async (tx) => {
    await lockBase(tx, baseId);
    await lockSchema(tx, baseId, tableId);
    const others = (await selectTables(tx, baseId)).filter((table) => table.id !== tableId);
    await updateTable(tx, tableId, {
      name: uniqueName(
        name,
        others.map((table) => table.name),
      ),
    });
    await noteTables(tx, baseId, context.principal.userId);
    await bumpVersion(tx, baseId, tableId, { kind: 'schema', actor: context.principal.userId });
  });
  context.catalog.forget(tableId);
};
