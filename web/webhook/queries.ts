import { getWebhook, getWebhookDelivery, listWebhooks } from '@rowhouse/contract/webhook.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const webhooksQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['webhooks', baseId],
    queryFn: ({ signal }) => call(listWebhooks, { params: { baseId }, signal }),
  });

export const webhookQuery = (baseId: string, webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', baseId, webhookId],
    queryFn: ({ signal }) => call(getWebhook, { params: { baseId, webhookId }, signal }),
  });

export const deliveriesKey = (webhookId: string) => ['webhook-deliveries', webhookId] as const;

export const deliveryQuery = (baseId: string, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(webhookId), 'one', deliveryId],
    queryFn: ({ signal }) => call(getWebhookDelivery, { params: { baseId, webhookId, deliveryId }, signal }),
  });
