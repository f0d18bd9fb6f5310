// The one writer of rowhouse.spaces.
import { one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface NewSpace {
  id: string;
  name: string;
  userId: string;
}

/** The space, and its maker as its owner. */
export const insertSpace = (db: Queryable, space: NewSpace): Promise<{ id: string; name: string }> =>
  one<{ id: string; name: string }>(
    db,
    sql`with made as (
          insert into rowhouse.spaces (id, name, created_by) values (${space.id}, ${space.name}, ${space.userId}) returning id, name
        ), owner as (
          insert into rowhouse.collaborators (resource_type, resource_id, user_id, role, created_by)
          select 'space', id, ${space.userId}, 'owner', ${space.userId} from made
        )
        select id, name from made`,
  );
