// What the texts of notifications are made of.
import type { Role } from '@rowhouse/contract/permission.ts';
import { roleGrants } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Notify } from '../record/write/notify.ts';

export interface NamingOperation {
  id: number;
  publicId: string;
  tableId: string;
  actor: string;
  notify: Notify;
}

/** Operations that may have named somebody, for the rest of the transaction. */
export const takeNaming = (tx: Queryable, baseId: string, limit: number): Promise<NamingOperation[]> =>
  many<NamingOperation>(
    tx,
    sql`select id, public_id as "publicId", table_id as "tableId", actor, notify from ${sql.id(baseId, '__operation')}
        where notify is not null order by id limit ${limit} for update skip locked`,
  );

export const markTold = async (tx: Queryable, baseId: string, ids: readonly number[]): Promise<void> => {
  await tx.query(sql`update ${sql.id(baseId, '__operation')} set notify = null where id = any(${ids}::bigint[])`);
};

interface PeopleCell {
  recordId: string;
  fieldName: string;
  before: string | null;
  after: string | null;
}

/** How the user fields of an update changed. */
export const selectPeopleCells = (tx: Queryable, baseId: string, operation: NamingOperation): Promise<PeopleCell[]> =>
  many<PeopleCell>(
    tx,
    sql`select h.record_id as "recordId", v.meta ->> 'name' as "fieldName", h.before, h.after
        from ${sql.id(baseId, `__history_${operation.tableId}`)} h join ${sql.id(baseId, '__field_version')} v on v.id = h.meta_id
        where h.op_id = ${operation.id} and h.after is not null and v.field_id = any(${operation.notify.fieldIds ?? []}::text[])
        order by h.seq`,
  );

/** Names of users, spaces, bases and tables by their ids. */
export const selectNames = async (db: Queryable, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; name: string }>(
    db,
    sql`select id, name from rowhouse.users where id = any(${ids}::text[])
        union all select id, name from rowhouse.spaces where id = any(${ids}::text[])
        union all select id, name from rowhouse.bases where id = any(${ids}::text[])
        union all select id, name from rowhouse.tables where id = any(${ids}::text[])`,
  );
  return new Map(rows.map((row) => [row.id, row.name]));
};

export const selectPeopleWithRole = async (db: Queryable, spaceId: string, role: Role): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct user_id as id from ${roleGrants} held where resource_id = ${spaceId} and role = ${role} order by user_id`,
    )
  ).map((row) => row.id);

interface ExpiringToken {
  id: string;
  userId: string;
  name: string;
  expiredTime: string;
}

/**
 * Personal tokens in the last quarter of their life, a week before the end at the earliest. Tokens that live for
 * less than a day are made to end soon.
 */
export const selectExpiringTokens = (db: Queryable, limit: number): Promise<ExpiringToken[]> =>
  many<ExpiringToken>(
    db,
    sql`select t.id, t.user_id as "userId", t.name, t.expired_time as "expiredTime" from rowhouse.access_tokens t
        where t.client_id is null and t.expired_time > now() and t.expired_time < now() + interval '7 days'
          and now() > t.expired_time - least(interval '7 days', (t.expired_time - t.created_time) / 4)
          and t.expired_time - t.created_time > interval '1 day'
          and not exists (select from rowhouse.notifications n where n.source = 'token:' || t.id || ':' || extract(epoch from t.expired_time)::bigint)
        order by t.expired_time limit ${limit}`,
  );

/** Bases where somebody named still waits to be told. */
export const selectNamingBases = async (db: Queryable, baseIds: readonly string[]): Promise<string[]> => {
  if (baseIds.length === 0) return [];
  const each = baseIds.map(
    (baseId) =>
      sql`select ${baseId}::text as id where exists (select 1 from ${sql.id(baseId, '__operation')} where notify is not null)`,
  );
  return (await many<{ id: string }>(db, sql.join(each, ' union all '))).map((row) => row.id);
};

/** The ids of bases in the order of ids, a page of them. */
export const selectBaseIds = async (db: Queryable, after: string, limit: number): Promise<string[]> =>
  (
    await many<{ id: string }>(db, sql`select id from rowhouse.bases where id > ${after} order by id limit ${limit}`)
  ).map((row) => row.id);
