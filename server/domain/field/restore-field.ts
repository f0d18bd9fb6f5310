// A field comes back from the trash with its cells, its history and its place in the views. Filters, sorts and groups that
// named it do not: views may have been arranged again since.
import { conflict } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { hiddenColumnName } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { changeSchema, type SchemaWork } from './change-schema.ts';
import { countFilled, countRecords, renameColumn, setNotNull, setUnique } from './column.sql.ts';
import { freeDbName } from './db-name.ts';
import { type DeletedField, selectDeletedField, takeDeletedField } from './deleted-field.sql.ts';
import { maxFields } from './draft-field.ts';
import { insertFields } from './field.sql.ts';
import { isDetached } from './relink-field.sql.ts';
import { demandNoCycle } from './resolve-formula.ts';
import { isLink } from '../cell/linked.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { selectSharedViews, updateReferences } from './view-reference.sql.ts';
import { withColumn } from './view-reference.ts';

/** Where it stood, under names that are free. */
const fitting = ({ field }: DeletedField, table: TableSchema): FieldSchema => {
  const name = uniqueName(field.name, [...table.byName.keys()]);
  return {
    ...field,
    name,
    dbFieldName: table.byDbName.has(field.dbFieldName)
      ? freeDbName(name, new Set(table.byDbName.keys()))
      : field.dbFieldName,
    version: field.version + (name === field.name ? 0 : 1),
  };
};

/** Records that came meanwhile have nothing in it: then it is not required any more. */
const mayBeRequired = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<boolean> =>
  (await countFilled(tx, table, field)) === (await countRecords(tx, table));

const showColumn = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<FieldSchema> => {
  if (ownColumnOf(field) === null) return field;
  await renameColumn(tx, table, hiddenColumnName(field.id), field.dbFieldName);
  const notNull = field.notNull && (await mayBeRequired(tx, table, field));
  if (field.isUnique) await setUnique(tx, table, field, 'unique');
  if (notNull) await setNotNull(tx, table, field, 'notNull');
  return { ...field, notNull };
};

export const untrashIn = async (tx: Tx, table: TableSchema, deleted: DeletedField): Promise<void> => {
  if (table.fields.length >= maxFields) throw conflict(`A table has at most ${maxFields} fields: delete another first`);
  demandNoCycle(deleted.field, table.fields);
  const field = await showColumn(tx, table, fitting(deleted, table));
  await insertFields(tx, table.id, [field], deleted.createdBy);
  const shared = await selectSharedViews(tx, table.views);
  await updateReferences(
    tx,
    table.views.map((view) => {
      const column = deleted.columns[view.id];
      return column === undefined
        ? withColumn(view, field.id, undefined, shared.has(view.id))
        : { ...view, columnMeta: { ...view.columnMeta, [field.id]: column } };
    }),
    table.views,
  );
};

/** The other side of a link went into the trash with it, and comes back with it. */
const untrashOtherSide = async (tx: Tx, baseId: string, { field }: DeletedField, own: SchemaWork): Promise<void> => {
  const { foreignTableId, symmetricFieldId } = field.options as { foreignTableId?: string; symmetricFieldId?: string };
  if (!isLink(field) || foreignTableId === undefined || symmetricFieldId === undefined) return;
  const deleted = await takeDeletedField(tx, foreignTableId, symmetricFieldId);
  if (deleted === undefined) return;
  await untrashIn(tx, await loadTable(tx, baseId, foreignTableId), deleted);
  own.others = [...(own.others ?? []), foreignTableId];
};

/** In a change of the schema. `missing`: what to say when it is not in the trash any more. */
export const untrashField = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  fieldId: string,
  missing: Error,
  own: SchemaWork,
): Promise<void> => {
  const deleted = await takeDeletedField(tx, table.id, fieldId);
  if (deleted === undefined) throw missing;
  if (isDetached(deleted.field))
    throw conflict(
      `"${deleted.field.name}" was the other side of a link that has become something else: undo that change instead`,
    );
  await untrashIn(tx, table, deleted);
  await untrashOtherSide(tx, table.baseId, deleted, own);
  const { baseId, id: tableId } = table;
  await writeAudit(
    tx,
    doerOf(context),
    'field.restored',
    { baseIds: [baseId] },
    { baseId, tableId, fieldId, name: deleted.field.name },
  );
  // Records that were deleted meanwhile are linked to nothing.
  if (isLink(deleted.field)) own.restoredLinks = [...(own.restoredLinks ?? []), fieldId];
};

export const restoreField = async (
  context: Context,
  tableId: string,
  fieldId: string,
  missing: Error,
): Promise<void> => {
  const { foreignTableId } = (await selectDeletedField(context.db, fieldId))?.field.options ?? {};
  return changeSchema(
    context,
    tableId,
    (tx, table, own) => untrashField(context, tx, table, fieldId, missing, own),
    'schema',
    typeof foreignTableId === 'string' ? [foreignTableId] : [],
  );
};
