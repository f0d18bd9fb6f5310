// Which indexes the views of a table can use: one in the order of each view that sorts or groups, and one per field
// that a view filters on, or that a rule on who sees which records pins.
import { createHash } from 'node:crypto';
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { readerValueOf, readerValuesIn } from '@rowhouse/contract/reader-value.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { compile, type Sql } from '../../db/sql.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { fittingFilter } from '../field/stored-filter.ts';
import { demands, selective } from './demand.ts';
import { filterKey } from './filter.sql.ts';
import { viewKeys } from './resolve-query.ts';
import { indexColumns, numberKey, type SortKey } from './sort-key.sql.ts';

export interface ViewIndex {
  name: string;
  columns: Sql;
}

/** Every index costs each write something, see docs/adr/0007-view-indexes.md. */
const maxIndexes = 8;
/** Besides these. */
const maxOfRules = 4;

// An entry has room for 2,700 bytes, the beginning of a text takes up to 800.
const maxTexts = 3;
const maxChoices = 500;

const isSimple = (field: FieldSchema | undefined): boolean =>
  field === undefined || choicesOf(field.options).length <= maxChoices;

/** The keys up to the first that cannot stand in an index: what is left to sort then is little. */
export const usable = (keys: readonly SortKey[], table: TableSchema): SortKey[] => {
  let texts = 0;
  const end = keys.findIndex(({ name, type, indexable }) => {
    if (type === 'text') texts += 1;
    return !indexable || texts > maxTexts || !isSimple(table.byId.get(name.split('.')[0] as string));
  });
  return end === -1 ? [...keys] : keys.slice(0, end);
};

/** What a rule leaves few values for: ranges are half of a table as often as not, and every index costs each write something. */
const pinning: readonly string[] = ['is', 'isAnyOf'];

/** Of an index that conditions are answered by. */
export const filteredKey = (field: FieldSchema, expression: Sql): SortKey => ({
  name: field.id,
  expression,
  order: 'asc',
  type: 'text',
  canBeNull: true,
  indexable: true,
});

const filterKeys = (table: TableSchema, filter: unknown, operators: readonly string[] = selective): SortKey[] =>
  demands(fittingFilter(filter, table)).flatMap(({ fieldId, operator, value }) => {
    const field = table.byId.get(fieldId);
    if (field === undefined || value === null || !operators.includes(operator)) return [];
    const expression = filterKey(field);
    return expression === null ? [] : [filteredKey(field, expression)];
  });

export const named = (table: TableSchema, keys: readonly SortKey[]): ViewIndex => {
  const columns = indexColumns(keys);
  const hash = createHash('sha1')
    .update(`${table.id} ${compile(columns).text}`)
    .digest('hex')
    .slice(0, 20);
  return { name: `__view_${hash}`, columns };
};

/** Which value of the reader it is does not matter for an index. */
const withSomeValue = (filter: unknown): unknown => {
  if (readerValuesIn(filter).length === 0) return filter;
  const { conjunction, filterSet } = filter as FilterGroup;
  const some = (operator: string): Condition['value'] => (operator === 'is' ? '0' : ['0']);
  return {
    conjunction,
    filterSet: filterSet.map((item) =>
      'filterSet' in item
        ? withSomeValue(item)
        : readerValueOf(item.value) === undefined
          ? item
          : { ...item, value: some(item.operator) },
    ),
  };
};

const ofRules = (table: TableSchema, conditions: readonly unknown[]): ViewIndex[] => {
  const keys = conditions.flatMap((condition) => filterKeys(table, withSomeValue(condition), pinning));
  const found = keys.map((key) => named(table, [key, numberKey(undefined)]));
  return [...new Map(found.map((index) => [index.name, index])).values()].slice(0, maxOfRules);
};

/** `positionOf` as in resolveQuery, without an alias; `conditions`: of rules on who sees which records. */
export const viewIndexes = (
  table: TableSchema,
  positionOf: (viewId: string) => Sql,
  conditions: readonly unknown[] = [],
): ViewIndex[] => {
  const found = new Map<string, ViewIndex>();
  for (const view of table.views) {
    const keys = usable(viewKeys(table, view, positionOf, undefined), table);
    const isArranged = keys.some(({ name }) => name.startsWith('fld'));
    const lists = [
      ...(isArranged ? [keys] : []),
      ...filterKeys(table, view.filter).map((key) => [key, numberKey(undefined)]),
    ];
    for (const list of lists) {
      const index = named(table, list);
      found.set(index.name, index);
    }
  }
  const ofViews = [...found.values()].slice(0, maxIndexes);
  const names = new Set(ofViews.map(({ name }) => name));
  return [...ofViews, ...ofRules(table, conditions).filter(({ name }) => !names.has(name))];
};
