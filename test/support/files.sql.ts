// Makes files older than they are, for what is removed after a day.
import { one, type Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

export const ageFiles = async (db: Queryable): Promise<void> => {
  await db.query(
    sql`update rowhouse.files set created_time = created_time - interval '2 days', expires_time = expires_time - interval '9 days', notified_time = notified_time - interval '2 days', uploaded_time = uploaded_time - interval '2 days'`,
  );
  await db.query(sql`update rowhouse.file_uses set used_time = used_time - interval '2 days'`);
};

export const knownFiles = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ token: string }>(sql`select token from rowhouse.files order by created_time`)).map(
    ({ token }) => token,
  );

export const forgetHistory = async (db: Queryable, baseId: string, tableId: string): Promise<void> => {
  await db.query(sql`delete from ${sql.id(baseId, `__history_${tableId}`)}`);
};

/** Jobs that look for files and are due or at work. */
export const countDueRemovals = async (db: Queryable): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.jobs where kind in ('remove-files', 'remove-waiting-files') and (state <> 'waiting' or due_time <= now())`,
    )
  ).count;

/** What runs from time to time finds what a test has just sent, and counts it first. */
export const holdRemovals = (db: Queryable): Promise<unknown> =>
  db.query(
    sql`update rowhouse.jobs set due_time = now() + interval '1 day' where kind in ('remove-files', 'remove-waiting-files') and state = 'waiting'`,
  );
