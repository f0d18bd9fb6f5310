// Groups of a space: who is in them has their roles, at once and in every process, and nobody by them alone is the last owner.
import { moveBase } from '@rowhouse/contract/base.ts';
import {
  addBaseCollaborators,
  addSpaceCollaborators,
  listBaseUsers,
  listSpaceCollaborators,
  removeBaseCollaborator,
  removeSpaceCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  listDepartments,
  listDepartmentUsers,
  listGroups,
  removeGroupMembers,
  updateGroup,
} from '@rowhouse/contract/group.ts';
import { createSpaceLink, listSpaceLinks } from '@rowhouse/contract/invitation.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { getSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { plansWith } from '../support/plans.ts';
import { type Person, person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { give, newBase, newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const plans = plansWith({ free: { userGroupEnable: true }, plus: { userGroupEnable: false } });
const world = useWorld({}, { plans });
/** Another server of the same database. */
let other: World;
let shop: Workshop;
let tableId: string;

beforeAll(async () => {
  other = await openWorld(world().databaseUrl, {}, { plans });
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
});
afterAll(() => other.close());

const group = async (name: string, parentId?: string): Promise<string> => {
  const body = parentId === undefined ? { name } : { name, parentId };
  return (await shop.owner.call(createGroup, { params: { spaceId: shop.spaceId }, body })).body.id;
};
const at = (groupId: string) => ({ spaceId: shop.spaceId, groupId });
const join = (groupId: string, ...people: Person[]) =>
  shop.owner.call(addGroupMembers, { params: at(groupId), body: { userIds: people.map(({ userId }) => userId) } });
const leave = (groupId: string, who: Person, by: Person = shop.owner) =>
  by.call(removeGroupMembers, { params: at(groupId), query: { userIds: [who.userId] } });
const department = (principalId: string) => ({ principalId, principalType: 'department' as const });
const giveGroup = (groupId: string, role: Role) =>
  shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [department(groupId)], role },
  });
const giveGroupOnBase = (groupId: string, role: Exclude<Role, 'owner'>) =>
  shop.owner.call(addBaseCollaborators, {
    params: { baseId: shop.baseId },
    body: { collaborators: [department(groupId)], role },
  });
const roleOf = async (who: Person): Promise<string> => {
  const { status, body } = await who.call(getSpace, { params: { spaceId: shop.spaceId } });
  return status === 200 ? body.role : String(status);
};
/** At the other server, which remembers what it has decided. */
const writes = async (who: Person): Promise<number> => {
  const call = caller({ baseUrl: other.baseUrl, token: who.token });
  return (await call(createRecords, { params: { tableId }, body: { records: [{ fields: {} }] } })).status;
};

test('the highest of the roles that somebody has themselves and by groups counts', async () => {
  const [one, two] = [await person(world()), await person(world())];
  const [readers, editors] = [await group('Readers'), await group('Editors')];
  await give(shop.owner, shop.spaceId, one, 'commenter');
  await join(readers, one, two);
  await giveGroup(readers, 'viewer');
  expect([await roleOf(one), await roleOf(two)]).toEqual(['commenter', 'viewer']);
  expect((await giveGroupOnBase(editors, 'editor')).status).toBe(200);
  expect([await writes(one), await writes(two)]).toEqual([403, 403]);
  await join(editors, two);
  expect([await writes(one), await writes(two), await roleOf(two)]).toEqual([403, 201, 'viewer']);
  expect((await two.call(listSpaces)).body).toMatchObject([{ id: shop.spaceId, role: 'viewer' }]);
  const users = (await shop.owner.call(listBaseUsers, { params: { baseId: shop.baseId } })).body.users;
  expect(users.filter(({ id }) => id === two.userId)).toHaveLength(1);
});

