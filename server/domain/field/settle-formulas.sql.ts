// Fills the columns of formulas.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { byTheNode } from '../../db/cluster-form.ts';
import { maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Cells, formulasOf, laterals, stepsTo } from '../cell/formula.sql.ts';
import { cellTypeOf, columnName, columnOf } from '../cell/types.ts';
import { tableOf } from './column.sql.ts';

/** Those who write records are through with what they planned before; the others wait until this transaction ends. Readers do not. */
export const lockWriters = async (tx: Queryable, table: TableSchema): Promise<void> => {
  await tx.query(sql`lock table ${tableOf(table)} in share row exclusive mode`);
};

/** Whether there are more records than that. */
export const hasMoreThan = async (db: Queryable, table: TableSchema, count: number): Promise<boolean> =>
  (
    await one<{ more: boolean }>(
      db,
      sql`select count(*) > ${count} as more from (select 1 from ${tableOf(table)} limit ${count + 1}) found`,
    )
  ).more;

/** `rows`: the records to fill, as `r`. Whatever else these formulas need and that has no cells either is computed on the way. */
const fillSql = (table: TableSchema, fields: readonly FieldSchema[], rows: Sql): Sql => {
  const formulas = formulasOf(table.fields);
  const wanted = new Set(fields.map(({ id }) => id));
  const steps = stepsTo(formulas, fields, (field) => wanted.has(field.id) || field.computed?.state !== 'settled');
  const cells: Cells = {
    cell: (field) => columnOf(field, 'r'),
    recordId: sql`r.__id`,
    system: (name) => sql.id('r', name),
  };
  const { from, value } = laterals(steps, table.byId, cells);
  const names = fields.map((field, at) => sql`${value(field)} as ${sql.id(`v${at}`)}`);
  return sql`update ${tableOf(table)} p set ${sql.join(fields.map((field, at) => sql`${columnName(field)} = n.${sql.id(`v${at}`)}`))}
    from (select r.__id as id, ${sql.join(names)} from ${rows} r cross join ${from}) n where p.__id = n.id`;
};

/** Of what is looked up, and read by its expression. */
export const fillFromExpression = async (tx: Queryable, table: TableSchema, field: FieldSchema): Promise<void> => {
  await tx.query(sql`update ${tableOf(table)} r set ${columnName(field)} = ${byTheNode(columnOf(field, 'r'))}`);
};

export const fillAll = async (tx: Queryable, table: TableSchema, fields: readonly FieldSchema[]): Promise<void> => {
  if (fields.length > 0) await tx.query(fillSql(table, fields, tableOf(table)));
};

/** The cell of a drafted formula in one record, as people see it: undefined for those who do not see all records. */
export const selectPreview = async (
  db: Queryable,
  { table, rows: seen, seesCells }: Sight,
  field: FieldSchema,
  recordId: string | undefined,
): Promise<string | undefined> => {
  if (seen !== true || !seesCells) return undefined;
  const fields = [...table.fields.filter(({ id }) => id !== field.id), field];
  const steps = stepsTo(formulasOf(fields), [field], () => true);
  const { from, value } = laterals(steps, new Map(fields.map((one) => [one.id, one])), {
    cell: (one) => columnOf(one, 'r'),
    recordId: sql`r.__id`,
    system: (name) => sql.id('r', name),
  });
  const row = await maybe<{ text: string | null }>(
    db,
    sql`select left(${cellTypeOf(field).text(value(field), field)}, 500) as text from ${tableOf(table)} r cross join ${from}
        ${recordId === undefined ? sql.empty : sql`where r.__id = ${recordId}`} order by r.__auto_number limit 1`,
  );
  return row?.text ?? undefined;
};
