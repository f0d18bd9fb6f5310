// The one writer of rowhouse.bases, but for the version of a base's schema, which db/upgrade-base.ts moves on.
import type { Role } from '@rowhouse/contract/permission.ts';
import { newestBaseVersion } from '../../db/base-migrations/steps.ts';
import { isBoundIn } from '../../catalog/matrix.sql.ts';
import { hasRoleOn, placesOf, roleOn } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';

export interface Base {
  id: string;
  name: string;
  icon: string | null;
  spaceId: string;
}

export interface BaseRow extends Base {
  spaceName: string;
  spaceRole: Role | null;
  baseRole: Role | null;
  isBound: boolean;
}

const columns = sql`id, name, icon, space_id as "spaceId"`;

/** At the end of its space. */
export const insertBase = (db: Queryable, base: Base & { userId: string }): Promise<Base> =>
  one<Base>(
    db,
    sql`insert into rowhouse.bases (id, space_id, name, icon, position, created_by, schema_version)
        select ${base.id}, ${base.spaceId}, ${base.name}, ${base.icon}, coalesce(max(position), 0) + 1, ${base.userId}, ${newestBaseVersion}
        from rowhouse.bases where space_id = ${base.spaceId}
        returning ${columns}`,
  );

const withRoles = (userId: string, where: Sql, order: Sql): Sql =>
  sql`select b.id, b.name, b.icon, b.space_id as "spaceId", s.name as "spaceName", ${roleOn(sql`${userId}`, sql`s.id`)} as "spaceRole", ${roleOn(sql`${userId}`, sql`b.id`)} as "baseRole",
             ${isBoundIn(sql`${userId}`, { baseId: sql`b.id`, spaceId: sql`s.id` })} as "isBound"
      from rowhouse.bases b
      join rowhouse.spaces s on s.id = b.space_id
      where b.deleted_time is null and s.deleted_time is null and ${hasRoleOn(sql`${userId}`, sql`b.id, s.id`)} and ${where}
      order by ${order}`;

export const selectBase = (db: Queryable, userId: string, baseId: string): Promise<BaseRow | undefined> =>
  maybe<BaseRow>(db, withRoles(userId, sql`b.id = ${baseId}`, sql`b.id`));

/** Without regard to who asks. */
export const selectBaseAlone = (db: Queryable, baseId: string): Promise<Base | undefined> =>
  maybe<Base>(db, sql`select ${columns} from rowhouse.bases where id = ${baseId} and deleted_time is null`);

export const selectSpaceBases = (db: Queryable, userId: string, spaceId: string): Promise<BaseRow[]> =>
  many<BaseRow>(db, withRoles(userId, sql`b.space_id = ${spaceId}`, sql`b.position, b.id`));

/** Every base the user has a role on, the oldest space first. */
export const selectBases = (db: Queryable, userId: string): Promise<BaseRow[]> =>
  many<BaseRow>(
    db,
    withRoles(
      userId,
      // Bounds the bases before the roles are looked up: without it every base of the instance is visited.
      sql`(b.id in ${placesOf(sql`${userId}`)} or b.space_id in ${placesOf(sql`${userId}`)})`,
      sql`s.created_time, s.id, b.position, b.id`,
    ),
  );

/** A key that is left out stays as it is. */
export const changeBase = (
  db: Queryable,
  baseId: string,
  change: { name?: string; icon?: string | null },
): Promise<Base | undefined> =>
  maybe<Base>(
    db,
    sql`update rowhouse.bases
        set name = coalesce(${change.name ?? null}, name),
            icon = case when ${change.icon !== undefined} then ${change.icon ?? null} else icon end,
            last_modified_time = now()
        where id = ${baseId} and deleted_time is null
        returning ${columns}`,
  );

/** The live bases of a space in their order, locked until the transaction ends. */
export const lockBases = async (db: Queryable, spaceId: string): Promise<string[]> => {
  const rows = await many<{ id: string; position: number }>(
    db,
    sql`select id, position from rowhouse.bases where space_id = ${spaceId} and deleted_time is null order by id for no key update`,
  );
  return rows.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map((row) => row.id);
};

export const writeOrder = async (db: Queryable, baseIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.bases b set position = o.position
        from unnest(${baseIds}::text[]) with ordinality as o (id, position) where b.id = o.id`,
  );
};

/** At the end of the other space. */
export const updateSpaceOf = async (db: Queryable, baseId: string, spaceId: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.bases set space_id = ${spaceId}, last_modified_time = now(),
               position = (select coalesce(max(position), 0) + 1 from rowhouse.bases where space_id = ${spaceId})
        where id = ${baseId}`,
  );
};

/** False when it is there no more, or in the trash already. */
export const trashBase = async (db: Queryable, baseId: string, userId: string): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.bases set deleted_time = now(), deleted_by = ${userId}
        where id = ${baseId} and deleted_time is null returning id`,
  );
  return rows.length === 1;
};

/** False when it is not in the trash any more. */
export const untrashBase = async (db: Queryable, baseId: string): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.bases set deleted_time = null, deleted_by = null where id = ${baseId} and deleted_time is not null returning id`,
  );
  return rows.length === 1;
};

/** The bases of a space, those in the trash included. */
export const selectAllBaseIds = async (db: Queryable, spaceId: string): Promise<string[]> =>
  (await many<{ id: string }>(db, sql`select id from rowhouse.bases where space_id = ${spaceId} order by id`)).map(
    (row) => row.id,
  );

/** Waits for anyone who makes a table in it, and keeps others from beginning. False when it is not, or no more, in that space. */
export const lockBaseForDeletion = (
  db: Queryable,
  baseId: string,
  spaceId: string,
): Promise<{ name: string; isTrashed: boolean } | undefined> =>
  maybe(
    db,
    sql`select name, deleted_time is not null as "isTrashed" from rowhouse.bases where id = ${baseId} and space_id = ${spaceId} for update`,
  );

export const deleteBaseRow = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.bases where id = ${baseId}`);
};
