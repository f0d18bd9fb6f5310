import { invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema, RelatedTable, TableSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeField, demandUnchanged, type SchemaWork } from './change-schema.ts';
import { renameColumn, setNotNull, setUnique, unsetNotNull, unsetUnique } from './column.sql.ts';
import { completeOptions } from './complete-options.ts';
import { type CarryCells, convertCells, keepsCells } from './convert-cells.ts';
import { beginConversion, endConversion } from './convert-history.ts';
import { demandTracked } from './demand-tracked.ts';
import { demandZone } from './demand-zone.ts';
import { demandConstraints } from './draft-field.ts';
import { selectPeople, updateField } from './field.sql.ts';
import { fieldVo } from './field-vo.ts';
import { findField } from './get-field.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import type { FieldType } from '../cell/type.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { asksToLookUp, refreshed, resolveLookup } from './lookup-field.ts';
import { remakeColumn } from './remake-column.ts';
import { resolveFormula, reviveFormula } from './resolve-formula.ts';
import { fillForConversion } from './settle-formulas.ts';
import { renamed } from './update-field.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView, renameInView } from './view-reference.ts';

export type Conversion = Omit<NewField, 'order'>;

/** The type and options that a change was made from. */
export type Seen = Pick<Field, 'type' | 'options'>;

/** Options that were not named stay when the type stays. */
export const nextOptions = (before: FieldSchema, type: FieldType, given: Conversion): Record<string, unknown> => {
  if (given.options === undefined && before.type === type.type) return before.options;
  const carried = type.carryOptions === undefined ? given.options : type.carryOptions(before, given.options);
  return completeOptions(type, carried ?? {}, 'options');
};

const sameOptions = (one: FieldSchema, other: FieldSchema): boolean => JSON.stringify(one.options) === JSON.stringify(other.options);

/** As it was before a change that is undone. */
const restoreLookup = async (tx: Tx, table: TableSchema, before: FieldSchema, draft: FieldSchema): Promise<FieldSchema> => {
  const after = refreshed({ ...draft, lookupOptions: draft.lookupOptions ?? before.lookupOptions ?? null }, table.related.get(table.id) as RelatedTable);
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  await remakeColumn(tx, table, { ...before, dbFieldName: after.dbFieldName }, after);
  await updateField(tx, after, true);
  return after;
};

/**
 * Makes a field what was drafted, with its cells and what views say about it. In a change of the schema. Answers the field, and how
 * many of its cells are others now. `carry`: for those who know better what the cells are to be.
 */
export const redefineField = async (context: Context, tx: Tx, table: TableSchema, draft: FieldSchema, own: SchemaWork, carry?: CarryCells): Promise<{ field: FieldSchema; changedCells: number }> => {
  const known = table.byId.get(draft.id) as FieldSchema;
  if (isLookedUp(draft) || isLookedUp(known)) return { field: await restoreLookup(tx, table, known, draft), changedCells: 0 };
  const drafted = reviveFormula(draft, table.fields);
  const before = await fillForConversion(tx, table, table.byId.get(drafted.id) as FieldSchema, drafted);
  const type = fieldTypeOf(drafted);
  const conversion = carry === undefined && keepsCells(before, drafted) ? undefined : await beginConversion(context, tx, table, before);
  if (before.isUnique) await unsetUnique(tx, table, before);
  if (before.notNull) await unsetNotNull(tx, table, before);
  if (drafted.dbFieldName !== before.dbFieldName && ownColumnOf(before) !== null) {
    await renameColumn(tx, table, before.dbFieldName, drafted.dbFieldName);
  }
  const people = type.namesPeople === true ? await selectPeople(tx, context.access.spaceId as string, table.baseId) : [];
  const after = await (carry ?? convertCells)(tx, table, before, drafted, { now: context.now(), callerId: context.principal.userId, people });
  if (after.isUnique) await setUnique(tx, table, after, 'unique');
  if (after.notNull) await setNotNull(tx, table, after, 'notNull');
  const isNewVersion = before.name !== after.name || before.type !== after.type || !sameOptions(before, after);
  await updateField(tx, after, isNewVersion);
  const changedCells = conversion === undefined ? 0 : await endConversion(tx, table, isNewVersion ? { ...after, version: before.version + 1 } : after, conversion, carry !== undefined);
  if (conversion !== undefined && changedCells > 0) own.operationId = conversion.publicId;

  const fields = new Map(table.byId).set(after.id, after);
  const names = type.renamedValues?.(before, after) ?? new Map<string, string | null>();
  const kept = new Map([...names].filter((pair): pair is [string, string] => pair[1] !== null));
  await updateReferences(tx, table.views.map((view) => fitView(renameInView(view, after.id, kept), fields)));
  return { field: after, changedCells };
};

