// Invitations end with the role of who made them: nobody comes back, or lets others in, through one made before.
import {
  removeBaseCollaborator,
  removeSpaceCollaborator,
  updateBaseCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import {
  acceptInvitation,
  createBaseLink,
  createSpaceLink,
  inviteToSpace,
  listBaseLinks,
  listSpaceLinks,
} from '@rowhouse/contract/invitation.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { moveBase } from '@rowhouse/contract/base.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { type Person, person } from '../support/people.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

interface Link {
  invitationId: string;
  invitationCode: string;
}

const link = async (by: Person, placeId: string, role: Role): Promise<Link> => {
  const made = placeId.startsWith('spc')
    ? await by.call(createSpaceLink, { params: { spaceId: placeId }, body: { role } })
    : await by.call(createBaseLink, { params: { baseId: placeId }, body: { role: role as 'viewer' } });
  expect(made.status).toBe(201);
  return made.body;
};

const accept = async (who: Person, { invitationId, invitationCode }: Link): Promise<number> =>
  (await who.call(acceptInvitation, { body: { invitationId, invitationCode } })).status;

const anybody = (): Promise<Person> => person(world());

const remove = (by: Person, spaceId: string, whom: Person) =>
  by.call(removeSpaceCollaborator, { params: { spaceId }, query: { principalId: whom.userId, principalType: 'user' } });

test('anyone who is removed from a space does not come back through a link they made, to it or to a base of it', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const creator = await member(world(), owner, spaceId, 'creator');
  const links = [await link(creator, spaceId, 'creator'), await link(creator, baseId, 'creator')];
  const untouched = await link(owner, spaceId, 'viewer');
  expect((await remove(owner, spaceId, creator)).status).toBe(200);
  for (const one of links) expect([await accept(creator, one), await accept(await anybody(), one)]).toEqual([404, 404]);
  expect(
    (await owner.call(listSpaceLinks, { params: { spaceId } })).body.map(({ invitationId }) => invitationId),
  ).toEqual([untouched.invitationId]);
  expect((await owner.call(listBaseLinks, { params: { baseId } })).body).toEqual([]);
  expect(await accept(await anybody(), untouched)).toBe(201);
  // Nor when the maker has the role again: it ended.
  await give(owner, spaceId, creator, 'creator');
  for (const one of links) expect(await accept(await anybody(), one)).toBe(404);
});

test('anyone who leaves ends their links, too', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const creator = await member(world(), owner, spaceId, 'creator');
  const made = await link(creator, spaceId, 'creator');
  await remove(creator, spaceId, creator);
  expect(await accept(creator, made)).toBe(404);
});

test('a demotion ends the links that the new role could not make', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const second = await member(world(), owner, spaceId, 'owner');
  const [toOwner, toEditor] = [await link(second, spaceId, 'owner'), await link(second, spaceId, 'editor')];
  const change = (role: Role) =>
    owner.call(updateSpaceCollaborator, { params: { spaceId }, body: { userId: second.userId, role } });
  await change('creator');
  expect([await accept(await anybody(), toOwner), await accept(await anybody(), toEditor)]).toEqual([404, 201]);
  await change('editor');
  expect(await accept(await anybody(), toEditor)).toBe(404);
  await change('owner');
  expect([await accept(second, toOwner), await accept(await anybody(), toEditor)]).toEqual([404, 404]);
});

test('on a base the roles on it and on its space count together', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const someone = await member(world(), owner, baseId, 'creator');
  await give(owner, spaceId, someone, 'creator');
  const made = await link(someone, baseId, 'creator');
  await remove(owner, spaceId, someone);
  expect(await accept(await anybody(), made)).toBe(201);
  await owner.call(updateBaseCollaborator, { params: { baseId }, body: { userId: someone.userId, role: 'viewer' } });
  expect(await accept(await anybody(), made)).toBe(404);
  const again = await member(world(), owner, baseId, 'creator');
  const other = await link(again, baseId, 'viewer');
  await owner.call(removeBaseCollaborator, {
    params: { baseId },
    query: { principalId: again.userId, principalType: 'user' },
  });
  expect(await accept(again, other)).toBe(404);
});

