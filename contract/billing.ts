// Subscriptions and billing of spaces. How statuses follow from each other: docs/guide/plans.md.
import { type Static, Type } from 'typebox';
import { spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { interval, level, planLimit } from './plan.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

const time = Type.String({ description: 'ISO 8601, in UTC.' });

/** Those that a subscription is stored with; `seat_limit_exceeded` is worked out when it is shown. */
export const storedStatuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
] as const;

export const subscriptionStatus = Type.Enum([...storedStatuses, 'seat_limit_exceeded'], {
  description: 'What it means for the space: docs/guide/plans.md.',
});

const baseItem = Type.Object({
  id: Type.String(),
  type: Type.Literal('base'),
  catalog: Type.Literal('cloud'),
  level,
  limit: planLimit,
  creditSubscribeEnable: Type.Boolean(),
  status: subscriptionStatus,
  quantity: Type.Integer({ description: 'Seats.' }),
  priceId: Type.String(),
  unitAmount: Type.Integer({ description: 'Per seat and period, in the smallest unit of the currency.' }),
  interval,
  currentPeriodStart: time,
  currentPeriodEnd: time,
  isTrialUsed: Type.Boolean({ description: 'A space can try a paid plan once.' }),
  trialEnd: Type.Optional(time),
  cancelAt: Type.Optional(time),
});

const creditItem = Type.Object({
  id: Type.String(),
  type: Type.Literal('credit'),
  catalog: Type.Literal('cloud'),
  unitAmount: Type.Integer(),
  quantity: Type.Integer(),
  interval,
});

const subscription = Type.Object({ base: baseItem, credit: creditItem });
export type SubscriptionView = Static<typeof subscription>;

const detail = Type.Object({
  name: Type.String({ description: 'Whom bills go to; an owner of the space until somebody is named.' }),
  email: shownEmail,
});

const usage = {
  numRows: Type.Integer({ description: 'Records that are not in the trash, in all bases of the space.' }),
  attachmentSize: Type.Integer({ description: 'Bytes.' }),
  numDatabaseConnections: Type.Integer(),
  numCollaborators: Type.Integer({ description: 'Distinct people with a role on the space or on a base of it.' }),
};

const billing = Type.Object({
  spaceId: Type.String(),
  plan: Type.Object({
    level,
    interval,
    quantity: Type.Integer(),
    unitAmount: Type.Integer(),
    usage: Type.Object({
      ...usage,
      diskSize: Type.Integer({
        description:
          'Bytes on disk of all bases with their history and what is in the trash, counted every five minutes.',
      }),
    }),
    maxDiskSize: Type.Optional(
      Type.Integer({ description: 'Bytes on disk that the plan allows; left out when it does not limit them.' }),
    ),
    limit: planLimit,
    currentPeriodStart: time,
    currentPeriodEnd: time,
    cancelAt: Type.Optional(time),
    status: subscriptionStatus,
  }),
  credit: Type.Object({ amount: Type.Integer({ description: 'Granted so far.' }), usedAmount: Type.Integer() }),
  detail,
});
export type BillingView = Static<typeof billing>;

const usageHistory = Type.Object({
  days: Type.Array(Type.Object({ day: Type.String({ description: '`2030-12-31`, in UTC.' }), ...usage }), {
    description:
      'Oldest first: what was used at the end of each day, and today as it is now. Days before the first sample are left out.',
  }),
});
export type UsageHistory = Static<typeof usageHistory>;

const summary = Type.Object({ spaceId: Type.String(), status: subscriptionStatus, level });

const onSpace = { on: 'space', action: 'space|read' } as const;

export const getSubscription = endpoint({
  name: 'getSubscription',
  method: 'GET',
  path: '/space/:spaceId/billing/subscription',
  summary: 'Get the subscription of a space',
  tag: 'billing',
  access: onSpace,
  params: spaceParams,
  status: 200,
  response: subscription,
});

export const getSubscriptionSummary = endpoint({
  name: 'getSubscriptionSummary',
  method: 'GET',
  path: '/space/:spaceId/billing/subscription/summary',
  summary: 'Get status and level of the subscription of a space',
  tag: 'billing',
  access: onSpace,
  params: spaceParams,
  status: 200,
  response: summary,
});

export const listSubscriptionSummaries = endpoint({
  name: 'listSubscriptionSummaries',
  method: 'GET',
  path: '/billing/subscription/summary',
  summary: 'List status and level of the subscriptions of your spaces',
  tag: 'billing',
  access: { on: 'user', scope: 'space|read' },
  status: 200,
  response: Type.Array(summary),
});

export const getBilling = endpoint({
  name: 'getBilling',
  method: 'GET',
  path: '/space/:spaceId/billing',
  summary: 'Get plan, exact usage, credit and billing contact of a space',
  description: 'For owners of the space.',
  tag: 'billing',
  access: onSpace,
  params: spaceParams,
  status: 200,
  response: billing,
});

