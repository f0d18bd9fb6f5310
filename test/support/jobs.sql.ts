// Waiting for what is done beside the requests.
import { setTimeout } from 'node:timers/promises';
import type { Db } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

const longestWait = 120_000;

/** Until nothing is left to do of what was added so far, but for what runs from time to time or is tried again later. Jobs that follow one another without end are named. */
export const jobsDone = async (db: Db): Promise<void> => {
  const began = performance.now();
  for (;;) {
    const left = await db.query(
      sql`select kind, key, state from rowhouse.jobs where every is null and (state = 'running' or (state = 'waiting' and due_time < now() + interval '2 seconds' and attempt = 0)) limit 9`,
    );
    if (left.length === 0) return;
    if (performance.now() - began > longestWait)
      throw new Error(`Jobs that do not come to an end: ${JSON.stringify(left)}`);
    await setTimeout(20);
  }
};

/** What a server does from time to time rests until the end of the test: what it would do is done, and counted, by the test alone. */
export const jobRests = async (db: Db, kind: string): Promise<void> => {
  for (;;) {
    const [rests] = await db.query(
      sql`update rowhouse.jobs set due_time = now() + interval '1 day' where kind = ${kind} and every is not null and state = 'waiting' returning id`,
    );
    if (rests !== undefined) return;
    await setTimeout(20);
  }
};
