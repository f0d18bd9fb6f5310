// Deliveries that a person asks for: a test, one again, all since a moment.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { WebhookDelivery } from '@rowhouse/contract/webhook.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { changeWebhook } from './change-webhook.ts';
import { deliverJob } from './deliver-job.ts';
import { type DeliveryRow, insertDeliveries, isDelivery, isSince, selectDelivery, sendAgain } from './delivery.sql.ts';
import { demandEyes } from './read-webhooks.ts';
import { deliveryVo } from './webhook-vo.ts';
import type { WebhookRow } from './webhook.sql.ts';

interface OfWebhook {
  baseId: string;
  webhookId: string;
}

const hurried = async <T>(
  context: Context,
  params: OfWebhook,
  work: (tx: Tx, webhook: WebhookRow) => Promise<T>,
): Promise<T> => {
  const done = await changeWebhook(context, params, null, async (tx, webhook) => {
    const made = await work(tx, webhook);
    await addJob(tx, deliverJob(webhook));
    return made;
  });
  context.work.wake();
  return done;
};

export const testWebhook = (context: Context, params: OfWebhook): Promise<WebhookDelivery> =>
  hurried(context, params, async (tx, { id, baseId, state }) => {
    if (state !== 'on')
      throw invalid({ path: 'webhookId', message: `The webhook is ${state}`, expected: 'a webhook that is on' });
    const event = 'webhook.test';
    const delivery = `msg_${context.newId('msg').slice(3)}`;
    const body = JSON.stringify({
      type: event,
      timestamp: context.now().toISOString(),
      data: { baseId, webhookId: id },
    });
    await insertDeliveries(tx, id, [{ id: delivery, event, tableId: null, recordId: null, lane: delivery, body }]);
    return deliveryVo((await selectDelivery(tx, id, delivery)) as DeliveryRow);
  });

export const resendDelivery = async (
  context: Context,
  { deliveryId, ...params }: OfWebhook & { deliveryId: string },
): Promise<WebhookDelivery> => {
  demandEyes(context, params.webhookId);
  return hurried(context, params, async (tx, { id }) => {
    await sendAgain(tx, id, isDelivery(deliveryId));
    const row = await selectDelivery(tx, id, deliveryId);
    if (row === undefined) throw notFound('Delivery', deliveryId);
    return deliveryVo(row);
  });
};

export const resendDeliveries = async (
  context: Context,
  params: OfWebhook,
  since: string,
): Promise<{ count: number }> => {
  demandEyes(context, params.webhookId);
  return hurried(context, params, async (tx, { id }) => ({
    count: await sendAgain(tx, id, isSince(new Date(since))),
  }));
};
