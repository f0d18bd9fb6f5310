// The frame of every change to a table's fields or views: such changes come one after the other, each moves
// the version on and is kept as an operation that can be undone, and snapshots are forgotten once it is committed.
import { setChange } from '../../catalog/operation.sql.ts';
import { bumpVersion, lockSchema, type SchemaChange } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { differenceOf } from './schema-change.ts';

/** What the work tells of itself. */
export interface SchemaWork {
  /** Set when it wrote an operation of its own, as a conversion of cells does: that one is what can be undone. */
  operationId?: string;
}

export const changeSchema = async <T>(
  context: Context,
  tableId: string,
  work: (tx: Tx, table: TableSchema, own: SchemaWork) => Promise<T>,
  kind: SchemaChange['kind'] = 'schema',
): Promise<T> => {
  const baseId = context.access.baseId as string;
  const own: SchemaWork = {};
  const operationId = context.newId('opr');
  const result = await context.db.transaction(async (tx) => {
    await lockSchema(tx, baseId, tableId);
    const before = await loadTable(tx, baseId, tableId);
    const done = await work(tx, before, own);
    const difference = differenceOf(before, await loadTable(tx, baseId, tableId));
    const change = difference === null ? null : JSON.stringify(difference);
    await bumpVersion(tx, baseId, tableId, { kind, actor: context.principal.userId, operationId, change: own.operationId === undefined ? change : null });
    if (own.operationId !== undefined) await setChange(tx, baseId, own.operationId, change);
    return { done, isChanged: change !== null };
  });
  context.catalog.forget(tableId);
  if (result.isChanged) context.noteOperation(own.operationId ?? operationId);
  return result.done;
};

/** The schema as it is now: reading it is not worth a place among the snapshots that writes rely on. */
export const readTable = (context: Context, tableId: string): Promise<TableSchema> => loadTable(context.db, context.access.baseId as string, tableId);
