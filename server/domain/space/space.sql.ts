// The one writer of rowhouse.spaces.
import type { Role } from '@rowhouse/contract/permission.ts';
import { roleGrants, placesOf, roleOn } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Space {
  id: string;
  name: string;
}

export interface SpaceWithRole extends Space {
  role: Role;
}

export const insertSpace = (db: Queryable, space: { id: string; name: string; userId: string }): Promise<Space> =>
  one<Space>(
    db,
    sql`insert into rowhouse.spaces (id, name, created_by) values (${space.id}, ${space.name}, ${space.userId}) returning id, name`,
  );

/** Two spaces made by one user at the same time wait here for each other, so that they get different names. */
export const lockUser = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`select id from rowhouse.users where id = ${userId} for no key update`);
};

export const selectOwnSpaceNames = async (db: Queryable, userId: string): Promise<string[]> => {
  const rows = await many<{ name: string }>(
    db,
    sql`select s.name from rowhouse.spaces s where s.id in ${placesOf(sql`${userId}`, ['owner'])} and s.deleted_time is null`,
  );
  return rows.map((row) => row.name);
};

/** `among` limits the list to what a token reaches; null: all. */
export const selectSpaces = (
  db: Queryable,
  userId: string,
  among: readonly string[] | null,
): Promise<SpaceWithRole[]> =>
  many<SpaceWithRole>(
    db,
    sql`select s.id, s.name, ${roleOn(sql`${userId}`, sql`s.id`)} as role from rowhouse.spaces s
        where s.id in ${placesOf(sql`${userId}`)} and s.deleted_time is null
          and (${among}::text[] is null or s.id = any(${among}::text[]))
        order by s.created_time, s.id`,
  );

export const selectSpace = (db: Queryable, spaceId: string): Promise<Space | undefined> =>
  maybe<Space>(db, sql`select id, name from rowhouse.spaces where id = ${spaceId} and deleted_time is null`);

export const renameSpace = (db: Queryable, spaceId: string, name: string): Promise<Space | undefined> =>
  maybe<Space>(
    db,
    sql`update rowhouse.spaces set name = ${name}, last_modified_time = now()
        where id = ${spaceId} and deleted_time is null returning id, name`,
  );

/** What is undefined stays. False when it is not there, or in the trash. */
export const changeSpace = async (
  db: Queryable,
  spaceId: string,
  { name, autoJoin }: { name?: string | undefined; autoJoin?: boolean | undefined },
): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.spaces set name = coalesce(${name ?? null}::text, name), auto_join = coalesce(${autoJoin ?? null}::boolean, auto_join), last_modified_time = now()
          where id = ${spaceId} and deleted_time is null returning id`,
    )
  ).length === 1;

/** False when it is not there, or not where it was thought to be. */
export const setSpaceOrganization = async (
  db: Queryable,
  spaceId: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.spaces set organization_id = ${to} where id = ${spaceId} and organization_id is not distinct from ${from}::text returning id`,
  )) !== undefined;

/** False when it is there no more, or in the trash already. */
export const trashSpace = async (db: Queryable, spaceId: string, userId: string): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.spaces set deleted_time = now(), deleted_by = ${userId}
        where id = ${spaceId} and deleted_time is null returning id`,
  );
  return rows.length === 1;
};

/** False when it is not in the trash any more. */
export const untrashSpace = async (db: Queryable, spaceId: string): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.spaces set deleted_time = null, deleted_by = null where id = ${spaceId} and deleted_time is not null returning id`,
  );
  return rows.length === 1;
};

/** Keeps the spaces from being deleted until the transaction ends; answers those that are there and not in the trash. */
export const holdSpaces = async (db: Queryable, spaceIds: readonly string[]): Promise<string[]> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select id from rowhouse.spaces where id = any(${spaceIds}::text[]) and deleted_time is null order by id for share`,
  );
  return rows.map((row) => row.id);
};

/** Locks a space in the trash until the transaction ends. False when it is not there. */
export const lockTrashedSpace = async (db: Queryable, spaceId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select id from rowhouse.spaces where id = ${spaceId} and deleted_time is not null for update`,
  )) !== undefined;

export const deleteSpaceRow = async (db: Queryable, spaceId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.spaces where id = ${spaceId}`);
};

export interface FactorDemand {
  isDemanded: boolean;
  membersWithout: number;
}

export const selectFactorDemand = (db: Queryable, spaceId: string): Promise<FactorDemand> =>
  one<FactorDemand>(
    db,
    sql`select s.demands_second_factor as "isDemanded", (
          select count(distinct c.user_id)::int from ${roleGrants} c join rowhouse.users u on u.id = c.user_id
          where (c.resource_id = s.id or c.resource_id in (select id from rowhouse.bases where space_id = s.id))
            and u.second_factor_time is null and u.deactivated_time is null) as "membersWithout"
        from rowhouse.spaces s where s.id = ${spaceId}`,
  );

/** False when it was so already. */
export const updateFactorDemand = async (db: Queryable, spaceId: string, isDemanded: boolean): Promise<boolean> =>
  (
    await many(
      db,
      sql`update rowhouse.spaces set demands_second_factor = ${isDemanded} where id = ${spaceId} and demands_second_factor <> ${isDemanded} returning id`,
    )
  ).length === 1;

/** Keeps it from being given up until the transaction ends. */
export const holdSecondFactor = async (db: Queryable, userId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select id from rowhouse.users where id = ${userId} and second_factor_time is not null for share`,
  )) !== undefined;
