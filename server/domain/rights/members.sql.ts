// Who the people of a base are, for giving them rights.
import type { Role } from '@rowhouse/contract/permission.ts';
import { baseAndSpace, roleGrants, roleOn } from '../../catalog/role.sql.ts';
import { many, one, type Queryable } from '../../db/db.ts';
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

/** Active members of a base whom its rights would bind and who have none of its roles, by themselves or by a group. */
export const countWithoutRole = async (db: Queryable, baseId: string): Promise<number> =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from rowhouse.users u where u.deactivated_time is null
            and exists (select from ${roleGrants} held where held.user_id = u.id and held.resource_id in (${baseAndSpace(baseId)}))
            and not exists (select from ${roleGrants} held where held.user_id = u.id and held.role = 'owner' and held.resource_id in (${baseAndSpace(baseId)}))
            and not exists (select from rowhouse.matrix_admins a where a.base_id = ${baseId} and a.user_id = u.id)
            and not exists (select from rowhouse.matrix_members m join rowhouse.matrix_roles r on r.id = m.role_id and r.base_id = ${baseId} and r.enabled_time is not null
                            where m.principal_id = u.id or m.group_id in (select mine.group_id from rowhouse.group_members mine where mine.user_id = u.id))`,
    )
  ).n;
