import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type {
  listWebhookDeliveries as listEndpoint,
  Webhook,
  WebhookDelivery,
  WholeDelivery,
} from '@rowhouse/contract/webhook.ts';
import { demandScope } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { countWaiting, selectDeliveries, selectDelivery } from './delivery.sql.ts';
import { deliveryVo, webhookVo, wholeDeliveryVo } from './webhook-vo.ts';
import { selectWebhook, selectWebhooks, type WebhookRow } from './webhook.sql.ts';

interface OfWebhook {
  baseId: string;
  webhookId: string;
}

/**
 * What is kept of events and runs was made for the person whom a webhook or an automation acts as, with cells and e-mail addresses. For those who read it with a token, and
 * for those who have it sent somewhere.
 */
export const demandEyes = ({ principal }: Pick<Context, 'principal'>, on: string): void => {
  for (const scope of ['record|read', 'user|email_read'] as const) demandScope(principal, scope, on);
};

const shown = async ({ db }: Context, rows: readonly WebhookRow[]): Promise<Webhook[]> => {
  const waiting = await countWaiting(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => webhookVo(row, waiting.get(row.id) ?? 0));
};

export const listWebhooks = async (context: Context, baseId: string): Promise<Webhook[]> =>
  shown(context, await selectWebhooks(context.db, baseId));

const find = async ({ db }: Context, { baseId, webhookId }: OfWebhook): Promise<WebhookRow> => {
  const webhook = await selectWebhook(db, webhookId);
  if (webhook?.baseId !== baseId) throw notFound('Webhook', webhookId);
  return webhook;
};

export const getWebhook = async (context: Context, params: OfWebhook): Promise<Webhook> =>
  (await shown(context, [await find(context, params)]))[0] as Webhook;

const pageSize = 50;

export const listDeliveries = async (
  context: Context,
  params: OfWebhook,
  { take = pageSize, cursor, state, search }: QueryOf<typeof listEndpoint>,
): Promise<{ deliveries: WebhookDelivery[]; nextCursor?: string }> => {
  await find(context, params);
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw invalid({ path: 'query.cursor', message: 'It is not a cursor', expected: '`nextCursor` of the page before' });
  const rows = await selectDeliveries(context.db, params.webhookId, {
    before: cursor === undefined ? null : Number(cursor),
    state: state ?? null,
    search: search ?? null,
    limit: take + 1,
  });
  const page = rows.slice(0, take);
  return {
    deliveries: page.map(deliveryVo),
    ...(rows.length > take ? { nextCursor: String(page.at(-1)?.seq) } : {}),
  };
};

export const getDelivery = async (
  context: Context,
  { deliveryId, ...params }: OfWebhook & { deliveryId: string },
): Promise<WholeDelivery> => {
  demandEyes(context, params.webhookId);
  await find(context, params);
  const row = await selectDelivery(context.db, params.webhookId, deliveryId);
  if (row === undefined) throw notFound('Delivery', deliveryId);
  return wholeDeliveryVo(row);
};
