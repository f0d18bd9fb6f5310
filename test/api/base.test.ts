import {
  createBase,
  deleteBase,
  destroyBase,
  getBase,
  getBasePermission,
  listBases,
  listSharedBases,
  listSpaceBases,
  moveBase,
  updateBase,
  updateBaseOrder,
} from '@rowhouse/contract/base.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { actions, allows, roles } from '@rowhouse/contract/permission.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type Person, person } from '../support/people.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const unknown = 'bse0000000000000000';

const schemaExists = async (baseId: string): Promise<boolean> =>
  (await world().db.query(sql`select 1 from pg_namespace where nspname = ${baseId}`)).length === 1;

const order = async (who: Person, spaceId: string): Promise<string[]> =>
  (await who.call(listSpaceBases, { params: { spaceId } })).body.map((base) => base.id);

test('a base is created with a PostgreSQL schema of its own', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const made = await owner.call(createBase, { body: { spaceId } });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^bse[0-9A-Za-z]{16}$/),
    name: 'Untitled Base',
    icon: null,
    spaceId,
  });
  expect(await schemaExists(made.body.id)).toBe(true);
  const named = await owner.call(createBase, { body: { spaceId, name: '"; drop', icon: '🧪' } });
  expect((await owner.call(getBase, { params: { baseId: named.body.id } })).body).toEqual({
    id: named.body.id,
    name: '"; drop',
    icon: '🧪',
    spaceId,
    role: 'owner',
    collaboratorType: 'space',
  });
});

test('creating takes owner or creator on the space of the body, and a token that may and reaches it', async () => {
  const [owner, stranger] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const create = (who: Pick<Person, 'call'>, id = spaceId) => who.call(createBase, { body: { spaceId: id } });
  for (const role of roles) {
    expect((await create(await member(world(), owner, spaceId, role))).status).toBe(
      allows(role, 'base|create') ? 201 : 403,
    );
  }
  expect((await create(stranger)).error).toMatchObject({ status: 404, message: `Space ${spaceId} not found` });
  expect((await create(owner, 'spc0000000000000000')).status).toBe(404);
  expect((await create(owner, 'a\u0000b')).status).toBe(400);
  expect((await create(await owner.withToken({ scopes: ['base|create'], spaceIds: [spaceId] }))).status).toBe(201);
  expect(
    (await create(await owner.withToken({ scopes: ['base|create'], spaceIds: [await newSpace(owner)] }))).status,
  ).toBe(403);
  expect((await create(await owner.withToken({ scopes: ['base|read'], hasFullAccess: true }))).status).toBe(403);
  const before = await order(owner, spaceId);
  for (const body of [
    { spaceId, name: '' },
    { spaceId, name: 'x'.repeat(256) },
    { name: 'x' },
    { spaceId, icon: 'a\ud800' },
  ]) {
    expect((await owner.call(createBase, { body: body as never })).status).toBe(400);
  }
  expect(await order(owner, spaceId)).toEqual(before);
  await owner.call(deleteSpace, { params: { spaceId } });
  expect((await create(owner)).status).toBe(404);
});

test('name and icon change one by one; null takes the icon away', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId, 'one');
  const update = (body: { name?: string; icon?: string | null }) =>
    owner.call(updateBase, { params: { baseId }, body });
  expect((await update({ icon: '🚀' })).body).toEqual({ id: baseId, spaceId, name: 'one', icon: '🚀' });
  expect((await update({ name: 'two' })).body).toEqual({ id: baseId, spaceId, name: 'two', icon: '🚀' });
  expect((await update({ icon: null })).body).toMatchObject({ name: 'two', icon: null });
  expect((await update({})).body).toMatchObject({ name: 'two', icon: null });
});

