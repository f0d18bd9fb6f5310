import { invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import { type FieldSchema, loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeField } from './change-schema.ts';
import { copyColumn } from './column.sql.ts';
import { addField, addLink } from './create-field.ts';
import { freeDbName } from './db-name.ts';
import { maxFields } from './draft-field.ts';
import { fieldVo } from './field-vo.ts';
import { findField } from './get-field.ts';
import { draftLink } from './link-field.ts';
import { demandLinked } from './relink-field.ts';
import { collectEnds, writeCollected } from './relink-field.sql.ts';
import { reviveFormula } from './resolve-formula.ts';
import { isLink, linkedBy, type Linked } from '../cell/linked.sql.ts';
import { lockTables } from '../computed/refill.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';

/** Halfway between the original and the column after it. */
const besides = (view: ViewSchema, field: FieldSchema): number => {
  const orders = Object.values(view.columnMeta).map((column) => Number(column.order ?? 0));
  const own = Number(view.columnMeta[field.id]?.order ?? 0);
  const next = Math.min(...orders.filter((order) => order > own));
  return Number.isFinite(next) ? (own + next) / 2 : own + 1;
};

/** One-way: the other side of the original shows what leads to it already. */
const copyLink = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  source: FieldSchema,
  copy: FieldSchema,
  order: NewField['order'],
  isHiddenIn: (view: ViewSchema) => boolean,
): Promise<string> => {
  const from = demandLinked(table, source);
  const foreign = await loadTable(tx, table.baseId, from.foreign.id);
  const draft = draftLink(
    context,
    table,
    foreign,
    { ...copy, options: { ...source.options, isOneWay: true } },
    'fieldId',
  );
  await lockTables(tx, [...new Map([from.own, from.foreign].map((one) => [one.id, one])).values()]);
  await collectEnds(tx, {
    own: from.own,
    field: draft.field,
    from,
    foreign,
    title: from.title,
    isMultiple: from.isMultiple,
    isExclusive: from.isExclusive,
    undone: undefined,
  });
  await addLink(context, tx, table, draft, order, isHiddenIn);
  await writeCollected(
    tx,
    linkedBy((await loadTable(tx, table.baseId, table.id)).byId.get(copy.id) as FieldSchema) as Linked,
  );
  return copy.id;
};

/** Cells are copied; constraints are not: a copy of unique cells may well be edited into something else. */
export const duplicateField = async (
  context: Context,
  tableId: string,
  fieldId: string,
  given: { name: string; viewId?: string },
): Promise<Field> => {
  const made = await changeField(context, tableId, async (tx, table) => {
    const source = findField(sightOf(context, table), fieldId);
    const view = given.viewId === undefined ? undefined : table.views.find((one) => one.id === given.viewId);
    if (given.viewId !== undefined && view === undefined) {
      throw invalid({
        path: 'viewId',
        message: `The table has no view ${given.viewId.slice(0, 50)}`,
        expected: 'the id of a view of this table',
      });
    }
    if (table.fields.length >= maxFields)
      throw invalid({ path: '', message: `A table has at most ${maxFields} fields` });
    const name = uniqueName(given.name, [...table.byName.keys()]);
    const copy: FieldSchema = reviveFormula(
      {
        ...source,
        id: context.newId('fld'),
        name,
        dbFieldName: freeDbName(name, new Set(table.byDbName.keys())),
        isPrimary: false,
        notNull: false,
        isUnique: false,
        position: Math.max(...table.fields.map((field) => field.position)) + 1,
        version: 1,
      },
      table.fields,
    );
    const order = view === undefined ? undefined : { viewId: view.id, orderIndex: besides(view, source) };
    // It holds what the original holds, so it is hidden where that is.
    const isHiddenIn = ({ columnMeta }: ViewSchema): boolean => columnMeta[source.id]?.hidden === true;
    if (isLink(source)) return copyLink(context, tx, table, source, copy, order, isHiddenIn);
    await addField(tx, table, copy, context.principal.userId, order, isHiddenIn);
    if (ownColumnOf(copy) !== null && copy.computed == null) await copyColumn(tx, table, source, copy.dbFieldName);
    return copy.id;
  });
  return fieldVo(made);
};
