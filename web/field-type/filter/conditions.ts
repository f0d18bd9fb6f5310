// Conditions while they are being put together: some are not complete yet, and do not filter until they are.
import {
  type Condition,
  conditionFits,
  type FilterField,
  type FilterGroup,
  type FilterOperator,
  takesNothing,
  takesSeveral,
  validOperators,
} from '@rowhouse/contract/filter.ts';
import { cellKinds, type Field, kindOf } from '@rowhouse/contract/field.ts';
import { type ReaderValue, readerOperators, readerValueOf } from '@rowhouse/contract/reader-value.ts';

const filterFieldOf = ({ id, type, cellValueType, isMultipleCellValue }: Field): FilterField => ({
  id,
  type,
  cellValueType,
  isMultiple: isMultipleCellValue === true,
});

export const operatorsOf = (field: Field): readonly FilterOperator[] => validOperators(filterFieldOf(field));

/** Made for what its field was before it was converted: it has no effect until somebody changes it. */
export const isUnfit = (condition: Condition, field: Field): boolean =>
  hostOf(condition) === undefined &&
  readerValueOf(condition.value) === undefined &&
  !conditionFits(condition, filterFieldOf(field));

export const newCondition = (field: Field): Condition => ({
  fieldId: field.id,
  operator: operatorsOf(field)[0] ?? 'is',
  value: kindOf(field) === 'boolean' ? true : null,
});

/** What values an operator takes: those of one form fit another operator of it. */
export const formOf = ({ type }: Pick<Field, 'type'>, operator: FilterOperator): string => {
  if (takesSeveral(operator)) return 'several';
  if (cellKinds[type] === 'link') return operator === 'contains' || operator === 'doesNotContain' ? 'text' : 'record';
  return operator === 'isWithIn' ? 'range' : 'one';
};

/** A cell of the record that shows what the condition finds. */
export const hostValue = (fieldId: string): { type: 'field'; fieldId: string } => ({ type: 'field', fieldId });

export const hostOf = ({ value }: Pick<Condition, 'value'>): string | undefined => {
  const { type, fieldId } = (typeof value === 'object' && value !== null ? value : {}) as {
    type?: string;
    fieldId?: string;
  };
  return type === 'field' ? fieldId : undefined;
};

/** Something else than a value that a condition may be compared with. */
export interface Besides {
  label: string;
  value: ReaderValue;
}

export type BesidesOf = (field: Field, operator: FilterOperator) => readonly Besides[];

/** Another operator keeps the value where it takes values of the same form. */
export const keepsValue = (condition: Condition, field: Field, operator: FilterOperator): boolean =>
  !takesNothing(operator) &&
  formOf(field, operator) === formOf(field, condition.operator) &&
  (readerValueOf(condition.value) === undefined || readerOperators.includes(operator));

const hostOperators: readonly FilterOperator[] = [
  'is',
  'isNot',
  'isGreater',
  'isGreaterEqual',
  'isLess',
  'isLessEqual',
  'isBefore',
  'isAfter',
  'isOnOrBefore',
  'isOnOrAfter',
];

export const isComparable = (field: Field, host: Field, operator: FilterOperator): boolean =>
  hostOperators.includes(operator) &&
  field.isMultipleCellValue !== true &&
  host.isMultipleCellValue !== true &&
  host.hasError !== true &&
  field.cellValueType === host.cellValueType &&
  (kindOf(field) === 'link') === (kindOf(host) === 'link') &&
  (kindOf(field) === 'person') === (kindOf(host) === 'person');

const isComplete = ({ operator, value }: Condition): boolean => {
  if (takesNothing(operator)) return true;
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return false;
  if (typeof value !== 'object' || Array.isArray(value)) return true;
  return value.mode === 'exactDate' ? value.exactDate !== undefined : true;
};

export const isGroup = (item: Condition | FilterGroup): item is FilterGroup => 'filterSet' in item;

export const noFilter: FilterGroup = { conjunction: 'and', filterSet: [] };

/** What of it filters already: without conditions that are not complete, and groups without any. */
const completePart = ({ conjunction, filterSet }: FilterGroup): FilterGroup => ({
  conjunction,
  filterSet: filterSet.flatMap((item): (Condition | FilterGroup)[] => {
    if (!isGroup(item)) return isComplete(item) ? [item] : [];
    const inner = completePart(item);
    return inner.filterSet.length === 0 ? [] : [inner];
  }),
});

export const writeFilter = (draft: FilterGroup): FilterGroup | null => {
  const filter = completePart(draft);
  return filter.filterSet.length === 0 ? null : filter;
};

/** The conditions that no longer fit their fields. */
export const unfitConditions = ({ filterSet }: FilterGroup, fields: readonly Field[]): Condition[] =>
  filterSet.flatMap((item) => {
    if (isGroup(item)) return unfitConditions(item, fields);
    const field = fields.find(({ id }) => id === item.fieldId);
    return field !== undefined && isUnfit(item, field) ? [item] : [];
  });

export const countConditions = ({ filterSet }: FilterGroup): number =>
  filterSet.reduce((sum, item) => sum + (isGroup(item) ? countConditions(item) : 1), 0);
