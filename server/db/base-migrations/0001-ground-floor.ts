// What every base has: versions of its tables, operations, the feed, versions of its fields.
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export const groundFloor = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`create table ${sql.id(baseId, '__table')} (
    id text primary key,
    version bigint not null default 1
  )`);
  // One row per write request: the spine. History points to it, the live feed reads it, restore undoes it,
  // and the sum of row_delta is the number of records. The id is drawn after all row locks are held, so for
  // any one record the order of ids is the order of changes. `notify` says that people may
  // have to be told; it is empty again once they are.
  await db.query(sql`create table ${sql.id(baseId, '__operation')} (
    id bigint generated always as identity primary key,
    public_id text not null,
    table_id text not null,
    kind text not null,
    actor text not null,
    token_id text,
    client_id text,
    row_delta int not null default 0,
    record_ids text[] not null default '{}',
    notify jsonb,
    time timestamptz not null default clock_timestamp()
  )`);
  await db.query(sql`create index __operation_actor on ${sql.id(baseId, '__operation')} (table_id, actor, id)`);
  await db.query(sql`create index __operation_time on ${sql.id(baseId, '__operation')} (table_id, time)`);
  await db.query(sql`create unique index __operation_public on ${sql.id(baseId, '__operation')} (public_id)`);
  await db.query(
    sql`create index __operation_notify on ${sql.id(baseId, '__operation')} (id) where notify is not null`,
  );
  // Ids of different requests commit out of order. What follows the changes goes by `seq`, given in id order to
  // whatever has become visible. `gaps` are ids that were passed over: not committed yet, or never to be. Anyone who
  // gives out positions holds the one row of __feed, so they become visible in their order. Kept for an hour.
  await db.query(sql`create table ${sql.id(baseId, '__feed')} (
    singleton boolean primary key default true check (singleton),
    last bigint not null default 0,
    next_id bigint not null default 1,
    gaps bigint[] not null default '{}',
    gap_times timestamptz[] not null default '{}'
  )`);
  await db.query(sql`insert into ${sql.id(baseId, '__feed')} default values`);
  await db.query(sql`create table ${sql.id(baseId, '__feed_entry')} (
    seq bigint primary key,
    op_id bigint not null,
    time timestamptz not null default clock_timestamp()
  )`);
  // What a field was when a history entry was made: stored once per version, not per entry.
  await db.query(sql`create table ${sql.id(baseId, '__field_version')} (
    id int generated always as identity primary key,
    table_id text not null,
    field_id text not null,
    version int not null,
    meta jsonb not null,
    unique (field_id, version)
  )`);
};
