// Where the spaces and bases that a token names stand, and whether its user has a role in them.
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const selectOwnSpaces = async (
  db: Queryable,
  userId: string,
  spaceIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select s.id from rowhouse.spaces s
        where s.id = any(${spaceIds}) and s.deleted_time is null and ${hasRoleOn(sql`${userId}`, sql`s.id`)}`,
  );
  return new Set(rows.map((row) => row.id));
};

export const selectOwnBases = async (
  db: Queryable,
  userId: string,
  baseIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select b.id from rowhouse.bases b
        join rowhouse.spaces s on s.id = b.space_id and s.deleted_time is null
        where b.id = any(${baseIds}) and b.deleted_time is null
          and ${hasRoleOn(sql`${userId}`, sql`b.id, s.id`)}`,
  );
  return new Set(rows.map((row) => row.id));
};

export const selectSpaceOfBases = async (db: Queryable, baseIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; spaceId: string }>(
    db,
    sql`select id, space_id as "spaceId" from rowhouse.bases where id = any(${baseIds})`,
  );
  return new Map(rows.map((row) => [row.id, row.spaceId]));
};