/** What it shows, and how. Its cells follow at the end of the change. */
const redefineLookup = async (tx: Tx, table: TableSchema, before: FieldSchema, given: Conversion): Promise<string> => {
  const asked = { ...given, isLookup: given.isLookup ?? before.isLookup === true, lookupOptions: given.lookupOptions ?? before.lookupOptions ?? undefined } as NewField;
  const isSameKind = isLookedUp(before) && (before.isLookup === true) === asked.isLookup && (asked.isLookup || before.type === given.type);
  if (!isSameKind) throw invalid({ path: 'type', message: `"${before.name}" cannot be converted: lookups and rollups become something else, and something else becomes one, only by a new field`, expected: 'the same kind of field' });
  const type = fieldTypeOf(given.type);
  const options = asked.isLookup ? {} : given.options === undefined ? before.options : completeOptions(type, given.options, 'options');
  const drafted: FieldSchema = { ...renamed(table, before, given), type: given.type, options };
  const after = resolveLookup(drafted, table.related.get(table.id) as RelatedTable, asked.options === undefined && asked.isLookup ? { ...asked, options: before.options } : asked);
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  await remakeColumn(tx, table, { ...before, dbFieldName: after.dbFieldName }, after);
  await updateField(tx, after, before.name !== after.name || before.type !== after.type || !sameOptions(before, after));
  return after.id;
};

/** Names, and what its picker offers. What it leads to stays, so no cell changes. */
const redefineLink = async (tx: Tx, table: TableSchema, before: FieldSchema, given: Conversion): Promise<string> => {
  const wanted = given.options ?? {};
  const isSame = ['relationship', 'foreignTableId', 'isOneWay'].every((key) => wanted[key] === undefined || wanted[key] === (before.options[key] ?? (key === 'isOneWay' ? false : undefined)));
  if (before.type !== given.type || !isSame || given.unique === true || given.notNull === true) {
    throw invalid({ path: 'type', message: `"${before.name}" cannot be converted: links become something else, and something else becomes a link, only by a new field`, expected: 'the same type, table and relationship' });
  }
  const options = { ...before.options };
  for (const key of ['filterByViewId', 'visibleFieldIds', 'filter', 'lookupFieldId']) if (wanted[key] !== undefined) options[key] = wanted[key];
  const { title } = linkedBy({ ...before, options }, table.related.get(table.id)) ?? {};
  if (title !== undefined && typeof wanted.lookupFieldId === 'string' && title.id !== wanted.lookupFieldId) throw invalid({ path: 'options.lookupFieldId', message: 'The linked table has no such field', expected: 'the id of a field of the linked table' });
  const after: FieldSchema = { ...renamed(table, before, given), options };
  await updateField(tx, after, before.name !== after.name || !sameOptions(before, after));
  if (after.dbFieldName !== before.dbFieldName) await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  return after.id;
};

export const convertField = async (context: Context, tableId: string, fieldId: string, given: Conversion & { before?: Seen }): Promise<Field> => {
  const converted = await changeField(context, tableId, async (tx, table, own) => {
    const sight = sightOf(context, table);
    const before = findField(sight, fieldId);
    demandUnchanged(given.before, { type: before.type, options: before.options }, `The field ${JSON.stringify(before.name)}`);
    const type = fieldTypeOf(given.type);
    if (isLookedUp(before) || asksToLookUp(given)) return redefineLookup(tx, table, before, given);
    if (isLink(before) || isLink(given)) return redefineLink(tx, table, before, given);
    if (before.isPrimary && !type.canBePrimary) throw invalid({ path: 'type', message: `The primary field cannot be of type ${type.type}`, expected: 'a type that can name a record' });
    demandConstraints(type, given, (key) => key);
    const draft: FieldSchema = {
      ...renamed(table, before, given),
      type: type.type,
      options: nextOptions(before, type, given),
      // A constraint that was not mentioned stays if the new type can have it.
      isUnique: given.unique ?? (before.isUnique && type.canBeUnique),
      notNull: given.notNull ?? (before.notNull && type.canBeNotNull),
    };
    // A formula that stays as it is may be a broken one.
    const isSame = before.type === draft.type && sameOptions(before, draft);
    const drafted = isSame ? draft : resolveFormula(draft, table.fields, 'options', sight.fields);
    demandTracked(drafted, sight.fields.filter(({ id }) => id !== before.id), 'options', before);
    await demandZone(tx, drafted, 'options');
    return (await redefineField(context, tx, table, drafted, own)).field.id;
  });
  return fieldVo(converted);
};