test('e-mail invitations that wait end with the role of who sent them', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const editor = await member(world(), owner, spaceId, 'editor');
  await editor.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['second-self@example.com'], role: 'editor' },
  });
  await editor.call(inviteToSpace, { params: { spaceId }, body: { emails: ['reader@example.com'], role: 'viewer' } });
  const waiting = async (): Promise<string[]> =>
    (
      await world().db.query<{ email: string }>(
        sql`select email from rowhouse.invitations where resource_id = ${spaceId} and accepted_time is null order by email`,
      )
    ).map(({ email }) => email);
  await owner.call(updateSpaceCollaborator, { params: { spaceId }, body: { userId: editor.userId, role: 'viewer' } });
  expect(await waiting()).toEqual(['reader@example.com']);
  await remove(owner, spaceId, editor);
  expect(await waiting()).toEqual([]);
});

test('a maker who is deactivated, or whose base was moved away, lets nobody in', async () => {
  const owner = await anybody();
  const [spaceId, elsewhere] = [await newSpace(owner), await newSpace(owner)];
  const baseId = await newBase(owner, spaceId);
  const [one, other] = [
    await member(world(), owner, spaceId, 'creator'),
    await member(world(), owner, spaceId, 'creator'),
  ];
  const [byOne, byOther] = [await link(one, spaceId, 'viewer'), await link(other, baseId, 'viewer')];
  await setUserActive(world().db, one.email, false);
  expect(await accept(await anybody(), byOne)).toBe(404);
  expect((await owner.call(moveBase, { params: { baseId }, body: { spaceId: elsewhere } })).status).toBe(200);
  expect(await accept(await anybody(), byOther)).toBe(404);
  expect((await owner.call(listBaseLinks, { params: { baseId } })).body).toEqual([]);
});

test('a maker who lacks the second factor that the space demands lets nobody in until they have one', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const creator = await member(world(), owner, spaceId, 'creator');
  const links = [await link(creator, spaceId, 'viewer'), await link(creator, baseId, 'viewer')];
  const set = (column: 'demands' | 'has', is: boolean) =>
    world().db.query(
      column === 'demands'
        ? sql`update rowhouse.spaces set demands_second_factor = ${is} where id = ${spaceId}`
        : sql`update rowhouse.users set second_factor_time = case when ${is} then now() end where id = ${creator.userId}`,
    );
  await set('demands', true);
  for (const one of links) expect(await accept(await anybody(), one)).toBe(404);
  await set('has', true);
  for (const one of links) expect(await accept(await anybody(), one)).toBe(201);
  await set('has', false);
  await set('demands', false);
  for (const one of links) expect(await accept(await anybody(), one)).toBe(201);
});

test('the database holds no code of an invitation, and a link that was made before is still listed with its code', async () => {
  const owner = await anybody();
  const spaceId = await newSpace(owner);
  const made = await link(owner, spaceId, 'viewer');
  const [row] = await world().db.query<{ all: string }>(
    sql`select i::text as all from rowhouse.invitations i where id = ${made.invitationId}`,
  );
  expect(row?.all).not.toContain(made.invitationCode);
  expect((await owner.call(listSpaceLinks, { params: { spaceId } })).body).toEqual([made]);
  // Made with another key: it still works for anyone who has it, and cannot be shown.
  await world().db.query(
    sql`update rowhouse.invitations set code_hash = sha256('older') where id = ${made.invitationId}`,
  );
  const [listed] = (await owner.call(listSpaceLinks, { params: { spaceId } })).body;
  expect(listed).toEqual({
    ...made,
    invitationCode: '',
    inviteUrl: `${world().origin}/invite?invitationId=${made.invitationId}`,
  });
  expect(await accept(await anybody(), { ...made, invitationCode: 'older' })).toBe(201);
  expect(await accept(await anybody(), made)).toBe(400);
});
