// Makes deliveries of the changes of a base, with the sight of the person that the webhook acts as.
import { createHash } from 'node:crypto';
import { ApiError } from '@rowhouse/contract/error.ts';
import { addToOutbox } from '../../catalog/outbox.ts';
import { isWholeTable } from '../../catalog/rights.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import { contextOf } from '../../pipeline/act-as.ts';
import { addJob } from '../../work/job.sql.ts';
import type { FeedRow } from '../feed/feed.sql.ts';
import { recordIdsOf } from '../feed/record-ids.ts';
import type { FollowerKind } from '../feed/follow.ts';
import { createPortions } from '../feed/portions.ts';
import { deleteFollower } from '../feed/follower.sql.ts';
import { loadSight } from '../feed/seen-changes.ts';
import { insertDeliveries, type NewDelivery } from './delivery.sql.ts';
import { deliverJob } from './deliver-job.ts';
import { type RenderedEvent, renderRecords, renderSchema } from './render-events.ts';
import { endWebhook, selectWebhook, type WebhookRow } from './webhook.sql.ts';

/** The same for the same event, so that nothing is told twice under two names. */
const deliveryId = (webhookId: string, { operationId }: FeedRow, { event, lane }: RenderedEvent): string =>
  `msg_${createHash('sha256').update(`${webhookId} ${operationId} ${event} ${lane}`).digest('base64url').slice(0, 32)}`;

async function* eventsOf(tx: Tx, context: Context, webhook: WebhookRow, row: FeedRow): AsyncGenerator<RenderedEvent> {
  const { baseId, tableIds } = webhook;
  if (row.kind === 'tables') {
    yield* renderSchema(webhook, row);
    return;
  }
  if (row.kind === 'dashboard') return;
  const rights = context.access.rights.of(row.tableId);
  if (rights === null || (tableIds !== null && !tableIds.includes(row.tableId))) return;
  if (row.kind === 'schema' || row.kind === 'view') {
    if (isWholeTable(rights)) yield* renderSchema(webhook, row);
    return;
  }
  const sight = await loadSight(tx, context, baseId, row.tableId);
  // The table is in the trash, or deleted for good.
  if (sight !== undefined) yield* renderRecords(tx, webhook, sight, row, await recordIdsOf(tx, baseId, row));
}

/** In the transaction that ends it. The owners of the space are notified. */
export const endAndTell = async (
  tx: Tx,
  webhook: Pick<WebhookRow, 'id' | 'spaceId'>,
  state: 'off' | 'paused' | 'stopped',
  reason: string,
): Promise<void> => {
  const ended = await endWebhook(tx, webhook.id, state, reason);
  if (state === 'off') await deleteFollower(tx, webhook.id);
  if (ended !== undefined)
    await addToOutbox(tx, {
      type: 'webhookEnded',
      spaceId: webhook.spaceId,
      baseId: ended.baseId,
      name: ended.name,
      state,
      reason,
    });
};

/** Undefined when the person may not any more: then the webhook stops, with the reason. */
export const contextFor = async (services: Services, tx: Tx, webhook: WebhookRow): Promise<Context | undefined> => {
  try {
    const place = { type: 'base', id: webhook.baseId } as const;
    return await contextOf(services, tx, webhook.actsAs, place, ['automation|update'], webhook.id);
  } catch (error) {
    if (!(error instanceof ApiError) || passesOf(error) !== 'no') throw error;
    // The base may come back.
    if (webhook.isTrashed) return undefined;
    const why =
      error.code === 'unauthorized'
        ? 'the account or token that it acts as is not valid any more'
        : `the person that it acts as may not read the base any more (${error.message})`;
    await endAndTell(tx, webhook, 'stopped', why);
    return undefined;
  }
};

export const webhookFollower: FollowerKind = {
  name: 'webhook',
  async take(services, tx, { id, position }, rows) {
    const webhook = await selectWebhook(tx, id);
    if (webhook === undefined) return undefined;
    // It keeps its place until somebody turns it on.
    if (webhook.state === 'stopped') return position;
    const context = await contextFor(services, tx, webhook);
    if (context === undefined) return position;
    const deliveries = createPortions((some: NewDelivery[]) => insertDeliveries(tx, id, some));
    let taken: number | undefined;
    for (const row of rows) {
      if (taken !== undefined && deliveries.isMuch()) break;
      for await (const event of eventsOf(tx, context, webhook, row))
        await deliveries.add({ ...event, id: deliveryId(id, row, event) }, event.body.length);
      taken = row.seq;
    }
    await deliveries.flush();
    if (deliveries.count() > 0) await addJob(tx, deliverJob(webhook));
    return taken === rows.at(-1)?.seq ? undefined : taken;
  },
  async paused(_services, tx, { id, spaceId }) {
    await endAndTell(
      tx,
      { id, spaceId },
      'paused',
      'it was too far behind the changes of the base: later ones are lost until it is turned on',
    );
  },
};