test('the mightier of the roles on the space and on the base counts', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const someone = await member(world(), owner, spaceId, 'viewer');
  const rename = () => someone.call(updateBase, { params: { baseId }, body: { name: 'x' } });
  expect((await rename()).status).toBe(403);
  await give(owner, baseId, someone, 'creator');
  expect((await rename()).status).toBe(200);
  expect((await someone.call(getBase, { params: { baseId } })).body).toMatchObject({
    role: 'creator',
    collaboratorType: 'base',
  });
  expect((await someone.call(listSpaceBases, { params: { spaceId } })).body[0]).toMatchObject({
    role: 'creator',
    collaboratorType: 'base',
  });
});

test('shared bases are those whose space one has no role on; "all" holds both kinds', async () => {
  const [owner, guest] = [await person(world()), await person(world(), { name: 'Guest' })];
  const spaceId = await newSpace(owner, 'Theirs');
  const [shared, hidden] = [await newBase(owner, spaceId, 'shared'), await newBase(owner, spaceId)];
  const own = await newBase(guest, await newSpace(guest));
  await give(owner, shared, guest, 'commenter');
  expect((await guest.call(listSharedBases)).body).toEqual([
    {
      id: shared,
      name: 'shared',
      icon: null,
      spaceId,
      spaceName: 'Theirs',
      role: 'commenter',
      collaboratorType: 'base',
    },
  ]);
  expect((await guest.call(listBases)).body.map((base) => base.id)).toEqual([shared, own]);
  expect((await guest.call(getBase, { params: { baseId: shared } })).body.role).toBe('commenter');
  expect((await guest.call(getBase, { params: { baseId: hidden } })).error).toMatchObject({
    status: 404,
    message: `Base ${hidden} not found`,
  });
  expect((await guest.call(getBase, { params: { baseId: unknown } })).status).toBe(404);
  const narrow = await guest.withToken({ baseIds: [shared] });
  expect((await narrow.call(listBases)).body.map((base) => base.id)).toEqual([shared]);
  expect((await narrow.call(getBase, { params: { baseId: own } })).status).toBe(403);
  await give(owner, spaceId, guest, 'viewer');
  expect((await guest.call(listSharedBases)).body).toEqual([]);
  expect((await guest.call(listBases)).body).toHaveLength(3);
});

test('the permissions are those of the role, cut by the scopes of the token', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const editor = await member(world(), owner, baseId, 'editor');
  const all = (await editor.call(getBasePermission, { params: { baseId } })).body;
  const expected = actions
    .filter((action) => !action.startsWith('space|'))
    .map((action) => [action, allows('editor', action)]);
  expect(all).toEqual(Object.fromEntries(expected));
  const reader = await owner.withToken({ scopes: ['base|read', 'record|read'], spaceIds: [spaceId] });
  const granted = Object.entries((await reader.call(getBasePermission, { params: { baseId } })).body).filter(
    ([, may]) => may,
  );
  expect(granted.map(([action]) => action).sort()).toEqual(['base|read', 'record|read']);
});

test('bases are put before and after each other', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const [a, b, c] = [await newBase(owner, spaceId), await newBase(owner, spaceId), await newBase(owner, spaceId)];
  const elsewhere = await newBase(owner, await newSpace(owner));
  const put = (baseId: string, position: 'before' | 'after', anchorId: string) =>
    owner.call(updateBaseOrder, { params: { baseId }, body: { anchorId, position } });
  expect(await order(owner, spaceId)).toEqual([a, b, c]);
  expect((await put(c, 'before', a)).status).toBe(200);
  expect(await order(owner, spaceId)).toEqual([c, a, b]);
  await put(c, 'after', a);
  expect(await order(owner, spaceId)).toEqual([a, c, b]);
  expect((await put(a, 'after', a)).status).toBe(200);
  for (const anchor of [elsewhere, unknown, '']) expect((await put(a, 'after', anchor)).status).toBe(400);
  await Promise.all([put(a, 'after', b), put(b, 'before', c), put(c, 'after', a), put(a, 'before', b)]);
  expect([...(await order(owner, spaceId))].sort()).toEqual([a, b, c].sort());
  const editor = await member(world(), owner, spaceId, 'editor');
  expect(
    (await editor.call(updateBaseOrder, { params: { baseId: a }, body: { anchorId: b, position: 'after' } })).status,
  ).toBe(403);
});

