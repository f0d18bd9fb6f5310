// Payments through Stripe, offline: the SDK talks to a server that stands in for Stripe, and events are signed by the SDK.
import {
  cancelSubscription,
  createCheckout,
  createPortal,
  getSubscription,
  setSpacePlan,
} from '@rowhouse/contract/billing.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { person } from '../support/people.ts';
import { type FakeStripe, type FakeSubscription, startFakeStripe, webhookSecret } from '../support/stripe.ts';
import { ownSpace, type OwnSpace } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { createDatabase, openWorld, type World } from '../support/world.ts';

let stripe: FakeStripe;
let world: World;
let drop: () => Promise<void>;
let time = Date.parse('2031-03-10T00:00:00.000Z');
const seconds = (): number => Math.floor(time / 1_000);
const day = 86_400;

beforeAll(async () => {
  stripe = await startFakeStripe();
  const database = await createDatabase();
  drop = database.drop;
  world = await openWorld(
    database.url,
    { stripeSecretKey: 'sk_test_1', stripeWebhookSecret: webhookSecret, stripeUrl: stripe.url },
    { now: () => new Date(time) },
  );
});
afterAll(async () => {
  await world.close();
  await drop();
  await stripe.close();
});

const deliver = async ({ body, headers }: { body: string; headers: Record<string, string> }): Promise<number> =>
  (await fetch(`${world.baseUrl}/billing/stripe/webhook`, { method: 'POST', headers, body })).status;

let count = 0;
const subscribe = ({ spaceId }: OwnSpace, parts: Partial<FakeSubscription> = {}): FakeSubscription => {
  count += 1;
  const made: FakeSubscription = {
    id: `sub_${count}`,
    status: 'active',
    spaceId,
    priceId: 'price_pro_month',
    quantity: 3,
    created: seconds(),
    periodStart: seconds(),
    periodEnd: seconds() + 31 * day,
    trialEnd: null,
    cancelAtPeriodEnd: false,
    ...parts,
  };
  stripe.subscriptions.set(made.id, made);
  return made;
};

const baseOf = async ({ call, spaceId }: OwnSpace) => (await call(getSubscription, { params: { spaceId } })).body.base;
const body = {
  priceId: 'price_pro_month',
  quantity: 2,
  successUrl: 'https://app.example/ok',
  cancelUrl: 'https://app.example/no',
};

test('a checkout answers the page to pay at, with price, seats and space told to Stripe', async () => {
  const it = await ownSpace(world);
  stripe.requests.length = 0;
  const made = await it.call(createCheckout, { params: it, body: { ...body, isTrial: true } });
  expect(made.body).toEqual({ url: 'https://checkout.example/cs_1' });
  const [customer, session] = stripe.requests;
  expect(customer).toMatchObject({
    path: 'POST /v1/customers',
    body: { email: it.owner.email, 'metadata[spaceId]': it.spaceId },
  });
  expect(session?.body).toMatchObject({
    mode: 'subscription',
    customer: 'cus_1',
    success_url: body.successUrl,
    'line_items[0][quantity]': '2',
    'line_items[0][price_data][unit_amount]': '2400',
    'line_items[0][price_data][recurring][interval]': 'month',
    'subscription_data[metadata][spaceId]': it.spaceId,
    'subscription_data[metadata][priceId]': 'price_pro_month',
    'subscription_data[trial_period_days]': '14',
  });
  expect((await it.call(createPortal, { params: it, body: { returnUrl: 'https://app.example' } })).body.url).toBe(
    'https://portal.example/bps_1',
  );
  expect(stripe.requests.filter(({ path }) => path === 'POST /v1/customers')).toHaveLength(1);
});

