import type { Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

/** Days pass: what waits for its next attempt is due; no lease lasts longer than half a minute. With `all`, when no server runs, also what a killed one was about to send. A webhook that has given up is turned on. */
export const hurryDeliveries = async (db: Queryable, all: boolean): Promise<void> => {
  await db.query(
    sql`update rowhouse.webhook_deliveries d set due_time = now() where state = 'waiting' and due_time > now()
          and (${all} or d.due_time > now() + interval '31 seconds' or d.attempts = (select count(*) from rowhouse.webhook_attempts a where a.delivery = d.seq))`,
  );
  await db.query(
    sql`update rowhouse.webhook_deliveries set attempts = 0 where state = 'waiting' and attempts >= 9 and due_time <= now()`,
  );
  await db.query(sql`update rowhouse.webhooks set state = 'on', reason = null where state = 'paused'`);
  await db.query(
    sql`update rowhouse.jobs set due_time = now() where kind in ('deliver-webhook', 'follow-feed', 'find-deliveries', 'find-followers') and due_time > now() and (state = 'waiting' or ${all})`,
  );
};
