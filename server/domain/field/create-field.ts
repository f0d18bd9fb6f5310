import { invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { sightOf } from '../../catalog/sight.ts';
import { changeField } from './change-schema.ts';
import { addColumn, setNotNull, setUnique } from './column.sql.ts';
import { demandZone } from './demand-zone.ts';
import { demandFreeIds } from './demand-free-ids.ts';
import { demandTracked } from './demand-tracked.ts';
import { draftField } from './draft-field.ts';
import { insertFields } from './field.sql.ts';
import { fieldVo } from './field-vo.ts';
import { resolveFormula } from './resolve-formula.ts';
import { ownColumnOf } from '../cell/types.ts';
import { updateReferences } from './view-reference.sql.ts';
import { withColumn } from './view-reference.ts';

/** Adds a drafted field to a table: its row, its column, and its place in every view. */
export const addField = async (
  tx: Tx,
  table: TableSchema,
  field: FieldSchema,
  createdBy: string,
  order?: { viewId: string; orderIndex: number },
): Promise<void> => {
  const column = ownColumnOf(field);
  await insertFields(tx, table.id, [field], createdBy);
  if (column !== null) await addColumn(tx, table, field.dbFieldName, column);
  await updateReferences(
    tx,
    table.views.map((view) => withColumn(view, field.id, view.id === order?.viewId ? order.orderIndex : undefined)),
  );
};

export const createField = async (context: Context, tableId: string, given: NewField): Promise<Field> => {
  const made = await changeField(context, tableId, async (tx, table) => {
    const { order } = given;
    if (order !== undefined && !table.views.some((view) => view.id === order.viewId)) {
      throw invalid({ path: 'order.viewId', message: `The table has no view ${order.viewId.slice(0, 50)}`, expected: 'the id of a view of this table' });
    }
    const field = resolveFormula(draftField(context.newId, given, table.fields), table.fields, 'options', sightOf(context, table).fields);
    demandTracked(field, sightOf(context, table).fields, 'options');
    await demandFreeIds(tx, given.id === undefined ? [] : [{ id: given.id, at: 'id' }]);
    await demandZone(tx, field, 'options');
    await addField(tx, table, field, context.principal.userId, order);
    if (field.isUnique) await setUnique(tx, table, field, 'unique');
    if (field.notNull) await setNotNull(tx, table, field, 'notNull');
    return field.id;
  });
  return fieldVo(made);
};
