// The one writer of deliveries and their attempts. A delivery waits while an earlier one of its lane waits, so that what happens to a record arrives in its
// order, and a delivery that fails holds up nothing else. The first of each lane says so in its row: all who make, end or repeat deliveries hold the
// webhook meanwhile.
import type { WebhookDelivery } from '@rowhouse/contract/webhook.ts';
import { type Db, many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface NewDelivery {
  id: string;
  event: string;
  tableId: string | null;
  recordId: string | null;
  lane: string;
  body: string;
}

/** In their order. Those that are there already, by their id, are left as they are. */
export const insertDeliveries = async (
  tx: Queryable,
  webhookId: string,
  given: readonly NewDelivery[],
): Promise<void> => {
  if (given.length === 0) return;
  const rows = given.map(({ id, event, tableId, recordId, lane, body }, at) => ({
    at,
    id,
    event,
    table_id: tableId,
    record_id: recordId,
    lane,
    body,
  }));
  await holdWebhooks(tx, [webhookId]);
  await tx.query(
    sql`with given as materialized (
          select g.*, not exists (select from rowhouse.webhook_deliveries e where e.webhook_id = ${webhookId} and e.lane = g.lane and e.state = 'waiting') as is_free
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (at int, id text, event text, table_id text, record_id text, lane text, body text)
          where not exists (select from rowhouse.webhook_deliveries e where e.id = g.id)
        )
        insert into rowhouse.webhook_deliveries (id, webhook_id, event, table_id, record_id, lane, body, is_first)
        select id, ${webhookId}, event, table_id, record_id, lane, body, is_free and at = min(at) over (partition by lane) from given order by at`,
  );
};

/** For the rest of the transaction, before their deliveries. */
const holdWebhooks = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  await tx.query(
    sql`select from rowhouse.webhooks where id = any(${[...new Set(ids)]}::text[]) order by id for no key update`,
  );
};

/** Says of these lanes which delivery is the first. */
const markFirst = async (tx: Queryable, webhookId: string, lanes: readonly string[]): Promise<void> => {
  if (lanes.length === 0) return;
  await tx.query(
    sql`with first as materialized (
          select (select e.seq from rowhouse.webhook_deliveries e where e.webhook_id = ${webhookId} and e.lane = l.lane and e.state = 'waiting' order by e.seq limit 1) as seq
          from unnest(${[...new Set(lanes)]}::text[]) as l (lane)
        ), behind as (
          update rowhouse.webhook_deliveries d set is_first = false
          where d.webhook_id = ${webhookId} and d.state = 'waiting' and d.is_first and d.lane = any(${lanes}::text[]) and d.seq not in (select seq from first where seq is not null)
        )
        update rowhouse.webhook_deliveries d set is_first = true from first where d.seq = first.seq and not d.is_first`,
  );
};

export interface ClaimedDelivery {
  seq: number;
  id: string;
  body: string;
  attempts: number;
}

/** Takes deliveries that may be sent now, for `lease` seconds: nobody else sends them meanwhile. */
export const claimDeliveries = (
  db: Queryable,
  webhookId: string,
  limit: number,
  lease: number,
): Promise<ClaimedDelivery[]> =>
  many<ClaimedDelivery>(
    db,
    sql`with due as materialized (
          select d.seq from rowhouse.webhook_deliveries d
          where d.webhook_id = ${webhookId} and d.state = 'waiting' and d.is_first and d.due_time <= now()
            and exists (select from rowhouse.webhooks w where w.id = d.webhook_id and w.state = 'on')
          order by d.due_time, d.seq limit ${limit} for update skip locked
        )
        update rowhouse.webhook_deliveries d set attempts = d.attempts + 1, due_time = now() + ${lease}::int * interval '1 second'
        from due where d.seq = due.seq returning d.seq, d.id, d.body, d.attempts`,
  );

/** Seconds until the next one may be sent; null when none waits. */
export const selectNextDue = async (db: Queryable, webhookId: string): Promise<number | null> =>
  (
    await one<{ seconds: number | null }>(
      db,
      sql`select extract(epoch from min(d.due_time) - now())::double precision as seconds from rowhouse.webhook_deliveries d
          where d.webhook_id = ${webhookId} and d.state = 'waiting' and d.is_first`,
    )
  ).seconds;

/** Webhooks that are on and have something to send now. */
export const selectDueWebhooks = (db: Queryable): Promise<{ id: string; spaceId: string }[]> =>
  many(
    db,
    sql`select w.id, b.space_id as "spaceId" from rowhouse.webhooks w join rowhouse.bases b on b.id = w.base_id
        where w.state = 'on' and exists (select from rowhouse.webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting' and d.is_first and d.due_time <= now())`,
  );

