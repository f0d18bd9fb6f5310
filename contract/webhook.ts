// Webhooks of a base: requests that tell another server of changes, in the form of the Standard Webhooks specification.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Filter } from './filter.ts';
import { text } from './text.ts';

const tag = 'webhook';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofBase = Type.Object({ baseId: id('base') });
const ofWebhook = Type.Object({ baseId: id('base'), webhookId: id('webhook') });
const ofDelivery = Type.Object({ baseId: id('base'), webhookId: id('webhook'), deliveryId: id('delivery') });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

/** What a webhook can tell, by name. */
export const webhookEvents = {
  'record.created': 'Records were created.',
  'record.updated': 'Cells of records changed.',
  'record.deleted': 'Records were put into the trash.',
  'record.restored': 'Records came back from the trash.',
  'view.entered': 'Records meet the filter of the view, and did not before.',
  'view.left': 'Records no longer meet the filter of the view.',
  'field.changed': 'Fields of a table were added, changed or deleted.',
  'view.changed': 'Views of a table were added, changed or deleted.',
  'table.changed': 'The list of tables changed, or one of their names.',
  'comment.changed': 'Comments on a record were written, changed or deleted.',
} as const;
export type WebhookEvent = keyof typeof webhookEvents;
const eventNames = Object.keys(webhookEvents) as WebhookEvent[];

export const webhookStates = ['on', 'off', 'paused', 'stopped'] as const;

const given = {
  name: text({ minLength: 1, maxLength: 100 }),
  url: Type.String({
    maxLength: 2_000,
    description: 'http or https, on the public Internet, unless the operator allows more.',
  }),
  events: Type.Array(Type.Enum(eventNames), { minItems: 1, maxItems: eventNames.length, uniqueItems: true }),
  tableIds: orNull(
    Type.Array(id('table'), { minItems: 1, maxItems: 1_000, description: 'Null: all tables of the base.' }),
  ),
  fieldIds: orNull(
    Type.Array(id('field'), {
      minItems: 1,
      maxItems: 1_000,
      description: '`record.updated` is told only when one of these fields changed. With one table alone. Null: all.',
    }),
  ),
  viewId: orNull(
    Type.String({ maxLength: 100, description: 'For `view.entered` and `view.left`; a view of the one table.' }),
  ),
  filter: orNull(
    Type.Object(
      { before: Type.Optional(Filter), after: Type.Optional(Filter) },
      {
        description:
          'Events of records are told only when the record met `before` before the change and meets `after` after it. A new record meets no `before`, a deleted one no `after`. With one table alone.',
      },
    ),
  ),
  withValues: Type.Boolean({ description: 'False: events name records and fields, but no cells.' }),
  fieldKeyType: Type.Enum(['id', 'name'], { description: 'What cells are named by.' }),
};

export const Webhook = Type.Object({
  id: Type.String({ description: 'Begins with `whk`.' }),
  ...given,
  state: Type.Enum([...webhookStates], {
    description:
      '`paused`: deliveries wait until it is turned on again. `stopped`: the person it acts for may not read the base any more; turn it on as somebody else.',
  }),
  reason: Type.Optional(Type.String({ description: 'Why it is not on.' })),
  publicKey: Type.String({ description: 'Verifies signatures of version `v1a` (ed25519).' }),
  actsAs: Type.String({ description: 'User id: events hold what this person sees.' }),
  waiting: Type.Integer({ description: 'Deliveries that have not arrived yet.' }),
  formerSecretUntil: Type.Optional(Type.String({ description: 'Until then both secrets sign.' })),
  createdBy: Type.String(),
  createdTime: Time,
  lastModifiedTime: Type.Optional(Time),
});
export type Webhook = Static<typeof Webhook>;

const Secret = Type.String({ description: 'Begins with `whsec_`. Shown this once.' });

const Attempt = Type.Object({
  attempt: Type.Integer(),
  time: Time,
  milliseconds: Type.Integer(),
  status: Type.Optional(Type.Integer({ description: 'Of the answer; absent when there was none.' })),
  error: Type.Optional(Type.String()),
  answer: Type.Optional(Type.String({ description: 'The beginning of the answer.' })),
});

export const deliveryStates = ['waiting', 'delivered'] as const;

const Delivery = Type.Object({
  id: Type.String({ description: 'The header `webhook-id`, the same for every attempt.' }),
  event: Type.String(),
  state: Type.Enum([...deliveryStates]),
  tableId: Type.Optional(Type.String()),
  recordId: Type.Optional(Type.String()),
  attempts: Type.Integer(),
  dueTime: Type.Optional(Type.String({ description: 'While it waits: when it is sent, at the earliest.' })),
  createdTime: Time,
  deliveredTime: Type.Optional(Time),
});
export type WebhookDelivery = Static<typeof Delivery>;

const WholeDelivery = Type.Object({
  ...Delivery.properties,
  body: Type.String({ description: 'What is sent, as text.' }),
  log: Type.Array(Attempt, { description: 'Attempts, oldest first.' }),
});
export type WholeDelivery = Static<typeof WholeDelivery>;

