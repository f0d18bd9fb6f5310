// Gives committed operations their place in the feed of a base, and reads it.
import { epochsInPage } from '../../db/cluster-form.ts';
import { type Db, many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { type FeedState, nextFeedState } from './feed-state.ts';
import { selectSlowest } from './follower.sql.ts';

const batchSize = 5_000;

/** Asked without a lock: most of the time there is nothing to do. */
export const hasUnfed = async (db: Queryable, baseId: string): Promise<boolean> => {
  const row = await maybe<{ unfed: boolean }>(
    db,
    sql`select exists (select 1 from ${sql.id(baseId, '__operation')} o where o.id >= f.next_id)
            or exists (select 1 from ${sql.id(baseId, '__operation')} o where o.id = any(f.gaps)) as unfed
        from ${sql.id(baseId, '__feed')} f`,
  );
  return row?.unfed ?? false;
};

/**
 * One process at a time, in a transaction: what follows the lock sees everything that was committed before it was had. Entries stay for a quarter of an
 * hour, and for as long as a follower has not taken them.
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
    const slowest = await selectSlowest(tx, baseId);
    const isTaken = slowest === null ? sql.empty : sql` and seq <= ${slowest}`;
    await tx.query(
      sql`with entered as (
            insert into ${sql.id(baseId, '__feed_entry')} (seq, op_id)
            select ${state.last}::bigint + at, id from unnest(${found}::bigint[]) with ordinality as given (id, at)
          ), pruned as (
            delete from ${sql.id(baseId, '__feed_entry')}
            where seq in (select seq from ${sql.id(baseId, '__feed_entry')} order by seq limit ${2 * batchSize}) and time < statement_timestamp() - interval '15 minutes'${isTaken}
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

/** An operation as far as it takes little: its records may be many. */
export interface FeedRow {
  seq: number;
  opId: number;
  operationId: string;
  tableId: string;
  kind: string;
  actor: string;
  rowDelta: number;
  /** How many records it names. */
  recordCount: number;
  /** JSON text; null when they are more than a few. */
  recordIds: string | null;
  /** Fields that changed; null where the history says it. */
  fieldIds: string[] | null;
  /** The operation that this one follows from. */
  cause: string | null;
  /** All of several; then `cause` is the last one. */
  causes: string[] | null;
  /** What it was done through: an application, or a run of an automation. */
  clientId: string | null;
  /** The form that the record came from. */
  form: string | null;
  time: string;
}

export interface FeedPage {
  rows: FeedRow[];
  /** Up to where the feed was read: rows of other tables are passed over. */
  upTo: number;
  /** There is more behind it. */
  isFull: boolean;
  /** In the same snapshot or after it, of those who are concerned. */
  epochs: ReadonlyMap<string, number>;
}

/** Entries that one statement looks at, whatever tables they are of. */
const windowSize = 2_000;
const fewRecords = 20;

const epochsOf = (concerned: readonly string[]) =>
  sql`(select json_object_agg(id, epoch) from rowhouse.epochs where id = any(${concerned}::text[])) as epochs`;

type Epochs = Record<string, number> | null;

interface Ends {
  last: number;
  epochs: Epochs;
  hasNoEpochs?: boolean;
  seen: number | null;
}

const selectEpochs = async (db: Queryable, concerned: readonly string[]): Promise<Epochs> =>
  (await one<{ epochs: Epochs }>(db, sql`select ${epochsOf(concerned)}`, { prepare: true })).epochs;

/**
 * What follows `after` on these tables, up to `until` when it is given. The entries are taken by their index and their
 * limit first, and each looks its operation up: no statistics lead to another plan. Where the feed ends has to be of the same snapshot as its entries, or those that come
 * between the two are passed over. A Citus cluster would take one for each of them if the statement looked at a table of the coordinator: the epochs are asked for
 * afterwards there.
 */
export const selectFeed = async (
  db: Queryable,
  baseId: string,
  page: {
    /** Null: all of the base. */
    tableIds: readonly string[] | null;
    after: number;
    until: number | null;
    limit: number;
    concerned: readonly string[];
  },
): Promise<FeedPage> => {
  const until = page.until === null ? sql.empty : sql`and seq <= ${page.until}`;
  const operation = sql.id(baseId, '__operation');
  const ofTables = page.tableIds === null ? sql.empty : sql` and o.table_id = any(${page.tableIds}::text[])`;
  const rows = await db.query<FeedRow & Ends>(
    sql`with seen as materialized (select seq, op_id from ${sql.id(baseId, '__feed_entry')} where seq > ${page.after} ${until} order by seq limit ${windowSize})
        select f.last, ${epochsInPage(epochsOf(page.concerned))}, (select max(seq) from seen having count(*) = ${windowSize}) as seen, x.*
        from ${sql.id(baseId, '__feed')} f
        left join (
          select e.seq, o.*
          from seen e cross join lateral (
            select o.id as "opId", o.public_id as "operationId", o.table_id as "tableId", o.kind, o.actor, o.row_delta as "rowDelta",
                   cardinality(o.record_ids) as "recordCount",
                   case when cardinality(o.record_ids) <= ${fewRecords} then to_json(o.record_ids)::text end as "recordIds", o.field_ids as "fieldIds",
                   (select c.public_id from ${operation} c where c.id = o.cause) as cause,
                   case when o.kind = 'computed' then o.change -> 'causes' end as causes, o.client_id as "clientId", o.side_effects ->> 'form' as form, o.time
            from ${operation} o where o.id = e.op_id${ofTables} offset 0
          ) o order by e.seq limit ${page.limit}
        ) x on true order by x.seq`,
    { prepare: true },
  );
  const { last, hasNoEpochs, seen, ...ends } = rows[0] as Ends;
  const epochs = hasNoEpochs === true ? await selectEpochs(db, page.concerned) : ends.epochs;
  const found = rows.filter((row) => row.seq !== null);
  const isFull = found.length === page.limit || seen !== null;
  const end = seen ?? Math.min(last, page.until ?? last);
  return {
    rows: found,
    upTo: found.length === page.limit ? (found.at(-1) as FeedRow).seq : end,
    isFull,
    epochs: new Map(Object.entries(epochs ?? {})),
  };
};

/** The records of operations, as JSON text by operation. */
export const selectRecordIds = async (
  db: Queryable,
  baseId: string,
  opIds: readonly number[],
): Promise<Map<number, string>> =>
  new Map(
    (
      await many<{ id: number; ids: string }>(
        db,
        sql`select id, to_json(record_ids)::text as ids from ${sql.id(baseId, '__operation')} where id = any(${opIds}::bigint[])`,
      )
    ).map(({ id, ids }) => [id, ids]),
  );

/** The positions that a listener can come back to: from `oldest` to `last`. */
export const selectWindow = (db: Queryable, baseId: string): Promise<{ oldest: number; last: number }> =>
  one<{ oldest: number; last: number }>(
    db,
    sql`select f.last, coalesce((select seq - 1 from ${sql.id(baseId, '__feed_entry')} order by seq limit 1), f.last) as oldest from ${sql.id(baseId, '__feed')} f`,
  );
