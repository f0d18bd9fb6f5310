// Counts the cells that a conversion would empty, in all records, and shows some of them to those who see all records: nobody is told of cells in records
// that they do not see.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ConversionStep } from '../cell/type.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { carriedJson } from './convert-cells.sql.ts';
import { tableOf } from './column.sql.ts';

export interface Lost {
  /** Null: every cell is lost. */
  steps: readonly ConversionStep[] | null;
  /** Of a list only the first item stays. */
  shortens: boolean;
  /** Cells become numbers: those that are others afterwards are told. */
  isNumber: boolean;
}

/** What the steps make of a cell, without making it. */
const result = (column: Sql, steps: readonly ConversionStep[]): Sql =>
  steps.reduce(
    (cell, step) =>
      'retype' in step
        ? sql`(${step.using(cell)})::${sql.raw(step.retype)}`
        : sql`case when ${step.where(cell)} then ${step.update(cell)} else ${cell} end`,
    column,
  );

const lostSql = (field: FieldSchema, { steps, shortens }: Lost): Sql => {
  const column = columnOf(field, 'r');
  if (steps === null) return sql`${column} is not null`;
  const isShortened = shortens ? sql` or jsonb_array_length(${column}) > 1` : sql.empty;
  return sql`${column} is not null and (${result(column, steps)} is null${isShortened})`;
};

/** A number that is cut or rounded. A column that gets another type cannot be compared. */
const changedSql = (field: FieldSchema, { steps, isNumber }: Lost): Sql => {
  const column = columnOf(field, 'r');
  return !isNumber || steps === null || steps.some((step) => 'retype' in step)
    ? sql`false`
    : sql`${result(column, steps)} <> ${column}`;
};

export const countLost = (
  db: Queryable,
  table: TableSchema,
  field: FieldSchema,
  lost: Lost,
): Promise<{ filledCellCount: number; lostCellCount: number; changedCellCount: number }> =>
  one(
    db,
    sql`select count(${columnOf(field, 'r')}) as "filledCellCount", count(*) filter (where ${lostSql(field, lost)}) as "lostCellCount", count(*) filter (where ${changedSql(field, lost)}) as "changedCellCount" from ${tableOf(table)} r`,
  );

const textSql = (field: FieldSchema): Sql => sql`left(${cellTypeOf(field).text(columnOf(field, 'r'), field)}, 100)`;

export const selectLostCells = async (
  db: Queryable,
  { table, rows: seen }: Sight,
  field: FieldSchema,
  lost: Lost,
  take: number,
): Promise<{ text: string; count: number }[]> =>
  seen !== true
    ? []
    : many(
        db,
        sql`select coalesce(${textSql(field)}, '') as text, count(*) as count from ${tableOf(table)} r where ${lostSql(field, lost)} group by 1 order by 2 desc, 1 limit ${take}`,
      );

export const selectChangedCells = async (
  db: Queryable,
  { table, rows: seen }: Sight,
  field: FieldSchema,
  lost: Lost,
  take: number,
): Promise<{ text: string; becomes: string; count: number }[]> =>
  seen !== true
    ? []
    : many(
        db,
        sql`select coalesce(${textSql(field)}, '') as text, (${result(columnOf(field, 'r'), lost.steps ?? [])})::text as becomes, count(*) as count
            from ${tableOf(table)} r where ${changedSql(field, lost)} group by 1, 2 order by 3 desc, 1 limit ${take}`,
      );

/** Longer cells are told apart by their beginning: no number, date, choice or person is as long. */
const longest = sql.integer(1_000);

/** Every cell that differs from the others, as the new type would get it: the most frequent first. `text` is what may be shown of it, null where nothing may. */
export const selectDistinctCells = (
  db: Queryable,
  { table, rows: seen }: Sight,
  from: FieldSchema,
  to: FieldSchema,
): Promise<{ carried: string | null; text: string | null; count: number }[]> => {
  const carried = carriedJson(from, to, columnOf(from, 'r'));
  const text = seen === true ? sql`coalesce(${textSql(from)}, '')` : sql`null`;
  return many(
    db,
    sql`select case when length(carried) > ${longest} then to_json(left(carried, ${longest}))::text else carried end as carried, min(text) as text, count(*) as count
        from (select ${carried} as carried, ${text} as text from ${tableOf(table)} r where ${columnOf(from, 'r')} is not null) cells
        group by 1 order by 3 desc, 2 limit 200000`,
  );
};
