// The frame of every change to a table's fields or views: such changes come one after the other, each moves
// the version on, and snapshots are forgotten once it is committed.
import { bumpVersion, lockSchema, type SchemaChange } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';

export const changeSchema = async <T>(
  context: Context,
  tableId: string,
  work: (tx: Tx, table: TableSchema) => Promise<T>,
  kind: SchemaChange['kind'] = 'schema',
): Promise<T> => {
  const baseId = context.access.baseId as string;
  const result = await context.db.transaction(async (tx) => {
    await lockSchema(tx, baseId, tableId);
    const done = await work(tx, await loadTable(tx, baseId, tableId));
    await bumpVersion(tx, baseId, tableId, { kind, actor: context.principal.userId });
    return done;
  });
  context.catalog.forget(tableId);
  return result;
};

/** The schema as it is now: reading it is not worth a place among the snapshots that writes rely on. */
export const readTable = (context: Context, tableId: string): Promise<TableSchema> => loadTable(context.db, context.access.baseId as string, tableId);