test('a checkout is refused when it makes no sense', async () => {
  const it = await ownSpace(world);
  const status = async (change: object): Promise<number> =>
    (await it.call(createCheckout, { params: it, body: { ...body, ...change } })).status;
  expect(await status({ priceId: 'price_of_nothing' })).toBe(400);
  expect(await status({ priceId: 'price_free_month' })).toBe(400);
  expect(await status({ successUrl: 'javascript:alert(1)' })).toBe(400);
  await member(world, it.owner, it.spaceId, 'editor');
  expect(await status({ quantity: 1 })).toBe(400);
  expect((await it.call(createPortal, { params: it, body: { returnUrl: 'https://app.example' } })).status).toBe(409);
  const creator = await member(world, it.owner, it.spaceId, 'creator');
  expect((await creator.call(createCheckout, { params: it, body })).status).toBe(403);
  const stranger = await person(world);
  expect((await stranger.call(createCheckout, { params: it, body })).status).toBe(404);
});

test('an event brings the subscription of Stripe to the space', async () => {
  const it = await ownSpace(world);
  const { id } = subscribe(it);
  expect(await deliver(stripe.about('checkout.session.completed', id))).toBe(200);
  expect(await baseOf(it)).toMatchObject({
    level: 'pro',
    status: 'active',
    quantity: 3,
    priceId: 'price_pro_month',
    unitAmount: 2_400,
    interval: 'month',
    currentPeriodEnd: new Date((seconds() + 31 * day) * 1_000).toISOString(),
  });
  expect((await it.call(createCheckout, { params: it, body })).status).toBe(409);
  const admin = await person(world, { admin: true });
  expect((await admin.call(setSpacePlan, { params: it, body: { level: 'plus' } })).status).toBe(409);
});

test('what is not signed with the secret is refused and changes nothing', async () => {
  const it = await ownSpace(world);
  const { id } = subscribe(it);
  const event = stripe.about('customer.subscription.created', id);
  expect(await deliver({ ...event, headers: { 'content-type': 'application/json' } })).toBe(400);
  expect(await deliver({ ...event, body: event.body.replace('active', 'paused') })).toBe(400);
  expect(
    await deliver({ body: '{}', headers: { 'stripe-signature': 't=1,v1=00', 'content-type': 'application/json' } }),
  ).toBe(400);
  expect((await baseOf(it)).level).toBe('free');
});

test('events about what is no business of ours are taken and ignored', async () => {
  expect(await deliver(stripe.event('customer.created', { object: 'customer', id: 'cus_9' }))).toBe(200);
  const other = subscribe({ spaceId: 'spc0000000000000000' } as OwnSpace);
  expect(await deliver(stripe.about('customer.subscription.created', other.id))).toBe(200);
  expect(await deliver(stripe.event('invoice.paid', { object: 'invoice', id: 'in_2', parent: null }))).toBe(200);
});

test('statuses of Stripe are those of the space', async () => {
  const it = await ownSpace(world);
  const subscription = subscribe(it, { status: 'incomplete' });
  const say = async (status: string, type = 'customer.subscription.updated'): Promise<string> => {
    subscription.status = status;
    expect(await deliver(stripe.about(type, subscription.id))).toBe(200);
    return (await baseOf(it)).status;
  };
  expect(await say('incomplete')).toBe('incomplete');
  expect(await say('active', 'invoice.paid')).toBe('active');
  expect(await say('past_due', 'invoice.payment_failed')).toBe('past_due');
  expect(await say('unpaid')).toBe('unpaid');
  expect(await say('active', 'invoice.paid')).toBe('active');
  expect(await say('paused', 'customer.subscription.paused')).toBe('paused');
  expect(await say('active', 'customer.subscription.resumed')).toBe('active');
  expect(await say('canceled', 'customer.subscription.deleted')).toBe('canceled');
  time += 32 * day * 1_000;
  expect(await baseOf(it)).toMatchObject({ level: 'free', status: 'active' });
  expect(await say('canceled', 'customer.subscription.deleted')).toBe('active');
});

