// The contents of a database in short, to see that something has left it as it was.
import type { Db } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { jobsDone } from './jobs.sql.ts';

// What is written whatever is asked for: when a credential was last used, and how often in this second.
const uses = ['last_used_time', 'last_seen_time', 'expires_time', 'failures'];
// And what follows later from what was written before: the order of operations that listeners read, attempts to deliver events.
const asides = [
  'rate_points',
  'jobs',
  '__feed',
  '__feed_entry',
  'followers',
  'webhook_attempts',
  'webhook_deliveries',
  'automation_runs',
  'automation_steps',
  'automation_minutes',
  'automation_months',
];

/** Schema and table → hash of its rows. */
export const fingerprint = async (db: Db): Promise<Record<string, string>> => {
  await jobsDone(db);
  const tables = await db.query<{ schema: string; name: string }>(
    sql`select schemaname as schema, tablename as name from pg_tables
        where (schemaname = 'rowhouse' or schemaname like 'bse%') and tablename <> all(${asides}::text[]) order by 1, 2`,
  );
  const hashes: Record<string, string> = {};
  for (const { schema, name } of tables) {
    const rows = await db.query<{ hash: string }>(
      sql`select md5(coalesce(string_agg(row, ',' order by row), '')) as hash
          from (select (to_jsonb(t) - ${uses}::text[])::text as row from ${sql.id(schema, name)} t) rows`,
    );
    hashes[`${schema}.${name}`] = (rows[0] as { hash: string }).hash;
  }
  return hashes;
};
