// View filters: a tree of conditions. The operators a field has follow from the kind of its cells; they are
// data here because the server checks them, the query engine runs them, and the app offers them.
import { type Static, Type } from 'typebox';
import type { Issue } from './error.ts';
import { type CellValueType, kindOf } from './field.ts';
import { isStorable } from './text.ts';
import { instantOf, isTimeZone } from './zone.ts';

const filterOperators = [
  'is',
  'isNot',
  'contains',
  'doesNotContain',
  'isEmpty',
  'isNotEmpty',
  'isGreater',
  'isGreaterEqual',
  'isLess',
  'isLessEqual',
  'isAnyOf',
  'isNoneOf',
  'hasAnyOf',
  'hasAllOf',
  'hasNoneOf',
  'isExactly',
  'isNotExactly',
  'isWithIn',
  'isBefore',
  'isAfter',
  'isOnOrBefore',
  'isOnOrAfter',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** The caller, as a value of a condition on people, and as a default: `me` here, `Me` in Teable's clients. */
export const isMe = (value: unknown): boolean => value === 'me' || value === 'Me';

/** What a date is compared with by every date operator but `isWithIn`. */
export const dateModes = [
  'today',
  'tomorrow',
  'yesterday',
  'currentWeek',
  'lastWeek',
  'nextWeekPeriod',
  'currentMonth',
  'lastMonth',
  'nextMonthPeriod',
  'currentYear',
  'lastYear',
  'nextYearPeriod',
  'oneWeekAgo',
  'oneWeekFromNow',
  'oneMonthAgo',
  'oneMonthFromNow',
  'daysAgo',
  'daysFromNow',
  'exactDate',
  'exactFormatDate',
] as const;

/** The ranges of `isWithIn`. */
export const withinModes = [
  'pastWeek',
  'pastMonth',
  'pastYear',
  'nextWeek',
  'nextMonth',
  'nextYear',
  'pastNumberOfDays',
  'nextNumberOfDays',
] as const;

export type DateMode = (typeof dateModes)[number] | (typeof withinModes)[number];

const modesWithDays: readonly string[] = ['daysAgo', 'daysFromNow', 'pastNumberOfDays', 'nextNumberOfDays'];
const modesWithDate: readonly string[] = ['exactDate', 'exactFormatDate'];

export interface DateOperand {
  mode: DateMode;
  numberOfDays?: number;
  exactDate?: string;
  timeZone: string;
}

export interface Condition {
  fieldId: string;
  operator: FilterOperator;
  value: string | number | boolean | (string | number | boolean)[] | DateOperand | null;
}

export interface FilterGroup {
  conjunction: 'and' | 'or';
  filterSet: (Condition | FilterGroup)[];
}

/** What a filter needs to know of a field. */
export interface FilterField {
  id: string;
  type: string;
  cellValueType: CellValueType;
  isMultiple: boolean;
}

export const Filter = Type.Object(
  {
    conjunction: Type.Enum(['and', 'or']),
    filterSet: Type.Array(Type.Unknown(), {
      maxItems: 1_000,
      description: 'Conditions `{fieldId, operator, value}`, and groups of the same form as this one, at most 8 deep.',
    }),
  },
  { description: 'A tree of conditions.' },
);
export type Filter = Static<typeof Filter>;

const textOperators: readonly FilterOperator[] = ['is', 'isNot', 'contains', 'doesNotContain', 'isEmpty', 'isNotEmpty'];
const numberOperators: readonly FilterOperator[] = [
  'is',
  'isNot',
  'isGreater',
  'isGreaterEqual',
  'isLess',
  'isLessEqual',
  'isEmpty',
  'isNotEmpty',
];
const dateOperators: readonly FilterOperator[] = [
  'is',
  'isNot',
  'isWithIn',
  'isBefore',
  'isAfter',
  'isOnOrBefore',
  'isOnOrAfter',
  'isEmpty',
  'isNotEmpty',
];
const oneOfOperators: readonly FilterOperator[] = ['is', 'isNot', 'isAnyOf', 'isNoneOf', 'isEmpty', 'isNotEmpty'];
const severalOperators: readonly FilterOperator[] = [
  'hasAnyOf',
  'hasAllOf',
  'isExactly',
  'isNotExactly',
  'hasNoneOf',
  'isEmpty',
  'isNotEmpty',
];

export const validOperators = (
  field: Pick<FilterField, 'type' | 'cellValueType' | 'isMultiple'>,
): readonly FilterOperator[] => {
  switch (kindOf(field)) {
    case 'choice':
    case 'person':
      return field.isMultiple ? severalOperators : oneOfOperators;
    case 'link':
      return [...(field.isMultiple ? severalOperators : oneOfOperators), 'contains', 'doesNotContain'];
    case 'text':
      return textOperators;
    case 'number':
      return numberOperators;
    case 'boolean':
      return ['is'];
    case 'date':
      return dateOperators;
    case 'file':
    case 'button':
      return ['isEmpty', 'isNotEmpty'];
  }
};

// The short operators that Teable accepts beside `isSymbol: true`; the first that the field has is meant.
const symbols = new Map<unknown, readonly FilterOperator[]>([
  ['=', ['is', 'isExactly']],
  ['!=', ['isNot', 'isNotExactly']],
  ['>', ['isGreater', 'isAfter']],
  ['>=', ['isGreaterEqual', 'isOnOrAfter']],
  ['<', ['isLess', 'isBefore']],
  ['<=', ['isLessEqual', 'isOnOrBefore']],
  ['LIKE', ['contains']],
  ['NOT LIKE', ['doesNotContain']],
  ['IN', ['isAnyOf', 'hasAnyOf']],
  ['NOT IN', ['isNoneOf', 'hasNoneOf']],
  ['HAS', ['hasAllOf']],
  ['IS NULL', ['isEmpty']],
  ['IS NOT NULL', ['isNotEmpty']],
  ['IS WITH IN', ['isWithIn']],
]);

const withoutValue: readonly string[] = ['isEmpty', 'isNotEmpty'];
const withList: readonly string[] = [
  'isAnyOf',
  'isNoneOf',
  'hasAnyOf',
  'hasAllOf',
  'hasNoneOf',
  'isExactly',
  'isNotExactly',
];

export const takesNothing = (operator: string): boolean => withoutValue.includes(operator);
export const takesSeveral = (operator: string): boolean => withList.includes(operator);

/** What somebody sent, in a message: of lists and objects only that they are. */
const quoted = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? '[…]'
      : '{…}'
    : String(JSON.stringify(value)).slice(0, 100);

type Complain = (path: string, message: string, expected?: string) => null;

const readDateOperand = (value: unknown, operator: string, at: string, complain: Complain): DateOperand | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return complain(at, 'Expected {mode, timeZone, …}', '{mode, timeZone, …}');
  const { mode, numberOfDays, exactDate, timeZone } = value as Record<string, unknown>;
  const modes: readonly string[] = operator === 'isWithIn' ? withinModes : dateModes;
  if (typeof mode !== 'string' || !modes.includes(mode))
    return complain(`${at}.mode`, `Expected one of ${modes.join(', ')}`, modes.join(', '));
  if (!isTimeZone(timeZone))
    return complain(
      `${at}.timeZone`,
      'Expected a time zone such as Europe/Berlin',
      'a time zone such as Europe/Berlin',
    );
  const operand: DateOperand = { mode: mode as DateMode, timeZone };
  if (modesWithDays.includes(mode)) {
    if (
      typeof numberOfDays !== 'number' ||
      !Number.isInteger(numberOfDays) ||
      numberOfDays < 0 ||
      numberOfDays > 100_000
    ) {
      return complain(
        `${at}.numberOfDays`,
        `The mode ${mode} needs a whole number from 0 to 100000`,
        'a whole number from 0 to 100000',
      );
    }
    operand.numberOfDays = numberOfDays;
  }
  if (modesWithDate.includes(mode)) {
    if (
      typeof exactDate !== 'string' ||
      !/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(exactDate) ||
      Number.isNaN(Date.parse(exactDate))
    ) {
      return complain(
        `${at}.exactDate`,
        `The mode ${mode} needs an ISO date`,
        'an ISO date such as 2024-12-31T00:00:00.000Z',
      );
    }
    // A date alone, or a time without offset, is meant in the time zone of the condition.
    const withoutOffset = exactDate.length === 10 || !/(Z|[+-]\d\d:?\d\d)$/.test(exactDate);
    const instant = withoutOffset
      ? instantOf(Date.parse(exactDate.length === 10 ? exactDate : `${exactDate}Z`), timeZone)
      : Date.parse(exactDate);
    if (Number.isNaN(instant))
      return complain(
        `${at}.exactDate`,
        `The mode ${mode} needs an ISO date`,
        'an ISO date such as 2024-12-31T00:00:00.000Z',
      );
    operand.exactDate = new Date(instant).toISOString();
  }
  return operand;
};

