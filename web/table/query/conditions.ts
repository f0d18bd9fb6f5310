// Conditions while they are being put together: some are not complete yet, and do not filter until they are.
import { type Condition, type FilterGroup, type FilterOperator, validOperators } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';

const nothing: readonly FilterOperator[] = ['isEmpty', 'isNotEmpty'];
export const severalOperators: readonly FilterOperator[] = ['isAnyOf', 'isNoneOf', 'hasAnyOf', 'hasAllOf', 'hasNoneOf', 'isExactly', 'isNotExactly'];

export const takesNothing = (operator: FilterOperator): boolean => nothing.includes(operator);

export const operatorsOf = (field: Field): readonly FilterOperator[] => validOperators({ type: field.type, cellValueType: field.cellValueType, isMultiple: field.isMultipleCellValue === true });

export const newCondition = (field: Field): Condition => ({ fieldId: field.id, operator: operatorsOf(field)[0] ?? 'is', value: field.type === 'checkbox' ? true : null });

export const isComplete = ({ operator, value }: Condition): boolean => {
  if (takesNothing(operator)) return true;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return false;
  if (typeof value !== 'object' || Array.isArray(value)) return true;
  return value.mode === 'exactDate' ? value.exactDate !== undefined : true;
};

const isGroup = (item: Condition | FilterGroup): item is FilterGroup => 'filterSet' in item;

/** The conditions of the outermost group; groups inside of it are kept as they are. */
export const readFilter = (filter: FilterGroup | undefined): { conjunction: 'and' | 'or'; conditions: Condition[]; groups: FilterGroup[] } => ({
  conjunction: filter?.conjunction ?? 'and',
  conditions: filter?.filterSet.filter((item): item is Condition => !isGroup(item)) ?? [],
  groups: filter?.filterSet.filter(isGroup) ?? [],
});

export const writeFilter = (conjunction: 'and' | 'or', conditions: readonly Condition[], groups: readonly FilterGroup[]): FilterGroup | null => {
  const filterSet = [...conditions.filter(isComplete), ...groups];
  return filterSet.length === 0 ? null : { conjunction, filterSet };
};
