import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import { conflict, invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import { demandScope } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { changeField, demandUnchanged, type SchemaWork } from './change-schema.ts';
import { renameColumn, setNotNull, setUnique, unsetNotNull, unsetUnique } from './column.sql.ts';
import { completeOptions } from './complete-options.ts';
import { convertCells, keepsCells } from './convert-cells.ts';
import { beginConversion, endConversion } from './convert-history.ts';
import { demandButton } from './demand-button.ts';
import { demandTracked } from './demand-tracked.ts';
import { demandZone } from './demand-zone.ts';
import { demandConstraints } from './draft-field.ts';
import { selectPeople, updateField } from './field.sql.ts';
import { fieldVo } from './field-vo.ts';
import { findField } from './get-field.ts';
import { isLink } from '../cell/linked.sql.ts';
import { conditionalRollup, count, rollup } from '../cell/type/rollup.ts';
import type { FieldType } from '../cell/type.ts';
import { cellTypeOf, fieldTypeOf, hasNoEmptyCells, ownColumnOf } from '../cell/types.ts';
import { isConditional, isLookedUp } from '../cell/looked-up.sql.ts';
import { hasOpenRelinks } from '../computed/open-relinks.sql.ts';
import { isSameLink, withLineage } from './lineage.ts';
import { demandForeign, demandTitle, draftLink } from './link-field.ts';
import { asksToLookUp, reachedBy, refreshed, resolveLookup, withLookupOptions } from './lookup-field.ts';
import { demandLinked, detachLink, relinkField } from './relink-field.ts';
import { remakeColumn } from './remake-column.ts';
import { revertCells } from './revert-cells.ts';
import { resolveFormula, reviveFormula } from './resolve-formula.ts';
import { fillForConversion } from './settle-formulas.ts';
import { renamed } from './update-field.ts';
import { updateReferences } from './view-reference.sql.ts';
import { renameInCharts } from './chart-reference.ts';
import { fitView, renameInView } from './view-reference.ts';

export type Conversion = Omit<NewField, 'order'>;

/** The type and options that a change was made from. */
type Seen = Pick<Field, 'type' | 'options'>;

/** Options that were not named stay when the type stays. */
export const nextOptions = (before: FieldSchema, type: FieldType, given: Conversion): Record<string, unknown> => {
  if (given.options === undefined && before.type === type.type) return before.options;
  const carried = type.carryOptions === undefined ? given.options : type.carryOptions(before, given.options);
  return completeOptions(type, carried ?? {}, 'options');
};

const sameOptions = (one: FieldSchema, other: FieldSchema): boolean =>
  JSON.stringify(one.options) === JSON.stringify(other.options);

/** As it was before a change that is undone. */
const restoreLookup = async (
  tx: Tx,
  table: TableSchema,
  before: FieldSchema,
  draft: FieldSchema,
): Promise<FieldSchema> => {
  const after = refreshed(
    { ...draft, lookupOptions: draft.lookupOptions ?? before.lookupOptions ?? null },
    table.related.get(table.id) as RelatedTable,
  );
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  await remakeColumn(tx, table, { ...before, dbFieldName: after.dbFieldName }, after);
  await updateField(tx, after, true);
  return after;
};

/** What is not back yet of its links would be in no history of the conversion. */
const demandRelinked = async (tx: Tx, { id, name, options, ...rest }: FieldSchema): Promise<void> => {
  if (!isLink(rest)) return;
  const { symmetricFieldId } = options as { symmetricFieldId?: string };
  if (await hasOpenRelinks(tx, [id, ...(symmetricFieldId === undefined ? [] : [symmetricFieldId])]))
    throw conflict(
      `Links of restored records are still coming back to "${name}"; try again when all of them are there`,
    );
};

/** Names, and what a picker offers. */
const renameLink = async (
  tx: Tx,
  table: TableSchema,
  before: FieldSchema,
  after: FieldSchema,
): Promise<FieldSchema> => {
  await updateField(tx, after, before.name !== after.name || !sameOptions(before, after));
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  if (after.notNull && !before.notNull) await setNotNull(tx, table, after, 'notNull');
  return after;
};

/** The texts of its cells become choices, which everybody reads who reads the field. */
const demandMayShowCells = (
  { principal }: Context,
  { id }: TableSchema,
  before: FieldSchema,
  after: FieldSchema,
): void => {
  if (cellTypeOf(after).kind === 'choice' && cellTypeOf(before).kind !== 'choice')
    demandScope(principal, 'record|read', id);
};

/**
 * Makes a field what was drafted, with its cells and what views say about it. In a change of the schema. Answers the field, and how
 * many of its cells are others now. `undone`: the operation that converted them, when that is undone.
 */
export const redefineField = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  draft: FieldSchema,
  own: SchemaWork,
  undone?: number,
  dateHabit?: DateOrder,
): Promise<{ field: FieldSchema; changedCells: number }> => {
  const known = table.byId.get(draft.id) as FieldSchema;
  if (isLookedUp(draft) && isLookedUp(known))
    return { field: await restoreLookup(tx, table, known, draft), changedCells: 0 };
  const drafted = isLookedUp(draft)
    ? refreshed(draft, table.related.get(table.id) as RelatedTable)
    : reviveFormula(draft, table.fields);
  if (isSameLink(known, drafted)) return { field: await renameLink(tx, table, known, drafted), changedCells: 0 };
  await demandRelinked(tx, known);
  const before = await fillForConversion(tx, table, known, drafted);
  if (isLink(drafted))
    return { field: drafted, changedCells: await relinkField(context, tx, table, before, drafted, own, undone) };
  const type = fieldTypeOf(drafted);
  demandMayShowCells(context, table, before, drafted);
  const linked = isLink(known) ? demandLinked(table, known) : undefined;
  const conversion =
    undone === undefined && linked === undefined && keepsCells(before, drafted)
      ? undefined
      : await beginConversion(context, tx, table, before);
  if (before.isUnique) await unsetUnique(tx, table, before);
  if (before.notNull) await unsetNotNull(tx, table, before);
  if (drafted.dbFieldName !== before.dbFieldName && ownColumnOf(before) !== null) {
    await renameColumn(tx, table, before.dbFieldName, drafted.dbFieldName);
  }
  const people =
    type.namesPeople === true ? await selectPeople(tx, context.access.spaceId as string, table.baseId) : [];
  const carry = undone === undefined ? convertCells : revertCells(undone);
  const after = await carry(tx, table, before, drafted, {
    now: context.now(),
    callerId: context.principal.userId,
    people,
    dateHabit,
  });
  if (linked !== undefined) await detachLink(context, tx, linked, own);
  if (after.isUnique) await setUnique(tx, table, after, 'unique');
  if (after.notNull) await setNotNull(tx, table, after, 'notNull');
  const isNewVersion =
    before.name !== after.name ||
    before.type !== after.type ||
    (before.isLookup === true) !== (after.isLookup === true) ||
    !sameOptions(before, after);
  await updateField(tx, after, isNewVersion);
  const changedCells =
    conversion === undefined
      ? 0
      : await endConversion(
          tx,
          table,
          isNewVersion ? { ...after, version: before.version + 1 } : after,
          conversion,
          undone !== undefined,
        );
  if (conversion !== undefined && changedCells > 0) own.operationId = conversion.publicId;

  // The other side of a link within the table is gone.
  const present = linked === undefined ? table : await loadTable(tx, table.baseId, table.id);
  const fields = new Map(present.byId).set(after.id, after);
  const names = type.renamedValues?.(before, after) ?? new Map<string, string | null>();
  const kept = new Map([...names].filter((pair): pair is [string, string] => pair[1] !== null));
  await updateReferences(
    tx,
    present.views.map((view) => fitView(renameInView(view, after.id, kept), fields)),
    present.views,
  );
  await renameInCharts(tx, table.baseId, after.id, kept);
  return { field: after, changedCells };
};