const readLiteral = (
  value: unknown,
  field: FilterField,
  at: string,
  complain: Complain,
): string | number | boolean | null => {
  switch (field.cellValueType) {
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number)
        ? number
        : complain(at, 'Expected a number', 'a number');
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : complain(at, 'Expected true or false', 'true or false');
    default:
      if (typeof value === 'string' && value.length <= 100_000 && isStorable(value)) return value;
      return typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : complain(at, 'Expected text of at most 100000 characters', 'text of at most 100000 characters');
  }
};

/** In the list of one condition. */
export const mostValues = 1_000;

const readValue = (
  value: unknown,
  operator: FilterOperator,
  field: FilterField,
  at: string,
  complain: Complain,
): Condition['value'] => {
  if (takesNothing(operator)) {
    return value === null || value === undefined
      ? null
      : complain(at, `The operator ${operator} takes no value`, 'null');
  }
  // Clients for Teable say so of boxes that are not ticked.
  if (value === null && operator === 'is' && field.cellValueType === 'boolean') return false;
  // A condition without a value is kept and has no effect: apps store them while a person is still choosing.
  if (value === null || value === undefined) return null;
  if (takesSeveral(operator)) {
    if (!Array.isArray(value) || value.length === 0 || value.length > mostValues)
      return complain(at, `The operator ${operator} takes a list of 1 to ${mostValues} values`, 'a list');
    return value.map((item, index) => readLiteral(item, field, `${at}[${index}]`, complain) as string);
  }
  if (Array.isArray(value)) return complain(at, `The operator ${operator} takes one value, not a list`, 'one value');
  return field.cellValueType === 'dateTime'
    ? readDateOperand(value, operator, at, complain)
    : readLiteral(value, field, at, complain);
};

