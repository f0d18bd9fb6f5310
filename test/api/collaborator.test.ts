import {
  addBaseCollaborators,
  addSpaceCollaborators,
  listBaseCollaborators,
  listBaseUsers,
  listSpaceCollaborators,
  removeBaseCollaborator,
  removeSpaceCollaborator,
  updateBaseCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { baseRoles, rank, type Role, roles } from '@rowhouse/contract/permission.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type Person, person } from '../support/people.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const user = (who: Pick<Person, 'userId'>) => ({ principalId: who.userId, principalType: 'user' as const });

const setRole = (by: Pick<Person, 'call'>, placeId: string, of: Person, role: Role) =>
  placeId.startsWith('spc')
    ? by.call(updateSpaceCollaborator, { params: { spaceId: placeId }, body: { ...user(of), role } })
    : by.call(updateBaseCollaborator, { params: { baseId: placeId }, body: { ...user(of), role: role as never } });

const remove = (by: Pick<Person, 'call'>, placeId: string, whom: Person) =>
  placeId.startsWith('spc')
    ? by.call(removeSpaceCollaborator, { params: { spaceId: placeId }, query: user(whom) })
    : by.call(removeBaseCollaborator, { params: { baseId: placeId }, query: user(whom) });

const rolesIn = async (spaceId: string): Promise<Record<string, Role>> => {
  const rows = await world().db.query<{ id: string; role: Role }>(
    sql`select user_id as id, role from rowhouse.collaborators where resource_id = ${spaceId}`,
  );
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
};

test('a space lists its people, and those of its bases on request', async () => {
  const owner = await person(world(), { name: 'Olga' });
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId, 'Plans');
  const [editor, guest] = [await person(world(), { name: 'Edda' }), await person(world(), { name: 'Gert' })];
  await give(owner, spaceId, editor, 'editor');
  await give(owner, baseId, guest, 'viewer');
  await give(owner, baseId, editor, 'creator');
  const list = async (query: Record<string, unknown> = {}) =>
    (await owner.call(listSpaceCollaborators, { params: { spaceId }, query })).body;
  const one = { avatar: null, createdTime: expect.any(String), type: 'user' };
  const [first, second] = [
    {
      ...one,
      userId: owner.userId,
      userName: 'Olga',
      email: owner.email,
      role: 'owner',
      resourceType: 'space',
      billable: true,
    },
    {
      ...one,
      userId: editor.userId,
      userName: 'Edda',
      email: editor.email,
      role: 'editor',
      resourceType: 'space',
      billable: true,
    },
  ];
  expect(await list()).toEqual({ collaborators: [first, second], total: 2, uniqTotal: 2 });
  const base = { id: baseId, name: 'Plans' };
  expect(await list({ includeBase: true })).toEqual({
    collaborators: [
      first,
      second,
      {
        ...one,
        userId: guest.userId,
        userName: 'Gert',
        email: guest.email,
        role: 'viewer',
        resourceType: 'base',
        billable: false,
        base,
      },
      { ...second, role: 'creator', resourceType: 'base', base },
    ],
    total: 4,
    uniqTotal: 3,
  });
  const names = async (query: Record<string, unknown>) =>
    (await list(query)).collaborators.map((each) => each.type === 'user' && each.userName);
  expect(await names({ search: 'edda' })).toEqual(['Edda']);
  expect(await names({ search: editor.email.toUpperCase() })).toEqual(['Edda']);
  expect(await names({ search: '%' })).toEqual([]);
  expect(await names({ orderBy: 'desc' })).toEqual(['Edda', 'Olga']);
  expect(await list({ skip: 1, take: 1 })).toEqual({ collaborators: [second], total: 2, uniqTotal: 2 });
  expect(await list({ skip: 9 })).toEqual({ collaborators: [], total: 2, uniqTotal: 2 });
  expect(await list({ type: 'department' })).toEqual({ collaborators: [], total: 0, uniqTotal: 0 });
  for (const query of [{ take: 0 }, { skip: -1 }, { take: 'x' }, { orderBy: 'up' }, { type: 'robot' }]) {
    expect((await owner.call(listSpaceCollaborators, { params: { spaceId }, query })).status).toBe(400);
  }
});

test('a base lists its people and those of its space', async () => {
  const owner = await person(world(), { name: 'Olga' });
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const guest = await person(world(), { name: 'Gert' });
  await give(owner, baseId, guest, 'viewer');
  const listed = (await guest.call(listBaseCollaborators, { params: { baseId } })).body;
  expect(listed.collaborators.map((one) => [one.type === 'user' && one.userName, one.role, one.resourceType])).toEqual([
    ['Olga', 'owner', 'space'],
    ['Gert', 'viewer', 'base'],
  ]);
  expect(listed).toMatchObject({ total: 2, uniqTotal: 2 });
  await give(owner, spaceId, guest, 'viewer');
  const users = (await guest.call(listBaseUsers, { params: { baseId } })).body;
  expect(users).toEqual({
    users: [owner, guest].map(({ userId, name, email }) => ({ id: userId, name, email, avatar: null })),
    total: 2,
  });
  expect(
    (await guest.call(listBaseUsers, { params: { baseId }, query: { search: 'olg', take: 1 } })).body,
  ).toMatchObject({ total: 1 });
});

