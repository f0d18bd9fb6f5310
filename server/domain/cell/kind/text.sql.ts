// Cells that are text. Equality and search go without regard to case.
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType } from '../type.ts';
import {
  beginning,
  columnHoldsText,
  distinctCells,
  groupBySortKey,
  likePattern,
  sharedStatistic,
} from './shared.sql.ts';

/** Longer texts do not fit into an index: equality is asked of the beginning first, and of the whole then. */
const equalityKey = (column: Sql): Sql => sql`lower(left(${column}, 200))`;

export const textCells: CellType = {
  kind: 'text',
  cellValueType: 'string',
  dbFieldType: 'TEXT',
  isMultiple: false,
  column: 'text',
  isText: true,
  json: (column) => sql`rowhouse.json_text(${column})`,
  text: (column) => column,
  condition(column, { operator, value }) {
    const text = String(value);
    switch (operator) {
      case 'is':
        return sql`(${equalityKey(column)} = lower(left(${text}::text, 200)) and lower(${column}) = lower(${text}::text))`;
      case 'isNot':
        return sql`lower(${column}) is distinct from lower(${text}::text)`;
      case 'contains':
        return sql`lower(${column}) like lower(${likePattern(text)}::text)`;
      default:
        return sql`(${column} is null or lower(${column}) not like lower(${likePattern(text)}::text))`;
    }
  },
  filterKey: equalityKey,
  sortKey: (column) => ({ expression: beginning(column), type: 'text', indexable: true }),
  groupKey: (column, field) => groupBySortKey(textCells.sortKey(column, field)),
  canMatch: () => true,
  matches: columnHoldsText,
  searched: (column) => column,
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(column)),
};