const deepest = 8;
export const mostConditions = 1_000;
const mostItems = 2 * mostConditions;
/** In the lists of all conditions together. */
export const mostValuesInAll = 10_000;

const isLiteral = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= 100_000 && isStorable(value));

/** Whether it could be a condition on a field of some type. */
const isWellFormed = ({ operator, value = null }: Record<string, unknown>): boolean => {
  if (!filterOperators.includes(operator as FilterOperator)) return false;
  if (value === null || isLiteral(value)) return true;
  if (Array.isArray(value)) return value.length <= mostValues && value.every(isLiteral);
  const issues: string[] = [];
  readDateOperand(value, String(operator), '', (path) => {
    issues.push(path);
    return null;
  });
  return issues.length === 0;
};

export type ReadBeside = (
  value: unknown,
  place: { operator: FilterOperator; field: FilterField; at: string; complain: Complain },
) => unknown;

/**
 * Reads a filter that somebody sent: every condition must name a field of the table, an operator that the field
 * has, and a value of the right form. Answers the filter with nothing in it but what was understood.
 *
 * `keeps` names conditions that stay as they are although they no longer fit their field, because it was converted
 * (ADR 107). They have no effect.
 *
 * `beside` reads values that only some filters may have, such as those of the reader in conditions of rights; undefined for all others.
 */
