// Plans: what they allow, where they come from, and how their file is checked.
import {
  getBilling,
  getSubscription,
  getSubscriptionSummary,
  listSubscriptionSummaries,
} from '@rowhouse/contract/billing.ts';
import { getBaseUsage, getInstanceUsage, getSpaceUsage, listBaseProducts } from '@rowhouse/contract/plan.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import * as teable from '@teable/openapi';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlans, readPlans } from '../../server/catalog/plans.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { historyDays } from '../../server/domain/plan/history-days.ts';
import { person } from '../support/people.ts';
import { plansFile } from '../support/plans.ts';
import { ground, ownSpace, tableWith } from '../support/table.ts';
import { member, newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });
const unknown = 'spc0000000000000000';

test('a new space has the free plan: active, by the month, in a current period', async () => {
  const { call, spaceId, baseId, owner } = await ground(world());
  const { base, credit } = (await call(getSubscription, { params: { spaceId } })).body;
  expect(base).toMatchObject({
    type: 'base',
    catalog: 'cloud',
    level: 'free',
    status: 'active',
    interval: 'month',
    quantity: 1,
    unitAmount: 0,
    priceId: 'price_free_month',
    isTrialUsed: false,
    creditSubscribeEnable: false,
  });
  expect(base.limit).toMatchObject({
    maxRows: 100_000,
    maxSizeAttachments: 5_000_000_000,
    maxRevisionHistoryDays: 90,
    apiRateLimit: 1_000,
  });
  expect(credit).toMatchObject({ type: 'credit', catalog: 'cloud', unitAmount: 0, quantity: 0, interval: 'month' });
  const [start, now, end] = [Date.parse(base.currentPeriodStart), Date.now(), Date.parse(base.currentPeriodEnd)];
  expect(start).toBeLessThanOrEqual(now);
  expect(end).toBeGreaterThan(now);
  expect((await call(getBaseUsage, { params: { baseId } })).body).toEqual({ level: 'free', limit: base.limit });
  expect((await call(getSpaceUsage, { params: { spaceId } })).body).toEqual({ level: 'free', limit: base.limit });
  expect((await call(getSubscriptionSummary, { params: { spaceId } })).body).toEqual({
    spaceId,
    status: 'active',
    level: 'free',
  });
  expect((await call(listSubscriptionSummaries)).body).toEqual([{ spaceId, status: 'active', level: 'free' }]);
  expect((await call(getBilling, { params: { spaceId } })).body).toMatchObject({
    spaceId,
    plan: {
      level: 'free',
      interval: 'month',
      quantity: 1,
      unitAmount: 0,
      status: 'active',
      usage: { numRows: 0, attachmentSize: 0, numDatabaseConnections: 0, numCollaborators: 1 },
    },
    credit: { amount: 0, usedAmount: 0 },
    detail: { name: owner.name, email: owner.email },
  });
  expect(await historyDays(world().db, world().services, spaceId)).toBe(90);
});

