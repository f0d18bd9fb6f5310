// A filter as an SQL condition on the record row. Every operand is a parameter.
import type { Condition, DateOperand, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { formattingOf } from '../field/type/date-format.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import { dateRange } from './date-range.ts';

/** What conditions need to know of the caller: who `me` is, and when today is. */
export interface Asker {
  userId: string;
  now: Date;
}

/** A pattern for LIKE that finds the text anywhere; its own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Longer texts do not fit into an index: equality is asked of the beginning first, and of the whole then. */
export const textKey = (column: Sql): Sql => sql`lower(left(${column}, 200))`;

const textCondition = (column: Sql, operator: string, value: string): Sql => {
  switch (operator) {
    case 'is':
      return sql`(${textKey(column)} = lower(left(${value}::text, 200)) and lower(${column}) = lower(${value}::text))`;
    case 'isNot':
      return sql`lower(${column}) is distinct from lower(${value}::text)`;
    case 'contains':
      return sql`lower(${column}) like lower(${likePattern(value)}::text)`;
    default:
      return sql`(${column} is null or lower(${column}) not like lower(${likePattern(value)}::text))`;
  }
};

const comparison: Record<string, Sql> = {
  is: sql.raw('='),
  isNot: sql.raw('is distinct from'),
  isGreater: sql.raw('>'),
  isGreaterEqual: sql.raw('>='),
  isLess: sql.raw('<'),
  isLessEqual: sql.raw('<='),
};

const dateCondition = (column: Sql, operator: string, operand: DateOperand, field: FieldSchema, asker: Asker): Sql => {
  const { start, end } = dateRange(operand, asker.now, formattingOf(field.options));
  switch (operator) {
    case 'isBefore':
      return sql`${column} < ${start}::timestamptz`;
    case 'isAfter':
      return sql`${column} >= ${end}::timestamptz`;
    case 'isOnOrBefore':
      return sql`${column} < ${end}::timestamptz`;
    case 'isOnOrAfter':
      return sql`${column} >= ${start}::timestamptz`;
    case 'isNot':
      return sql`(${column} is null or ${column} < ${start}::timestamptz or ${column} >= ${end}::timestamptz)`;
    default:
      return sql`(${column} >= ${start}::timestamptz and ${column} < ${end}::timestamptz)`;
  }
};

/** One of several: `column` is a text. */
const oneOfCondition = (column: Sql, operator: string, values: string[]): Sql => {
  switch (operator) {
    case 'is':
      return sql`${column} = ${values[0]}::text`;
    case 'isNot':
      return sql`${column} is distinct from ${values[0]}::text`;
    case 'isAnyOf':
      return sql`${column} = any(${values}::text[])`;
    default:
      return sql`(${column} is null or ${column} <> all(${values}::text[]))`;
  }
};

/** A list against a list: `column` is a jsonb array of texts. */
const severalCondition = (column: Sql, operator: string, values: string[]): Sql => {
  const same = sql`(${column} ?& ${values}::text[] and ${column} <@ ${JSON.stringify(values)}::jsonb)`;
  switch (operator) {
    case 'hasAnyOf':
      return sql`${column} ?| ${values}::text[]`;
    case 'hasAllOf':
      return sql`${column} ?& ${values}::text[]`;
    case 'isExactly':
      return same;
    case 'isNotExactly':
      return sql`(${column} is null or not ${same})`;
    default:
      return sql`(${column} is null or not (${column} ?| ${values}::text[]))`;
  }
};

/** What of a cell is compared with ids or names: the user behind it, or the choice. */
export const chosenKey = (field: FieldSchema, column: Sql): Sql => {
  if (field.type !== 'user') return column;
  return fieldTypeOf('user').isMultiple(field.options) ? sql`jsonb_path_query_array(${column}, '$[*].id')` : sql`(${column} ->> 'id')`;
};

const conditionSql = ({ fieldId, operator, value }: Condition, table: TableSchema, asker: Asker): Sql | null => {
  const field = table.byId.get(fieldId);
  // Views forget fields that are deleted; what is left behind all the same must not make them unreadable.
  if (field === undefined) return null;
  const column = columnOf(field, 'r');
  const type = fieldTypeOf(field.type);
  if (operator === 'isEmpty') return sql`${column} is null`;
  if (operator === 'isNotEmpty') return sql`${column} is not null`;
  if (value === null) return null;
  const isPerson = field.type === 'user' || field.type === 'createdBy' || field.type === 'lastModifiedBy';
  if (isPerson || field.type === 'singleSelect' || field.type === 'multipleSelect') {
    const values = [value].flat().map((one) => (isPerson && one === 'me' ? asker.userId : String(one)));
    const key = chosenKey(field, column);
    return type.isMultiple(field.options) ? severalCondition(key, operator, values) : oneOfCondition(key, operator, values);
  }
  switch (type.cellValueType) {
    case 'number':
      return sql`${column} ${comparison[operator] as Sql} ${value}::double precision`;
    case 'boolean':
      return value === true ? sql`${column} is true` : sql`${column} is not true`;
    case 'dateTime':
      return dateCondition(column, operator, value as DateOperand, field, asker);
    default:
      return textCondition(column, operator, String(value));
  }
};

/** Null when nothing is asked: conditions without a value have no effect, wherever they stand. */
export const filterSql = (filter: FilterGroup | null, table: TableSchema, asker: Asker): Sql | null => {
  if (filter === null) return null;
  const parts = filter.filterSet
    .map((item) => ('filterSet' in item ? filterSql(item, table, asker) : conditionSql(item, table, asker)))
    .filter((part) => part !== null);
  if (parts.length === 0) return null;
  return sql`(${sql.join(parts, filter.conjunction === 'and' ? ' and ' : ' or ')})`;
};

export const among = (recordIds: readonly string[]): Sql => sql`r.__id = any(${recordIds}::text[])`;

/** All of the conditions; null when there are none. */
export const all = (conditions: readonly (Sql | null)[]): Sql | null => {
  const parts = conditions.filter((part) => part !== null);
  return parts.length === 0 ? null : sql.join(parts.map((part) => sql`(${part})`), ' and ');
};

export const whereSql = (...conditions: (Sql | null)[]): Sql => {
  const condition = all(conditions);
  return condition === null ? sql.empty : sql`where ${condition}`;
};

/** What an index must be made on to serve the conditions of a field; null where none would. */
export const filterKey = (field: FieldSchema): Sql | null => {
  const column = columnOf(field);
  const type = fieldTypeOf(field.type);
  if (field.type === 'autoNumber' || type.cellValueType === 'boolean' || type.isMultiple(field.options)) return null;
  if (field.type === 'singleSelect' || type.dbFieldType === 'JSON') return chosenKey(field, column);
  return type.cellValueType === 'string' ? textKey(column) : column;
};
