// An invitation is worth what the role of who made it is worth now.
import type { Role } from '@rowhouse/contract/permission.ts';
import { roleGrants, rank } from '../../catalog/role.sql.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Place } from './collaborator.sql.ts';

const lowestForLinks: Role = 'creator';

const spaceOf = sql`coalesce((select space_id from rowhouse.bases where id = i.resource_id), i.resource_id)`;

const hasRole: Sql = sql`exists (
  select from ${roleGrants} c join rowhouse.users u on u.id = c.user_id and u.deactivated_time is null
  where c.user_id = i.created_by and c.resource_id in (i.resource_id, ${spaceOf})
    and ${rank(sql`c.role`)} <= ${rank(sql`i.role`)} and (i.kind = 'email' or ${rank(sql`c.role`)} <= ${rank(sql`${lowestForLinks}::text`)}))`;

/** Of an invitation `i`: the one who made it is active, and could make it now. Anyone who lacks the second factor that the space demands cannot. */
export const isBacked: Sql = sql`(${hasRole} and not exists (
  select from rowhouse.spaces s join rowhouse.users u on u.id = i.created_by
  where s.id = ${spaceOf} and s.demands_second_factor and u.second_factor_time is null))`;

/**
 * After roles were lowered or taken away: ends the invitations to the place, and to the bases of a space, that these people
 * could not make any more. Beside the one writer of invitations, because the domain of invitations rests on this one.
 */
export const deleteUnbacked = async (db: Queryable, place: Place, userIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.invitations i
        where i.created_by = any(${userIds}::text[]) and i.accepted_time is null and not ${hasRole}
          and (i.resource_id = ${place.id} or i.resource_id in (select id from rowhouse.bases where space_id = ${place.id}))`,
  );
};