export const getUsageHistory = endpoint({
  name: 'getUsageHistory',
  method: 'GET',
  path: '/space/:spaceId/usage/history',
  summary: 'Get what a space used, day by day',
  description: 'For owners of the space.',
  tag: 'billing',
  access: onSpace,
  params: spaceParams,
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, description: 'How many days, today among them; 30 when left out.' }),
    ),
  }),
  status: 200,
  response: usageHistory,
});

export const getCreditSummary = endpoint({
  name: 'getCreditSummary',
  method: 'GET',
  path: '/space/:spaceId/billing/credit-summary',
  summary: 'Get the credit of a space',
  tag: 'billing',
  access: onSpace,
  params: spaceParams,
  status: 200,
  response: Type.Object({ amount: Type.Integer(), usedAmount: Type.Integer(), leftAmount: Type.Integer() }),
});

export const updateBillingDetail = endpoint({
  name: 'updateBillingDetail',
  method: 'PATCH',
  path: '/space/:spaceId/billing/detail',
  summary: 'Change the billing contact of a space',
  tag: 'billing',
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  body: Type.Object({
    name: Type.Optional(text({ minLength: 1, maxLength: 255 })),
    email: Type.Optional(text({ minLength: 3, maxLength: 254, format: 'email' })),
  }),
  status: 200,
  response: detail,
});

const address = (description: string) => text({ minLength: 1, maxLength: 2_000, description });

export const createCheckout = endpoint({
  name: 'createCheckout',
  method: 'POST',
  path: '/space/:spaceId/billing/subscription/checkout',
  summary: 'Begin to subscribe: answers the page to pay at',
  description: 'For owners of the space, where the operator has set up Stripe; 422 elsewhere.',
  tag: 'billing',
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  body: Type.Object({
    priceId: text({ maxLength: 64, description: 'One of the prices of GET /billing/base-products.' }),
    quantity: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Seats; at least as many as are taken.' }),
    successUrl: address('Where the browser goes after the payment.'),
    cancelUrl: address('Where the browser goes when nothing was paid.'),
    isTrial: Type.Optional(Type.Boolean({ description: 'Begin with the trial of the plan; once per space.' })),
  }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
});

export const createPortal = endpoint({
  name: 'createPortal',
  method: 'POST',
  path: '/space/:spaceId/billing/portal',
  summary: 'Answers the page where ways to pay and bills are looked after',
  tag: 'billing',
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  body: Type.Object({ returnUrl: address('Where the browser goes afterwards.') }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
});

export const cancelSubscription = endpoint({
  name: 'cancelSubscription',
  method: 'DELETE',
  path: '/space/:spaceId/billing/subscription',
  summary: 'Cancel at the end of the current period',
  description: 'The space keeps its plan until then, and has the free one afterwards.',
  tag: 'billing',
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  status: 200,
  response: subscription,
});

export const receiveStripeEvent = endpoint({
  name: 'receiveStripeEvent',
  method: 'POST',
  path: '/billing/stripe/webhook',
  summary: 'For Stripe: something has happened there',
  description: 'Signed in the header `stripe-signature`.',
  tag: 'billing',
  access: { on: 'public' },
  body: Type.String(),
  rawBody: true,
  status: 200,
  response: Type.Object({ received: Type.Literal(true) }),
});

const planChange = Type.Object({
  level: Type.Optional(
    text({
      maxLength: 32,
      description: 'A level on offer. Begins a new subscription when it is another than the present one.',
    }),
  ),
  interval: Type.Optional(interval),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Seats.' })),
  status: Type.Optional(
    Type.Enum(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', 'incomplete_expired'], {
      description: '`trialing` works once per space. `seat_limit_exceeded` follows from `quantity` and cannot be set.',
    }),
  ),
  currentPeriodStart: Type.Optional(Type.String({ format: 'date-time' })),
  currentPeriodEnd: Type.Optional(Type.String({ format: 'date-time' })),
  trialEnd: Type.Optional(Type.String({ format: 'date-time' })),
  cancelAt: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null: it is not cancelled any more.',
    }),
  ),
});
export type PlanChange = Static<typeof planChange>;

export const setSpacePlan = endpoint({
  name: 'setSpacePlan',
  method: 'PATCH',
  path: '/admin/space/:spaceId/plan',
  summary: 'Set the plan of any space',
  tag: 'billing',
  access: { on: 'admin' },
  params: spaceParams,
  body: planChange,
  status: 200,
  response: subscription,
});

export const changeSpaceCredit = endpoint({
  name: 'changeSpaceCredit',
  method: 'POST',
  path: '/admin/space/:spaceId/credit',
  summary: 'Grant credit to any space, or use some of it',
  tag: 'billing',
  access: { on: 'admin' },
  params: spaceParams,
  body: Type.Object({
    kind: Type.Enum(['grant', 'use']),
    amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    reason: text({ minLength: 1, maxLength: 255 }),
    reference: Type.Optional(
      text({ minLength: 1, maxLength: 255, description: 'An entry with the same reference is made only once.' }),
    ),
  }),
  status: 201,
  response: Type.Object({ amount: Type.Integer(), usedAmount: Type.Integer(), leftAmount: Type.Integer() }),
});
