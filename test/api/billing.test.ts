// Subscriptions: every status, how it comes about and what it means; credit, seats, the billing contact.
import {
  getBilling,
  getCreditSummary,
  cancelSubscription,
  changeSpaceCredit,
  createCheckout,
  createPortal,
  getSubscription,
  type PlanChange,
  setSpacePlan,
  updateBillingDetail,
} from '@rowhouse/contract/billing.ts';
import {
  addBaseCollaborators,
  addSpaceCollaborators,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { createDbConnection, deleteDbConnection } from '@rowhouse/contract/connection.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { getSpaceUsage } from '@rowhouse/contract/plan.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteSpace, getSpace } from '@rowhouse/contract/space.ts';
import { beforeAll, expect, test } from 'vitest';
import { settleDue } from '../../server/domain/plan/settle-due.ts';
import { warnOfLimits } from '../../server/domain/plan/warn-of-limits.ts';
import { cases } from '../support/cases.ts';
import { jobRests, jobsDone } from '../support/jobs.sql.ts';
import { person, type Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { ground, ownSpace, type OwnSpace, tableWith } from '../support/table.ts';
import { member, newBase } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const plans = plansWith({ free: { maxRows: 10, maxNumDatabaseConnections: 5 }, pro: { maxRows: 50 } });
let time = Date.parse('2031-01-31T12:00:00.000Z');
const now = (): Date => new Date(time);
const world = useWorld({}, { plans, now });
const day = 86_400_000;
const pass = (days: number): void => {
  time += days * day;
};
let admin: Person;
beforeAll(async () => {
  admin = await person(world(), { admin: true });
});

const set = (spaceId: string, body: PlanChange) => admin.call(setSpacePlan, { params: { spaceId }, body });
const must = async (spaceId: string, body: PlanChange): Promise<void> =>
  expect((await set(spaceId, body)).error).not.toHaveProperty('code');

const look = async ({ call, spaceId }: OwnSpace) => {
  const { base } = (await call(getSubscription, { params: { spaceId } })).body;
  const applied = (await call(getSpaceUsage, { params: { spaceId } })).body;
  expect(base.limit).toEqual(applied.limit);
  return { status: base.status, level: base.level, applies: applied.level };
};

const messagesTo = async ({ call }: Person): Promise<string[]> =>
  (await call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.map(
    ({ message }) => message,
  );

const free = { status: 'active', level: 'free', applies: 'free' };
const pro = { status: 'active', level: 'pro', applies: 'pro' };

test('the operator sets level, interval, seats and dates', async () => {
  const it = await ownSpace(world());
  const made = await set(it.spaceId, { level: 'pro', interval: 'year', quantity: 7 });
  expect(made.body.base).toMatchObject({
    level: 'pro',
    interval: 'year',
    quantity: 7,
    priceId: 'price_pro_year',
    unitAmount: 24_000,
    status: 'active',
    currentPeriodStart: now().toISOString(),
    currentPeriodEnd: new Date(Date.UTC(2032, 0, 31, 12)).toISOString(),
  });
  const dates = { currentPeriodStart: '2031-01-01T00:00:00.000Z', currentPeriodEnd: '2031-06-01T00:00:00.000Z' };
  expect((await set(it.spaceId, dates)).body.base).toMatchObject(dates);
  expect(await look(it)).toEqual(pro);
  expect((await set(it.spaceId, { level: 'free' })).body.base).toMatchObject({
    level: 'free',
    interval: 'month',
    quantity: 1,
    unitAmount: 0,
  });
});

test('what the operator cannot mean is refused', async () => {
  const { spaceId, call } = await ownSpace(world());
  expect((await set(spaceId, { level: 'golden' })).error).toMatchObject({
    status: 400,
    data: { issues: [{ path: 'level', expected: 'free, plus, pro, enterprise' }] },
  });
  expect((await set(spaceId, { status: 'past_due' })).status).toBe(400);
  expect((await set(spaceId, { level: 'pro', quantity: 0 })).status).toBe(400);
  expect((await set(spaceId, { level: 'pro', currentPeriodEnd: '2020-01-01T00:00:00.000Z' })).status).toBe(400);
  expect((await set(spaceId, { status: 'seat_limit_exceeded' as never })).status).toBe(400);
  expect((await set('spc0000000000000000', { level: 'pro' })).status).toBe(404);
  expect((await call(setSpacePlan, { params: { spaceId }, body: { level: 'pro' } })).status).toBe(403);
  expect(
    (await call(changeSpaceCredit, { params: { spaceId }, body: { kind: 'grant', amount: 1, reason: 'r' } })).status,
  ).toBe(403);
});

test('active rolls on from period to period, at the end of the month too', async () => {
  const it = await ownSpace(world());
  time = Date.parse('2031-01-31T12:00:00.000Z');
  await must(it.spaceId, { level: 'pro' });
  const period = async () => {
    const { base } = (await it.call(getSubscription, { params: it })).body;
    return [base.currentPeriodStart.slice(0, 10), base.currentPeriodEnd.slice(0, 10)];
  };
  expect(await period()).toEqual(['2031-01-31', '2031-02-28']);
  pass(30);
  expect(await period()).toEqual(['2031-02-28', '2031-03-31']);
  pass(60);
  expect(await period()).toEqual(['2031-04-30', '2031-05-31']);
});

test('active → cancelled at the end of the period → free', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  const cancelled = await it.call(cancelSubscription, { params: it });
  expect(cancelled.body.base).toMatchObject({
    status: 'active',
    level: 'pro',
    cancelAt: cancelled.body.base.currentPeriodEnd,
  });
  expect((await it.call(getBilling, { params: it })).body.plan.cancelAt).toBe(cancelled.body.base.currentPeriodEnd);
  pass(27);
  expect(await look(it)).toEqual(pro);
  pass(5);
  expect(await look(it)).toEqual(free);
  expect((await it.call(cancelSubscription, { params: it })).status).toBe(409);
});

test('a cancellation can be taken back', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  await it.call(cancelSubscription, { params: it });
  await must(it.spaceId, { cancelAt: null });
  pass(40);
  expect(await look(it)).toEqual(pro);
});

