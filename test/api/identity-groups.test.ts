// Groups by what a provider says: at each sign-in people come into them and go out of them, and whatever rested on one ends at once.
import { getSpace } from '@rowhouse/contract/space.ts';
import { getUserMe } from '@rowhouse/contract/auth.ts';
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  listDepartmentUsers,
  listGroups,
  removeGroupMembers,
} from '@rowhouse/contract/group.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { listIdentities, unlinkIdentity } from '@rowhouse/contract/identity.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { addPassword } from '@rowhouse/contract/auth.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { createSignInProviders, type SignInProviders } from '../../server/catalog/sign-in-providers.ts';
import { sql } from '../../server/db/sql.ts';
import { clientId, clientSecret, startIdentityProvider } from '../support/identity-provider.ts';
import { listen } from '../support/listen.ts';
import { plansWith } from '../support/plans.ts';
import { enterThrough } from '../support/provider-sign-in.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const company = await startIdentityProvider();
const plans = plansWith({
  free: { userGroupEnable: true },
  plus: { userGroupEnable: false },
  pro: { userGroupEnable: true },
});

/** Of the file of the operator, which names groups that are made later. */
let current = createSignInProviders({ providers: [] });
const signInProviders: SignInProviders = {
  get list() {
    return current.list;
  },
  byId: (id) => current.byId(id),
  byIssuer: (issuer) => current.byIssuer(issuer),
  onlyFor: (email) => current.onlyFor(email),
};
const rule = (groups: object[], groupsClaim: unknown = 'groups'): void => {
  current = createSignInProviders({
    providers: [
      {
        id: 'company',
        name: 'Company',
        issuer: company.issuer,
        clientId,
        clientSecret,
        createsAccounts: true,
        groupsClaim,
        groups,
      },
    ],
  });
};

const world = useWorld({}, { signInProviders, plans });
let other: World;
let shop: Workshop;
let tableId: string;
let made = 0;

beforeAll(async () => {
  company.serve([`${world().baseUrl}/auth/oidc/company/callback`]);
  other = await openWorld(world().databaseUrl, {}, { signInProviders, plans });
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
});
afterAll(async () => {
  await other.close();
  await company.close();
});

const newSubject = (groups: unknown, more: object = {}): string => {
  made += 1;
  const subject = `member-${made}`;
  company.people.set(subject, {
    email: `${subject}@mail.example`,
    email_verified: true,
    name: `Member ${made}`,
    groups,
    ...more,
  });
  return subject;
};
const say = (subject: string, groups: unknown): void => {
  company.people.set(subject, { ...company.people.get(subject), groups });
};
const enter = async (subject: string) => {
  const entered = await enterThrough(world(), 'company', subject);
  expect(entered.problem).toBeNull();
  return { ...entered, userId: (await entered.call(getUserMe, {})).body.id };
};
const group = async (name: string, parentId?: string): Promise<string> =>
  (
    await shop.owner.call(createGroup, {
      params: { spaceId: shop.spaceId },
      body: { name, ...(parentId === undefined ? {} : { parentId }) },
    })
  ).body.id;
const give = (groupId: string, role: 'editor' | 'viewer') =>
  shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: groupId, principalType: 'department' }], role },
  });
const roleOf = async ({ call }: Pick<Awaited<ReturnType<typeof enter>>, 'call'>): Promise<string> => {
  const { status, body } = await call(getSpace, { params: { spaceId: shop.spaceId } });
  return status === 200 ? body.role : String(status);
};
const writesAtOther = async ({ cookie }: { cookie: string }): Promise<number> =>
  (
    await caller({ baseUrl: other.baseUrl, headers: { cookie } })(createRecords, {
      params: { tableId },
      body: { records: [{ fields: {} }] },
    })
  ).status;

