import type { Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

/** Time passes: runs and jobs that wait are due. With `all`, when no server runs, also those that a killed one had. */
export const hurryRuns = async (db: Queryable, all: boolean): Promise<void> => {
  await db.query(
    sql`update rowhouse.automation_runs set due_time = now() where state in ('waiting', 'running') and due_time > now() and ${all}`,
  );
  await db.query(
    sql`update rowhouse.jobs set due_time = now() where kind in ('run-automations', 'find-runs', 'follow-feed', 'find-followers') and due_time > now() and (state = 'waiting' or ${all})`,
  );
};
