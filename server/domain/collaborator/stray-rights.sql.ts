// People without a role on a base have none by its rights either: invited again, they do not have what they had before. Beside the one writer of
// rights, because the domain of rights rests on this one.
import { hasRoleOn, homesOf } from '../../catalog/role.sql.ts';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Place } from './collaborator.sql.ts';

/** After roles on a base or space were taken away, or a base has moved to another space. The epoch of the space is bumped by the caller. */
export const deleteStrayRights = async (db: Queryable, { id }: Pick<Place, 'id'>): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.matrix_members m using rowhouse.matrix_roles r, rowhouse.bases b
        where r.id = m.role_id and b.id = r.base_id and ${id} in (b.id, b.space_id)
          and (not ${hasRoleOn(sql`m.principal_id`, sql`b.id, b.space_id`)}
               or (m.group_id is not null and not exists (select from rowhouse.groups g where g.id = m.group_id and g.home_id in ${homesOf(sql`b.space_id`)})))`,
  );
  await db.query(
    sql`delete from rowhouse.matrix_admins a using rowhouse.bases b
        where b.id = a.base_id and ${id} in (b.id, b.space_id) and not ${hasRoleOn(sql`a.user_id`, sql`b.id, b.space_id`)}`,
  );
};
