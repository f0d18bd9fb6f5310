// The one writer of rowhouse.own_queries.
import type { OwnQuery } from '@rowhouse/contract/view.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const writeOwnQuery = async (
  db: Queryable,
  userId: string,
  viewId: string,
  query: OwnQuery | null,
): Promise<void> => {
  await db.query(
    query === null
      ? sql`delete from rowhouse.own_queries where user_id = ${userId} and view_id = ${viewId}`
      : sql`insert into rowhouse.own_queries (user_id, view_id, query) values (${userId}, ${viewId}, ${JSON.stringify(query)}::jsonb)
            on conflict (user_id, view_id) do update set query = excluded.query`,
  );
};

/** By view. */
export const selectOwnQueries = async (
  db: Queryable,
  userId: string,
  tableId: string,
): Promise<Map<string, OwnQuery>> => {
  const rows = await many<{ viewId: string; query: OwnQuery }>(
    db,
    sql`select o.view_id as "viewId", o.query from rowhouse.own_queries o join rowhouse.views v on v.id = o.view_id where o.user_id = ${userId} and v.table_id = ${tableId}`,
  );
  return new Map(rows.map(({ viewId, query }) => [viewId, query]));
};
