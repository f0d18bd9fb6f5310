// Who the people of a base are, for giving them rights.
import type { Role } from '@rowhouse/contract/permission.ts';
import { baseAndSpace, roleOn } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** The strongest role of each of these people on the base or its space, by themselves or by groups. */
export const selectStandings = async (
  db: Queryable,
  baseId: string,
  userIds: readonly string[],
): Promise<Map<string, Role>> => {
  const rows = await many<{ id: string; role: Role | null }>(
    db,
    sql`select given.id, ${roleOn(sql`given.id`, baseAndSpace(baseId))} as role from unnest(${userIds}::text[]) given (id)`,
  );
  return new Map(rows.flatMap(({ id, role }) => (role === null ? [] : [[id, role] as const])));
};
