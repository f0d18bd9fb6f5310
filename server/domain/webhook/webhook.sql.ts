// The one writer of rowhouse.webhooks.
import type { WebhookEvent } from '@rowhouse/contract/webhook.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Actor } from '../../pipeline/act-as.ts';

export interface WebhookSettings {
  name: string;
  url: string;
  events: WebhookEvent[];
  tableIds: string[] | null;
  fieldIds: string[] | null;
  viewId: string | null;
  beforeFilter: unknown;
  afterFilter: unknown;
  withValues: boolean;
  fieldKeyType: 'id' | 'name';
}

type WebhookState = 'on' | 'off' | 'paused' | 'stopped';

export interface WebhookRow extends WebhookSettings {
  id: string;
  baseId: string;
  spaceId: string;
  /** Its base, or the space of it, is in the trash. */
  isTrashed: boolean;
  state: WebhookState;
  reason: string | null;
  publicKey: string;
  actsAs: Actor;
  formerUntil: string | null;
  createdBy: string;
  createdTime: string;
  lastModifiedTime: string | null;
}

/** What signs: only those who send read it. */
interface SealedKeys {
  secret: Buffer;
  formerSecret: Buffer | null;
  signingKey: Buffer;
}

const columns = sql`w.id, w.base_id as "baseId", b.space_id as "spaceId", (b.deleted_time is not null or exists (select from rowhouse.spaces s where s.id = b.space_id and s.deleted_time is not null)) as "isTrashed", w.name, w.url, w.events, w.table_ids as "tableIds", w.field_ids as "fieldIds", w.view_id as "viewId",
  w.before_filter as "beforeFilter", w.after_filter as "afterFilter", w.with_values as "withValues", w.field_key_type as "fieldKeyType", w.state, w.reason,
  w.public_key as "publicKey", w.acts_as as "actsAs", case when w.former_until > now() then w.former_until end as "formerUntil",
  w.created_by as "createdBy", w.created_time as "createdTime", w.last_modified_time as "lastModifiedTime"`;
const from = sql`rowhouse.webhooks w join rowhouse.bases b on b.id = w.base_id`;

const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

export const insertWebhook = async (
  tx: Queryable,
  id: string,
  baseId: string,
  given: WebhookSettings,
  keys: SealedKeys & { publicKey: string },
  actsAs: Actor,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.webhooks (id, base_id, name, url, events, table_ids, field_ids, view_id, before_filter, after_filter, with_values, field_key_type, state, secret, signing_key, public_key, acts_as, created_by)
        values (${id}, ${baseId}, ${given.name}, ${given.url}, ${given.events}::text[], ${given.tableIds}::text[], ${given.fieldIds}::text[], ${given.viewId}, ${json(given.beforeFilter)}::jsonb,
                ${json(given.afterFilter)}::jsonb, ${given.withValues}, ${given.fieldKeyType}, 'on', ${keys.secret}, ${keys.signingKey}, ${keys.publicKey}, ${JSON.stringify(actsAs)}::jsonb, ${actsAs.userId})`,
  );
};

export const updateSettings = async (
  tx: Queryable,
  id: string,
  given: WebhookSettings,
  state: WebhookState,
  actsAs: Actor,
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.webhooks set name = ${given.name}, url = ${given.url}, events = ${given.events}::text[], table_ids = ${given.tableIds}::text[], field_ids = ${given.fieldIds}::text[],
          view_id = ${given.viewId}, before_filter = ${json(given.beforeFilter)}::jsonb, after_filter = ${json(given.afterFilter)}::jsonb, with_values = ${given.withValues},
          field_key_type = ${given.fieldKeyType}, state = ${state}, reason = case when ${state} = state then reason end, failures = case when ${state} = state then failures else 0 end,
          acts_as = ${JSON.stringify(actsAs)}::jsonb, last_modified_time = now()
        where id = ${id}`,
  );
};

/** Answers the webhook when it was on until now. */
export const endWebhook = (
  tx: Queryable,
  id: string,
  state: Exclude<WebhookState, 'on'>,
  reason: string,
): Promise<{ name: string; baseId: string } | undefined> =>
  maybe<{ name: string; baseId: string }>(
    tx,
    sql`update rowhouse.webhooks set state = ${state}, reason = ${reason} where id = ${id} and state = 'on' returning name, base_id as "baseId"`,
  );

/** How many attempts in a row have failed. */
export const countFailure = async (tx: Queryable, id: string, hasFailed: boolean): Promise<void> => {
  await tx.query(
    sql`update rowhouse.webhooks set failures = ${hasFailed ? sql`failures + 1` : sql`0`} where id = ${id}${hasFailed ? sql.empty : sql` and failures > 0`}`,
  );
};

export const replaceSecret = async (tx: Queryable, id: string, secret: Buffer, hours: number): Promise<string> =>
  (
    (await maybe<{ until: string }>(
      tx,
      sql`update rowhouse.webhooks set former_secret = secret, former_until = now() + ${hours}::int * interval '1 hour', secret = ${secret} where id = ${id} returning former_until as until`,
    )) as { until: string }
  ).until;

export const deleteWebhookRow = async (tx: Queryable, id: string): Promise<void> => {
  await tx.query(sql`delete from rowhouse.webhooks where id = ${id}`);
};

const selectBy = (db: Queryable, where: Sql): Promise<WebhookRow[]> =>
  many<WebhookRow>(db, sql`select ${columns} from ${from} where ${where}`);

export const selectWebhooks = (db: Queryable, baseId: string): Promise<WebhookRow[]> =>
  selectBy(db, sql`w.base_id = ${baseId} order by w.created_time, w.id`);

export const selectWebhook = async (db: Queryable, id: string): Promise<WebhookRow | undefined> =>
  (await selectBy(db, sql`w.id = ${id}`))[0];

/** For the rest of the transaction. */
export const lockWebhook = async (tx: Queryable, baseId: string, id: string): Promise<WebhookRow | undefined> =>
  (await selectBy(tx, sql`w.id = ${id} and w.base_id = ${baseId} for no key update of w`))[0];

export const selectSending = (
  db: Queryable,
  id: string,
): Promise<(SealedKeys & { url: string; failures: number; isOn: boolean }) | undefined> =>
  maybe(
    db,
    sql`select url, failures, state = 'on' as "isOn", secret, case when former_until > now() then former_secret end as "formerSecret", signing_key as "signingKey"
        from rowhouse.webhooks where id = ${id}`,
  );
