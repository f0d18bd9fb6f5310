// Departments of a person; all else of them is in domain/group, which writes them.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface OwnDepartment {
  id: string;
  name: string;
  path: string[];
  pathName: string[];
}

/** Those that somebody, or a provider, has put this person into. */
export const selectDepartmentsOf = (db: Queryable, organizationId: string, userId: string): Promise<OwnDepartment[]> =>
  many(
    db,
    sql`with recursive tree as (
          select id, name, array[id] as path, array[name] as path_name from rowhouse.groups where organization_id = ${organizationId} and parent_id is null
          union all
          select g.id, g.name, t.path || g.id, t.path_name || g.name from rowhouse.groups g join tree t on t.id = g.parent_id)
        select t.id, t.name, t.path, t.path_name as "pathName" from tree t
        join rowhouse.group_members m on m.group_id = t.id and m.user_id = ${userId} and m.is_direct order by t.path_name, t.id`,
  );