test('trialing gives the plan, once per space, and ends in free unless it becomes active', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro', status: 'trialing' });
  const { base } = (await it.call(getSubscription, { params: it })).body;
  expect(base).toMatchObject({
    status: 'trialing',
    isTrialUsed: true,
    trialEnd: new Date(time + 14 * day).toISOString(),
  });
  expect(await look(it)).toEqual({ status: 'trialing', level: 'pro', applies: 'pro' });
  pass(15);
  expect(await look(it)).toEqual(free);
  expect((await it.call(getSubscription, { params: it })).body.base.isTrialUsed).toBe(true);
  expect((await set(it.spaceId, { level: 'plus', status: 'trialing' })).status).toBe(409);

  const other = await ownSpace(world());
  await must(other.spaceId, { level: 'pro', status: 'trialing' });
  pass(5);
  await must(other.spaceId, { status: 'active' });
  pass(20);
  expect(await look(other)).toEqual(pro);
});

test('past_due keeps the plan for the days of grace, then it is unpaid, and a payment makes it active again', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  await must(it.spaceId, { status: 'past_due' });
  pass(13);
  expect(await look(it)).toEqual({ status: 'past_due', level: 'pro', applies: 'pro' });
  pass(2);
  expect(await look(it)).toEqual({ status: 'unpaid', level: 'pro', applies: 'free' });
  await must(it.spaceId, { status: 'active' });
  expect(await look(it)).toEqual(pro);
  await must(it.spaceId, { status: 'past_due' });
  await must(it.spaceId, { status: 'active' });
  pass(20);
  expect(await look(it)).toEqual(pro);
});

test('paused has the limits of free until it is active again', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  await must(it.spaceId, { status: 'paused' });
  pass(100);
  expect(await look(it)).toEqual({ status: 'paused', level: 'pro', applies: 'free' });
  await must(it.spaceId, { status: 'active' });
  expect(await look(it)).toEqual(pro);
});

test('canceled before its time has the limits of free at once, and is the free plan after its period', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  await must(it.spaceId, { status: 'canceled' });
  expect(await look(it)).toEqual({ status: 'canceled', level: 'pro', applies: 'free' });
  pass(32);
  expect(await look(it)).toEqual(free);
});

test('incomplete has the limits of free; without a payment it expires after 23 hours, and is free after its period', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro', status: 'incomplete' });
  expect(await look(it)).toEqual({ status: 'incomplete', level: 'pro', applies: 'free' });
  pass(22 / 24);
  expect((await look(it)).status).toBe('incomplete');
  pass(2 / 24);
  expect(await look(it)).toEqual({ status: 'incomplete_expired', level: 'pro', applies: 'free' });
  pass(32);
  expect(await look(it)).toEqual(free);
  await must(it.spaceId, { level: 'pro', status: 'incomplete' });
  await must(it.spaceId, { status: 'active' });
  pass(2);
  expect(await look(it)).toEqual(pro);
});

