import type { Webhook, WebhookDelivery, WholeDelivery } from '@rowhouse/contract/webhook.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { AttemptRow, DeliveryRow } from './delivery.sql.ts';
import type { WebhookRow } from './webhook.sql.ts';

const filterOf = ({ beforeFilter, afterFilter }: WebhookRow): Webhook['filter'] =>
  beforeFilter === null && afterFilter === null
    ? null
    : {
        ...(beforeFilter === null ? {} : { before: beforeFilter as FilterGroup }),
        ...(afterFilter === null ? {} : { after: afterFilter as FilterGroup }),
      };

export const webhookVo = (row: WebhookRow, waiting: number): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events,
  tableIds: row.tableIds,
  fieldIds: row.fieldIds,
  viewId: row.viewId,
  filter: filterOf(row),
  withValues: row.withValues,
  fieldKeyType: row.fieldKeyType,
  state: row.state,
  ...(row.reason === null ? {} : { reason: row.reason }),
  publicKey: row.publicKey,
  actsAs: row.actsAs.userId,
  waiting,
  ...(row.formerUntil === null ? {} : { formerSecretUntil: row.formerUntil }),
  createdBy: row.createdBy,
  createdTime: row.createdTime,
  ...(row.lastModifiedTime === null ? {} : { lastModifiedTime: row.lastModifiedTime }),
});

export const deliveryVo = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event: row.event,
  state: row.state,
  ...(row.tableId === null ? {} : { tableId: row.tableId }),
  ...(row.recordId === null ? {} : { recordId: row.recordId }),
  attempts: row.attempts,
  ...(row.dueTime === null ? {} : { dueTime: row.dueTime }),
  createdTime: row.createdTime,
  ...(row.deliveredTime === null ? {} : { deliveredTime: row.deliveredTime }),
});

export const wholeDeliveryVo = (row: DeliveryRow & { body: string; log: AttemptRow[] }): WholeDelivery => ({
  ...deliveryVo(row),
  body: row.body,
  log: row.log.map(({ attempt, time, milliseconds, status, error, answer }) => ({
    attempt,
    time,
    milliseconds,
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
    ...(answer === null ? {} : { answer }),
  })),
});
