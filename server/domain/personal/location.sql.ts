// Where a space, base, table or view is, for somebody who may see it.
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { maybe, type Queryable } from '../../db/db.ts';
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
