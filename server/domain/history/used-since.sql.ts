// Whether somebody has used what an operation made beside its own records: records of another table, choices of a field.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { historyOf, operationsOf } from './history.sql.ts';

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Those whose cells somebody has written after the operation. What only follows from links does not count. */
export const selectEdited = async (
  tx: Queryable,
  table: TableSchema,
  opId: number,
  ids: readonly string[],
): Promise<string[]> =>
  idsOf(
    await many<{ id: string }>(
      tx,
      sql`select distinct h.record_id as id from ${historyOf(table)} h join ${operationsOf(table)} o on o.id = h.op_id where h.record_id = any(${ids}::text[]) and h.op_id > ${opId}::bigint and o.kind <> 'computed'`,
    ),
  );

export const selectCommented = async (
  tx: Queryable,
  { baseId, id }: TableSchema,
  ids: readonly string[],
): Promise<string[]> =>
  idsOf(
    await many<{ id: string }>(
      tx,
      sql`select distinct record_id as id from ${sql.id(baseId, '__comment')} where table_id = ${id} and record_id = any(${ids}::text[])`,
    ),
  );

/** The names among these that a cell of the field holds. */
export const selectHeld = async (
  tx: Queryable,
  { baseId, dbTableName }: TableSchema,
  field: FieldSchema,
  names: readonly string[],
): Promise<string[]> => {
  const column = columnOf(field, 'r');
  const holds = cellTypeOf(field).isMultiple ? sql`${column} ? c.name` : sql`${column} = c.name`;
  return (
    await many<{ name: string }>(
      tx,
      sql`select c.name from unnest(${names}::text[]) as c(name) where exists (select 1 from ${sql.id(baseId, dbTableName)} r where ${holds})`,
    )
  ).map(({ name }) => name);
};
