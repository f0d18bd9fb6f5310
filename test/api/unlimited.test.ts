// Without plans there is no ceiling: what a server answers that was given neither plans nor keys of Stripe.
import {
  createCheckout,
  getBilling,
  getSubscription,
  getSubscriptionSummary,
  listSubscriptionSummaries,
  setSpacePlan,
} from '@rowhouse/contract/billing.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { getBaseUsage, getInstanceUsage, getSpaceUsage, listBaseProducts } from '@rowhouse/contract/plan.ts';
import { createRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import * as teable from '@teable/openapi';
import { expect, test } from 'vitest';
import { readPlans } from '../../server/catalog/plans.ts';
import { readConfig } from '../../server/config.ts';
import { sql } from '../../server/db/sql.ts';
import { setSpacePlan as setPlan } from '../../server/domain/billing/set-space-plan.ts';
import { dropExpiredHistory } from '../../server/domain/history/drop-expired-history.ts';
import { keepUp } from '../../server/domain/plan/keep-up.ts';
import { dropExpiredTrash } from '../../server/domain/trash/drop-table-trash.ts';
import { rowhouse } from '../support/command.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
const unlimited = 9_007_199_254_740_991;

const demandEverything = (limit: object): void => {
  expect(Object.values(limit)).toHaveLength(22);
  for (const [name, value] of Object.entries(limit))
    expect([name, value]).toEqual([name, typeof value === 'boolean' ? true : unlimited]);
};

test('every space has everything at no price, in the form of the interface', async () => {
  const { call, spaceId, baseId } = await ground(world());
  const { base, credit } = (await call(getSubscription, { params: { spaceId } })).body;
  expect(base).toMatchObject({
    type: 'base',
    catalog: 'cloud',
    level: 'enterprise',
    status: 'active',
    quantity: 1,
    unitAmount: 0,
    interval: 'month',
    isTrialUsed: false,
  });
  expect(credit).toMatchObject({ unitAmount: 0, quantity: 0 });
  demandEverything(base.limit);
  const usage = { level: 'enterprise', limit: base.limit };
  expect((await call(getBaseUsage, { params: { baseId } })).body).toEqual(usage);
  expect((await call(getSpaceUsage, { params: { spaceId } })).body).toEqual(usage);
  expect((await call(getInstanceUsage)).body).toEqual(usage);
  expect((await call(getSubscriptionSummary, { params: { spaceId } })).body).toEqual({
    spaceId,
    status: 'active',
    level: 'enterprise',
  });
  expect((await call(listSubscriptionSummaries)).body).toEqual([{ spaceId, status: 'active', level: 'enterprise' }]);
  const billing = (await call(getBilling, { params: { spaceId } })).body;
  expect(billing.plan).toMatchObject({
    level: 'enterprise',
    unitAmount: 0,
    usage: { numRows: 0, numCollaborators: 1 },
    limit: base.limit,
  });
  teable.usageFeatureLimitSchema.parse(billing.plan.limit);
  const products = (await call(listBaseProducts)).body;
  expect(products).toMatchObject([{ type: 'base', catalog: 'cloud', level: 'enterprise', limit: base.limit }]);
  expect(products.flatMap(({ prices }) => prices.map(({ interval, unitAmount }) => [interval, unitAmount]))).toEqual([
    ['month', 0],
    ['year', 0],
  ]);
  expect(products.flatMap(({ prices }) => prices.map(({ id }) => id))).toContain(base.priceId);
});

test('records, people and requests are not limited, and no header speaks of a limit', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const answer = await table.call(createRecords, { params: table, body: { records: [{ fields: { Text: 'a' } }] } });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  for (let many = 0; many < 12; many += 1) await member(world(), table.owner, table.spaceId, 'editor');
  // As if there were as many records as the free plan of those that come along allows, in every slot.
  await world().db.query(sql`update rowhouse.row_quota set used = used + 100000000 where space_id = ${table.spaceId}`);
  expect(
    (await table.call(createRecords, { params: table, body: { records: [{ fields: {} }, { fields: {} }] } })).status,
  ).toBe(201);
});