test('what time changes happens without anybody looking, and the owners are told', async () => {
  await jobRests(world().db, 'keep-plans');
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro', cancelAt: new Date(time + day).toISOString() });
  pass(2);
  expect(await settleDue(world().services)).toBeGreaterThan(0);
  await jobsDone(world().db);
  await expect.poll(() => messagesTo(it.owner)).toContain('The subscription of the space Space (free) is now active');
  expect(await settleDue(world().services)).toBe(0);
});

/** Every status there is, and whether the limits of the plan apply in it. */
const inForce = {
  active: true,
  trialing: true,
  past_due: true,
  unpaid: false,
  paused: false,
  canceled: false,
  incomplete: false,
  incomplete_expired: false,
} as const;
type Status = keyof typeof inForce;
const everyStatus = Object.keys(inForce) as Status[];

const spaceIn = async (status: Status): Promise<OwnSpace> => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro', status });
  return it;
};

const shown = (status: Status) => ({ status, level: 'pro', applies: inForce[status] ? 'pro' : 'free' });

// One in which the limits of the plan apply, one in which they do not. That each status has them or not is
// shown by going to every one of them.
for (const from of cases(everyStatus, ['active', 'unpaid'])) {
  test(`from ${from} to every other status: the limits follow, and the owners are told of it`, async () => {
    for (const to of everyStatus) {
      const it = await spaceIn(from);
      expect(await look(it)).toEqual(shown(from));
      await must(it.spaceId, { status: to });
      expect([from, to, await look(it)]).toEqual([from, to, shown(to)]);
      await jobsDone(world().db);
      const words = `The subscription of the space Space (pro) is now ${to.replaceAll('_', ' ')}`;
      await expect
        .poll(async () => (await messagesTo(it.owner)).filter((message) => message === words))
        .toHaveLength(1);
    }
  });
}

for (const from of cases(everyStatus, ['past_due', 'canceled'])) {
  test(`from ${from} back to free, at once or at a time that was set`, async () => {
    const atOnce = await spaceIn(from);
    await must(atOnce.spaceId, { level: 'free' });
    expect(await look(atOnce)).toEqual(free);
    const later = await spaceIn(from);
    await must(later.spaceId, { cancelAt: new Date(time + 10 * 3_600_000).toISOString() });
    expect(await look(later)).toEqual(shown(from));
    pass(0.5);
    // What has ended already ends with its period, whatever time is set.
    const isOver = from === 'canceled' || from === 'incomplete_expired';
    expect(await look(later)).toEqual(isOver ? shown(from) : free);
    pass(60);
    expect(await look(later)).toEqual(free);
  });
}

test('over the limit after a downgrade: nothing new, but reading, changing and deleting work', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const create = (count: number) =>
    table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
    });
  expect((await create(30)).status).toBe(402);
  await must(table.spaceId, { level: 'pro' });
  expect((await create(30)).status).toBe(201);
  await must(table.spaceId, { level: 'free' });
  expect((await create(1)).error.data).toEqual({ limit: 10, usage: 30, asked: 1 });
  expect((await table.call(getBilling, { params: table })).body.plan).toMatchObject({
    usage: { numRows: 30 },
    limit: { maxRows: 10 },
  });
  await must(table.spaceId, { level: 'pro' });
  expect((await create(20)).status).toBe(201);
  expect((await create(1)).status).toBe(402);
});

/** Messages to the owner about limits, after everything was looked at. */
const limitsTold = async ({ owner }: OwnSpace): Promise<string[]> => {
  await warnOfLimits(world().services);
  await jobsDone(world().db);
  return (await messagesTo(owner))
    .filter((message) => message.includes('of what its plan allows'))
    .map((message) => message.split(' has used ')[1] as string);
};

