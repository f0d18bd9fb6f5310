import { roleGrants } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Those of the people who have a role on the base or its space. */
export const selectMembers = async (db: Queryable, baseId: string, userIds: readonly string[]): Promise<string[]> =>
  userIds.length === 0
    ? []
    : (
        await many<{ id: string }>(
          db,
          sql`select distinct held.user_id as id from ${roleGrants} held
              where held.user_id = any(${userIds}::text[]) and held.resource_id in (${baseId}, (select space_id from rowhouse.bases where id = ${baseId})) order by held.user_id`,
        )
      ).map(({ id }) => id);
