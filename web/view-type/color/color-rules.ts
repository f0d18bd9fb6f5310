// Colour rules while they are being put together, and how they are saved beside changes of others.
import type { ColorRule } from '@rowhouse/contract/color-rule.ts';
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { setViewOptions, type View } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { mergeLists } from '../../record-data/merge-changes.ts';
import { sendMerged } from '../../record-data/send-merged.ts';
import { newCondition, noFilter, writeFilter } from '../../field-type/filter/conditions.ts';

export const hues = ['red', 'orange', 'yellow', 'green', 'teal', 'cyan', 'blue', 'purple', 'pink', 'gray'] as const;

export const choiceFields = (fields: readonly Field[]): Field[] => fields.filter((field) => kindOf(field) === 'choice');
export const scaleFields = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => kindOf(field) === 'number' && field.isMultipleCellValue !== true);

export const filterOf = ({ filter }: ColorRule): FilterGroup => (filter as FilterGroup | undefined) ?? noFilter;

/** What a new rule begins with; another colour than those that are used. */
export const newRule = (fields: readonly Field[], rules: readonly ColorRule[]): ColorRule => {
  const color = hues.find((hue) => rules.every((rule) => rule.color !== hue)) ?? 'red';
  const [choice] = choiceFields(fields);
  if (choice !== undefined && rules.length === 0) return { on: 'row', by: 'choice', fieldId: choice.id };
  const [primary] = fields;
  const filterSet = primary === undefined ? [] : [newCondition(primary)];
  return { on: 'row', by: 'condition', color, filter: { conjunction: 'and', filterSet } as never };
};

/** With what the way of colouring needs, and nothing of another. */
export const changedTo = (rule: ColorRule, by: ColorRule['by'], fields: readonly Field[]): ColorRule => {
  const [primary] = fields;
  const color = rule.color ?? 'green';
  const target = { on: rule.on, ...(rule.fieldIds === undefined ? {} : { fieldIds: rule.fieldIds }) };
  if (by === 'choice') return { ...target, by, fieldId: choiceFields(fields)[0]?.id ?? '' };
  if (by === 'scale') return { on: 'cells', by, color, fieldId: scaleFields(fields)[0]?.id ?? '', min: 0, max: 100 };
  const filterSet = primary === undefined ? [] : [newCondition(primary)];
  return { ...target, by, color, filter: { conjunction: 'and', filterSet } as never };
};

/** Those that are complete, as the server takes them. */
const writeRules = (rules: readonly ColorRule[]): ColorRule[] =>
  rules.flatMap((rule): ColorRule[] => {
    if (rule.on === 'cells' && rule.by !== 'scale' && (rule.fieldIds ?? []).length === 0) return [];
    if (rule.by === 'scale' && !((rule.min ?? 0) < (rule.max ?? 100))) return [];
    if (rule.by !== 'condition') return rule.fieldId === '' ? [] : [rule];
    const filter = writeFilter(filterOf(rule));
    return filter === null ? [] : [{ ...rule, filter: filter as never }];
  });

/** `before`: what the rules were when they were opened. What others have changed meanwhile stays. */
export const saveRules = (
  tableId: string,
  view: View,
  before: readonly ColorRule[],
  rules: readonly ColorRule[],
): Promise<void> =>
  sendMerged<{ colorRules: ColorRule[] | null }>({ colorRules: before.length === 0 ? null : [...before] }, (now) => {
    const merged = mergeLists(before, writeRules(rules), now.colorRules ?? [], {
      keyOf: (rule) => JSON.stringify(rule),
    });
    return call(setViewOptions, {
      params: { tableId, viewId: view.id },
      body: { options: { colorRules: merged.length === 0 ? null : merged }, before: now },
    });
  });