/** What a request for a lookup means for a field that may be one already. */
const wantedOf = (before: FieldSchema, given: Conversion): NewField => {
  const isLookup =
    given.isLookup ??
    (before.isLookup === true &&
      given.type !== rollup.type &&
      given.type !== count.type &&
      given.type !== conditionalRollup.type);
  const isConditionalLookup =
    given.isConditionalLookup ?? (isLookup && given.lookupOptions === undefined && isConditional(before));
  const options = given.options === undefined && isLookup && before.isLookup === true ? before.options : given.options;
  return {
    ...given,
    isLookup,
    isConditionalLookup,
    lookupOptions: given.lookupOptions ?? before.lookupOptions ?? undefined,
    ...(options === undefined ? {} : { options }),
  } as NewField;
};

export const draftLookedUp = async (
  db: Queryable,
  table: TableSchema,
  before: FieldSchema,
  given: Conversion,
): Promise<FieldSchema> => {
  const wanted = wantedOf(before, given);
  demandConstraints(fieldTypeOf({ type: given.type, isLookup: true }), given, (key) => key);
  const options =
    wanted.isLookup === true
      ? {}
      : given.options === undefined && before.type === given.type
        ? before.options
        : completeOptions(fieldTypeOf(given.type), given.options ?? {}, 'options');
  const drafted: FieldSchema = {
    ...renamed(table, before, given),
    type: given.type,
    options,
    isUnique: false,
    notNull: false,
  };
  return resolveLookup(drafted, await reachedBy(db, table, wanted), wanted);
};

/** From one to another. Its cells follow at the end of the change. */
const redefineLookup = async (tx: Tx, table: TableSchema, before: FieldSchema, given: Conversion): Promise<string> => {
  const after = await draftLookedUp(tx, table, before, given);
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  await remakeColumn(tx, table, { ...before, dbFieldName: after.dbFieldName }, after);
  await updateField(tx, after, before.name !== after.name || before.type !== after.type || !sameOptions(before, after));
  await updateReferences(
    tx,
    table.views.map((view) => fitView(view, new Map(table.byId).set(after.id, after))),
    table.views,
  );
  return after.id;
};

