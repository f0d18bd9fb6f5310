// Tokens that were made with a token, and what "may do all its user may" rests on.
import * as tokens from '@rowhouse/contract/access-token.ts';
import { getUser } from '@rowhouse/contract/auth.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { createSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { renameUser } from '@rowhouse/contract/user.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { revokeAccessToken } from '../../server/domain/access-token/delete-access-token.ts';
import { type Caller } from '../support/caller.ts';
import { type Person, person } from '../support/people.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let ann: Person;
let spaceId: string;

beforeAll(async () => {
  ann = await person(world());
  spaceId = await newSpace(ann);
});

interface Made {
  id: string;
  call: Caller;
}

const soon = new Date(Date.now() + 3_600_000).toISOString();

const make = async (
  by: Pick<Made, 'call'>,
  grant: { scopes: string[]; spaceIds?: string[]; hasFullAccess?: boolean; expiredTime?: string },
): Promise<Made> => {
  const made = await by.call(tokens.createAccessToken, { body: { name: 'child', expiredTime: soon, ...grant } });
  expect(made.status).toBe(201);
  return { id: made.body.id, call: caller({ baseUrl: world().baseUrl, token: made.body.token }) };
};

const works = async ({ call }: Made): Promise<boolean> => (await call(getUser)).status === 200;

/** A token, one made with it, and one made with that. */
const family = async (): Promise<[Made, Made, Made]> => {
  const parent = await make(await ann.withToken({ hasFullAccess: true }), {
    scopes: ['space|read', 'space|update', 'base|read'],
    spaceIds: [spaceId],
  });
  const child = await make(parent, { scopes: ['space|read', 'space|update'], spaceIds: [spaceId] });
  const grandchild = await make(child, { scopes: ['space|read'], spaceIds: [spaceId] });
  return [parent, child, grandchild];
};

const grown = async (line: readonly Made[]): Promise<boolean[]> => Promise.all(line.map(works));

test('deleting a token ends the tokens that were made with it, and theirs', async () => {
  const [parent, child, grandchild] = await family();
  expect(await grown([parent, child, grandchild])).toEqual([true, true, true]);
  expect((await ann.call(tokens.deleteAccessToken, { params: { accessTokenId: child.id } })).status).toBe(200);
  expect(await grown([parent, child, grandchild])).toEqual([true, false, false]);
  const [first, second, third] = await family();
  await revokeAccessToken(world().db, first.id);
  expect(await grown([first, second, third])).toEqual([false, false, false]);
  const listed = (await ann.call(tokens.listAccessTokens)).body.map(({ id }) => id);
  expect(listed).not.toContain(third.id);
});

test('a token with full access ends its children with it, too', async () => {
  const parent = await ann.withToken({ hasFullAccess: true });
  const child = await make(parent, { scopes: [...actions], hasFullAccess: true, expiredTime: '2099-01-31' });
  expect((await ann.call(tokens.deleteAccessToken, { params: { accessTokenId: parent.id } })).status).toBe(200);
  expect(await works(child)).toBe(false);
});

test('a new text for a token ends what was made with the old one', async () => {
  const [parent, child, grandchild] = await family();
  expect((await ann.call(tokens.refreshAccessToken, { params: { accessTokenId: parent.id } })).status).toBe(200);
  expect(await grown([child, grandchild])).toEqual([false, false]);
});

test('a token that is narrowed takes its children along that may do more', async () => {
  const params = (made: Made) => ({ accessTokenId: made.id });
  const [parent, child, grandchild] = await family();
  // Still all that the children may.
  await ann.call(tokens.updateAccessToken, {
    params: params(parent),
    body: { name: 'narrow', scopes: ['space|read', 'space|update'] },
  });
  expect(await grown([parent, child, grandchild])).toEqual([true, true, true]);
  await ann.call(tokens.updateAccessToken, {
    params: params(parent),
    body: { name: 'narrower', scopes: ['space|read'] },
  });
  expect(await grown([parent, child, grandchild])).toEqual([true, false, false]);

  const [first, second, third] = await family();
  const elsewhere = await newSpace(ann);
  await ann.call(tokens.updateAccessToken, {
    params: params(first),
    body: { name: 'elsewhere', scopes: ['space|read', 'space|update'], spaceIds: [elsewhere] },
  });
  expect(await grown([first, second, third])).toEqual([true, false, false]);
});

test('tokens that a person made in the app stand for themselves', async () => {
  const session = { call: await ann.withSession() };
  const one = await make(session, { scopes: ['space|read'], spaceIds: [spaceId] });
  const other = await make(session, { scopes: ['space|read'], spaceIds: [spaceId] });
  await ann.call(tokens.deleteAccessToken, { params: { accessTokenId: one.id } });
  expect(await works(other)).toBe(true);
});

test('a token that may do all its user may stays so when the catalogue of scopes grows, and shows them all', async () => {
  const full = await make(ann, { scopes: [...actions], hasFullAccess: true });
  // As if it had been made before the last of them came.
  await world().db.query(
    sql`update rowhouse.access_tokens set scopes = array_remove(scopes, 'space|read') where id = ${full.id}`,
  );
  expect((await full.call(renameUser, { body: { name: 'Ann' } })).status).toBe(200);
  expect((await full.call(listSpaces)).status).toBe(200);
  expect((await ann.call(tokens.getAccessToken, { params: { accessTokenId: full.id } })).body.scopes).toEqual(actions);
});

test('a token that was limited stays so when what it lacks goes from the catalogue', async () => {
  const limited = await make(ann, { scopes: actions.filter((action) => action !== 'space|read'), hasFullAccess: true });
  await world().db.query(sql`update rowhouse.access_tokens set scopes = ${[...actions]} where id = ${limited.id}`);
  expect((await limited.call(renameUser, { body: { name: 'Ann' } })).status).toBe(403);
  expect((await limited.call(createSpace)).status).toBe(201);
});

test('changing what a token may do decides again whether that is everything', async () => {
  const made = await make(ann, { scopes: ['space|read'], hasFullAccess: true });
  const params = { accessTokenId: made.id };
  await ann.call(tokens.updateAccessToken, { params, body: { name: 'all', scopes: [...actions] } });
  expect((await made.call(renameUser, { body: { name: 'Ann' } })).status).toBe(200);
  await ann.call(tokens.updateAccessToken, { params, body: { name: 'less', scopes: actions.slice(1) } });
  expect((await made.call(renameUser, { body: { name: 'Ann' } })).status).toBe(403);
  await ann.call(tokens.updateAccessToken, { params, body: { name: 'all', scopes: [...actions] } });
  await ann.call(tokens.updateAccessToken, {
    params,
    body: { name: 'here', scopes: [...actions], hasFullAccess: false, spaceIds: [spaceId] },
  });
  expect((await made.call(renameUser, { body: { name: 'Ann' } })).status).toBe(403);
});
