// The one writer of rowhouse.saved_queries.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

const mostKept = 100;

/** The newest of the same user, of the last day, stay. */
export const insertSavedQuery = async (db: Queryable, id: string, userId: string, params: string): Promise<void> => {
  await db.query(
    sql`with old as (
          delete from rowhouse.saved_queries where time < now() - interval '1 day'
            or id in (select id from rowhouse.saved_queries where user_id = ${userId} order by time desc offset ${mostKept - 1})
        )
        insert into rowhouse.saved_queries (id, user_id, params) values (${id}, ${userId}, ${params}::jsonb)`,
  );
};

export const selectSavedQuery = (
  db: Queryable,
  id: string,
): Promise<{ userId: string; params: Record<string, unknown> } | undefined> =>
  maybe(db, sql`select user_id as "userId", params from rowhouse.saved_queries where id = ${id}`);