test('people are given any role up to one’s own, all or none', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const add = (by: Person, whom: { userId: string }[], role: Role) =>
    by.call(addSpaceCollaborators, { params: { spaceId }, body: { collaborators: whom.map(user), role } });
  for (const own of roles) {
    const by = await member(world(), owner, spaceId, own);
    for (const role of roles) {
      expect((await add(by, [await person(world())], role)).status).toBe(rank(role) >= rank(own) ? 200 : 403);
    }
  }
  const [fresh, present] = [await person(world()), await member(world(), owner, spaceId, 'viewer')];
  const mixed = await add(owner, [fresh, present, { userId: 'usr0000000000000000' }], 'editor');
  expect(mixed.status).toBe(400);
  expect(mixed.error.data.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'collaborators[1].principalId',
    'collaborators[2].principalId',
  ]);
  expect((await rolesIn(spaceId))[fresh.userId]).toBeUndefined();
  expect((await add(owner, [fresh, fresh], 'editor')).status).toBe(200);
  const department = { principalId: 'x', principalType: 'department' as const };
  expect(
    (
      await owner.call(addSpaceCollaborators, {
        params: { spaceId },
        body: { collaborators: [department], role: 'viewer' },
      })
    ).status,
  ).toBe(400);
  expect(
    (await owner.call(addSpaceCollaborators, { params: { spaceId }, body: { collaborators: [], role: 'viewer' } }))
      .status,
  ).toBe(400);
});

test('a base has no owners, and a role there only makes sense when it is more than the one on the space', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const editor = await member(world(), owner, spaceId, 'editor');
  const add = (role: string) =>
    owner.call(addBaseCollaborators, {
      params: { baseId },
      body: { collaborators: [user(editor)], role: role as never },
    });
  for (const role of ['owner', 'editor', 'viewer']) expect((await add(role)).status).toBe(400);
  expect((await add('creator')).status).toBe(200);
  expect((await setRole(owner, baseId, editor, 'owner')).status).toBe(400);
});

test('only owners change roles on a space', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const target = await member(world(), owner, spaceId, 'viewer');
  for (const own of roles.slice(1)) {
    expect((await setRole(await member(world(), owner, spaceId, own), spaceId, target, 'viewer')).status).toBe(403);
  }
  for (const role of roles) {
    expect((await setRole(owner, spaceId, target, role)).status).toBe(200);
    expect((await target.call(getSpace, { params: { spaceId } })).body.role).toBe(role);
  }
  const old = await owner.call(updateSpaceCollaborator, {
    params: { spaceId },
    body: { userId: target.userId, role: 'viewer' },
  });
  expect(old.status).toBe(200);
  expect((await rolesIn(spaceId))[target.userId]).toBe('viewer');
});

test('on a base, others than owners change only people below themselves, and to no more than their own role', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const [creator, peer, editor] = await Promise.all(
    (['creator', 'creator', 'editor'] as const).map((role) => member(world(), owner, baseId, role)),
  );
  expect((await setRole(creator as Person, baseId, editor as Person, 'creator')).status).toBe(200);
  expect((await setRole(creator as Person, baseId, editor as Person, 'viewer')).status).toBe(403);
  expect((await setRole(creator as Person, baseId, peer as Person, 'viewer')).status).toBe(403);
  expect((await setRole(owner, baseId, editor as Person, 'editor')).status).toBe(200);
  expect((await setRole(editor as Person, baseId, editor as Person, 'creator')).status).toBe(403);
  expect((await setRole(creator as Person, baseId, creator as Person, 'viewer')).status).toBe(200);
  expect((await setRole(owner, baseId, owner, 'viewer')).error).toMatchObject({
    status: 404,
    message: `Collaborator ${owner.userId} not found`,
  });
});

test('owners remove anyone, others only those below themselves, and everyone may leave', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  for (const own of roles) {
    const by = own === 'owner' ? owner : await member(world(), owner, spaceId, own);
    for (const theirs of roles) {
      const target = await member(world(), owner, spaceId, theirs);
      const may = own === 'owner' || rank(own) < rank(theirs);
      expect((await remove(by, spaceId, target)).status).toBe(may ? 200 : 403);
      expect((await target.call(getSpace, { params: { spaceId } })).status).toBe(may ? 404 : 200);
      if (!may) expect((await remove(target, spaceId, target)).status).toBe(200);
    }
  }
});