test('a value of the claim is a group, with what the group may do, until the provider no longer says it', async () => {
  const [editors, viewers] = [await group('Editors of the claim'), await group('Viewers of the claim')];
  await give(editors, 'editor');
  await give(viewers, 'viewer');
  rule([
    { value: 'rows-edit', group: editors },
    { value: 'rows-view', group: viewers },
  ]);
  const subject = newSubject(['rows-edit', 'unknown to the rules', 7, null]);
  const first = await enter(subject);
  expect(await roleOf(first)).toBe('editor');
  expect(await writesAtOther(first)).toBe(201);
  say(subject, ['rows-view']);
  const ear = await listen(`${world().baseUrl}/table/${tableId}/events`, { cookie: first.cookie });
  await ear.until((event) => event.name === 'ready');
  const second = await enter(subject);
  // Also of the session that was there before, at the other server too.
  expect([await roleOf(first), await roleOf(second), await writesAtOther(first)]).toEqual(['viewer', 'viewer', 403]);
  say(subject, []);
  const third = await enter(subject);
  await ear.ended;
  expect([await roleOf(first), await roleOf(third)]).toEqual(['404', '404']);
  const told = await world().db.query<object>(
    sql`select action, target ->> 'groupId' as "groupId", target ->> 'provider' as provider from rowhouse.audit_log
        where actor_id = ${first.userId} and action like 'group.%' order by id`,
  );
  expect(told).toEqual(
    [
      ['group.membersAdded', editors],
      ['group.membersAdded', viewers],
      ['group.membersRemoved', editors],
      ['group.membersRemoved', viewers],
    ].map(([action, groupId]) => ({ action, groupId, provider: 'company' })),
  );
});

test('a group that is deleted, or somebody who is taken out of it, ends the stream at once', async () => {
  const [gone, left] = [await group('To be deleted'), await group('To be left')];
  await give(gone, 'viewer');
  await give(left, 'viewer');
  rule([
    { value: 'gone', group: gone },
    { value: 'left', group: left },
  ]);
  for (const [value, end] of [
    ['gone', () => shop.owner.call(deleteGroup, { params: { spaceId: shop.spaceId, groupId: gone } })],
    [
      'left',
      (userId: string) =>
        shop.owner.call(removeGroupMembers, {
          params: { spaceId: shop.spaceId, groupId: left },
          query: { userIds: [userId] },
        }),
    ],
  ] as const) {
    const someone = await enter(newSubject([value]));
    const ear = await listen(`${other.baseUrl}/table/${tableId}/events`, { cookie: someone.cookie });
    await ear.until((event) => event.name === 'ready');
    expect((await end(someone.userId)).status).toBe(200);
    await ear.ended;
    expect(await roleOf(someone)).toBe('404');
  }
});

test('what people have put into groups stays, and what both say needs both to go', async () => {
  const [above, both] = [await group('Above'), await group('By hand only')];
  const below = await group('Below', above);
  rule([
    { value: 'below', group: below },
    { value: 'both', group: both },
  ]);
  const subject = newSubject(['below', 'both']);
  const { userId } = await enter(subject);
  const put = (groupId: string) =>
    shop.owner.call(addGroupMembers, { params: { spaceId: shop.spaceId, groupId }, body: { userIds: [userId] } });
  expect((await put(both)).status).toBe(200);
  const membersOf = async (departmentId: string): Promise<string[]> =>
    (
      await shop.owner.call(listDepartmentUsers, { query: { departmentId, includeChildrenDepartment: true } })
    ).body.users.map(({ id }) => id);
  expect([await membersOf(above), await membersOf(both)]).toEqual([[userId], [userId]]);
  say(subject, undefined);
  await enter(subject);
  expect([await membersOf(above), await membersOf(below), await membersOf(both)]).toEqual([[], [], [userId]]);
});

test('a rule that names a group makes it once, with its role, when several sign in at the same moment', async () => {
  const spaceId = await newSpace(shop.owner);
  rule([{ value: 'sales', space: spaceId, name: 'Sales', role: 'commenter' }]);
  const entered = await Promise.all(Array.from({ length: 4 }, () => enter(newSubject(['sales']))));
  for (const { call } of entered) expect((await call(getSpace, { params: { spaceId } })).body.role).toBe('commenter');
  const groups = (await shop.owner.call(listGroups, { params: { spaceId } })).body;
  expect(groups).toMatchObject([{ name: 'Sales', memberCount: 4 }]);
});

