// What is in the trash: spaces, bases and tables with a time of deletion.
import type { ShownEmail } from '@rowhouse/contract/user.ts';
import { type Principal, shownEmail } from '../../catalog/principal.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { placesOf } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';
import type { Position } from './cursor.ts';

export interface TrashedRow {
  id: string;
  name: string;
  spaceId: string | null;
  deletedTime: string;
  deletedBy: string;
  micros: string;
}

interface Page {
  after: Position | null;
  take: number;
}

/** `t` is the alias of the table that is listed. */
const page = (found: Sql, { after, take }: Page): Sql => {
  const micros = sql`(extract(epoch from t.deleted_time) * 1000000)::bigint`;
  return sql`select t.id, t.name, t.deleted_time as "deletedTime", coalesce(t.deleted_by, '') as "deletedBy", ${micros}::text as micros, ${found}
      and t.deleted_time is not null
      ${after === null ? sql.empty : sql`and (${micros}, t.id) < (${after.micros}::bigint, ${after.id})`}
      order by t.deleted_time desc, t.id desc limit ${take}`;
};

/** Those where the user has one of the roles. `among` limits them to what a token reaches. */
export const selectTrashedSpaces = (
  db: Queryable,
  user: { id: string; roles: readonly Role[]; among: readonly string[] | null },
  limits: Page,
): Promise<TrashedRow[]> =>
  many<TrashedRow>(
    db,
    page(
      sql`null as "spaceId" from rowhouse.spaces t
          where t.id in ${placesOf(sql`${user.id}`, user.roles)} and (${user.among}::text[] is null or t.id = any(${user.among}::text[]))`,
      limits,
    ),
  );

export const selectTrashedBases = (
  db: Queryable,
  user: {
    id: string;
    roles: readonly Role[];
    reach: { spaceIds: readonly string[]; baseIds: readonly string[] } | null;
  },
  limits: Page,
): Promise<TrashedRow[]> =>
  many<TrashedRow>(
    db,
    page(
      sql`t.space_id as "spaceId" from rowhouse.bases t
          join rowhouse.spaces s on s.id = t.space_id and s.deleted_time is null
          where (t.id in ${placesOf(sql`${user.id}`, user.roles)} or t.space_id in ${placesOf(sql`${user.id}`, user.roles)})
            and (${user.reach === null} or t.id = any(${user.reach?.baseIds ?? []}::text[]) or t.space_id = any(${user.reach?.spaceIds ?? []}::text[]))`,
      limits,
    ),
  );

interface TrashedPart extends TrashedRow {
  kind: 'table' | 'workflow' | 'dashboard';
}

/** Tables, automations and dashboards; the last two only for those who may delete them. */
export const selectTrashedParts = (
  db: Queryable,
  { baseId, withAutomations, withDashboards }: { baseId: string; withAutomations: boolean; withDashboards: boolean },
  limits: Page,
): Promise<TrashedPart[]> =>
  many<TrashedPart>(
    db,
    page(
      sql`null as "spaceId", t.kind from (
            select id, name, base_id, deleted_time, deleted_by, 'table' as kind from rowhouse.tables
            union all select id, name, base_id, deleted_time, deleted_by, 'workflow' from rowhouse.automations where ${withAutomations}
            union all select id, name, base_id, deleted_time, deleted_by, 'dashboard' from rowhouse.dashboards where ${withDashboards}
          ) t where t.base_id = ${baseId}`,
      limits,
    ),
  );

export const selectTrashedAutomation = (
  db: Queryable,
  id: string,
): Promise<{ id: string; baseId: string } | undefined> =>
  maybe(
    db,
    sql`select id, base_id as "baseId" from rowhouse.automations where id = ${id} and deleted_time is not null`,
  );

interface Deleter {
  id: string;
  name: string;
  email: ShownEmail;
  avatar: string | null;
}

export const selectDeleters = async (
  db: Queryable,
  principal: Principal,
  userIds: readonly string[],
): Promise<Deleter[]> =>
  (
    await many<Deleter>(db, sql`select id, name, email, avatar from rowhouse.users where id = any(${userIds}::text[])`)
  ).map((user) => ({ ...user, email: shownEmail(principal, user.email) }));

interface Trashed {
  type: 'space' | 'base' | 'table';
  id: string;
}

/** `tail` is what the ids of a thing and of its place in the trash have in common. */
export const selectTrashed = (db: Queryable, tail: string): Promise<Trashed | undefined> =>
  maybe<Trashed>(
    db,
    sql`select 'space' as type, id from rowhouse.spaces where id = ${`spc${tail}`} and deleted_time is not null
        union all select 'base', id from rowhouse.bases where id = ${`bse${tail}`} and deleted_time is not null
        union all select 'table', id from rowhouse.tables where id = ${`tbl${tail}`} and deleted_time is not null`,
  );

/** The name of a table in the trash, and those of the tables that are not. */
export const selectTableNames = async (
  db: Queryable,
  baseId: string,
  tableId: string,
): Promise<{ own: string | undefined; taken: string[] }> => {
  const rows = await many<{ id: string; name: string }>(
    db,
    sql`select id, name from rowhouse.tables where base_id = ${baseId} and (deleted_time is null or id = ${tableId})`,
  );
  return {
    own: rows.find((row) => row.id === tableId)?.name,
    taken: rows.filter((row) => row.id !== tableId).map((row) => row.name),
  };
};

/** False when it is not in the trash any more. */
export const untrashTable = async (db: Queryable, tableId: string, name: string): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.tables set deleted_time = null, deleted_by = null, name = ${name}
        where id = ${tableId} and deleted_time is not null returning id`,
  );
  return rows.length === 1;
};

/** With their fields and views. Answers their ids. */
export const deleteTablesOf = async (db: Queryable, baseId: string): Promise<string[]> =>
  (await many<{ id: string }>(db, sql`delete from rowhouse.tables where base_id = ${baseId} returning id`)).map(
    (row) => row.id,
  );

export const selectTrashedTableIds = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select id from rowhouse.tables where base_id = ${baseId} and deleted_time is not null order by id`,
    )
  ).map((row) => row.id);

/** Keeps a table in the trash until the transaction ends. False when it is not there any more. */
export const lockTrashedTable = async (db: Queryable, tableId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select id from rowhouse.tables where id = ${tableId} and deleted_time is not null for update`,
  )) !== undefined;

/** A field or view that is in the trash of its table. */
export interface Discarded {
  id: string;
  kind: 'field' | 'view';
  baseId: string;
  tableId: string;
}

const discarded = sql`(select id, 'field' as kind, table_id, deleted_time from rowhouse.deleted_fields union all select id, 'view', table_id, deleted_time from rowhouse.deleted_views)`;

/** Of a space, those deleted before a moment; of a table, all. */
export const selectDiscarded = (
  db: Queryable,
  what: { spaceId: string; before: Date } | { tableId: string },
): Promise<Discarded[]> =>
  many<Discarded>(
    db,
    sql`select d.id, d.kind, t.base_id as "baseId", t.id as "tableId" from ${discarded} d join rowhouse.tables t on t.id = d.table_id join rowhouse.bases b on b.id = t.base_id
        where ${'tableId' in what ? sql`t.id = ${what.tableId}` : sql`b.space_id = ${what.spaceId} and d.deleted_time < ${what.before.toISOString()}::timestamptz`} order by d.id`,
  );

export const selectSpacesWithTrash = async (db: Queryable): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct b.space_id as id from ${discarded} d join rowhouse.tables t on t.id = d.table_id join rowhouse.bases b on b.id = t.base_id`,
    )
  ).map(({ id }) => id);