const limits = ['filterByViewId', 'visibleFieldIds', 'filter'] as const;

/** The link that a field is to be. Options that were not sent stay, as far as they mean the same table. */
export const draftConvertedLink = async (
  context: Pick<Context, 'newId'>,
  db: Queryable,
  table: TableSchema,
  before: FieldSchema,
  given: Conversion,
): Promise<FieldSchema> => {
  demandConstraints(fieldTypeOf(given.type), given, (key) => key);
  const sent = given.options ?? {};
  const isSameTable =
    isLink(before) && (sent.foreignTableId === undefined || sent.foreignTableId === before.options.foreignTableId);
  const {
    relationship,
    foreignTableId,
    isOneWay = before.options.symmetricFieldId === undefined,
    lookupFieldId,
  } = isLink(before) ? before.options : ({} as Record<string, unknown>);
  const stays = isSameTable
    ? {
        lookupFieldId,
        ...Object.fromEntries(
          limits.flatMap((key) => (before.options[key] === undefined ? [] : [[key, before.options[key]]])),
        ),
      }
    : {};
  const options = completeOptions(
    fieldTypeOf(given.type),
    { ...(isLink(before) ? { relationship, foreignTableId, isOneWay } : {}), ...stays, ...sent },
    'options',
  );
  const foreign = await demandForeign(db, table.baseId, options, 'options');
  const drafted: FieldSchema = {
    ...renamed(table, before, given),
    type: given.type,
    options,
    isUnique: false,
    notNull: given.notNull ?? before.notNull,
    isLookup: false,
    lookupOptions: null,
    computed: null,
  };
  const linked = isLink(before) ? demandLinked(table, before) : undefined;
  const wantsOneWay = options.isOneWay === true;
  const isSame =
    linked !== undefined &&
    isSameTable &&
    options.relationship === relationship &&
    wantsOneWay === (linked.symmetric === undefined);
  if (!isSame)
    return draftLink(context, table, foreign, drafted, 'options', isSameTable ? linked?.symmetric : undefined).field;
  const title = demandTitle(foreign, options.lookupFieldId, 'options');
  return {
    ...drafted,
    options: {
      ...before.options,
      ...Object.fromEntries(limits.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]))),
      lookupFieldId: title.id,
    },
  };
};

export const convertField = async (
  context: Context,
  tableId: string,
  fieldId: string,
  asked: Conversion & { before?: Seen; dateOrder?: DateOrder },
): Promise<Field> => {
  const given = withLookupOptions(asked);
  const foreignTableId = given.lookupOptions?.foreignTableId ?? given.options?.foreignTableId;
  const converted = await changeField(
    context,
    tableId,
    async (tx, table, own) => {
      const sight = sightOf(context, table);
      const before = findField(sight, fieldId);
      demandUnchanged(
        given.before,
        { type: before.type, options: before.options },
        `The field ${JSON.stringify(before.name)}`,
      );
      own.defined = new Set([fieldId]);
      const type = fieldTypeOf(given.type);
      if (before.isPrimary && !fieldTypeOf({ type: given.type, isLookup: asksToLookUp(given) }).canBePrimary) {
        throw invalid({
          path: 'type',
          message: `The primary field cannot be ${asksToLookUp(given) ? 'computed from other records' : `of type ${type.type}`}`,
          expected: 'a type that can name a record',
        });
      }
      if (asksToLookUp(given)) {
        if (isLookedUp(before)) return redefineLookup(tx, table, before, given);
        return (
          await redefineField(
            context,
            tx,
            table,
            withLineage(before, await draftLookedUp(tx, table, before, given)),
            own,
          )
        ).field.id;
      }
      if (isLink(given))
        return (
          await redefineField(
            context,
            tx,
            table,
            withLineage(before, await draftConvertedLink(context, tx, table, before, given)),
            own,
          )
        ).field.id;
      demandConstraints(type, given, (key) => key);
      const draft: FieldSchema = {
        ...renamed(table, before, given),
        type: type.type,
        options: nextOptions(before, type, given),
        isLookup: false,
        lookupOptions: null,
        // A constraint that was not mentioned stays if the new type can have it.
        isUnique: given.unique ?? (before.isUnique && type.canBeUnique),
        notNull: given.notNull ?? (hasNoEmptyCells(before) && type.canBeNotNull),
      };
      // A formula that stays as it is may be a broken one.
      const isSame = before.type === draft.type && !isLookedUp(before) && sameOptions(before, draft);
      const drafted = isSame ? draft : resolveFormula(draft, table.fields, 'options', sight.fields);
      const others = sight.fields.filter(({ id }) => id !== before.id);
      demandTracked(drafted, others, 'options', before);
      demandButton(context, drafted, others, 'options', before);
      await demandZone(tx, drafted, 'options');
      return (await redefineField(context, tx, table, withLineage(before, drafted), own, undefined, asked.dateOrder))
        .field.id;
    },
    typeof foreignTableId === 'string' ? [foreignTableId] : [],
  );
  return fieldVo(converted);
};