test('the period of the free plan rolls on by itself', async () => {
  const { owner, spaceId } = await ownSpace(world());
  const started = Date.parse((await owner.call(getSubscription, { params: { spaceId } })).body.base.currentPeriodStart);
  const later = await openWorld(
    world().databaseUrl,
    { plansFile: 'default' },
    { now: () => new Date(started + 400 * 86_400_000) },
  );
  const { base }: any = await (
    await fetch(`${later.baseUrl}/space/${spaceId}/billing/subscription`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
  ).json();
  expect(Date.parse(base.currentPeriodStart)).toBeLessThanOrEqual(started + 400 * 86_400_000);
  expect(Date.parse(base.currentPeriodEnd)).toBeGreaterThan(started + 400 * 86_400_000);
  expect(base.status).toBe('active');
  await later.close();
});

test('the products are four levels, each with a price by the month and one a sixth less by the year', async () => {
  const { call } = await person(world());
  const products = (await call(listBaseProducts)).body;
  expect(products.map(({ level }) => level)).toEqual(['free', 'plus', 'pro', 'enterprise']);
  expect(products.map(({ limit }) => limit.maxRows)).toEqual([100_000, 500_000, 2_000_000, 100_000_000]);
  expect(products.map(({ limit }) => limit.apiRateLimit)).toEqual([1_000, 2_000, 5_000, 10_000]);
  expect(products.map(({ limit }) => limit.maxRevisionHistoryDays)).toEqual([90, 365, 1_095, 3_650]);
  for (const { id, prices } of products) {
    const [month, year] = prices;
    expect(prices.map(({ interval }) => interval)).toEqual(['month', 'year']);
    expect(year?.unitAmount).toBe(((month?.unitAmount as number) * 12 * 5) / 6);
    for (const price of prices)
      expect(price).toMatchObject({ productId: id, type: 'base', intervalCount: 1, currency: 'usd' });
  }
  expect((await call(getInstanceUsage)).body.level).toBe('enterprise');
});

test('usage and subscription are for everyone who may read the space, billing for its owners', async () => {
  const { owner, spaceId, baseId } = await ground(world());
  const stranger = await person(world());
  for (const role of ['creator', 'editor', 'commenter', 'viewer'] as const) {
    const { call } = await member(world(), owner, spaceId, role);
    expect((await call(getSubscription, { params: { spaceId } })).status).toBe(200);
    expect((await call(getBaseUsage, { params: { baseId } })).status).toBe(200);
    expect((await call(getBilling, { params: { spaceId } })).status).toBe(403);
  }
  const second = await member(world(), owner, spaceId, 'owner');
  expect((await second.call(getBilling, { params: { spaceId } })).status).toBe(200);
  for (const endpoint of [getSubscription, getBilling, getSpaceUsage, getSubscriptionSummary]) {
    expect((await stranger.call(endpoint, { params: { spaceId } })).status).toBe(404);
    expect((await owner.call(endpoint, { params: { spaceId: unknown } })).status).toBe(404);
  }
  expect((await stranger.call(getBaseUsage, { params: { baseId } })).status).toBe(404);
  expect((await owner.call(getBaseUsage, { params: { baseId: 'bse0000000000000000' } })).status).toBe(404);
});

test('usage counts rows that are not in the trash, and distinct people of the space and its bases', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const both = await member(world(), table.owner, table.spaceId, 'viewer');
  await member(world(), table.owner, table.baseId, 'editor');
  await table.call(createRecords, { params: table, body: { records: [{ fields: {} }, { fields: {} }] } });
  const { usage } = (await table.call(getBilling, { params: table })).body.plan;
  expect(usage).toEqual({
    numRows: 2,
    attachmentSize: 0,
    numDatabaseConnections: 0,
    numCollaborators: 3,
    diskSize: expect.any(Number),
  });
  expect((await both.call(listSubscriptionSummaries)).body).toEqual([
    { spaceId: table.spaceId, status: 'active', level: 'free' },
  ]);
});

test('spaces in the trash have no summary', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  await owner.call(deleteSpace, { params: { spaceId } });
  expect((await owner.call(listSubscriptionSummaries)).body).toEqual([]);
  expect((await owner.call(getSubscription, { params: { spaceId } })).status).toBe(404);
});

test('the official client of Teable gets what its schemas want', async () => {
  const { owner, spaceId, baseId } = await ground(world());
  teable.configApi({ endpoint: world().origin, token: owner.token });
  expect(teable.usageVoSchema.parse((await teable.getSpaceUsage(spaceId)).data).level).toBe('free');
  expect(teable.usageVoSchema.parse((await teable.getBaseUsage(baseId)).data).limit.maxRows).toBe(100_000);
  expect(teable.usageVoSchema.parse((await teable.getInstanceUsage()).data).level).toBe('enterprise');
  expect(teable.subscriptionSummaryVoSchema.parse((await teable.getSubscriptionSummary(spaceId)).data)).toEqual({
    spaceId,
    status: 'active',
    level: 'free',
  });
  expect(
    teable.subscriptionSummaryVoSchema.array().parse((await teable.getSubscriptionSummaryList()).data),
  ).toHaveLength(1);
  const billing = (await owner.call(getBilling, { params: { spaceId } })).body;
  teable.usageFeatureSchema.parse(billing.plan.usage);
  teable.usageFeatureLimitSchema.parse(billing.plan.limit);
});

test('a wrong file of plans stops the start with the place of the fault', () => {
  const broken = (change: (file: ReturnType<typeof plansFile>) => void): (() => void) => {
    const file = plansFile();
    change(file);
    return () => void createPlans(file);
  };
  expect(broken((file) => Object.assign(file.products[2]?.limit as object, { maxRows: 'many' }))).toThrow(
    'products[2].limit.maxRows',
  );
  expect(broken((file) => Object.assign(file.products[1] as object, { colour: 'red' }))).toThrow('products[1]');
  expect(broken((file) => file.products.shift())).toThrow('no product of the level "free"');
  expect(broken((file) => Object.assign(file.products[1] as object, { level: 'free' }))).toThrow(
    'two products have the level "free"',
  );
  expect(broken((file) => Object.assign(file.products[0]?.prices[0] as object, { unitAmount: 5 }))).toThrow(
    'must be 0',
  );
  expect(() => readPlans({ ...world().services.config, plansFile: '/does/not/exist.json' })).toThrow(
    'ROWHOUSE_PLANS: /does/not/exist.json',
  );
});