test('a thousand groups in the ID token, or in the user information, are taken; a claim may have parts', async () => {
  const wanted = await group('One of a thousand');
  await give(wanted, 'viewer');
  rule([{ value: 'group-999', group: wanted }]);
  const thousand = Array.from({ length: 1_000 }, (_, n) => `group-${n}`);
  expect(await roleOf(await enter(newSubject(thousand)))).toBe('viewer');
  company.lies = { claims: (claims) => ({ ...claims, groups: thousand }) };
  try {
    expect(await roleOf(await enter(newSubject([])))).toBe('viewer');
  } finally {
    company.lies = null;
  }
  rule([{ value: 'group-999', group: wanted }], ['realm_access', 'roles']);
  expect(await roleOf(await enter(newSubject([], { realm_access: { roles: ['group-999'] } })))).toBe('viewer');
  expect(await roleOf(await enter(newSubject(['group-999'], { realm_access: 'group-999' })))).toBe('404');
});

test('where the plan has no groups, or the group and space are gone, people sign in without them', async () => {
  const spaceId = await newSpace(shop.owner);
  rule([
    { value: 'plan', space: spaceId, name: 'Of the plan', role: 'viewer' },
    { value: 'plan', group: 'odpGone' },
    { value: 'plan', space: 'spcGone', name: 'Nowhere' },
  ]);
  const subject = newSubject(['plan']);
  const before = await enter(subject);
  expect((await before.call(getSpace, { params: { spaceId } })).status).toBe(200);
  await setSpacePlan(world().services, spaceId, { level: 'plus', quantity: 100 });
  const late = await enter(newSubject(['plan']));
  expect((await late.call(getSpace, { params: { spaceId } })).status).toBe(404);
  // What the provider takes away counts there, too.
  say(subject, []);
  expect((await (await enter(subject)).call(getSpace, { params: { spaceId } })).status).toBe(404);
});

test('somebody for whom there is no seat signs in, and goes out of what no longer holds', async () => {
  const spaceId = await newSpace(shop.owner);
  rule([
    { value: 'seat', space: spaceId, name: 'With a seat', role: 'editor' },
    { value: 'none', space: spaceId, name: 'Without a seat', role: 'viewer' },
  ]);
  const subject = newSubject(['none']);
  const entered = await enter(subject);
  await setSpacePlan(world().services, spaceId, { level: 'pro', quantity: 1 });
  say(subject, ['seat']);
  await enter(subject);
  expect((await entered.call(getSpace, { params: { spaceId } })).status).toBe(404);
  await setSpacePlan(world().services, spaceId, { level: 'pro', quantity: 2 });
  await enter(subject);
  expect((await entered.call(getSpace, { params: { spaceId } })).body.role).toBe('editor');
});

test('groups by a provider end with the identity', async () => {
  const wanted = await group('With the identity');
  await give(wanted, 'viewer');
  rule([{ value: 'identity', group: wanted }]);
  const someone = await enter(newSubject(['identity']));
  await someone.call(addPassword, { body: { password: 'a horse of my own 5' } });
  const [identity] = (await someone.call(listIdentities, {})).body;
  expect((await someone.call(unlinkIdentity, { params: { identityId: identity?.id as string } })).status).toBe(200);
  expect(await roleOf(someone)).toBe('404');
});

test.each([
  [{ value: 'a' }, 'the rule for "a" needs "group", or "space" and "name"'],
  [{ value: 'a', group: 'odp1', role: 'viewer' }, 'needs neither space nor name nor role'],
  [{ value: 'a', space: 'spc1', name: 'A', role: 'owner' }, 'cannot make owners'],
  [{ value: '', group: 'odp1' }, 'value'],
])('a wrong rule stops the start: %j', (groups, message) => {
  expect(() => rule([groups])).toThrow(message);
});
