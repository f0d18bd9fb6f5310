import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Person } from '../field/type.ts';

export const selectPeople = (db: Queryable, spaceId: string, baseId: string): Promise<Person[]> =>
  many<Person>(
    db,
    sql`select u.id, u.name, u.email, u.avatar from rowhouse.users u
        where u.deactivated_time is null
          and exists (select from rowhouse.collaborators c where c.user_id = u.id and c.resource_id = any(${[spaceId, baseId]}))
        order by u.created_time, u.id`,
  );
