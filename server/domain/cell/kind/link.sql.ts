// Cells that name records of a table: `{id, title}`, or a list of them in the order that people gave it. They are sorted by title and told
// apart by id.
import type { Condition } from '@rowhouse/contract/filter.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType, GroupParts } from '../type.ts';
import { beginning, distinctCells, distinctItems, holdsText, likePattern, sharedStatistic } from './shared.sql.ts';
import { oneOfCondition, severalCondition, valuesOf } from './several.sql.ts';

const idsIn = (value: unknown): string[] => [value].flat().map(String);

const groupBy = (cells: CellType, identity: Sql, column: Sql, field: FieldSchema): GroupParts => {
  const title = cells.sortKey(column, field);
  return {
    keys: [title, { expression: sql`${identity}::text`, type: 'text', indexable: title.indexable }],
    sample: (reader) => sql`min(${cells.json(column, field, reader)})`,
    value: (_keys, sample) => sample,
  };
};

/** By title; null for the other operators, which compare ids. */
const titleCondition = (shown: Sql, { operator, value }: Condition): Sql | null => {
  if (operator === 'contains') return sql`lower(${shown}) like lower(${likePattern(String(value))}::text)`;
  return operator === 'doesNotContain'
    ? sql`(${shown} is null or lower(${shown}) not like lower(${likePattern(String(value))}::text))`
    : null;
};

const idOf = (column: Sql): Sql => sql`(${column} ->> 'id')`;

export const linkCells: CellType = {
  kind: 'link',
  cellValueType: 'string',
  dbFieldType: 'JSON',
  isMultiple: false,
  column: 'jsonb',
  json: (column) => sql`${column}::text`,
  text: (column) => sql`(${column} ->> 'title')`,
  condition: (column, condition, field) =>
    titleCondition(linkCells.text(column, field), condition) ??
    oneOfCondition(idOf(column), condition.operator, valuesOf(idsIn(condition.value))),
  filterKey: idOf,
  sortKey: (column, field) => ({ expression: beginning(linkCells.text(column, field)), type: 'text', indexable: true }),
  groupKey: (column, field) => groupBy(linkCells, idOf(column), column, field),
  canMatch: () => true,
  matches: (column, text, field) => holdsText(linkCells.text(column, field), text),
  searched: (column, field) => linkCells.text(column, field),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(idOf(column))),
};

/** As jsonb, also of a single link. */
export const linkedIds = (column: Sql): Sql => sql`jsonb_path_query_array(${column}, '$[*].id')`;

export const linkListCells: CellType = {
  ...linkCells,
  isMultiple: true,
  text: (column) =>
    sql`(select string_agg(item ->> 'title', ', ' order by at) from jsonb_array_elements(${column}) with ordinality as linked(item, at))`,
  condition: (column, condition, field) =>
    titleCondition(linkListCells.text(column, field), condition) ??
    severalCondition(linkedIds(column), condition.operator, valuesOf(idsIn(condition.value))),
  filterKey: () => null,
  sortKey: (column, field) => ({
    expression: beginning(linkListCells.text(column, field)),
    type: 'text',
    indexable: false,
  }),
  groupKey: (column, field) => groupBy(linkListCells, linkedIds(column), column, field),
  matches: (column, text, field) => holdsText(linkListCells.text(column, field), text),
  searched: (column, field) => linkListCells.text(column, field),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctItems(column)),
};
