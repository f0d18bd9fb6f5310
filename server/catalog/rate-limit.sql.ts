// The one writer of rowhouse.rate_points: how many requests of a credential processes have drawn for a second.
import type { Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

/** Seconds that the clocks of two processes may differ. */
export const largestSkew = 2;

/**
 * How many are drawn now, by all processes; undefined when that many are not left. A clock that is a little behind counts on
 * the newer second. What was drawn further in the future does not count: that clock was ahead, and would lock the key out.
 */
export const drawPoints = async (
  db: Queryable,
  key: string,
  second: number,
  points: number,
  limit: number,
): Promise<number | undefined> => {
  const rows = await db.query<{ taken: number }>(
    sql`insert into rowhouse.rate_points as r (key, second, taken) values (${key}, ${second}, ${points})
        on conflict (key) do update set
          second = case when r.second between excluded.second and excluded.second + ${largestSkew} then r.second else excluded.second end,
          taken = case when r.second between excluded.second and excluded.second + ${largestSkew} then r.taken + excluded.taken else excluded.taken end
        where r.second not between excluded.second and excluded.second + ${largestSkew} or r.taken + excluded.taken <= ${limit}
        returning taken`,
    { prepare: true },
  );
  return rows[0]?.taken;
};

export const deleteOldPoints = async (db: Queryable, before: number): Promise<void> => {
  await db.query(sql`delete from rowhouse.rate_points where second < ${before}`);
};