export interface Outcome {
  milliseconds: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

/** False when the lease was lost: somebody else has sent it meanwhile. `retry`: seconds until the next attempt; null: it has arrived. */
export const recordAttempt = async (
  tx: Queryable,
  webhookId: string,
  { seq, attempts }: Pick<ClaimedDelivery, 'seq' | 'attempts'>,
  outcome: Outcome,
  retry: number | null,
): Promise<boolean> => {
  await holdWebhooks(tx, [webhookId]);
  const change =
    retry === null
      ? sql`state = 'delivered', is_first = false, delivered_time = now()`
      : sql`due_time = now() + ${retry}::double precision * interval '1 second'`;
  const [held] = await many<{ lane: string }>(
    tx,
    sql`with held as (
          update rowhouse.webhook_deliveries set ${change} where seq = ${seq} and attempts = ${attempts} and state = 'waiting' returning seq, lane
        ), noted as (
          insert into rowhouse.webhook_attempts (delivery, attempt, milliseconds, status, error, answer)
          select seq, (select count(*) + 1 from rowhouse.webhook_attempts where delivery = ${seq}), ${outcome.milliseconds}::int, ${outcome.status}::int, ${outcome.error}::text, ${outcome.answer}::text from held
        )
        select lane from held`,
  );
  if (held === undefined) return false;
  if (retry === null) await markFirst(tx, webhookId, [held.lane]);
  return true;
};

/** From the beginning of its attempts, as soon as it can be. Only those that wait. */
export const hurryWaiting = async (tx: Queryable, webhookId: string): Promise<void> => {
  await tx.query(
    sql`update rowhouse.webhook_deliveries set attempts = 0, due_time = now() where webhook_id = ${webhookId} and state = 'waiting'`,
  );
};

/** In the order in which they were made. Answers how many. The webhook is held by the caller. */
export const sendAgain = async (tx: Queryable, webhookId: string, which: Sql): Promise<number> => {
  const again = await many<{ lane: string }>(
    tx,
    sql`update rowhouse.webhook_deliveries d set state = 'waiting', attempts = 0, due_time = now(), delivered_time = null
        where d.webhook_id = ${webhookId} and ${which} returning d.lane`,
  );
  await markFirst(
    tx,
    webhookId,
    again.map(({ lane }) => lane),
  );
  return again.length;
};

export const isDelivery = (id: string): Sql => sql`d.id = ${id}`;
export const isSince = (moment: Date): Sql => sql`d.created_time >= ${moment.toISOString()}::timestamptz`;

export interface DeliveryRow extends Omit<WebhookDelivery, 'tableId' | 'recordId' | 'dueTime' | 'deliveredTime'> {
  seq: number;
  tableId: string | null;
  recordId: string | null;
  dueTime: string | null;
  deliveredTime: string | null;
}

const columns = sql`d.seq, d.id, d.event, d.state, d.table_id as "tableId", d.record_id as "recordId", d.attempts, case when d.state = 'waiting' then d.due_time end as "dueTime",
  d.created_time as "createdTime", d.delivered_time as "deliveredTime"`;

export const selectDeliveries = (
  db: Queryable,
  webhookId: string,
  page: { before: number | null; state: string | null; search: string | null; limit: number },
): Promise<DeliveryRow[]> =>
  many<DeliveryRow>(
    db,
    sql`select ${columns} from rowhouse.webhook_deliveries d where d.webhook_id = ${webhookId}
          and (${page.before}::bigint is null or d.seq < ${page.before}) and (${page.state}::text is null or d.state = ${page.state})
          and (${page.search}::text is null or ${page.search} in (d.id, d.record_id, d.table_id, d.event))
        order by d.seq desc limit ${page.limit}`,
  );

export interface AttemptRow extends Outcome {
  attempt: number;
  time: string;
}

export const selectDelivery = (
  db: Queryable,
  webhookId: string,
  id: string,
): Promise<(DeliveryRow & { body: string; log: AttemptRow[] }) | undefined> =>
  maybe(
    db,
    sql`select ${columns}, d.body, coalesce((
          select json_agg(json_build_object('attempt', a.attempt, 'time', to_char(a.time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'milliseconds', a.milliseconds, 'status', a.status, 'error', a.error, 'answer', a.answer) order by a.attempt)
          from rowhouse.webhook_attempts a where a.delivery = d.seq), '[]') as log
        from rowhouse.webhook_deliveries d where d.webhook_id = ${webhookId} and d.id = ${id}`,
  );

export const countWaiting = async (db: Queryable, webhookIds: readonly string[]): Promise<Map<string, number>> =>
  new Map(
    (
      await many<{ id: string; count: number }>(
        db,
        sql`select webhook_id as id, count(*)::int as count from rowhouse.webhook_deliveries where webhook_id = any(${webhookIds}::text[]) and state = 'waiting' group by 1`,
      )
    ).map(({ id, count }) => [id, count]),
  );

/** Answers how many went; call it until that is none. */
export const deleteOldDeliveries = (db: Db, days: number, limit: number): Promise<number> =>
  db.transaction(async (tx) => {
    const old = await many<{ seq: number; webhookId: string }>(
      tx,
      sql`select seq, webhook_id as "webhookId" from rowhouse.webhook_deliveries where created_time < now() - ${days}::int * interval '1 day' order by created_time limit ${limit}`,
    );
    if (old.length === 0) return 0;
    await holdWebhooks(
      tx,
      old.map(({ webhookId }) => webhookId),
    );
    const gone = await many<{ webhookId: string; lane: string }>(
      tx,
      sql`delete from rowhouse.webhook_deliveries where seq = any(${old.map(({ seq }) => seq)}::bigint[]) returning webhook_id as "webhookId", lane`,
    );
    for (const webhookId of new Set(gone.map((one) => one.webhookId)))
      await markFirst(
        tx,
        webhookId,
        gone.filter((one) => one.webhookId === webhookId).map(({ lane }) => lane),
      );
    return gone.length;
  });
