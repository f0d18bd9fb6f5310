import { many, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const selectTablesOfBases = (db: Queryable): Promise<{ spaceId: string; baseId: string; tableId: string }[]> =>
  many(
    db,
    sql`select b.space_id as "spaceId", b.id as "baseId", t.id as "tableId" from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id order by b.space_id, b.id, t.id`,
  );

/** Whole operations, oldest first. Anyone who works on the same batch at the same time skips what is taken. */
export const deleteExpired = (
  db: Queryable,
  baseId: string,
  tableId: string,
  limit: Date,
  batch: number,
): Promise<{ operations: number; entries: number }> => {
  const operations = sql.id(baseId, '__operation');
  return one(
    db,
    sql`with expired as (
          select id from ${operations} where table_id = ${tableId} and time < ${limit.toISOString()}::timestamptz order by time limit ${batch} for update skip locked
        ), entries as (
          delete from ${sql.id(baseId, `__history_${tableId}`)} h using expired e where h.op_id = any(array[e.id, -e.id]) returning 1
        ), gone as (
          delete from ${operations} o using expired e where o.id = e.id returning 1
        )
        select (select count(*)::int from gone) as operations, (select count(*)::int from entries) as entries`,
  );
};
