// The PostgreSQL schema of one base, named by its id: what a record write touches stands here together,
// so that on a cluster it stays on one node. What is in it has versions of its own: base-migrations/steps.ts.
import { baseSteps } from './base-migrations/steps.ts';
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

/** Inside of a transaction. On a Citus cluster the schema and all that will ever be in it stand on one node, which Citus chooses; see db/citus.ts. */
export const createSchemaOfBase = async (db: Queryable, baseId: string): Promise<void> => {
  const shard = (setting: 'on' | 'off') =>
    db.query(
      sql`select set_config('citus.enable_schema_based_sharding', ${setting}, true) from pg_extension where extname = 'citus'`,
    );
  await shard('on');
  await db.query(sql`create schema ${sql.id(baseId)}`);
  await shard('off');
};

export const createBaseSchema = async (db: Queryable, baseId: string): Promise<void> => {
  await createSchemaOfBase(db, baseId);
  for (const step of baseSteps) await step(db, baseId);
};

/** What a table needs besides its own rows: its version, and its history. A step that changes it also changes it for the tables that are there. */
export const createTableState = async (db: Queryable, baseId: string, tableId: string): Promise<void> => {
  await db.query(sql`insert into ${sql.id(baseId, '__table')} (id) values (${tableId})`);
  const history = sql.id(baseId, `__history_${tableId}`);
  await db.query(sql`create table ${history} (
    op_id bigint not null,
    seq int not null,
    record_id text not null,
    meta_id int not null,
    before_meta_id int,
    before text,
    after text,
    primary key (op_id, seq)
  )`);
  await db.query(sql`create index on ${history} (record_id, op_id)`);
  await db.query(sql`create index on ${history} (meta_id, op_id)`);
};

export const dropTableState = async (db: Queryable, baseId: string, tableId: string): Promise<void> => {
  await db.query(sql`drop table if exists ${sql.id(baseId, `__history_${tableId}`)}`);
  await db.query(sql`delete from ${sql.id(baseId, '__table')} where id = ${tableId}`);
  await db.query(sql`delete from ${sql.id(baseId, '__field_version')} where table_id = ${tableId}`);
  await db.query(sql`delete from ${sql.id(baseId, '__operation')} where table_id = ${tableId}`);
  for (const name of ['__comment', '__comment_subscription'])
    await db.query(sql`delete from ${sql.id(baseId, name)} where table_id = ${tableId}`);
};

export const dropBaseSchema = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`drop schema if exists ${sql.id(baseId)} cascade`);
};
