// Cells of buttons: how often they were pressed. People see no text in them; they are ordered by their count.
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType } from '../type.ts';
import { distinctCells, groupBySortKey, sharedStatistic } from './shared.sql.ts';

export const pressesOf = (column: Sql): Sql => sql`((${column} ->> 'count')::double precision)`;

export const buttonCells: CellType = {
  kind: 'button',
  cellValueType: 'string',
  dbFieldType: 'JSON',
  isMultiple: false,
  column: 'jsonb',
  json: (column) => sql`${column}::text`,
  text: () => sql`null::text`,
  // Being empty or not is the same for all kinds, and there are no other operators.
  condition: () => sql`true`,
  filterKey: () => null,
  sortKey: (column) => ({ expression: pressesOf(column), type: 'double precision', indexable: true }),
  groupKey: (column, field) => groupBySortKey(buttonCells.sortKey(column, field)),
  hasNoText: true,
  canMatch: () => false,
  matches: () => sql`false`,
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(column)),
};
