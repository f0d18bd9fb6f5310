// The one writer of rowhouse.row_quota. Locks are taken in this order: table, slots, access epoch.
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Enough that the connections of several processes seldom meet, few enough to be read at once. */
const slotCount = 64;

const ownSlot: Sql = sql.raw(`pg_backend_pid() % ${slotCount}`);

/**
 * For a CTE in front of the one that inserts, which then asks `exists (select from quota)`: the row it answers says
 * that there was room and that `condition` holds. Nothing is taken otherwise.
 */
export const takeRows = (spaceId: string, count: number, condition: Sql): Sql =>
  sql`update rowhouse.row_quota set used = used + ${count}::int
      where space_id = ${spaceId} and slot = ${ownSlot} and used + ${count}::int <= cap and ${condition}
      returning 1`;

/** The same for a delete. A slot may go below zero: only the sum counts. */
export const giveRows = (spaceId: string, count: number, condition: Sql): Sql =>
  sql`update rowhouse.row_quota set used = used - ${count}::int
      where space_id = ${spaceId} and slot = ${ownSlot} and ${condition}
      returning 1`;

export const openQuota = async (db: Queryable, spaceId: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.row_quota (space_id, slot) select ${spaceId}, n from generate_series(0, ${slotCount - 1}) n`,
  );
};

export interface Slot {
  slot: number;
  used: number;
  cap: number;
  /** A connection that may write through it is open at the moment. */
  isLive: boolean;
}

/** Until the transaction ends nobody else creates or deletes records there. */
export const lockSlots = (
  db: Queryable,
  spaceIds: readonly string[],
): Promise<(Slot & { spaceId: string; isOwn: boolean })[]> =>
  many(
    db,
    sql`select space_id as "spaceId", slot, used, cap, slot = ${ownSlot} as "isOwn",
               slot = any(array(select pid % ${sql.integer(slotCount)} from pg_stat_activity where datname = current_database() and application_name = 'rowhouse')) as "isLive"
        from rowhouse.row_quota where space_id = any(${spaceIds}::text[]) order by space_id, slot for update`,
  );

export const writeSlots = async (
  db: Queryable,
  spaceId: string,
  slots: readonly Pick<Slot, 'slot' | 'used' | 'cap'>[],
): Promise<void> => {
  await db.query(
    sql`update rowhouse.row_quota q set used = n.used, cap = n.cap
        from unnest(${slots.map(({ slot }) => slot)}::int[], ${slots.map(({ used }) => used)}::bigint[], ${slots.map(({ cap }) => cap)}::bigint[]) as n(slot, used, cap)
        where q.space_id = ${spaceId} and q.slot = n.slot`,
  );
};

interface Capacity {
  spaceId: string;
  level: string | null;
  used: number;
  cap: number;
}

/** Of every space; those over their limit have a cap far below zero. */
export const selectCapacities = (db: Queryable): Promise<Capacity[]> =>
  many<Capacity>(
    db,
    sql`select q.space_id as "spaceId", u.effective_level as level, sum(q.used)::bigint as used, sum(q.cap)::bigint as cap
        from rowhouse.row_quota q left join rowhouse.subscriptions u on u.space_id = q.space_id
        group by q.space_id, u.effective_level`,
  );

export const selectNumRows = async (db: Queryable, spaceId: string): Promise<number> =>
  (
    await one<{ used: number }>(
      db,
      sql`select coalesce(sum(used), 0)::bigint as used from rowhouse.row_quota where space_id = ${spaceId}`,
    )
  ).used;

/** No slot may grow: the next who creates records shares out what is left again. */
export const closed = -1_000_000_000_000_000;

/** Corrects what is counted by a difference, no matter who writes meanwhile. The caps no longer fit and are closed. */
export const correctRows = async (db: Queryable, spaceId: string, difference: number): Promise<void> => {
  await db.query(
    sql`update rowhouse.row_quota q set used = q.used + case when q.slot = 0 then ${difference}::bigint else 0 end, cap = ${closed}
        from (select slot from rowhouse.row_quota where space_id = ${spaceId} order by slot for update) locked
        where q.space_id = ${spaceId} and q.slot = locked.slot`,
  );
};
