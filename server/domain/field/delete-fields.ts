import { forbidden } from '@rowhouse/contract/error.ts';
import { hiddenColumnName } from '../../catalog/table.sql.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeSchema } from './change-schema.ts';
import { dropViewIndexes, renameColumn, unsetNotNull, unsetUnique } from './column.sql.ts';
import { trashFields } from './deleted-field.sql.ts';
import { findField } from './get-field.ts';
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

/** In a change of the schema. */
export const trashFieldsOf = async (context: Context, tx: Tx, table: TableSchema, fieldIds: readonly string[]): Promise<void> => {
  const gone = [...new Set(fieldIds)].map((fieldId) => findField(sightOf(context, table), fieldId));
  if (gone.some((field) => field.isPrimary)) throw forbidden('The primary field cannot be deleted');
  const left = new Map(table.fields.filter((field) => !gone.includes(field)).map((field) => [field.id, field]));
  await updateReferences(tx, table.views.map((view) => fitView(view, left)));
  for (const field of gone) await hideColumn(tx, table, field);
  await trashFields(tx, table, gone, context.principal.userId);
};

/** Into the trash. */
export const deleteFields = (context: Context, tableId: string, fieldIds: readonly string[]): Promise<void> =>
  changeSchema(context, tableId, (tx, table) => trashFieldsOf(context, tx, table, fieldIds));