test('a changed file changes the limits of existing spaces, and loses no plan that is in use', async () => {
  const free = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const pro = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  await setSpacePlan(world().services, pro.spaceId, { level: 'pro' });
  const create = (table: typeof free, count: number) =>
    table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
    });
  await create(free, 5);
  await create(pro, 5);

  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-plans-'));
  const path = join(folder, 'plans.json');
  const file = plansFile();
  Object.assign(file.products[0]?.limit as object, { maxRows: 6 });
  writeFileSync(path, JSON.stringify({ ...file, products: file.products.filter(({ level }) => level !== 'pro') }));
  const restarted = await openWorld(world().databaseUrl, { plansFile: path });
  rmSync(folder, { recursive: true });

  const ask = async (spaceId: string): Promise<any> =>
    (
      await fetch(`${restarted.baseUrl}/space/${spaceId}/billing/subscription`, {
        headers: { authorization: `Bearer ${(spaceId === pro.spaceId ? pro : free).owner.token}` },
      })
    ).json();
  expect((await ask(free.spaceId)).base.limit.maxRows).toBe(6);
  expect((await ask(pro.spaceId)).base).toMatchObject({
    level: 'pro',
    priceId: 'price_pro_month',
    unitAmount: 2_400,
    limit: { maxRows: 2_000_000 },
  });
  const offered = (await (
    await fetch(`${restarted.baseUrl}/billing/base-products`, {
      headers: { authorization: `Bearer ${pro.owner.token}` },
    })
  ).json()) as { level: string }[];
  expect(offered.map(({ level }) => level)).toEqual(['free', 'plus', 'enterprise']);
  const refused = await fetch(`${restarted.baseUrl}/table/${free.tableId}/record`, {
    method: 'POST',
    headers: { authorization: `Bearer ${free.owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ fields: {} }, { fields: {} }] }),
  });
  expect([refused.status, ((await refused.json()) as { data: unknown }).data]).toEqual([
    402,
    { limit: 6, usage: 5, asked: 2 },
  ]);
  await restarted.close();
});

test('a price that the file no longer has, or has at another amount, stays that of anyone who subscribed to it', async () => {
  const [month, year] = [await ownSpace(world()), await ownSpace(world())];
  await setSpacePlan(world().services, month.spaceId, { level: 'pro' });
  await setSpacePlan(world().services, year.spaceId, { level: 'pro', interval: 'year', quantity: 3 });
  const file = plansFile();
  const pro = file.products.find(({ level }) => level === 'pro') as (typeof file.products)[number];
  Object.assign(pro, {
    prices: pro.prices.map((price) =>
      price.interval === 'month'
        ? { ...price, id: 'price_pro_month_dear', unitAmount: 9_900 }
        : { ...price, unitAmount: 99_000 },
    ),
  });
  for (const restart of ['first', 'second']) {
    const restarted = await openWorld(world().databaseUrl, {}, { plans: createPlans(structuredClone(file)) });
    const baseOf = async ({ owner, spaceId }: typeof month) =>
      (await caller({ baseUrl: restarted.baseUrl, token: owner.token })(getSubscription, { params: { spaceId } })).body
        .base;
    expect([restart, await baseOf(month)]).toMatchObject([
      restart,
      { level: 'pro', priceId: 'price_pro_month', unitAmount: 2_400, limit: { maxRows: 2_000_000 } },
    ]);
    expect([restart, await baseOf(year)]).toMatchObject([
      restart,
      { level: 'pro', priceId: 'price_pro_year', unitAmount: 24_000, quantity: 3, interval: 'year' },
    ]);
    const fresh = await ownSpace(restarted);
    await setSpacePlan(restarted.services, fresh.spaceId, { level: 'pro' });
    expect(await baseOf(fresh)).toMatchObject({ priceId: 'price_pro_month_dear', unitAmount: 9_900 });
    // Seats are bought at the price one has.
    await setSpacePlan(restarted.services, month.spaceId, { quantity: 8 });
    expect(await baseOf(month)).toMatchObject({ priceId: 'price_pro_month', unitAmount: 2_400, quantity: 8 });
    await restarted.close();
  }
});
