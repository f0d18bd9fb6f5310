import * as contract from '@rowhouse/contract/webhook.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { deleteWebhook, rotateSecret, updateWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { getDelivery, getWebhook, listDeliveries, listWebhooks } from './read-webhooks.ts';
import { resendDeliveries, resendDelivery, testWebhook } from './send-again.ts';

export const webhookRoutes: Route[] = [
  route(contract.listWebhooks, (context, { params }) => listWebhooks(context, params.baseId)),
  route(contract.createWebhook, (context, { params, body }) => createWebhook(context, params.baseId, body)),
  route(contract.getWebhook, (context, { params }) => getWebhook(context, params)),
  route(contract.updateWebhook, (context, { params, body }) => updateWebhook(context, params, body)),
  route(contract.deleteWebhook, (context, { params }) => deleteWebhook(context, params)),
  route(contract.rotateWebhookSecret, (context, { params }) => rotateSecret(context, params)),
  route(contract.testWebhook, (context, { params }) => testWebhook(context, params)),
  route(contract.listWebhookDeliveries, (context, { params, query }) => listDeliveries(context, params, query)),
  route(contract.getWebhookDelivery, (context, { params }) => getDelivery(context, params)),
  route(contract.resendWebhookDelivery, (context, { params }) => resendDelivery(context, params)),
  route(contract.resendWebhookDeliveries, (context, { params, body }) => resendDeliveries(context, params, body.since)),
];
