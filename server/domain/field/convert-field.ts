import { invalid } from '@rowhouse/contract/error.ts';
import type { Field, NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from './change-schema.ts';
import { renameColumn, setNotNull, setUnique, unsetNotNull, unsetUnique } from './column.sql.ts';
import { completeOptions } from './complete-options.ts';
import { changedChoices, convertCells, keepsCells } from './convert-cells.ts';
import { beginConversion, endConversion } from './convert-history.ts';
import { demandConstraints } from './draft-field.ts';
import { selectPeople, updateField } from './field.sql.ts';
import { fieldVo } from './field-vo.ts';
import { findField } from './find-field.ts';
import { type Choice, choicesOf } from './type/select.ts';
import type { FieldType } from './type.ts';
import { fieldTypeOf } from './types.ts';
import { renamed } from './update-field.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView, renameInFilter } from './view-reference.ts';

type Conversion = Omit<NewField, 'order'>;

const isSelect = (type: string): boolean => type === 'singleSelect' || type === 'multipleSelect';

/**
 * Options that were not named stay when the type stays. Between selects the choices stay, and a choice that was
 * sent without its id is the one of the same name.
 */
const nextOptions = (before: FieldSchema, type: FieldType, given: Conversion): Record<string, unknown> => {
  if (given.options === undefined && before.type === type.type) return before.options;
  if (!isSelect(before.type) || !isSelect(type.type)) return completeOptions(type, given.options ?? {}, 'options');
  const known = new Map(choicesOf(before.options).map((choice) => [choice.name, choice]));
  const wanted = given.options?.choices as Partial<Choice>[] | undefined;
  const identify = (choice: Partial<Choice>): Partial<Choice> => {
    const same = typeof choice === 'object' && choice !== null && choice.id === undefined ? known.get(choice.name ?? '') : undefined;
    return same === undefined ? choice : { ...same, ...choice };
  };
  const choices = Array.isArray(wanted) ? wanted.map(identify) : (wanted ?? choicesOf(before.options));
  return completeOptions(type, { ...given.options, choices }, 'options');
};

const sameOptions = (one: FieldSchema, other: FieldSchema): boolean => JSON.stringify(one.options) === JSON.stringify(other.options);

export const convertField = (context: Context, tableId: string, fieldId: string, given: Conversion): Promise<Field> =>
  changeSchema(context, tableId, async (tx, table) => {
    const before = findField(table, fieldId);
    const type = fieldTypeOf(given.type);
    if (before.isPrimary && !type.canBePrimary) throw invalid({ path: 'type', message: `The primary field cannot be of type ${type.type}`, expected: 'a type that can name a record' });
    demandConstraints(type, given, (key) => key);
    const drafted: FieldSchema = {
      ...renamed(table, before, given),
      type: type.type,
      options: nextOptions(before, type, given),
      // A constraint that was not mentioned stays if the new type can have it.
      isUnique: given.unique ?? (before.isUnique && type.canBeUnique),
      notNull: given.notNull ?? (before.notNull && type.canBeNotNull),
    };

    const conversion = keepsCells(before, drafted) ? undefined : await beginConversion(context, tx, table, before);
    if (before.isUnique) await unsetUnique(tx, table, before);
    if (before.notNull) await unsetNotNull(tx, table, before);
    if (drafted.dbFieldName !== before.dbFieldName && fieldTypeOf(before.type).column !== null) {
      await renameColumn(tx, table, before.dbFieldName, drafted.dbFieldName);
    }
    const people = type.type === 'user' ? await selectPeople(tx, context.access.spaceId as string, table.baseId) : [];
    const after = await convertCells(tx, table, before, drafted, { now: context.now(), callerId: context.principal.userId, people });
    if (after.isUnique) await setUnique(tx, table, after, 'unique');
    if (after.notNull) await setNotNull(tx, table, after, 'notNull');
    const isNewVersion = before.name !== after.name || before.type !== after.type || !sameOptions(before, after);
    await updateField(tx, after, isNewVersion);
    if (conversion !== undefined) await endConversion(tx, table, isNewVersion ? { ...after, version: before.version + 1 } : after, conversion);

    const fields = new Map(table.byId).set(after.id, after);
    const names = isSelect(before.type) && isSelect(after.type) ? changedChoices(before, after) : new Map<string, string | null>();
    const kept = new Map([...names].filter((pair): pair is [string, string] => pair[1] !== null));
    await updateReferences(tx, table.views.map((view) => fitView({ ...view, filter: renameInFilter(view.filter, after.id, kept) }, fields)));
    return fieldVo(after);
  });