test('history and what was deleted are kept for ever', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const made = (await table.call(createRecords, { params: table, body: { records: [{ fields: { Text: 'a' } }] } })).body
    .records[0] as { id: string };
  await table.call(updateRecord, {
    params: { ...table, recordId: made.id },
    body: { record: { fields: { Text: 'b' } } },
  });
  await world().db.query(
    sql`update ${sql.id(table.baseId, '__operation')} set time = (select time - interval '40 years')`,
  );
  await dropExpiredHistory(world().services);
  await dropExpiredTrash(world().services);
  expect((await table.call(listTableHistory, { params: table })).body.historyList).toHaveLength(1);
  expect(
    (await table.call(listTrashItems, { query: { resourceId: table.tableId, resourceType: 'table' } })).status,
  ).toBe(200);
});

test('a plan cannot be set or paid for, and it is said how plans are turned on', async () => {
  const { call, spaceId } = await ground(world());
  const admin = await person(world());
  await world().db.query(sql`update rowhouse.users set is_admin = true where id = ${admin.userId}`);
  const refused = await admin.call(setSpacePlan, { params: { spaceId }, body: { level: 'free' } });
  expect([refused.status, refused.error.message]).toEqual([
    422,
    expect.stringContaining('turns them on with ROWHOUSE_PLANS'),
  ]);
  const checkout = await call(createCheckout, {
    params: { spaceId },
    body: {
      priceId: 'price_unlimited_month',
      quantity: 1,
      successUrl: 'https://a.example',
      cancelUrl: 'https://a.example',
    },
  });
  expect(checkout.status).toBe(422);
  const shown = await rowhouse(world().databaseUrl, 'space', 'plan', spaceId, '--json');
  expect(JSON.parse(shown.out)).toMatchObject([{ level: 'enterprise', rows: 'unlimited' }]);
  expect((await rowhouse(world().databaseUrl, 'space', 'plan', spaceId, '--level', 'free')).err).toContain(
    'ROWHOUSE_PLANS',
  );
});

test('subscriptions of a time with plans rest while there are none, and are as they were afterwards', async () => {
  const plans = plansWith({ free: { maxRows: 3 } });
  const withPlans = await openWorld(world().databaseUrl, {}, { plans });
  const table = await tableWith(await ground(withPlans), [{ name: 'Text', type: 'singleLineText' }]);
  const other = await ground(withPlans);
  await setPlan(withPlans.services, other.spaceId, { level: 'pro', quantity: 1, status: 'trialing' });
  const create = (baseUrl: string, count: number) =>
    caller({ baseUrl, token: table.owner.token })(createRecords, {
      params: table,
      body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
    });
  const baseOf = async (baseUrl: string, { owner, spaceId }: Pick<typeof other, 'owner' | 'spaceId'>) =>
    (await caller({ baseUrl, token: owner.token })(getSubscription, { params: { spaceId } })).body.base;
  expect((await create(withPlans.baseUrl, 4)).status).toBe(402);
  const before = await baseOf(withPlans.baseUrl, other);
  await withPlans.close();

  const without = await openWorld(world().databaseUrl);
  expect((await create(without.baseUrl, 4)).status).toBe(201);
  expect(await baseOf(without.baseUrl, other)).toMatchObject({ level: 'enterprise', status: 'active', unitAmount: 0 });
  await keepUp({ ...without.services, now: () => new Date(Date.now() + 400 * 86_400_000) });
  await without.close();

  const again = await openWorld(world().databaseUrl, {}, { plans });
  expect(await baseOf(again.baseUrl, other)).toEqual(before);
  expect((await create(again.baseUrl, 1)).error.data).toEqual({ limit: 3, usage: 4, asked: 1 });
  await again.close();
});

test('plans are turned on by a word, a file, or keys of Stripe', () => {
  const levels = (env: Record<string, string>): string[] =>
    readPlans(readConfig(env)).products.map(({ level }) => level);
  const four = ['free', 'plus', 'pro', 'enterprise'];
  expect(levels({})).toEqual(['enterprise']);
  expect(levels({ ROWHOUSE_PLANS: 'default' })).toEqual(four);
  expect(levels({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toEqual(four);
  expect(() => levels({ ROWHOUSE_PLANS: '/does/not/exist.json' })).toThrow('ROWHOUSE_PLANS: /does/not/exist.json');
});
