import { invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import { type FieldSchema, loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { sightOf } from '../../catalog/sight.ts';
import { changeField } from './change-schema.ts';
import { addColumn, setNotNull, setUnique } from './column.sql.ts';
import { completeOptions } from './complete-options.ts';
import { demandButton } from './demand-button.ts';
import { demandZone } from './demand-zone.ts';
import { demandFreeIds } from './demand-free-ids.ts';
import { demandTracked } from './demand-tracked.ts';
import { draftField } from './draft-field.ts';
import { insertFields } from './field.sql.ts';
import { fieldVo } from './field-vo.ts';
import { demandForeign, draftLink, type LinkDraft, makeKeys, withLinkName } from './link-field.ts';
import { asksToLookUp, draftLookup, lookupName, reachedBy, resolveLookup, withLookupOptions } from './lookup-field.ts';
import { resolveFormula } from './resolve-formula.ts';
import { isLink } from '../cell/linked.sql.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { selectSharedViews, updateReferences } from './view-reference.sql.ts';
import { withColumn } from './view-reference.ts';

/** Adds a drafted field to a table: its row, its column, and its place in every view. */
export const addField = async (
  tx: Tx,
  table: TableSchema,
  field: FieldSchema,
  createdBy: string,
  order?: { viewId: string; orderIndex: number },
  isHiddenIn: (view: ViewSchema) => boolean = () => false,
): Promise<void> => {
  const column = ownColumnOf(field);
  await insertFields(tx, table.id, [field], createdBy);
  if (column !== null) await addColumn(tx, table, field.dbFieldName, column);
  await updateReferences(
    tx,
    table.views.map((view) =>
      withColumn(view, field.id, view.id === order?.viewId ? order.orderIndex : undefined, isHiddenIn(view)),
    ),
    table.views,
  );
};

/** The other side of a link, which is made in another table as a rule: visitors of this one do not see what leads to it unless somebody shows it to them. */
export const addOtherSide = async (
  tx: Tx,
  table: TableSchema,
  field: FieldSchema,
  createdBy: string,
): Promise<void> => {
  const shared = await selectSharedViews(tx, table.views);
  await addField(tx, table, field, createdBy, undefined, ({ id }) => shared.has(id));
};

const demandView = (table: TableSchema, { order }: NewField): void => {
  if (order !== undefined && !table.views.some((view) => view.id === order.viewId)) {
    throw invalid({
      path: 'order.viewId',
      message: `The table has no view ${order.viewId.slice(0, 50)}`,
      expected: 'the id of a view of this table',
    });
  }
};

/** A link, its keys, and the field of the other side. Answers the id of the table of that field. */
export const addLink = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  { field, symmetric, foreign }: LinkDraft,
  order?: NewField['order'],
  isHiddenIn?: (view: ViewSchema) => boolean,
): Promise<string[]> => {
  const { userId } = context.principal;
  await addField(tx, table, field, userId, order, isHiddenIn);
  if (symmetric !== null)
    await addOtherSide(
      tx,
      foreign.id === table.id ? await loadTable(tx, table.baseId, table.id) : foreign,
      symmetric,
      userId,
    );
  await makeKeys(tx, table, field.id);
  return symmetric === null || foreign.id === table.id ? [] : [foreign.id];
};

const createLink = async (context: Context, tableId: string, given: NewField): Promise<Field> => {
  const foreignTableId = given.options?.foreignTableId;
  const made = await changeField(
    context,
    tableId,
    async (tx, table, own) => {
      demandView(table, given);
      completeOptions(fieldTypeOf(given.type), given.options ?? {}, 'options');
      const foreign = await demandForeign(tx, table.baseId, given.options ?? {}, 'options');
      await demandFreeIds(tx, given.id === undefined ? [] : [{ id: given.id, at: 'id' }]);
      const draft = draftLink(
        context,
        table,
        foreign,
        draftField(context.newId, withLinkName(given, foreign), table.fields),
        'options',
      );
      own.others = await addLink(context, tx, table, draft, given.order);
      if (draft.field.notNull) await setNotNull(tx, table, draft.field, 'notNull');
      // Nothing is linked yet.
      own.filled = new Set([draft.field.id, ...(draft.symmetric === null ? [] : [draft.symmetric.id])]);
      return draft.field.id;
    },
    typeof foreignTableId === 'string' ? [foreignTableId] : [],
  );
  return fieldVo(made);
};

const createLookup = async (context: Context, tableId: string, asked: NewField): Promise<Field> => {
  const given = withLookupOptions(asked);
  const foreignTableId = given.lookupOptions?.foreignTableId;
  const made = await changeField(
    context,
    tableId,
    async (tx, table) => {
      demandView(table, given);
      const sight = sightOf(context, table);
      if (given.lookupOptions?.linkFieldId !== undefined && !sight.byId.has(given.lookupOptions.linkFieldId))
        throw invalid({
          path: 'lookupOptions.linkFieldId',
          message: `The table has no link field ${given.lookupOptions.linkFieldId.slice(0, 50)}`,
          expected: 'the id of a link field of this table',
        });
      await demandFreeIds(tx, given.id === undefined ? [] : [{ id: given.id, at: 'id' }]);
      const own = await reachedBy(tx, table, given);
      const drafted = draftLookup(
        context.newId,
        { ...given, name: given.name ?? lookupName(own, given) },
        table.fields,
      );
      const field = resolveLookup(drafted, own, given);
      await demandZone(tx, field, 'options');
      await addField(tx, table, field, context.principal.userId, given.order);
      return field.id;
    },
    foreignTableId === undefined ? [] : [foreignTableId],
  );
  return fieldVo(made);
};

export const createField = async (context: Context, tableId: string, given: NewField): Promise<Field> => {
  if (asksToLookUp(given)) return createLookup(context, tableId, given);
  if (isLink(given)) return createLink(context, tableId, given);
  const made = await changeField(context, tableId, async (tx, table) => {
    demandView(table, given);
    const field = resolveFormula(
      draftField(context.newId, given, table.fields),
      table.fields,
      'options',
      sightOf(context, table).fields,
    );
    demandTracked(field, sightOf(context, table).fields, 'options');
    demandButton(context, field, sightOf(context, table).fields, 'options');
    await demandFreeIds(tx, given.id === undefined ? [] : [{ id: given.id, at: 'id' }]);
    await demandZone(tx, field, 'options');
    await addField(tx, table, field, context.principal.userId, given.order);
    if (field.isUnique) await setUnique(tx, table, field, 'unique');
    if (field.notNull) await setNotNull(tx, table, field, 'notNull');
    return field.id;
  });
  return fieldVo(made);
};
