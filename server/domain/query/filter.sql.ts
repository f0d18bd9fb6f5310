// Filters of lists: conditions on the record row.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Asker } from '../../catalog/asker.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { compileFilter, type Here } from '../cell/filter.sql.ts';
import { oneOfCondition, valuesOf } from '../cell/kind/several.sql.ts';
import { isLink, type Linked, linkedBy, linkingTo, mayDangle } from '../cell/linked.sql.ts';
import { cellTypeOf, columnOf, isStored } from '../cell/types.ts';
import { brokenFields } from '../computed/dependencies.ts';
import { filterFits, fittingFilter } from '../field/stored-filter.ts';

type Known = Pick<TableSchema, 'byId'>;
type Whole = Pick<TableSchema, 'byId' | 'related'>;

/** A link whose keys say what its cells say: none leads to a deleted record. */
const keyedBy = (field: FieldSchema): Linked | undefined => {
  const linked = isLink(field) && isStored(field) && field.seenAs === undefined ? linkedBy(field) : undefined;
  return linked === undefined || mayDangle(linked) ? undefined : linked;
};

/** By its keys, which have an index: a board of 50 people read 170,000 tasks a hundred times. Null for what they do not tell. */
const keyCondition = (linked: Linked, { operator, value }: Condition, alias: string): Sql | null => {
  const key = linked.place === 'own' ? sql.id(alias, linked.foreignKey) : null;
  if (operator === 'isEmpty' || operator === 'isNotEmpty')
    return key === null ? null : operator === 'isEmpty' ? sql`${key} is null` : sql`${key} is not null`;
  if (value === null || operator === 'contains' || operator === 'doesNotContain') return null;
  const ids = [value].flat().map(String);
  if (key !== null) return oneOfCondition(key, operator, valuesOf(ids));
  if (operator !== 'is' && operator !== 'isAnyOf' && operator !== 'hasAnyOf') return null;
  return sql`${sql.id(alias, '__id')} in (${linkingTo(linked, sql`(select unnest(${operator === 'is' ? ids.slice(0, 1) : ids}::text[]))`)})`;
};

/** Fields of the record row `alias`. */
const inRow = ({ byId }: Known, alias: string): Here => ({
  of: (fieldId) => {
    const field = byId.get(fieldId);
    if (field === undefined) return undefined;
    const linked = keyedBy(field);
    return {
      field,
      cell: () => columnOf(field, alias),
      ...(linked === undefined ? {} : { quicker: (condition) => keyCondition(linked, condition, alias) }),
    };
  },
});

/** On the record row `alias`. Null when nothing is asked. */
export const filterSql = (filter: FilterGroup | null, table: Known, asker: Asker, alias = 'r'): Sql | null =>
  compileFilter(filter, inRow(table, alias), asker);

/** What the filter of a view may name: of those who are bound by rules what they see; of others everything, since it says which records the view shows. */
export const filterable = (sight: Sight): Known => (sight.rule.key === undefined ? sight.table : sight);

/** As `filterSql`, for a filter that a view has stored. */
export const viewFilterSql = ({ filter }: Pick<ViewSchema, 'filter'>, sight: Sight): Sql | null =>
  filterSql(fittingFilter(filter, filterable(sight)), filterable(sight), sight.asker);

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

/** Whether every part of it means something for the fields as they are now. */
export const isFilterUnderstood = (filter: FilterGroup, table: Whole): boolean =>
  filterFits(filter, table) && isUnderstood(filter, table);

/** For those who see nothing else of the table: a condition that means nothing any more lets nothing through. Null for all. */
export const strictFilterSql = (filter: FilterGroup | null, table: Whole, asker: Asker, alias = 'r'): Sql | null =>
  filter === null || isFilterUnderstood(filter, table) ? filterSql(filter, table, asker, alias) : sql`false`;

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