test('the same holds on a base, where the role on the space counts too', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  for (const role of baseRoles)
    expect((await remove(owner, baseId, await member(world(), owner, baseId, role))).status).toBe(200);
  const creator = await member(world(), owner, spaceId, 'creator');
  expect((await remove(creator, baseId, await member(world(), owner, baseId, 'editor'))).status).toBe(200);
  expect((await remove(creator, baseId, await member(world(), owner, baseId, 'creator'))).status).toBe(403);
  expect((await remove(creator, baseId, creator)).status).toBe(404);
  const guest = await member(world(), owner, baseId, 'viewer');
  expect((await remove(guest, baseId, guest)).status).toBe(200);
  expect((await guest.call(listBaseUsers, { params: { baseId } })).status).toBe(404);
});

test('the last owner stays, anyone who asks; a deactivated one does not count', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  expect((await setRole(owner, spaceId, owner, 'creator')).error).toMatchObject({
    status: 400,
    code: 'validation_error',
  });
  expect((await remove(owner, spaceId, owner)).status).toBe(400);
  expect((await setRole(owner, spaceId, owner, 'owner')).status).toBe(200);
  const second = await member(world(), owner, spaceId, 'owner');
  await world().db.query(sql`update rowhouse.users set deactivated_time = now() where id = ${second.userId}`);
  expect((await remove(owner, spaceId, owner)).status).toBe(400);
  await world().db.query(sql`update rowhouse.users set deactivated_time = null where id = ${second.userId}`);
  expect((await remove(owner, spaceId, owner)).status).toBe(200);
  expect(await rolesIn(spaceId)).toEqual({ [second.userId]: 'owner' });
});

test('owners who demote or remove each other at the same moment never leave a space without one', async () => {
  for (let round = 0; round < 6; round += 1) {
    const owner = await person(world());
    const spaceId = await newSpace(owner);
    const owners = [owner, ...(await Promise.all([1, 2].map(() => member(world(), owner, spaceId, 'owner'))))];
    const answers = await Promise.all(
      owners.flatMap((by, at) => {
        const target = owners[(at + 1) % owners.length] as Person;
        return [setRole(by, spaceId, target, 'viewer'), remove(by, spaceId, target), remove(by, spaceId, by)];
      }),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(Object.values(await rolesIn(spaceId))).toContain('owner');
  }
});

test('what is asked for wrongly is refused clearly', async () => {
  const [owner, stranger] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  expect((await owner.call(removeSpaceCollaborator, { params, query: {} })).error).toMatchObject({ status: 400 });
  expect((await owner.call(removeSpaceCollaborator, { params, query: { userId: stranger.userId } })).status).toBe(404);
  expect(
    (await owner.call(removeSpaceCollaborator, { params, query: { principalId: 'x', principalType: 'department' } }))
      .status,
  ).toBe(404);
  expect((await owner.call(removeSpaceCollaborator, { params, query: { userId: 'a\u0000' } })).status).toBe(400);
  expect((await setRole(owner, spaceId, stranger, 'viewer')).status).toBe(404);
  expect((await setRole(owner, spaceId, owner, 'king' as never)).status).toBe(400);
  expect((await owner.call(updateSpaceCollaborator, { params, body: {} as never })).status).toBe(400);
  expect((await remove(stranger, spaceId, owner)).status).toBe(404);
  expect((await stranger.call(listSpaceCollaborators, { params })).status).toBe(404);
});

test('a token for reading lists people but does not add, change or remove them', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const [target, guest] = [
    await member(world(), owner, spaceId, 'viewer'),
    await member(world(), owner, baseId, 'viewer'),
  ];
  const reader = await owner.withToken({ scopes: ['space|read', 'base|read'], spaceIds: [spaceId] });
  expect((await reader.call(listSpaceCollaborators, { params: { spaceId } })).status).toBe(200);
  expect((await setRole(reader, spaceId, target, 'editor')).status).toBe(403);
  expect((await remove(reader, spaceId, target)).status).toBe(403);
  expect((await remove(reader, baseId, guest)).status).toBe(403);
  const fresh = await person(world());
  expect(
    (
      await reader.call(addSpaceCollaborators, {
        params: { spaceId },
        body: { collaborators: [user(fresh)], role: 'viewer' },
      })
    ).status,
  ).toBe(403);
});

test('a role that is raised, lowered or taken away counts from the next request on, also where decisions are remembered', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const tableId = (
    await owner.call(createTable, { params: { baseId: await newBase(owner, spaceId) }, body: { records: [] } })
  ).body.id;
  const someone = await member(world(), owner, spaceId, 'viewer');
  const write = async (): Promise<number> =>
    (await someone.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'x' } }] } })).status;
  expect(await write()).toBe(403);
  await setRole(owner, spaceId, someone, 'editor');
  expect(await write()).toBe(201);
  expect(await write()).toBe(201);
  await setRole(owner, spaceId, someone, 'commenter');
  expect(await write()).toBe(403);
  await setRole(owner, spaceId, someone, 'editor');
  expect(await write()).toBe(201);
  await remove(owner, spaceId, someone);
  expect(await write()).toBe(404);
});
