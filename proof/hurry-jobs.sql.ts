// The jobs of a process that was killed are taken again when its leases end, after half a minute, and what it had not even written down is found by
// jobs that look for it once a minute. Where nothing is to be seen in waiting for that, all of them are due at once; the tokens of jobs keep a
// process that has lost one from changing anything.
import type { Queryable } from '../server/db/db.ts';
import { sql } from '../server/db/sql.ts';

/** Those that had begun by then, and those that run from time to time. */
export const hurryJobsOf = async (db: Queryable, begunBefore: number): Promise<void> => {
  const isAbandoned = sql`state = 'running' and started_time < to_timestamp(${begunBefore / 1_000}::double precision)`;
  await db.query(
    sql`update rowhouse.jobs set due_time = now() where due_time > now() and (${isAbandoned} or (state = 'waiting' and every is not null))`,
  );
};
