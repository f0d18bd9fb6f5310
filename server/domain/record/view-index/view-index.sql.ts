// Makes and drops the indexes of views while people go on reading and writing.
import type { TableSchema } from '../../../catalog/table.ts';
import { type Db, many, one, type Queryable } from '../../../db/db.ts';
import { compile, type Sql, sql } from '../../../db/sql.ts';
import type { ViewIndex } from '../../query/view-index.ts';
import { orderColumnName } from '../order/order.sql.ts';
import { tableOf } from '../../field/column.sql.ts';

/** `positionOf` for a place that has no name for the record row. */
export const indexedPosition = (viewId: string): Sql =>
  sql`coalesce(${sql.id(orderColumnName(viewId))}, __auto_number::double precision)`;

export const selectViewIndexes = (db: Queryable, table: TableSchema): Promise<{ name: string; isValid: boolean }[]> =>
  many(
    db,
    sql`select c.relname as name, i.indisvalid as "isValid"
        from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
        where n.nspname = ${table.baseId} and t.relname = ${table.dbTableName} and c.relname like '\\_\\_view\\_%'`,
  );

/** An upper bound that costs nothing. */
export const selectHighestNumber = async (db: Queryable, table: TableSchema): Promise<number> =>
  (await one<{ highest: number }>(db, sql`select coalesce(max(__auto_number), 0) as highest from ${tableOf(table)}`))
    .highest;

/** On a connection of its own, because CONCURRENTLY does not go into a transaction; one process at a time per table. */
export const changeViewIndexes = async (
  db: Db,
  table: TableSchema,
  { missing, extra }: { missing: readonly ViewIndex[]; extra: readonly string[] },
): Promise<void> => {
  const client = await db.dedicated();
  const run = (statement: Sql): Promise<unknown> => {
    const { text, values } = compile(statement);
    return client.query(text, values);
  };
  try {
    const { rows } = (await run(
      sql`select pg_try_advisory_lock(hashtextextended(${`view-index ${table.id}`}, 0)) as mine`,
    )) as { rows: { mine: boolean }[] };
    if (rows[0]?.mine !== true) return;
    // In a deadlock with a change of the schema it is the index that gives way. Only superusers may say so.
    await run(sql`set deadlock_timeout = '100ms'`).catch(() => undefined);
    await run(sql`set lock_timeout = '60s'`);
    for (const name of extra) await run(sql`drop index concurrently if exists ${sql.id(table.baseId, name)}`);
    for (const { name, columns } of missing)
      await run(sql`create index concurrently if not exists ${sql.id(name)} on ${tableOf(table)} (${columns})`);
    // Expressions have statistics of their own, which the planner chooses by.
    if (missing.length > 0) await run(sql`analyze ${tableOf(table)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
};