test('the trial of Stripe uses up the trial of the space', async () => {
  const it = await ownSpace(world);
  const subscription = subscribe(it, { status: 'trialing', trialEnd: seconds() + 14 * day });
  await deliver(stripe.about('customer.subscription.created', subscription.id));
  expect(await baseOf(it)).toMatchObject({ status: 'trialing', isTrialUsed: true });
  subscription.status = 'canceled';
  subscription.periodEnd = seconds();
  await deliver(stripe.about('customer.subscription.deleted', subscription.id));
  expect(await baseOf(it)).toMatchObject({ status: 'active', level: 'free', isTrialUsed: true });
  expect((await it.call(createCheckout, { params: it, body: { ...body, isTrial: true } })).status).toBe(409);
});

test('to cancel is told to Stripe, and happens at the end of the period', async () => {
  const it = await ownSpace(world);
  const { id } = subscribe(it);
  await deliver(stripe.about('customer.subscription.created', id));
  const cancelled = await it.call(cancelSubscription, { params: it });
  expect(cancelled.body.base).toMatchObject({
    level: 'pro',
    status: 'active',
    cancelAt: cancelled.body.base.currentPeriodEnd,
  });
  expect(stripe.subscriptions.get(id)?.cancelAtPeriodEnd).toBe(true);
  time += 32 * day * 1_000;
  expect(await baseOf(it)).toMatchObject({ level: 'free', status: 'active' });
});

const permutations = <T>(items: T[]): T[][] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, at) =>
        permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
      );

test('four events end in the same state in whatever order, twice, and all at once', async () => {
  const steps = [
    { type: 'customer.subscription.created', status: 'incomplete' },
    { type: 'invoice.paid', status: 'active' },
    { type: 'invoice.payment_failed', status: 'past_due' },
    { type: 'customer.subscription.deleted', status: 'canceled' },
  ];
  const final = async (it: OwnSpace): Promise<object> => {
    const { id: _id, ...rest } = await baseOf(it);
    return rest;
  };
  const inOrder = await ownSpace(world);
  const subscription = subscribe(inOrder);
  for (const { type, status } of steps) {
    subscription.status = status;
    await deliver(stripe.about(type, subscription.id));
  }
  const expected = await final(inOrder);
  expect(expected).toMatchObject({ status: 'canceled', level: 'pro' });

  const backwards = steps.toReversed();
  const orders = cases(permutations(steps), [backwards, [...steps.slice(2), ...steps.slice(0, 2)]]);
  for (const order of orders) {
    const it = await ownSpace(world);
    const late = subscribe(it, { status: 'canceled' });
    for (const { type } of order) expect(await deliver(stripe.about(type, late.id))).toBe(200);
    expect(await final(it)).toEqual(expected);
  }
  // Each while the next has happened at Stripe already, but is not told yet.
  for (const order of orders) {
    const it = await ownSpace(world);
    const meanwhile = subscribe(it);
    for (const [at, { type }] of order.entries()) {
      meanwhile.status = steps[at]?.status as string;
      expect(await deliver(stripe.about(type, meanwhile.id))).toBe(200);
      expect((await baseOf(it)).status).toBe(meanwhile.status);
    }
    expect(await final(it)).toEqual(expected);
  }
  const twice = await ownSpace(world);
  const again = subscribe(twice, { status: 'canceled' });
  await Promise.all([...steps, ...steps].map(({ type }) => deliver(stripe.about(type, again.id))));
  expect(await final(twice)).toEqual(expected);
});

test('a late word about an older subscription does not touch the newer one', async () => {
  const it = await ownSpace(world);
  const old = subscribe(it);
  await deliver(stripe.about('customer.subscription.created', old.id));
  old.status = 'canceled';
  const fresh = subscribe(it, { created: seconds() + 60, quantity: 9 });
  await deliver(stripe.about('customer.subscription.created', fresh.id));
  await deliver(stripe.about('customer.subscription.deleted', old.id));
  expect(await baseOf(it)).toMatchObject({ status: 'active', quantity: 9 });
});

