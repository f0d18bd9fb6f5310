import { createSpace, deleteSpace, destroySpace, getSpace, listSpaces, updateSpace } from '@rowhouse/contract/space.ts';
import { roles } from '@rowhouse/contract/permission.ts';
import { expect, test } from 'vitest';
import { person } from '../support/people.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const unknown = 'spc0000000000000000';

test('a space is created with its maker as owner, and found again', async () => {
  const owner = await person(world());
  const made = await owner.call(createSpace, { body: { name: 'Plans' } });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({ id: expect.stringMatching(/^spc[0-9A-Za-z]{16}$/), name: 'Plans' });
  const params = { spaceId: made.body.id };
  expect((await owner.call(getSpace, { params })).body).toEqual({ ...made.body, role: 'owner' });
});

test('without a name it is "Space", then "Space 2", also when many are made at once and without a body', async () => {
  const owner = await person(world());
  const made = await Promise.all([1, 2, 3].map(() => owner.call(createSpace, { body: {} })));
  expect(made.map((one) => one.body.name).sort()).toEqual(['Space', 'Space 2', 'Space 3']);
  expect((await owner.call(createSpace)).body.name).toBe('Space 4');
  const other = await person(world());
  expect((await other.call(createSpace)).body.name).toBe('Space');
});

test('the list holds the spaces one has a role on, oldest first', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const first = await newSpace(owner, 'first');
  const second = await newSpace(owner, 'second');
  const own = await newSpace(guest, 'own');
  await give(owner, second, guest, 'viewer');
  const baseId = await newBase(owner, first);
  await give(owner, baseId, guest, 'editor');
  expect((await owner.call(listSpaces)).body.map((space) => space.id)).toEqual([first, second]);
  expect((await guest.call(listSpaces)).body).toEqual([
    { id: second, name: 'second', role: 'viewer' },
    { id: own, name: 'own', role: 'owner' },
  ]);
});

test('strangers, and people with a role on a base only, get the same 404 as for an unknown space', async () => {
  const [owner, stranger, guest] = [await person(world()), await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  await give(owner, await newBase(owner, spaceId), guest, 'creator');
  for (const id of [spaceId, unknown, 'x', '__proto__', "'; drop schema rowhouse; --"]) {
    for (const one of [stranger, guest]) {
      const answer = await one.call(getSpace, { params: { spaceId: id } });
      expect(answer.error).toMatchObject({ status: 404, code: 'not_found', message: `Space ${id} not found` });
    }
  }
  expect((await caller({ baseUrl: world().baseUrl })(getSpace, { params: { spaceId } })).status).toBe(401);
});

test('only owners rename and delete', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  for (const role of roles.slice(1)) {
    const someone = await member(world(), owner, spaceId, role);
    const params = { spaceId };
    expect((await someone.call(getSpace, { params })).body.role).toBe(role);
    expect((await someone.call(updateSpace, { params, body: { name: 'x' } })).status).toBe(403);
    expect((await someone.call(deleteSpace, { params })).status).toBe(403);
    expect((await someone.call(destroySpace, { params })).status).toBe(403);
  }
});

test('a name is text of 1 to 255 characters that can be stored', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const rename = (name: string) => owner.call(updateSpace, { params: { spaceId }, body: { name } });
  for (const name of ["Robert'); drop table spaces;--", '🏠', '__proto__', 'x'.repeat(255)]) {
    expect((await rename(name)).body).toEqual({ id: spaceId, name });
  }
  for (const name of ['', 'x'.repeat(256), 'a\u0000b', 'a\ud800b'])
    expect((await rename(name)).error).toMatchObject({ status: 400 });
  expect((await owner.call(updateSpace, { params: { spaceId }, body: { name: 1 as never } })).status).toBe(400);
  expect((await owner.call(updateSpace, { params: { spaceId }, body: {} })).body.name).toBe('x'.repeat(255));
});

test('a deleted space is gone, with its bases, and deleting it twice is a 404', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  expect((await owner.call(deleteSpace, { params })).status).toBe(200);
  expect((await owner.call(getSpace, { params })).status).toBe(404);
  expect((await owner.call(deleteSpace, { params })).status).toBe(404);
  expect((await owner.call(updateSpace, { params, body: { name: 'x' } })).status).toBe(404);
  expect((await owner.call(listSpaces)).body).toEqual([]);
});

test('a token does what its scopes say, where it reaches', async () => {
  const owner = await person(world());
  const [inside, outside] = [await newSpace(owner), await newSpace(owner)];
  const narrow = await owner.withToken({ scopes: ['space|read'], spaceIds: [inside] });
  expect((await narrow.call(listSpaces)).body.map((space) => space.id)).toEqual([inside]);
  expect((await narrow.call(getSpace, { params: { spaceId: inside } })).status).toBe(200);
  expect((await narrow.call(getSpace, { params: { spaceId: outside } })).status).toBe(403);
  expect((await narrow.call(getSpace, { params: { spaceId: unknown } })).status).toBe(404);
  expect((await narrow.call(updateSpace, { params: { spaceId: inside }, body: { name: 'x' } })).status).toBe(403);
  expect((await narrow.call(createSpace, { body: {} })).status).toBe(403);
  const nothing = await owner.withToken({ scopes: ['record|read'], hasFullAccess: true });
  expect((await nothing.call(listSpaces)).status).toBe(403);
  const nowhere = await owner.withToken({});
  expect((await nowhere.call(listSpaces)).body).toEqual([]);
});