test('at 80 and at 100 percent of the rows the owners are told, once', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const second = await member(world(), table.owner, table.spaceId, 'owner');
  const editor = await member(world(), table.owner, table.spaceId, 'editor');
  const told = (): Promise<string[]> => limitsTold(table);
  const create = (count: number) =>
    table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
    });
  await create(7);
  expect(await told()).toEqual([]);
  await create(1);
  await expect.poll(told).toEqual(['80 % of what its plan allows: 8 of 10 records']);
  await create(2);
  await expect
    .poll(told)
    .toEqual(['100 % of what its plan allows: 10 of 10 records', '80 % of what its plan allows: 8 of 10 records']);
  expect(await told()).toHaveLength(2);
  expect((await messagesTo(second)).filter((message) => message.includes('plan allows'))).toHaveLength(2);
  expect((await messagesTo(editor)).filter((message) => message.includes('plan allows'))).toEqual([]);
  await must(table.spaceId, { level: 'pro', quantity: 9 });
  expect(await told()).toHaveLength(2);
  await must(table.spaceId, { level: 'free' });
  await expect.poll(told).toHaveLength(3);
});

test('at 80 and at 100 percent of the seats that were paid for the owners are told, once', async () => {
  const it = await ground(world());
  const told = (): Promise<string[]> => limitsTold(it);
  await must(it.spaceId, { level: 'pro', quantity: 5 });
  for (const place of [it.spaceId, it.spaceId, it.baseId]) {
    expect(await told()).toEqual([]);
    await member(world(), it.owner, place, 'editor');
  }
  await expect.poll(told).toEqual(['80 % of what its plan allows: 4 of 5 seats']);
  await member(world(), it.owner, it.spaceId, 'viewer');
  await member(world(), it.owner, it.spaceId, 'creator');
  await expect
    .poll(told)
    .toEqual(['100 % of what its plan allows: 5 of 5 seats', '80 % of what its plan allows: 4 of 5 seats']);
  await must(it.spaceId, { quantity: 50 });
  expect(await told()).toHaveLength(2);
  await must(it.spaceId, { quantity: 6 });
  await expect.poll(told).toHaveLength(3);
  const alone = await ownSpace(world());
  await must(alone.spaceId, { level: 'pro' });
  expect(await limitsTold(alone)).toEqual([]);
});

test('at 80 and at 100 percent of the bases that may be open for SQL the owners are told, once', async () => {
  const it = await ground(world());
  const told = (): Promise<string[]> => limitsTold(it);
  const bases = [it.baseId, ...(await Promise.all([1, 2, 3, 4].map(() => newBase(it.owner, it.spaceId))))];
  const open = (baseId: string) => it.call(createDbConnection, { params: { baseId } });
  for (const baseId of bases.slice(0, 3)) await open(baseId);
  expect(await told()).toEqual([]);
  await open(bases[3] as string);
  await expect.poll(told).toEqual(['80 % of what its plan allows: 4 of 5 bases open for SQL']);
  await open(bases[4] as string);
  await expect.poll(told).toHaveLength(2);
  for (const baseId of bases) await it.call(deleteDbConnection, { params: { baseId } });
  expect(await told()).toHaveLength(2);
  for (const baseId of bases) await open(baseId);
  await expect.poll(told).toHaveLength(3);
});

test('seats: on a paid level no more people may have a role that takes one, elsewhere anyone may', async () => {
  const it = await ground(world());
  const add = async (role: 'editor' | 'viewer', placeId = it.spaceId) => {
    const { userId } = await person(world());
    const body = { collaborators: [{ principalId: userId, principalType: 'user' as const }], role };
    const outcome =
      placeId === it.spaceId
        ? await it.call(addSpaceCollaborators, { params: it, body })
        : await it.call(addBaseCollaborators, { params: { baseId: placeId }, body });
    return { ...outcome, userId };
  };
  expect((await add('editor')).status).toBe(200);
  await must(it.spaceId, { level: 'pro', quantity: 3 });
  expect((await add('editor')).status).toBe(200);
  const refused = await add('editor');
  expect(refused.error).toMatchObject({
    status: 460,
    code: 'user_limit_exceeded',
    data: { limit: 3, usage: 3, asked: 1 },
  });
  expect((await add('editor', it.baseId)).status).toBe(460);
  const viewer = await add('viewer');
  expect(viewer.status).toBe(200);
  expect(
    (
      await it.call(updateSpaceCollaborator, {
        params: it,
        body: { principalId: viewer.userId, principalType: 'user', role: 'editor' },
      })
    ).status,
  ).toBe(460);
  expect((await look(it)).status).toBe('active');
  await must(it.spaceId, { quantity: 2 });
  expect(await look(it)).toEqual({ status: 'seat_limit_exceeded', level: 'pro', applies: 'pro' });
  await must(it.spaceId, { quantity: 4 });
  expect(
    (
      await it.call(updateSpaceCollaborator, {
        params: it,
        body: { principalId: viewer.userId, principalType: 'user', role: 'editor' },
      })
    ).status,
  ).toBe(200);
});