const create = { on: 'base', action: 'automation|create' } as const;
// Deliveries hold cells, and addresses may hold secrets: reading them is for those who may change them.
const change = { on: 'base', action: 'automation|update' } as const;

export const createWebhook = endpoint({
  name: 'createWebhook',
  method: 'POST',
  path: '/base/:baseId/webhook',
  summary: 'Create a webhook',
  description:
    'It tells what you see of the base, from now on. Requests have the form of the Standard Webhooks specification: `webhook-id`, `webhook-timestamp`, `webhook-signature`. Any 2xx within 20 seconds counts as delivered.',
  tag,
  access: create,
  params: ofBase,
  body: Type.Object({
    name: given.name,
    url: given.url,
    events: given.events,
    tableIds: Type.Optional(given.tableIds),
    fieldIds: Type.Optional(given.fieldIds),
    viewId: Type.Optional(given.viewId),
    filter: Type.Optional(given.filter),
    withValues: Type.Optional(given.withValues),
    fieldKeyType: Type.Optional(given.fieldKeyType),
  }),
  isStep: false,
  status: 201,
  response: Type.Object({ ...Webhook.properties, secret: Secret }),
});

export const listWebhooks = endpoint({
  name: 'listWebhooks',
  method: 'GET',
  path: '/base/:baseId/webhook',
  summary: 'List the webhooks of a base',
  tag,
  access: change,
  params: ofBase,
  status: 200,
  response: Type.Array(Webhook),
});

export const getWebhook = endpoint({
  name: 'getWebhook',
  method: 'GET',
  path: '/base/:baseId/webhook/:webhookId',
  summary: 'Get a webhook',
  tag,
  access: change,
  params: ofWebhook,
  status: 200,
  response: Webhook,
});

export const updateWebhook = endpoint({
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/base/:baseId/webhook/:webhookId',
  summary: 'Change a webhook, or turn it on or off',
  description:
    'From now on it acts as you. `isOn: true` also sends what waits, from the beginning of its attempts. What happens while it is off is not told later; what happens while it is paused is. A token also needs `record|read` and `user|email_read`: what waits is sent as well.',
  tag,
  access: change,
  params: ofWebhook,
  body: Type.Partial(Type.Object({ ...given, isOn: Type.Boolean() })),
  isStep: false,
  status: 200,
  response: Webhook,
});

export const deleteWebhook = endpoint({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/base/:baseId/webhook/:webhookId',
  summary: 'Delete a webhook with its deliveries',
  tag,
  access: { on: 'base', action: 'automation|delete' },
  params: ofWebhook,
  isStep: false,
  status: 200,
});

export const rotateWebhookSecret = endpoint({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/base/:baseId/webhook/:webhookId/secret',
  summary: 'Make a new secret',
  description: 'For 24 hours requests are signed with both, so that the receiver can be changed meanwhile.',
  tag,
  access: change,
  params: ofWebhook,
  isStep: false,
  status: 201,
  response: Type.Object({ secret: Secret, formerSecretUntil: Time }),
});

export const testWebhook = endpoint({
  name: 'testWebhook',
  method: 'POST',
  path: '/base/:baseId/webhook/:webhookId/test',
  summary: 'Send a test',
  description: 'An event `webhook.test`, delivered as every other one.',
  tag,
  access: change,
  params: ofWebhook,
  isStep: false,
  status: 201,
  response: Delivery,
});

export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/base/:baseId/webhook/:webhookId/delivery',
  summary: 'List deliveries, latest first',
  description: 'Of the last 30 days.',
  tag,
  access: change,
  params: ofWebhook,
  query: Type.Object({
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 when absent.' })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the page before.' })),
    state: Type.Optional(Type.Enum([...deliveryStates])),
    search: Type.Optional(
      text({ maxLength: 100, description: 'Id of a delivery or record, or the name of an event.' }),
    ),
  }),
  status: 200,
  response: Type.Object({ deliveries: Type.Array(Delivery), nextCursor: Type.Optional(Type.String()) }),
});

export const getWebhookDelivery = endpoint({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: '/base/:baseId/webhook/:webhookId/delivery/:deliveryId',
  summary: 'Get a delivery with its request and attempts',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofDelivery,
  status: 200,
  response: WholeDelivery,
});

export const resendWebhookDelivery = endpoint({
  name: 'resendWebhookDelivery',
  method: 'POST',
  path: '/base/:baseId/webhook/:webhookId/delivery/:deliveryId/send',
  summary: 'Send a delivery again',
  description:
    'With the same `webhook-id`: a receiver that has it drops it. A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofDelivery,
  isStep: false,
  status: 201,
  response: Delivery,
});

export const resendWebhookDeliveries = endpoint({
  name: 'resendWebhookDeliveries',
  method: 'POST',
  path: '/base/:baseId/webhook/:webhookId/send',
  summary: 'Send all deliveries since a moment again',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofWebhook,
  body: Type.Object({ since: Type.String({ format: 'date-time', description: 'ISO 8601' }) }),
  isStep: false,
  status: 201,
  response: Type.Object({ count: Type.Integer() }),
});