test('a base moves to a space where one may create, by owners of its space only', async () => {
  const owner = await person(world());
  const [from, to] = [await newSpace(owner), await newSpace(owner)];
  const baseId = await newBase(owner, from);
  const [viewer, guest, creator] = [
    await member(world(), owner, from, 'viewer'),
    await member(world(), owner, baseId, 'creator'),
    await member(world(), owner, from, 'creator'),
  ];
  const move = (who: Pick<Person, 'call'>, spaceId: string) =>
    who.call(moveBase, { params: { baseId }, body: { spaceId } });
  expect((await move(viewer, from)).status).toBe(403);
  expect((await move(guest, await newSpace(guest))).status).toBe(403);
  expect((await move(creator, to)).status).toBe(403);
  expect((await move(creator, await newSpace(creator))).status).toBe(403);
  expect((await move(owner, 'spc0000000000000000')).status).toBe(404);
  expect((await move(await owner.withToken({ spaceIds: [from] }), to)).status).toBe(403);
  expect((await move(owner, to)).status).toBe(200);
  expect(await order(owner, from)).toEqual([]);
  expect(await order(owner, to)).toEqual([baseId]);
  expect((await creator.call(getBase, { params: { baseId } })).status).toBe(404);
  expect((await guest.call(getBase, { params: { baseId } })).body.role).toBe('creator');
  expect((await move(owner, to)).status).toBe(200);
});

test('deleting takes owner or creator; the base is gone for everyone, its schema stays for the trash', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const params = { baseId };
  const editor = await member(world(), owner, spaceId, 'editor');
  for (const endpoint of [deleteBase, destroyBase]) expect((await editor.call(endpoint, { params })).status).toBe(403);
  expect((await owner.call(deleteBase, { params })).status).toBe(200);
  for (const endpoint of [getBase, deleteBase, getBasePermission])
    expect((await owner.call(endpoint, { params })).status).toBe(404);
  expect(await order(owner, spaceId)).toEqual([]);
  expect((await owner.call(listBases)).body).toEqual([]);
  expect(await schemaExists(baseId)).toBe(true);
});

test('deleting for good leaves nothing', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  for (let round = 0; round < 2; round += 1) {
    const baseId = await newBase(owner, spaceId);
    await member(world(), owner, baseId, 'editor');
    await owner.call(deleteBase, { params: { baseId } });
    expect((await owner.call(destroyBase, { params: { baseId } })).status).toBe(200);
    expect(await schemaExists(baseId)).toBe(false);
    const left = await world().db.query(
      sql`select 1 from rowhouse.bases where id = ${baseId} union all select 1 from rowhouse.collaborators where resource_id = ${baseId}`,
    );
    expect(left).toEqual([]);
    expect((await owner.call(destroyBase, { params: { baseId } })).status).toBe(404);
  }
});

test('creating and deleting for good at the same time never ends in a fault', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const made = await Promise.all([1, 2, 3, 4].map(() => newBase(owner, spaceId)));
  const answers = await Promise.all(
    made.flatMap((baseId) => [
      owner.call(deleteBase, { params: { baseId } }).then(() => owner.call(destroyBase, { params: { baseId } })),
      owner.call(destroyBase, { params: { baseId } }),
      owner.call(createBase, { body: { spaceId } }),
      owner.call(updateBase, { params: { baseId }, body: { name: 'x' } }),
      owner.call(moveBase, { params: { baseId }, body: { spaceId } }),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await order(owner, spaceId)).toHaveLength(4);
});

test('someone who leaves a space loses its bases at once', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const editor = await member(world(), owner, spaceId, 'editor');
  expect((await editor.call(getBase, { params: { baseId } })).status).toBe(200);
  await editor.call(removeSpaceCollaborator, { params: { spaceId }, query: { userId: editor.userId } });
  expect((await editor.call(getBase, { params: { baseId } })).status).toBe(404);
});