test('when Stripe cannot be reached the event is refused, so that it comes again', async () => {
  const it = await ownSpace(world);
  const { id } = subscribe(it);
  const event = stripe.about('customer.subscription.created', id);
  const away = await openWorld(world.databaseUrl, {
    stripeSecretKey: 'sk_test_1',
    stripeWebhookSecret: webhookSecret,
    stripeUrl: 'http://127.0.0.1:9',
  });
  expect((await fetch(`${away.baseUrl}/billing/stripe/webhook`, { method: 'POST', ...event })).status).toBe(503);
  await away.close();
  expect(await deliver(event)).toBe(200);
  expect((await baseOf(it)).level).toBe('pro');
});

test('what is paid for has to be a price of the catalogue, with a number of seats: else nothing is given', async () => {
  const foreign: Partial<FakeSubscription>[] = [
    { price: { unit_amount: 1 } },
    { price: { unit_amount: null } },
    { price: { currency: 'idr' } },
    { price: { recurring: { interval: 'year', interval_count: 1 } } },
    { price: { recurring: { interval: 'month', interval_count: 12 } } },
    { price: { recurring: null } },
    { quantity: 0 },
    { quantity: null },
    {
      further: [
        {
          object: 'subscription_item',
          quantity: 1,
          current_period_start: seconds(),
          current_period_end: seconds() + day,
          price: { id: 'price_gift', unit_amount: -2_400, currency: 'usd' },
        },
      ],
    },
    { priceId: 'price_free_month', price: { unit_amount: 0 } },
    { priceId: 'price_of_nothing' },
  ];
  for (const parts of foreign) {
    const it = await ownSpace(world);
    const { id } = subscribe(it, parts);
    expect([parts, await deliver(stripe.about('customer.subscription.created', id))]).toEqual([parts, 200]);
    expect([parts, (await baseOf(it)).level]).toEqual([parts, 'free']);
    // Nor does the space get its customer, whose cards the portal would show.
    if (parts.priceId === undefined)
      expect((await it.call(createPortal, { params: it, body: { returnUrl: 'https://app.example' } })).status).toBe(
        409,
      );
  }
});

test('a subscription that comes to pay for something else loses its plan, one whose price the catalogue has raised keeps it', async () => {
  const it = await ownSpace(world);
  const subscription = subscribe(it);
  await deliver(stripe.about('customer.subscription.created', subscription.id));
  expect((await baseOf(it)).level).toBe('pro');
  subscription.price = { unit_amount: 100 };
  await deliver(stripe.about('customer.subscription.updated', subscription.id));
  expect((await baseOf(it)).level).toBe('free');

  const old = await ownSpace(world);
  const early = subscribe(old);
  await deliver(stripe.about('customer.subscription.created', early.id));
  const price = world.services.plans.price('price_pro_month')?.price as { unitAmount: number };
  price.unitAmount = 3_000;
  early.quantity = 4;
  await deliver(stripe.about('customer.subscription.updated', early.id));
  expect(await baseOf(old)).toMatchObject({ level: 'pro', unitAmount: 2_400, quantity: 4 });
  price.unitAmount = 2_400;
});

test('signed text that is no event is 400', async () => {
  const bodies = [
    'null',
    '[]',
    '1',
    '"event"',
    '{}',
    '{"data":null}',
    '{"data":{"object":null}}',
    '{"data":{"object":7}}',
    'no JSON',
    '{"data":{"object":{"object":"subscription","id":{}}}}',
    '{"data":{"object":{"object":"subscription","id":"../customers"}}}',
    '{"data":{"object":{"object":"invoice","parent":{"subscription_details":{"subscription":{"id":7}}}}}}',
  ];
  for (const text of bodies) expect([text, await deliver(stripe.signed(text))]).toEqual([text, 400]);
});
