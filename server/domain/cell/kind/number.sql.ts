// Cells that are numbers, shown as they are. The format of number fields is in type/number.ts.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { isShort } from '../../formula/bind.sql.ts';
import type { CellType } from '../type.ts';
import { distinctCells, groupBySortKey, holdsText, sharedStatistic } from './shared.sql.ts';

const comparison: Record<string, Sql> = {
  is: sql.raw('='),
  isNot: sql.raw('is distinct from'),
  isGreater: sql.raw('>'),
  isGreaterEqual: sql.raw('>='),
  isLess: sql.raw('<'),
  isLessEqual: sql.raw('<='),
};

// Doubles go up to 1.8e308, and PostgreSQL refuses to add two of that size. Those from 1e290 on are added as parts of 2⁶⁴,
// which changes none of their digits.
const unit = sql.raw('18446744073709551616::double precision');
const most = sql.raw('9.745314011399999e288::double precision');
const smallSum = (column: Sql): Sql => sql`sum(${column}) filter (where abs(${column}) < 1e290)`;
const largeSum = (column: Sql): Sql => sql`sum(${column} / ${unit}) filter (where abs(${column}) >= 1e290)`;

/** null when no number can hold it. */
const sum = (column: Sql): Sql => {
  const [small, large] = [smallSum(column), largeSum(column)];
  const whole = sql`coalesce(${small}, 0) + ${large} * ${unit}`;
  return sql`case when ${large} is null then ${small} when abs(${large}) <= 9.7e288 then ${whole} when abs(${large}) <= ${most} and abs(coalesce(${small}, 0)) < 1e291 then ${whole} end`;
};

/** A number always holds it: rounding alone could carry it beyond. */
const average = (column: Sql): Sql => {
  const [small, large, count] = [smallSum(column), largeSum(column), sql`count(${column})`];
  return sql`case when ${large} is null then ${small} / nullif(${count}, 0) else coalesce(${small}, 0) / ${count} + greatest(-${most}, least(${most}, ${large} / ${count})) * ${unit} end::double precision`;
};

/** All digits that tell a double from others; a cast alone keeps 15, with which the largest is more than the largest. */
export const exactly = (column: Sql): Sql =>
  sql`case when abs(${column}) < 1e15 then ${column}::numeric else ${column}::text::numeric end`;

/** As decimals are rounded, which takes 2 µs. From 1e15 on there are no digits behind the point. */
const roundedAsDecimal = (column: Sql, places: number): Sql =>
  sql`when abs(${column}) < 1e15 then round(${column}::numeric, ${sql.integer(places)})::double precision else ${column} end`;

/**
 * The same. Below 1e12 a double and its decimals are less than 0.001 apart: only what is nearer to a half is rounded as a decimal. `+ 0`: there is no -0. What is
 * computed for each record is not computed more often than before.
 */
export const rounded = (column: Sql, places: number): Sql => {
  if (places > 6 || !isShort(column)) return sql`case ${roundedAsDecimal(column, places)}`;
  const unit = sql`${sql.integer(10 ** places)}::double precision`;
  const scaled = sql`${column} * ${unit}`;
  return sql`case when abs(${column}) < 1e12 / ${unit} and abs(${scaled} - round(${scaled})) < 0.498 then round(${scaled}) / ${unit} + 0 ${roundedAsDecimal(column, places)}`;
};

const statistic = (name: Statistic, column: Sql): Sql => {
  switch (name) {
    case 'sum':
      return sum(column);
    case 'average':
      return average(column);
    case 'min':
    case 'max':
      return sql`${sql.raw(name)}(${column})`;
    default:
      return sharedStatistic(name, column, distinctCells(column));
  }
};

export const numberCells: CellType = {
  kind: 'number',
  cellValueType: 'number',
  dbFieldType: 'REAL',
  isMultiple: false,
  column: 'double precision',
  json: (column) => sql`${column}::text`,
  text: (column) => sql`${column}::text`,
  condition: (column, { operator, value }) => sql`${column} ${comparison[operator] as Sql} ${value}::double precision`,
  filterKey: (column) => column,
  sortKey: (column) => ({ expression: column, type: 'double precision', indexable: true }),
  groupKey: (column, field) => groupBySortKey(numberCells.sortKey(column, field)),
  canMatch: (text) => /^[\d.-]*$/.test(text),
  matches: (column, text) => holdsText(sql`${column}::text`, text),
  searched: (column) => sql`${column}::text`,
  statistic,
};

/** Whole numbers from 0 on: nothing but digits is found in them. */
export const countCells: CellType = { ...numberCells, canMatch: (text) => /^\d+$/.test(text) };
