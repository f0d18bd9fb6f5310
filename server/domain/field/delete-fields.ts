import { forbidden } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { hiddenColumnName } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeSchema, type SchemaWork } from './change-schema.ts';
import { dropViewIndexes, renameColumn, unsetNotNull, unsetUnique } from './column.sql.ts';
import { trashFields } from './deleted-field.sql.ts';
import { findField } from './get-field.ts';
import { otherSides } from './link-field.ts';
import { ownColumnOf } from '../cell/types.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView } from './view-reference.ts';

/** Its cells stay, under a name that nobody asks for, and bind nobody any more. */
const hideColumn = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<void> => {
  if (ownColumnOf(field) === null) return;
  await dropViewIndexes(tx, table, field.dbFieldName);
  if (field.isUnique) await unsetUnique(tx, table, field);
  if (field.notNull) await unsetNotNull(tx, table, field);
  await renameColumn(tx, table, field.dbFieldName, hiddenColumnName(field.id));
};

/** Of one table. What is in the trash is what is given. */
export const trashIn = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  gone: readonly FieldSchema[],
): Promise<void> => {
  const left = new Map(
    table.fields.filter(({ id }) => !gone.some((one) => one.id === id)).map((field) => [field.id, field]),
  );
  await updateReferences(
    tx,
    table.views.map((view) => fitView(view, left)),
    table.views,
  );
  for (const field of gone) await hideColumn(tx, table, field);
  await trashFields(tx, table, gone, context.principal.userId);
  const { baseId, id: tableId } = table;
  await writeAudit(
    tx,
    doerOf(context),
    'field.trashed',
    { baseIds: [baseId] },
    { baseId, tableId, fieldIds: gone.map(({ id }) => id), names: gone.map(({ name }) => name) },
  );
};

/** In a change of the schema. The other side of a link goes with it; their keys stay until the trash is emptied. */
export const trashFieldsOf = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  fieldIds: readonly string[],
  own: SchemaWork,
): Promise<void> => {
  const named = [...new Set(fieldIds)].map((fieldId) => findField(sightOf(context, table), fieldId));
  if (named.some((field) => field.isPrimary)) throw forbidden('The primary field cannot be deleted');
  const sides = otherSides(table, named);
  const gone = [...new Set([...named, ...(sides.get(table.id) ?? []).map((id) => table.byId.get(id) as FieldSchema)])];
  await trashIn(context, tx, table, gone);
  for (const [tableId, ids] of sides) {
    if (tableId === table.id) continue;
    const other = await loadTable(tx, table.baseId, tableId);
    await trashIn(
      context,
      tx,
      other,
      ids.map((id) => other.byId.get(id) as FieldSchema),
    );
    own.others = [...(own.others ?? []), tableId];
  }
};

/** Into the trash. */
export const deleteFields = (context: Context, tableId: string, fieldIds: readonly string[]): Promise<void> =>
  changeSchema(context, tableId, (tx, table, own) => trashFieldsOf(context, tx, table, fieldIds, own));
