// The frame of every change to a table's fields or views: such changes come one after the other, each moves
// the version on and is kept as an operation that can be undone, and snapshots are forgotten once it is committed.
import { setChange } from '../../catalog/operation.sql.ts';
import { bumpVersion, lockSchema, type SchemaChange } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { differenceOf } from './schema-change.ts';
import { settleFormulas } from './settle-formulas.ts';

/** What the work tells of itself. */
export interface SchemaWork {
  /** Set when it wrote an operation of its own, as a conversion of cells does: that one is what can be undone. */
  operationId?: string;
  /** The schema that the change left, once the work is done: formulas may have followed. */
  after?: TableSchema;
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
    let after = await loadTable(tx, baseId, tableId);
    // A change of views changes no field.
    const settled = kind === 'schema' ? await settleFormulas(tx, before, after) : { isChanged: false, hasJob: false };
    if (settled.isChanged) after = await loadTable(tx, baseId, tableId);
    own.after = after;
    const difference = differenceOf(before, after);
    const change = difference === null ? null : JSON.stringify(difference);
    await bumpVersion(tx, baseId, tableId, { kind, actor: context.principal.userId, operationId, change: own.operationId === undefined ? change : null });
    if (own.operationId !== undefined) await setChange(tx, baseId, own.operationId, change);
    return { done, isChanged: change !== null, hasJob: settled.hasJob };
  });
  context.catalog.forget(tableId);
  if (result.hasJob) context.work.wake();
  if (result.isChanged) context.noteOperation(own.operationId ?? operationId);
  return result.done;
};

/** A change of one field, which `work` answers the id of; the answer is the field as the change left it. */
export const changeField = async (context: Context, tableId: string, work: (tx: Tx, table: TableSchema, own: SchemaWork) => Promise<string>): Promise<FieldSchema> => {
  let kept: SchemaWork = {};
  const fieldId = await changeSchema(context, tableId, (tx, table, own) => {
    kept = own;
    return work(tx, table, own);
  });
  return kept.after?.byId.get(fieldId) as FieldSchema;
};

/** The schema as it is now: reading it is not worth a place among the snapshots that writes rely on. */
export const readTable = (context: Context, tableId: string): Promise<TableSchema> => loadTable(context.db, context.access.baseId as string, tableId);
