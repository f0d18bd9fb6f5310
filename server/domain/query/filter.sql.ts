// Filters of lists: conditions on the record row.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Asker } from '../cell/type.ts';
import { compileFilter, type Here } from '../cell/filter.sql.ts';
import { oneOfCondition } from '../cell/kind/several.sql.ts';
import { isLink, type Linked, linkedBy, linkingTo, mayDangle } from '../cell/linked.sql.ts';
import { cellTypeOf, columnOf, isStored } from '../cell/types.ts';
import { brokenFields } from '../computed/dependencies.ts';

type Known = Pick<TableSchema, 'byId'>;
type Whole = Pick<TableSchema, 'byId' | 'related'>;

/** A link whose keys say what its cells say: none leads to a deleted record. */
const keyedBy = (field: FieldSchema): Linked | undefined => {
  const linked = isLink(field) && isStored(field) ? linkedBy(field) : undefined;
  return linked === undefined || mayDangle(linked) ? undefined : linked;
};

/** By its keys, which have an index: a board of 50 people read 170,000 tasks a hundred times. Null for what they do not tell. */
const keyCondition = (linked: Linked, { operator, value }: Condition): Sql | null => {
  const key = linked.place === 'own' ? sql.id('r', linked.foreignKey) : null;
  if (operator === 'isEmpty' || operator === 'isNotEmpty')
    return key === null ? null : operator === 'isEmpty' ? sql`${key} is null` : sql`${key} is not null`;
  if (value === null || operator === 'contains' || operator === 'doesNotContain') return null;
  const ids = [value].flat().map(String);
  if (key !== null) return oneOfCondition(key, operator, ids);
  if (operator !== 'is' && operator !== 'isAnyOf' && operator !== 'hasAnyOf') return null;
  return sql`r.__id in (${linkingTo(linked, sql`(select unnest(${operator === 'is' ? ids.slice(0, 1) : ids}::text[]))`)})`;
};

/** Fields of the record row `r`. */
const inRow = ({ byId }: Known): Here => ({
  of: (fieldId) => {
    const field = byId.get(fieldId);
    if (field === undefined) return undefined;
    const linked = keyedBy(field);
    return {
      field,
      cell: () => columnOf(field, 'r'),
      ...(linked === undefined ? {} : { quicker: (condition) => keyCondition(linked, condition) }),
    };
  },
});

/** On the record row `r`. Null when nothing is asked. */
export const filterSql = (filter: FilterGroup | null, table: Known, asker: Asker): Sql | null =>
  compileFilter(filter, inRow(table), asker);

const isUnderstood = (item: Condition | FilterGroup, table: Whole): boolean => {
  if ('filterSet' in item) return item.filterSet.every((one) => isUnderstood(one, table));
  const field = table.byId.get(item.fieldId);
  // Cells of a broken field are empty: "is not" would let all records through.
  return (
    field !== undefined &&
    !brokenFields(table).has(field.id) &&
    (item.value !== null || item.operator === 'isEmpty' || item.operator === 'isNotEmpty')
  );
};

/** For those who see nothing else of the table: a condition that means nothing any more lets nothing through. Null for all. */
export const strictFilterSql = (filter: FilterGroup | null, table: Whole, asker: Asker): Sql | null =>
  filter === null || isUnderstood(filter, table) ? filterSql(filter, table, asker) : sql`false`;

/**
 * Which records a sight shows, on the record row `r`; null for all. A condition that means nothing any more leaves a view
 * readable, but shows nobody what they were kept from: then there is nothing to see.
 */
export const seenSql = ({ records, table, asker }: Sight): Sql | null => {
  if (records === null) return null;
  return records.filterSet.length > 0 ? strictFilterSql(records, table, asker) : sql`false`;
};

export const among = (recordIds: readonly string[]): Sql => sql`r.__id = any(${recordIds}::text[])`;

export const outside = (recordIds: readonly string[]): Sql => sql`not (r.__id = any(${recordIds}::text[]))`;

/** All of the conditions; null when there are none. */
export const all = (conditions: readonly (Sql | null)[]): Sql | null => {
  const parts = conditions.filter((part) => part !== null);
  return parts.length === 0
    ? null
    : sql.join(
        parts.map((part) => sql`(${part})`),
        ' and ',
      );
};

export const whereSql = (...conditions: (Sql | null)[]): Sql => {
  const condition = all(conditions);
  return condition === null ? sql.empty : sql`where ${condition}`;
};

/** What an index must be on to serve the conditions of a field; null where none would. */
export const filterKey = (field: FieldSchema): Sql | null => {
  const linked = keyedBy(field);
  if (linked?.place === 'own') return sql.id(linked.foreignKey);
  return isStored(field) ? cellTypeOf(field).filterKey(columnOf(field)) : null;
};
