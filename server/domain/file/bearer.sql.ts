import { type BoundRow, boundBy } from '../../catalog/matrix.sql.ts';
import { roleOn } from '../../catalog/role.sql.ts';
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Version of a base that is shared by this address, while it is. */
export const selectShareVersion = async (
  db: Queryable,
  { userId, baseId }: { userId: string; baseId: string },
): Promise<number | undefined> =>
  (
    await maybe<{ version: number }>(
      db,
      sql`select s.version from rowhouse.base_shares s join rowhouse.bases b on b.id = s.base_id and b.deleted_time is null
          join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null where s.share_id = ${userId} and s.base_id = ${baseId} and s.is_on`,
    )
  )?.version;

interface Standing {
  spaceRole: string | null;
  baseRole: string | null;
  bound: BoundRow | null;
}

/** Undefined: there is no such account any more, or no such base. */
export const selectStanding = (
  db: Queryable,
  { userId, baseId }: { userId: string; baseId: string },
): Promise<Standing | undefined> =>
  maybe<Standing>(
    db,
    sql`select ${roleOn(sql`u.id`, sql`b.space_id`)} as "spaceRole", ${roleOn(sql`u.id`, sql`b.id`)} as "baseRole", ${boundBy(sql`u.id`, sql`b.id`)} as bound
        from rowhouse.users u, rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id and s.deleted_time is null
        where u.id = ${userId} and u.deactivated_time is null and b.id = ${baseId} and b.deleted_time is null`,
  );
