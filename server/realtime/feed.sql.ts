// Gives committed operations their place in the feed of a base, and reads it.
import { type Db, many, maybe, one, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { type FeedState, nextFeedState } from './feed-state.ts';

const batchSize = 5_000;

/** Asked without a lock: most of the time there is nothing to do. */
const hasUnfed = async (db: Queryable, baseId: string): Promise<boolean> => {
  const row = await maybe<{ unfed: boolean }>(
    db,
    sql`select exists (select from ${sql.id(baseId, '__operation')} o where o.id >= f.next_id)
            or exists (select from ${sql.id(baseId, '__operation')} o where o.id = any(f.gaps)) as unfed
        from ${sql.id(baseId, '__feed')} f`,
  );
  return row?.unfed ?? false;
};

/**
 * One process at a time, in a transaction of two statements: the second sees everything that was committed before
 * the lock was had. Entries are kept for a quarter of an hour.
 */
const feedBatch = (db: Db, baseId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const state = await one<FeedState>(
      tx,
      sql`select last, next_id as "nextId", to_json(gaps) as gaps, to_json(gap_times) as "gapTimes" from ${sql.id(baseId, '__feed')} for update`,
    );
    const found = (
      await many<{ id: number }>(
        tx,
        sql`select id from (
              select id from ${sql.id(baseId, '__operation')} where id = any(${state.gaps}::bigint[])
              union all (select id from ${sql.id(baseId, '__operation')} where id >= ${state.nextId} order by id limit ${batchSize})
            ) unfed order by id`,
      )
    ).map((row) => row.id);
    if (found.length === 0) return false;
    const next = nextFeedState(state, found, Date.now());
    await tx.query(
      sql`with entered as (
            insert into ${sql.id(baseId, '__feed_entry')} (seq, op_id)
            select ${state.last}::bigint + at, id from unnest(${found}::bigint[]) with ordinality as given (id, at)
          ), pruned as (
            delete from ${sql.id(baseId, '__feed_entry')}
            where seq in (select seq from ${sql.id(baseId, '__feed_entry')} order by seq limit ${2 * batchSize}) and time < clock_timestamp() - interval '15 minutes'
          )
          update ${sql.id(baseId, '__feed')}
          set last = ${next.last}, next_id = ${next.nextId}, gaps = ${next.gaps}::bigint[], gap_times = ${next.gapTimes}::timestamptz[]`,
    );
    return found.length >= batchSize;
  });

export const feedOperations = async (db: Db, baseId: string): Promise<void> => {
  if (!(await hasUnfed(db, baseId))) return;
  while (await feedBatch(db, baseId));
};

export interface FeedRow {
  seq: number;
  opId: number;
  operationId: string;
  tableId: string;
  kind: string;
  actor: string;
  rowDelta: number;
  recordIds: string[];
  time: string;
}

export interface FeedPage {
  rows: FeedRow[];
  /** Up to where the feed was read: rows of other tables are passed over. */
  upTo: number;
  /** The access epoch in the same snapshot. */
  epoch: number;
}

/** What follows `after` on these tables, up to `until` when it is given. */
export const selectFeed = async (db: Queryable, baseId: string, page: { tableIds: readonly string[]; after: number; until: number | null; limit: number }): Promise<FeedPage> => {
  const until = page.until === null ? sql.empty : sql`and e.seq <= ${page.until}`;
  const rows = await db.query<FeedRow & { last: number; epoch: number }>(
    sql`select f.last, i.epoch, x.*
        from ${sql.id(baseId, '__feed')} f cross join rowhouse.instance i
        left join (
          select e.seq, o.id as "opId", o.public_id as "operationId", o.table_id as "tableId", o.kind, o.actor,
                 o.row_delta as "rowDelta", o.record_ids as "recordIds", o.time
          from ${sql.id(baseId, '__feed_entry')} e join ${sql.id(baseId, '__operation')} o on o.id = e.op_id
          where e.seq > ${page.after} ${until} and o.table_id = any(${page.tableIds}::text[])
          order by e.seq limit ${page.limit}
        ) x on true order by x.seq`,
    { prepare: true },
  );
  const first = rows[0] as { last: number; epoch: number };
  const found = rows.filter((row) => row.seq !== null);
  const end = Math.min(first.last, page.until ?? first.last);
  return { rows: found, upTo: found.length === page.limit ? (found.at(-1) as FeedRow).seq : end, epoch: first.epoch };
};

/** The positions that a listener can come back to: from `oldest` to `last`. */
export const selectWindow = (db: Queryable, baseId: string): Promise<{ oldest: number; last: number }> =>
  one<{ oldest: number; last: number }>(
    db,
    sql`select f.last, coalesce((select seq - 1 from ${sql.id(baseId, '__feed_entry')} order by seq limit 1), f.last) as oldest from ${sql.id(baseId, '__feed')} f`,
  );
