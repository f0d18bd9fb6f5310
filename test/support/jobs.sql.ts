// Waiting for what is done beside the requests.
import { setTimeout } from 'node:timers/promises';
import type { Db } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

/** Until nothing is left to do of what was added so far, but for what runs from time to time or is tried again later. */
export const jobsDone = async (db: Db): Promise<void> => {
  for (;;) {
    const left = await db.query(
      sql`select from rowhouse.jobs where every is null and (state = 'running' or (state = 'waiting' and due_time < now() + interval '2 seconds' and attempt = 0)) limit 1`,
    );
    if (left.length === 0) return;
    await setTimeout(20);
  }
};
