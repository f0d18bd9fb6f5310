// Cells that are true or empty.
import { sql } from '../../../db/sql.ts';
import type { CellType } from '../type.ts';
import { distinctCells, groupBySortKey, holdsText, sharedStatistic } from './shared.sql.ts';

export const booleanCells: CellType = {
  kind: 'boolean',
  cellValueType: 'boolean',
  dbFieldType: 'BOOLEAN',
  isMultiple: false,
  column: 'boolean',
  json: (column) => sql`case when ${column} then 'true' end`,
  text: (column) => sql`case when ${column} then 'true' end`,
  condition: (column, { value }) => (value === true ? sql`${column} is true` : sql`${column} is not true`),
  filterKey: () => null,
  sortKey: (column) => ({ expression: column, type: 'boolean', indexable: true }),
  groupKey: (column, field) => groupBySortKey(booleanCells.sortKey(column, field)),
  hasNoText: true,
  canMatch: () => true,
  matches: (column, text, field) => holdsText(booleanCells.text(column, field), text),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(column)),
};