test('what a group gives and takes holds at once in another process', async () => {
  const who = await person(world());
  const [team, squad] = [await group('Team'), await group('Squad')];
  await giveGroupOnBase(team, 'editor');
  const steps: [string, () => Promise<unknown>, number][] = [
    ['a stranger', async () => undefined, 404],
    ['joins a group without a role', () => join(squad, who), 404],
    [
      'which moves into one that has one',
      () => shop.owner.call(updateGroup, { params: at(squad), body: { parentId: team } }),
      201,
    ],
    ['and out', () => shop.owner.call(updateGroup, { params: at(squad), body: { parentId: null } }), 404],
    ['joins', () => join(team, who), 201],
    ['leaves', () => leave(team, who), 404],
    ['joins again', () => join(team, who), 201],
    [
      'the group has no role any more',
      () => shop.owner.call(removeBaseCollaborator, { params: { baseId: shop.baseId }, query: department(team) }),
      404,
    ],
    ['has one again', () => giveGroupOnBase(team, 'editor'), 201],
    ['is deleted', () => shop.owner.call(deleteGroup, { params: at(team) }), 404],
  ];
  const seen: [string, number][] = [];
  for (const [what, step] of steps) {
    await step();
    seen.push([what, await writes(who)]);
  }
  expect(seen).toEqual(steps.map(([what, , status]) => [what, status]));
});

test('members of a group are members of those above it, and somebody who is in twice stays by the other', async () => {
  const [who, twice] = [await person(world()), await person(world())];
  const top = await group('Top');
  const middle = await group('Middle', top);
  const bottom = await group('Bottom', middle);
  await giveGroup(top, 'viewer');
  await join(bottom, who, twice);
  await join(top, twice);
  expect([await roleOf(who), await roleOf(twice)]).toEqual(['viewer', 'viewer']);
  const listed = (await shop.owner.call(listGroups, { params: { spaceId: shop.spaceId } })).body;
  expect(listed.find(({ id }) => id === bottom)).toMatchObject({
    parentId: middle,
    path: [top, middle, bottom],
    pathName: ['Top', 'Middle', 'Bottom'],
    hasChildren: false,
    memberCount: 2,
  });
  expect(listed.find(({ id }) => id === top)).toMatchObject({ memberCount: 2, hasChildren: true });
  const refused = await shop.owner.call(deleteGroup, { params: at(top) });
  expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('groups inside')]);
  const inside = await shop.owner.call(updateGroup, { params: at(top), body: { parentId: bottom } });
  expect([inside.status, inside.error.message]).toEqual([400, expect.stringContaining('inside of itself')]);
  await shop.owner.call(deleteGroup, { params: at(bottom) });
  expect([await roleOf(who), await roleOf(twice)]).toEqual(['404', 'viewer']);
});

test('the last owner is a person, whatever groups own the space', async () => {
  const [second, third] = [await person(world()), await person(world())];
  const owners = await group('Owners');
  await join(owners, second, third);
  await giveGroup(owners, 'owner');
  expect(await roleOf(second)).toBe('owner');
  const self = { principalId: shop.owner.userId, principalType: 'user' as const };
  const params = { spaceId: shop.spaceId };
  for (const attempt of [
    shop.owner.call(removeSpaceCollaborator, { params, query: self }),
    second.call(removeSpaceCollaborator, { params, query: self }),
    second.call(updateSpaceCollaborator, { params, body: { ...self, role: 'editor' } }),
  ])
    expect((await attempt).status).toBe(400);
  // Owners by a group are owners: they also take roles of groups away, even their own.
  expect(
    (await second.call(updateSpaceCollaborator, { params, body: { ...department(owners), role: 'viewer' } })).status,
  ).toBe(200);
  expect([await roleOf(second), await roleOf(third), await roleOf(shop.owner)]).toEqual(['viewer', 'viewer', 'owner']);
  await shop.owner.call(deleteGroup, { params: at(owners) });
});

test('everyone may leave a group; nobody but owners takes others out, and roles by a group end with it', async () => {
  const [one, two] = [await person(world()), await person(world())];
  const guests = await group('Guests');
  await join(guests, one, two);
  await giveGroup(guests, 'creator');
  const link = await one.call(createSpaceLink, { params: { spaceId: shop.spaceId }, body: { role: 'viewer' } });
  expect((await leave(guests, two, one)).status).toBe(403);
  const params = { spaceId: shop.spaceId };
  const query = { principalId: one.userId, principalType: 'user' as const };
  const told = await shop.owner.call(removeSpaceCollaborator, { params, query });
  expect([told.status, told.error.message]).toEqual([400, expect.stringContaining('by the group "Guests"')]);
  expect((await leave(guests, one, one)).status).toBe(200);
  expect([await roleOf(one), await roleOf(two)]).toEqual(['404', 'creator']);
  // What one made by the role is worth nothing without it.
  const links = (await shop.owner.call(listSpaceLinks, { params })).body;
  expect(links.map(({ invitationId }) => invitationId)).not.toContain(link.body.invitationId);
});

