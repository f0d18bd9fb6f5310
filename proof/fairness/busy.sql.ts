import { one, type Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

/** How many jobs of spaces are under way, or due. */
export const countBusy = async (db: Queryable): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.jobs where space_id <> '' and (state = 'running' or (state = 'waiting' and due_time <= now()))`,
    )
  ).count;
