// The one writer of rowhouse.subscriptions.
import type { Plans } from '../../catalog/plans.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { dueTime, effectiveLevel, fallbackSubscription, type Subscription } from './subscription.ts';

type Stored = {
  [K in keyof Subscription]: Subscription[K] extends Date
    ? string
    : Subscription[K] extends Date | null
      ? string | null
      : Subscription[K];
};

/** The columns are null for a space that never had anything but the free plan. */
type Row = Omit<Stored, 'level'> & { level: string | null; createdTime: string };

const date = (text: string | null): Date | null => (text === null ? null : new Date(text));

const toSubscription = (plans: Plans, row: Row): Subscription => {
  if (row.level === null || !plans.areOn) return fallbackSubscription(plans, row.spaceId, new Date(row.createdTime));
  return {
    spaceId: row.spaceId,
    level: row.level,
    priceId: row.priceId,
    interval: row.interval,
    unitAmount: row.unitAmount,
    quantity: row.quantity,
    status: row.status,
    anchor: new Date(row.anchor),
    periodStart: new Date(row.periodStart),
    periodEnd: new Date(row.periodEnd),
    startedTime: new Date(row.startedTime),
    trialEnd: date(row.trialEnd),
    isTrialUsed: row.isTrialUsed,
    cancelTime: date(row.cancelTime),
    pastDueSince: date(row.pastDueSince),
    provider: row.provider,
    providerId: row.providerId,
    providerCreated: date(row.providerCreated),
  };
};

const columns: Sql = sql`s.id as "spaceId", s.created_time as "createdTime", u.level, u.price_id as "priceId", u.interval,
  u.unit_amount as "unitAmount", u.quantity, u.status, u.anchor_time as anchor, u.period_start as "periodStart",
  u.period_end as "periodEnd", u.started_time as "startedTime", u.trial_end as "trialEnd", u.is_trial_used as "isTrialUsed",
  u.cancel_time as "cancelTime", u.past_due_since as "pastDueSince", u.provider, u.provider_id as "providerId",
  u.provider_created as "providerCreated"`;

/** As stored: `settle` says what it is by now. */
/** The subscription of a space as JSON, for statements that read something else besides. */
export const subscriptionJson = (spaceId: string): Sql =>
  sql`(select row_to_json(stored) from (select ${columns} from rowhouse.spaces s left join rowhouse.subscriptions u on u.space_id = s.id where s.id = ${spaceId}) stored)`;

/** What `subscriptionJson` gave. */
export type SubscriptionJson = Row;

export const readSubscription = (plans: Plans, stored: SubscriptionJson): Subscription => toSubscription(plans, stored);

export const selectSubscription = async (
  db: Queryable,
  plans: Plans,
  spaceId: string,
): Promise<Subscription | undefined> => {
  const [row] = await db.query<Row>(
    sql`select ${columns} from rowhouse.spaces s left join rowhouse.subscriptions u on u.space_id = s.id where s.id = ${spaceId}`,
    { prepare: true },
  );
  return row === undefined ? undefined : toSubscription(plans, row);
};

export const selectSubscriptions = async (
  db: Queryable,
  plans: Plans,
  spaceIds: readonly string[],
): Promise<Subscription[]> => {
  const rows = await many<Row>(
    db,
    sql`select ${columns} from rowhouse.spaces s left join rowhouse.subscriptions u on u.space_id = s.id
        where s.id = any(${spaceIds}::text[]) order by s.created_time, s.id`,
  );
  return rows.map((row) => toSubscription(plans, row));
};

/** Changes of the plan of a space come one after the other. */
export const lockSubscription = async (db: Queryable, spaceId: string): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`subscription ${spaceId}`}, 0))`);
};

export const saveSubscription = async (db: Queryable, plans: Plans, it: Subscription): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.subscriptions
          (space_id, level, effective_level, price_id, interval, unit_amount, quantity, status, anchor_time, period_start, period_end,
           started_time, trial_end, is_trial_used, cancel_time, past_due_since, due_time, provider, provider_id, provider_created)
        values (${it.spaceId}, ${it.level}, ${effectiveLevel(plans, it)}, ${it.priceId}, ${it.interval}, ${it.unitAmount}, ${it.quantity},
          ${it.status}, ${it.anchor}, ${it.periodStart}, ${it.periodEnd}, ${it.startedTime}, ${it.trialEnd}, ${it.isTrialUsed},
          ${it.cancelTime}, ${it.pastDueSince}, ${dueTime(plans, it)}, ${it.provider}, ${it.providerId}, ${it.providerCreated})
        on conflict (space_id) do update set
          level = excluded.level, effective_level = excluded.effective_level, price_id = excluded.price_id, interval = excluded.interval,
          unit_amount = excluded.unit_amount, quantity = excluded.quantity, status = excluded.status, anchor_time = excluded.anchor_time,
          period_start = excluded.period_start, period_end = excluded.period_end, started_time = excluded.started_time,
          trial_end = excluded.trial_end, is_trial_used = excluded.is_trial_used, cancel_time = excluded.cancel_time,
          past_due_since = excluded.past_due_since, due_time = excluded.due_time, provider = excluded.provider,
          provider_id = excluded.provider_id, provider_created = excluded.provider_created`,
  );
};

export const selectDueSpaceIds = async (db: Queryable, now: Date): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select space_id as id from rowhouse.subscriptions where due_time <= ${now} order by due_time limit 1000`,
    )
  ).map((row) => row.id);

/** A new reading of the provider begins. */
export const nextReading = async (db: Queryable): Promise<number> =>
  (await db.query<{ reading: number }>(sql`select nextval('rowhouse.provider_readings') as reading`))[0]
    ?.reading as number;

/** False when a reading that began later was written down already. The row must be there. */
export const claimReading = async (db: Queryable, spaceId: string, reading: number): Promise<boolean> => {
  const rows = await many(
    db,
    sql`update rowhouse.subscriptions set provider_reading = ${reading} where space_id = ${spaceId} and provider_reading < ${reading} returning 1`,
  );
  return rows.length === 1;
};