test('people are told what a group lets them into, and the list of a space names groups as departments', async () => {
  const who = await person(world());
  const told = await group('Told');
  await giveGroup(told, 'commenter');
  await join(told, who);
  const inbox = async () =>
    (await who.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.map(
      ({ message }) => message,
    );
  await expect.poll(inbox).toEqual([expect.stringContaining('as commenter')]);
  const listed = await shop.owner.call(listSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    query: { type: 'department', search: 'tol' },
  });
  expect(listed.body).toEqual({
    collaborators: [
      {
        departmentId: told,
        departmentName: 'Told',
        role: 'commenter',
        createdTime: expect.any(String),
        type: 'department',
        resourceType: 'space',
      },
    ],
    total: 1,
    uniqTotal: 1,
  });
  const twice = await giveGroup(told, 'editor');
  expect([twice.status, twice.error.message]).toEqual([400, expect.stringContaining('already has a role')]);
});

test('groups are known to those of their space alone, and give nothing anywhere else', async () => {
  const stranger = await openWorkshop(world());
  const [who, mine] = [await person(world()), await group('Mine')];
  await join(mine, who);
  expect((await stranger.owner.call(listDepartments, { query: {} })).body).toEqual([]);
  expect((await who.call(listDepartments, { query: {} })).body).toEqual([]);
  const found = (await shop.owner.call(listDepartments, { query: { search: 'mine' } })).body;
  expect(found).toMatchObject([{ id: mine, name: 'Mine', hasChildren: false }]);
  const people = (await shop.owner.call(listDepartmentUsers, { query: { departmentId: mine } })).body;
  expect(people).toMatchObject({ total: 1, users: [{ id: who.userId, departments: [{ id: mine, name: 'Mine' }] }] });
  expect((await stranger.owner.call(listDepartmentUsers, { query: { departmentId: mine } })).body.total).toBe(0);
  const elsewhere = await stranger.owner.call(addSpaceCollaborators, {
    params: { spaceId: stranger.spaceId },
    body: { collaborators: [department(mine)], role: 'viewer' },
  });
  expect([elsewhere.status, elsewhere.error.message]).toEqual([400, expect.stringContaining('no group')]);
  // Nor does a group follow a base into another space.
  const baseId = await newBase(shop.owner, shop.spaceId);
  const body = { collaborators: [department(mine)], role: 'viewer' as const };
  await shop.owner.call(addBaseCollaborators, { params: { baseId }, body });
  expect((await who.call(listBaseUsers, { params: { baseId } })).status).toBe(200);
  await shop.owner.call(moveBase, { params: { baseId }, body: { spaceId: await newSpace(shop.owner) } });
  expect((await who.call(listBaseUsers, { params: { baseId } })).status).toBe(404);
});

test('without groups in its plan a space keeps what groups give, adds nothing, and can take it away', async () => {
  const [who, late] = [await person(world()), await person(world())];
  const plan = await group('Plan');
  await join(plan, who);
  await giveGroup(plan, 'viewer');
  await setSpacePlan(world().services, shop.spaceId, { level: 'plus', quantity: 100 });
  expect(await roleOf(who)).toBe('viewer');
  const params = { spaceId: shop.spaceId };
  const refused = [
    await shop.owner.call(createGroup, { params, body: { name: 'More' } }),
    await join(plan, late),
    await shop.owner.call(updateGroup, { params: at(plan), body: { name: 'Other' } }),
    await giveGroupOnBase(plan, 'editor'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([402, 402, 402, 402]);
  expect(refused[0]?.error.message).toContain('groups of users');
  expect((await leave(plan, who)).status).toBe(200);
  expect(await roleOf(who)).toBe('404');
  expect((await shop.owner.call(deleteGroup, { params: at(plan) })).status).toBe(200);
});
