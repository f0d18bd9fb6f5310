// Whether somebody has used what an operation made beside its own records: records of another table, choices of a field.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, one, type Queryable } from '../../db/db.ts';
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

/** The last operation of the base so far. */
export const selectLastOperation = async (tx: Queryable, { baseId }: Pick<TableSchema, 'baseId'>): Promise<number> =>
  (await one<{ id: number }>(tx, sql`select coalesce(max(id), 0) as id from ${sql.id(baseId, '__operation')}`)).id;

/**
 * The names among these that a cell of the field holds, also one of a record that was deleted by an operation up to `lastOperation`: it can come back.
 * Another cell of such a record may be what mentions the name.
 */
export const selectHeld = async (
  tx: Queryable,
  table: TableSchema,
  field: FieldSchema,
  names: readonly string[],
  lastOperation: number,
): Promise<string[]> => {
  const column = columnOf(field, 'r');
  const holds = cellTypeOf(field).isMultiple ? sql`${column} ? c.name` : sql`${column} = c.name`;
  return (
    await many<{ name: string }>(
      tx,
      sql`select c.name from unnest(${names}::text[], ${names.map((name) => JSON.stringify(name))}::text[]) as c(name, json)
          where exists (select 1 from ${sql.id(table.baseId, table.dbTableName)} r where ${holds})
             or exists (select 1 from ${historyOf(table)} h where h.op_id < 0 and h.op_id >= ${-lastOperation}::bigint and strpos(h.before, c.json) > 0)`,
    )
  ).map(({ name }) => name);
};
