// What somebody has to be told: written in the transaction of its cause, turned into notifications after its
// commit, exactly once. Any domain may write here; the notification domain alone takes out.
import type { Role } from '@rowhouse/contract/permission.ts';
import { many, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

interface Place {
  type: 'space' | 'base';
  id: string;
}

export type OutboxMessage =
  /** People were let into a space or base. */
  | { type: 'invited'; userIds: readonly string[]; place: Place; role: Role; actorId: string }
  | { type: 'roleChanged'; userIds: readonly string[]; place: Place; role: Role; actorId: string }
  /** `used` of `limit` in the unit of the limit; its owners are told. Say it once per crossing of 80 and of 100 percent. */
  | { type: 'limitReached'; spaceId: string; limit: string; used: number; allowed: number; percent: 80 | 100 }
  /** The owners of the space are told. */
  | { type: 'subscriptionChanged'; spaceId: string; status: string; level: string };

export const addToOutbox = async (tx: Queryable, message: OutboxMessage): Promise<void> => {
  await tx.query(sql`insert into rowhouse.outbox (message) values (${JSON.stringify(message)}::jsonb)`);
};

/** Takes the oldest messages out, for the rest of the transaction: when it is taken back they are there again. */
export const takeFromOutbox = async (tx: Queryable, limit: number): Promise<OutboxMessage[]> => {
  const rows = await many<{ id: number; message: OutboxMessage }>(
    tx,
    sql`delete from rowhouse.outbox where id in (select id from rowhouse.outbox order by id limit ${limit} for update skip locked) returning id, message`,
  );
  return rows.sort((one, other) => one.id - other.id).map((row) => row.message);
};

export const outboxWaits = async (db: Queryable): Promise<boolean> =>
  (await many(db, sql`select from rowhouse.outbox limit 1`)).length > 0;