export const readFilter = (
  given: unknown,
  fields: ReadonlyMap<string, FilterField>,
  at: string,
  keeps: (item: Record<string, unknown>) => boolean = () => false,
  beside: ReadBeside = () => undefined,
): { filter: FilterGroup | null; issues: Issue[] } => {
  const issues: Issue[] = [];
  const complain: Complain = (path, message, expected) => {
    issues.push({ path, message, ...(expected === undefined ? {} : { expected }) });
    return null;
  };

  let [conditions, values] = [0, 0];
  const complainOnce = (path: string): null => {
    if (values !== Number.POSITIVE_INFINITY)
      complain(path, `The lists of a filter may have at most ${mostValuesInAll} values together`);
    values = Number.POSITIVE_INFINITY;
    return null;
  };
  const readCondition = (item: Record<string, unknown>, path: string): Condition | null => {
    const before = issues.length;
    const read = readFitting(item, path);
    const isUnfit = issues.length > before && conditions <= mostConditions && values <= mostValuesInAll;
    if (!isUnfit || !fields.has(String(item.fieldId)) || !isWellFormed(item) || !keeps(item)) return read;
    issues.length = before;
    return { fieldId: String(item.fieldId), operator: item.operator, value: item.value ?? null } as Condition;
  };
  const readFitting = (item: Record<string, unknown>, path: string): Condition | null => {
    conditions += 1;
    if (conditions > mostConditions)
      return conditions === mostConditions + 1
        ? complain(path, `A filter may have at most ${mostConditions} conditions`)
        : null;
    const field = typeof item.fieldId === 'string' ? fields.get(item.fieldId) : undefined;
    if (field === undefined)
      return complain(
        `${path}.fieldId`,
        `The table has no field ${quoted(item.fieldId)}`,
        'the id of a field of this table',
      );
    const allowed = validOperators(field);
    const meant =
      item.isSymbol === true ? symbols.get(item.operator)?.find((name) => allowed.includes(name)) : item.operator;
    if (!allowed.includes(meant as FilterOperator)) {
      return complain(
        `${path}.operator`,
        `A field of type ${field.type} has no operator ${quoted(item.operator)}`,
        allowed.join(', '),
      );
    }
    const operator = meant as FilterOperator;
    if (Array.isArray(item.value)) values += item.value.length;
    if (values > mostValuesInAll) return complainOnce(`${path}.value`);
    const special = beside(item.value, { operator, field, at: `${path}.value`, complain });
    if (special !== undefined) return { fieldId: field.id, operator, value: special as Condition['value'] };
    return { fieldId: field.id, operator, value: readValue(item.value, operator, field, `${path}.value`, complain) };
  };

  // Groups, and what is neither, count as well: a body has room for millions of them.
  let items = 0;
  const readItem = (item: unknown, path: string, depth: number): Condition | FilterGroup | null => {
    items += 1;
    if (items > mostItems)
      return items === mostItems + 1
        ? complain(path, `A filter may have at most ${mostItems} conditions and groups`)
        : null;
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      return complain(
        path,
        'Expected a condition or a group',
        '{fieldId, operator, value} or {conjunction, filterSet}',
      );
    return 'filterSet' in item
      ? readGroup(item as Record<string, unknown>, path, depth)
      : readCondition(item as Record<string, unknown>, path);
  };

  const readGroup = (group: Record<string, unknown>, path: string, depth: number): FilterGroup | null => {
    if (depth > deepest) return complain(path, `A filter may be at most ${deepest} groups deep`);
    const { conjunction, filterSet } = group;
    if (conjunction !== 'and' && conjunction !== 'or')
      return complain(`${path}.conjunction`, 'Expected one of "and", "or"', 'and, or');
    if (!Array.isArray(filterSet) || filterSet.length > 1_000)
      return complain(`${path}.filterSet`, 'Expected a list of at most 1000 conditions', 'a list');
    const read = filterSet.map((item, index) => readItem(item, `${path}.filterSet[${index}]`, depth + 1));
    return { conjunction, filterSet: read.filter((item) => item !== null) };
  };

  if (given === null || given === undefined) return { filter: null, issues };
  if (typeof given !== 'object' || Array.isArray(given)) {
    complain(at, 'Expected {conjunction, filterSet} or null');
    return { filter: null, issues };
  }
  return { filter: readGroup(given as Record<string, unknown>, at, 1), issues };
};

/** Whether the condition still means something for its field. One that does not has no effect, and holds a share. */
export const conditionFits = (condition: Condition, field: FilterField): boolean =>
  readFilter({ conjunction: 'and', filterSet: [condition] }, new Map([[condition.fieldId, field]]), '').issues
    .length === 0;