test('of several who invite to different bases at once, no more get in than there are seats', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro', quantity: 3 });
  const bases = await Promise.all([1, 2, 3, 4].map(() => newBase(it.owner, it.spaceId)));
  const people = await Promise.all([1, 2, 3, 4].map(() => person(world())));
  const outcomes = await Promise.all(
    bases.map((baseId, at) =>
      it.call(addBaseCollaborators, {
        params: { baseId },
        body: {
          collaborators: [{ principalId: (people[at] as Person).userId, principalType: 'user' }],
          role: 'editor',
        },
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 460, 460]);
});

test('credit: the gift of a level once, grants and uses, and never less than nothing', async () => {
  const it = await ground(world());
  const summary = async () => (await it.call(getCreditSummary, { params: it })).body;
  expect(await summary()).toEqual({ amount: 0, usedAmount: 0, leftAmount: 0 });
  await must(it.spaceId, { level: 'pro' });
  expect(await summary()).toEqual({ amount: 2_000, usedAmount: 0, leftAmount: 2_000 });
  await must(it.spaceId, { level: 'free' });
  await must(it.spaceId, { level: 'pro' });
  expect((await summary()).amount).toBe(2_000);
  const change = (kind: 'grant' | 'use', amount: number, reference?: string) =>
    admin.call(changeSpaceCredit, {
      params: it,
      body: { kind, amount, reason: 'test', ...(reference === undefined ? {} : { reference }) },
    });
  await change('grant', 500, 'invoice 1');
  expect((await change('grant', 500, 'invoice 1')).body.amount).toBe(2_500);
  const uses = await Promise.all(Array.from({ length: 10 }, () => change('use', 400)));
  expect(uses.filter(({ status }) => status === 201)).toHaveLength(6);
  expect(uses.find(({ status }) => status === 402)?.error.code).toBe('payment_required');
  expect(await summary()).toEqual({ amount: 2_500, usedAmount: 2_400, leftAmount: 100 });
  expect((await it.call(getBilling, { params: it })).body.credit).toEqual({ amount: 2_500, usedAmount: 2_400 });
  const editor = await member(world(), it.owner, it.baseId, 'viewer');
  expect((await editor.call(getCreditSummary, { params: it })).status).toBe(404);
});

test('the billing contact is the owner at first, and changeable by owners', async () => {
  const it = await ownSpace(world());
  const creator = await member(world(), it.owner, it.spaceId, 'creator');
  expect((await creator.call(updateBillingDetail, { params: it, body: { name: 'X' } })).status).toBe(403);
  expect((await it.call(updateBillingDetail, { params: it, body: { email: 'bills@example.com' } })).body).toEqual({
    name: it.owner.name,
    email: 'bills@example.com',
  });
  expect((await it.call(updateBillingDetail, { params: it, body: { name: 'Accounting' } })).body).toEqual({
    name: 'Accounting',
    email: 'bills@example.com',
  });
  expect((await it.call(getBilling, { params: it })).body.detail).toEqual({
    name: 'Accounting',
    email: 'bills@example.com',
  });
  expect((await it.call(updateBillingDetail, { params: it, body: { email: 'no address' } })).status).toBe(400);
});

test('without the keys of Stripe, payments answer a clear error and everything else works', async () => {
  const it = await ownSpace(world());
  const body = {
    priceId: 'price_pro_month',
    quantity: 1,
    successUrl: 'https://a.example',
    cancelUrl: 'https://a.example',
  };
  const refused = await it.call(createCheckout, { params: it, body });
  expect(refused.error).toMatchObject({ status: 422, code: 'unprocessable_entity' });
  expect(refused.error.message).toContain('STRIPE_SECRET_KEY');
  expect((await it.call(createPortal, { params: it, body: { returnUrl: 'https://a.example' } })).status).toBe(422);
});

test('a deleted space takes its plan along', async () => {
  const it = await ownSpace(world());
  await must(it.spaceId, { level: 'pro' });
  await it.call(deleteSpace, { params: it });
  expect((await it.call(getSpace, { params: it })).status).toBe(404);
  expect((await it.call(getSubscription, { params: it })).status).toBe(404);
});
