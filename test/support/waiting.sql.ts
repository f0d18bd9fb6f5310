// How many statements wait for somebody's lock. On a cluster a statement on a base waits on its node, in other letters than it was sent.
import { inject } from 'vitest';
import { one, type Queryable } from '../../server/db/db.ts';
import { compile, type Sql, sql } from '../../server/db/sql.ts';

const question = (like: string): Sql =>
  sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike ${sql.literal(like)}`;

export const countWaiting = async (db: Queryable, like = '%'): Promise<number> => {
  const { count } = await one<{ count: number }>(db, question(like));
  if ((inject('cluster') ?? null) === null) return count;
  const onNodes = await one<{ count: number }>(
    db,
    sql`select coalesce(sum(result::int), 0)::int as count from run_command_on_workers(${sql.literal(compile(question(like)).text)})`,
  );
  return count + onNodes.count;
};
