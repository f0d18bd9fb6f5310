// Comments on records, and who follows those of which record. They stay while their record is in the trash, and go with it
// for good (domain/comment/jobs.ts).
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export const comments = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`create table ${sql.id(baseId, '__comment')} (
    id text primary key,
    table_id text not null,
    record_id text not null,
    quote_id text,
    content jsonb not null,
    reactions jsonb,
    created_by text not null,
    created_time timestamptz not null default clock_timestamp(),
    last_modified_time timestamptz
  )`);
  await db.query(
    sql`create index __comment_record on ${sql.id(baseId, '__comment')} (table_id, record_id, created_time, id)`,
  );
  await db.query(sql`create table ${sql.id(baseId, '__comment_subscription')} (
    table_id text not null,
    record_id text not null,
    user_id text not null,
    primary key (table_id, record_id, user_id)
  )`);
};
