// Whom somebody can view a base as: a person with a role there, or one of the roles of its rights.
import { maybe, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { type BoundRow, boundBy } from './matrix.sql.ts';
import { roleOn } from './role.sql.ts';

interface Where {
  baseId: string;
  spaceId: string;
}

interface ViewedPerson {
  name: string;
  email: string;
  spaceRole: string | null;
  baseRole: string | null;
  bound: BoundRow | null;
}

/** Active accounts only. */
export const selectViewedPerson = (
  db: Queryable,
  userId: string,
  { baseId, spaceId }: Where,
): Promise<ViewedPerson | undefined> =>
  maybe<ViewedPerson>(
    db,
    sql`select u.name, u.email, ${roleOn(sql`u.id`, sql`${spaceId}`)} as "spaceRole", ${roleOn(sql`u.id`, sql`${baseId}`)} as "baseRole",
               ${boundBy(sql`u.id`, sql`${baseId}`)} as bound
        from rowhouse.users u where u.id = ${userId} and u.deactivated_time is null`,
  );

/** What somebody is bound by who has this role and no other, whether the rights are on or not. */
export const selectViewedRole = (db: Queryable, roleId: string, baseId: string): Promise<BoundRow | undefined> =>
  maybe<BoundRow>(
    db,
    sql`select m.version, array[r.id] as "roleIds" from rowhouse.matrix_roles r join rowhouse.matrices m on m.base_id = r.base_id
        where r.id = ${roleId} and r.base_id = ${baseId}`,
  );
