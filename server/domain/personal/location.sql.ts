// Where a space, base, table or view is, for somebody who may see it.
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface Location {
  spaceId: string;
  baseId: string | null;
  tableId: string | null;
}

/** Of a base `b`: not in the trash, and the user has a role on it or on its space. */
export const seesBase = (userId: string): Sql =>
  sql`b.deleted_time is null
      and exists (select from rowhouse.spaces s where s.id = b.space_id and s.deleted_time is null)
      and ${hasRoleOn(sql`${userId}`, sql`b.id, b.space_id`)}`;

/** Of a space `s`. */
export const seesSpace = (userId: string): Sql =>
  sql`s.deleted_time is null and ${hasRoleOn(sql`${userId}`, sql`s.id`)}`;

/** What is there for somebody whom rules bind. */
export interface Seen {
  tableIds: readonly string[];
  viewIds: readonly string[];
}

interface Placed {
  tableId: string;
  views: { id: string; ownerId: string | null }[];
}

export const selectPlaces = (db: Queryable, baseId: string): Promise<Placed[]> =>
  many<Placed>(
    db,
    sql`select t.id as "tableId", coalesce((select json_agg(json_build_object('id', v.id, 'ownerId', v.owner_id)) from rowhouse.views v where v.table_id = t.id), '[]') as views
        from rowhouse.tables t where t.base_id = ${baseId} and t.deleted_time is null`,
  );

/** Of what rules leave; everything for those whom none bind. */
export const isAmong = (id: Sql, ids: readonly string[] | undefined): Sql =>
  ids === undefined ? sql`true` : sql`${id} = any(${ids}::text[])`;

const sources = {
  space: (id: string, userId: string) =>
    sql`select s.id as "spaceId", null as "baseId", null as "tableId" from rowhouse.spaces s where s.id = ${id} and ${seesSpace(userId)}`,
  base: (id: string, userId: string) =>
    sql`select b.space_id as "spaceId", b.id as "baseId", null as "tableId" from rowhouse.bases b where b.id = ${id} and ${seesBase(userId)}`,
  table: (id: string, userId: string) =>
    sql`select b.space_id as "spaceId", b.id as "baseId", t.id as "tableId" from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id
        where t.id = ${id} and t.deleted_time is null and ${seesBase(userId)}`,
  view: (id: string, userId: string) =>
    sql`select b.space_id as "spaceId", b.id as "baseId", t.id as "tableId" from rowhouse.views v join rowhouse.tables t on t.id = v.table_id join rowhouse.bases b on b.id = t.base_id
        where v.id = ${id} and t.deleted_time is null and ${seesBase(userId)}`,
} as const;

export const selectLocation = (
  db: Queryable,
  userId: string,
  type: keyof typeof sources,
  id: string,
): Promise<Location | undefined> => maybe<Location>(db, sources[type](id, userId));
