import { sendResetPasswordEmail, signUp as signUpEndpoint } from '@rowhouse/contract/auth.ts';
import { getBase } from '@rowhouse/contract/base.ts';
import {
  addSpaceCollaborators,
  removeSpaceCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import {
  acceptInvitation,
  createBaseLink,
  createSpaceLink,
  deleteBaseLink,
  deleteSpaceLink,
  describeInvitation,
  inviteToBase,
  inviteToSpace,
  listBaseLinks,
  listSpaceLinks,
  updateBaseLink,
  updateSpaceLink,
} from '@rowhouse/contract/invitation.ts';
import { rank, type Role, roles } from '@rowhouse/contract/permission.ts';
import { deleteSpace, getSpace } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { acceptPendingInvitations } from '../../server/domain/invitation/accept-pending-invitations.ts';
import { createUser } from '../../server/domain/user/create-user.ts';
import { type Person, person } from '../support/people.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

const world = useWorld({ addedToSpacesPerHour: 6 });

const link = async (by: Person, spaceId: string, role: Role) =>
  (await by.call(createSpaceLink, { params: { spaceId }, body: { role } })).body;

const accept = (
  who: Pick<Person, 'call'>,
  { invitationId, invitationCode }: { invitationId: string; invitationCode: string },
) => who.call(acceptInvitation, { body: { invitationId, invitationCode } });

const roleOf = async (who: Person, spaceId: string): Promise<Role | undefined> =>
  (await who.call(getSpace, { params: { spaceId } })).body.role;

/** What the operator does who creates an account for somebody. */
const signUp = async (email: string): Promise<Person> => {
  const someone = await person(world(), { email });
  await world().db.transaction((tx) => acceptPendingInvitations(tx, { userId: someone.userId, email: someone.email }));
  return someone;
};

test('a link is made, listed, changed, used and taken back', async () => {
  const [owner, guest, late] = [await person(world()), await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  const made = await owner.call(createSpaceLink, { params, body: { role: 'viewer' } });
  const { invitationId, invitationCode } = made.body;
  expect(made.body).toEqual({
    invitationId: expect.stringMatching(/^inv[0-9A-Za-z]{16}$/),
    invitationCode: expect.stringMatching(/^[0-9a-f]{64}$/),
    inviteUrl: `${world().origin}/invite?invitationId=${invitationId}&invitationCode=${invitationCode}`,
    role: 'viewer',
    createdBy: owner.userId,
    createdTime: expect.any(String),
  });
  expect((await owner.call(listSpaceLinks, { params })).body).toEqual([made.body]);
  const changed = await owner.call(updateSpaceLink, { params: { spaceId, invitationId }, body: { role: 'editor' } });
  expect(changed.body).toEqual({ invitationId, role: 'editor' });
  const accepted = await accept(guest, made.body);
  expect([accepted.status, accepted.body]).toEqual([201, { spaceId, baseId: null }]);
  expect(await roleOf(guest, spaceId)).toBe('editor');
  expect((await accept(guest, made.body)).body).toEqual({ spaceId, baseId: null });
  expect((await owner.call(deleteSpaceLink, { params: { spaceId, invitationId } })).status).toBe(200);
  expect((await accept(late, made.body)).status).toBe(404);
  expect(await roleOf(guest, spaceId)).toBe('editor');
  expect((await owner.call(deleteSpaceLink, { params: { spaceId, invitationId } })).status).toBe(404);
});

test('accepting raises a role and never lowers one', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const [low, high] = [await link(owner, spaceId, 'viewer'), await link(owner, spaceId, 'creator')];
  const someone = await person(world());
  await accept(someone, low);
  await accept(someone, high);
  expect(await roleOf(someone, spaceId)).toBe('creator');
  await accept(someone, low);
  expect(await roleOf(someone, spaceId)).toBe('creator');
  await accept(owner, low);
  expect(await roleOf(owner, spaceId)).toBe('owner');
  const onBase = (await owner.call(createBaseLink, { params: { baseId }, body: { role: 'viewer' } })).body;
  expect((await accept(someone, onBase)).body).toEqual({ spaceId: null, baseId });
  expect((await someone.call(getBase, { params: { baseId } })).body).toMatchObject({
    role: 'creator',
    collaboratorType: 'space',
  });
});

test('a link to a base lets into that base only', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const [baseId, other] = [await newBase(owner, spaceId), await newBase(owner, spaceId)];
  const made = (await owner.call(createBaseLink, { params: { baseId }, body: { role: 'viewer' } })).body;
  expect((await owner.call(listBaseLinks, { params: { baseId } })).body).toEqual([made]);
  expect((await owner.call(listBaseLinks, { params: { baseId: other } })).body).toEqual([]);
  const place = { baseId, invitationId: made.invitationId };
  expect((await owner.call(updateBaseLink, { params: place, body: { role: 'commenter' } })).body.role).toBe(
    'commenter',
  );
  expect((await owner.call(updateBaseLink, { params: place, body: { role: 'owner' as never } })).status).toBe(400);
  expect(
    (await owner.call(updateBaseLink, { params: { ...place, baseId: other }, body: { role: 'viewer' } })).status,
  ).toBe(404);
  expect((await owner.call(deleteSpaceLink, { params: { spaceId, invitationId: made.invitationId } })).status).toBe(
    404,
  );
  expect((await accept(guest, made)).body).toEqual({ spaceId: null, baseId });
  expect((await guest.call(getBase, { params: { baseId } })).body.role).toBe('commenter');
  expect((await guest.call(getBase, { params: { baseId: other } })).status).toBe(404);
  expect((await guest.call(getSpace, { params: { spaceId } })).status).toBe(404);
  expect((await owner.call(deleteBaseLink, { params: place })).status).toBe(200);
});

test('a wrong code is 400, an unknown link 404, an expired one 403, no credential 401', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const made = await link(owner, spaceId, 'viewer');
  for (const invitationCode of ['', 'x', made.invitationCode.slice(1), '0'.repeat(64), 'ü'.repeat(64)]) {
    expect((await accept(guest, { ...made, invitationCode })).status).toBe(400);
  }
  for (const invitationId of ['', 'inv0000000000000000', "' or true --"])
    expect((await accept(guest, { ...made, invitationId })).status).toBe(404);
  expect((await accept({ call: caller({ baseUrl: world().baseUrl }) }, made)).status).toBe(401);
  await world().db.query(
    sql`update rowhouse.invitations set expired_time = now() - interval '1 second' where id = ${made.invitationId}`,
  );
  expect((await accept(guest, made)).status).toBe(403);
  expect((await guest.call(acceptInvitation, { body: {} as never })).status).toBe(400);
  const dead = await link(owner, spaceId, 'viewer');
  await owner.call(deleteSpace, { params: { spaceId } });
  expect((await accept(guest, dead)).status).toBe(404);
});

test('who has the secret of a link is told who invites to what, and nothing else', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const made = (await owner.call(createBaseLink, { params: { baseId }, body: { role: 'editor' } })).body;
  const describe = (body: { invitationId: string; invitationCode: string }) => guest.call(describeInvitation, { body });
  const { invitationId, invitationCode } = made;
  const base = (await owner.call(getBase, { params: { baseId } })).body;
  const told = await describe({ invitationId, invitationCode });
  expect([told.status, told.body]).toEqual([
    200,
    { invitedBy: owner.name, resourceType: 'base', resourceName: base.name, role: 'editor' },
  ]);
  // The page on which people sign in or make their account tells it, too.
  const unknown = await caller({ baseUrl: world().baseUrl })(describeInvitation, {
    body: { invitationId, invitationCode },
  });
  expect([unknown.status, unknown.body]).toEqual([200, told.body]);
  expect((await describe({ invitationId, invitationCode: 'wrong' })).status).toBe(400);
  expect((await describe({ invitationId: 'invNowhere', invitationCode })).status).toBe(404);
  // Nobody has joined by asking.
  expect((await guest.call(getBase, { params: { baseId } })).status).toBe(404);
  await owner.call(deleteSpace, { params: { spaceId } });
  expect((await describe({ invitationId, invitationCode })).status).toBe(404);
});

test('links are for owners and creators, and give no more than their maker has', async () => {
  const [owner, stranger] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const params = { spaceId };
  for (const own of roles) {
    const by = await member(world(), owner, spaceId, own);
    for (const role of roles) {
      const may = rank(own) <= rank('creator') && rank(role) >= rank(own);
      expect((await by.call(createSpaceLink, { params, body: { role } })).status).toBe(may ? 201 : 403);
    }
    expect((await by.call(listSpaceLinks, { params })).status).toBe(rank(own) <= rank('creator') ? 200 : 403);
  }
  expect((await stranger.call(listSpaceLinks, { params })).status).toBe(404);
});

test('a creator neither sees nor changes a link that would make an owner', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const creator = await member(world(), owner, spaceId, 'creator');
  const { invitationId } = await link(owner, spaceId, 'owner');
  const small = await link(owner, spaceId, 'viewer');
  expect((await creator.call(listSpaceLinks, { params: { spaceId } })).body.map((one) => one.invitationId)).toEqual([
    small.invitationId,
  ]);
  const params = { spaceId, invitationId };
  expect((await creator.call(updateSpaceLink, { params, body: { role: 'viewer' } })).status).toBe(403);
  expect((await creator.call(deleteSpaceLink, { params })).status).toBe(403);
  expect(
    (
      await creator.call(updateSpaceLink, {
        params: { spaceId, invitationId: small.invitationId },
        body: { role: 'owner' },
      })
    ).status,
  ).toBe(403);
});

test('an address with an account joins at once, whatever its case', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const email = guest.email.toUpperCase();
  const invited = await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'editor' } });
  expect([invited.status, invited.body]).toEqual([201, { [email]: { invitationId: expect.stringMatching(/^inv/) } }]);
  expect(await roleOf(guest, spaceId)).toBe('editor');
  const again = await owner.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['new@example.com', guest.email], role: 'creator' },
  });
  expect(again.error).toMatchObject({ status: 400, data: { issues: [{ path: 'emails[1]' }] } });
  expect(await world().db.query(sql`select 1 from rowhouse.invitations where email = 'new@example.com'`)).toEqual([]);
});

test.each(['"a\r\nBcc: b@example.org"@example.com', '"a b"@example.com', 'a@example.com,b@example.org'])(
  'an address with quotes, line breaks or commas is no address: %j',
  async (email) => {
    const owner = await person(world());
    const params = { spaceId: await newSpace(owner) };
    expect((await owner.call(inviteToSpace, { params, body: { emails: [email], role: 'viewer' } })).status).toBe(400);
    expect((await owner.call(sendResetPasswordEmail, { body: { email } })).status).toBe(400);
  },
);

test('all others together add somebody to so many spaces within an hour; links that they follow, and spaces that they are in, do not count', async () => {
  const guest = await person(world());
  const limit = world().services.config.addedToSpacesPerHour;
  const owners = [await person(world()), await person(world())] as const;
  const add = async (at: number): Promise<{ spaceId: string; status: number }> => {
    const owner = owners[at % 2] as Person;
    const spaceId = await newSpace(owner);
    const { status } =
      at % 3 === 0
        ? await owner.call(addSpaceCollaborators, {
            params: { spaceId },
            body: { collaborators: [{ principalId: guest.userId, principalType: 'user' }], role: 'viewer' },
          })
        : await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [guest.email], role: 'viewer' } });
    return { spaceId, status };
  };
  const added: { spaceId: string; status: number }[] = [];
  for (let at = 0; at < limit; at += 1) added.push(await add(at));
  expect(added.filter(({ status }) => status >= 300)).toEqual([]);
  // To a base of a space that they are in.
  const first = added[0] as { spaceId: string };
  const baseId = await newBase(owners[0], first.spaceId);
  expect(
    (await owners[0].call(inviteToBase, { params: { baseId }, body: { emails: [guest.email], role: 'editor' } }))
      .status,
  ).toBe(201);
  const refused = await add(1);
  expect([refused.status, (await add(3)).status, await roleOf(guest, refused.spaceId)]).toEqual([429, 429, undefined]);
  const { invitationId, invitationCode } = (
    await owners[1].call(createSpaceLink, { params: { spaceId: refused.spaceId }, body: { role: 'viewer' } })
  ).body;
  expect((await guest.call(acceptInvitation, { body: { invitationId, invitationCode } })).status).toBe(201);
  // They can leave.
  expect(
    (
      await guest.call(removeSpaceCollaborator, {
        params: { spaceId: first.spaceId },
        query: { principalId: guest.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(200);
});

test('an address without one gets in with the link of its invitation, once, and never by signing up alone', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const email = 'first-come@example.com';
  const invited = await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'owner' } });
  const url = new URL(invited.body[email]?.inviteUrl as string);
  const secret = {
    invitationId: url.searchParams.get('invitationId') as string,
    invitationCode: url.searchParams.get('invitationCode') as string,
  };
  const anyone = caller({ baseUrl: world().baseUrl });
  const enter = async (body: object) => {
    const made = await anyone(signUpEndpoint, { body: { email, password: 'correct horse 1', ...body } as never });
    const call = caller({
      baseUrl: world().baseUrl,
      headers: { cookie: made.headers.get('set-cookie')?.split(';')[0] ?? '' },
    });
    return { status: made.status, call };
  };
  // Anyone who signs up with the address first, and does not have the secret, is not in.
  const thief = await enter({ invitationId: secret.invitationId, invitationCode: '0'.repeat(64) });
  expect([thief.status, (await thief.call(getSpace, { params: { spaceId } })).status]).toEqual([201, 404]);
  // The secret lets in, anyone who has it: it was sent to the address.
  const real = await person(world());
  expect((await accept(real, secret)).status).toBe(201);
  expect(await roleOf(real, spaceId)).toBe('owner');
  expect((await accept(real, secret)).status).toBe(201);
  expect((await accept({ call: thief.call }, secret)).status).toBe(404);
  // Together with the account, in one request.
  const second = await owner.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['second@example.com'], role: 'viewer' },
  });
  const way = new URL(second.body['second@example.com']?.inviteUrl as string).searchParams;
  const made = await enter({
    email: 'Second@example.com',
    invitationId: way.get('invitationId'),
    invitationCode: way.get('invitationCode'),
  });
  expect((await made.call(getSpace, { params: { spaceId } })).body.role).toBe('viewer');
});

test('the link of an invitation to more than the own role is not shown to anyone who invites again', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const viewer = await member(world(), owner, spaceId, 'viewer');
  const params = { spaceId };
  const emails = ['boss@example.com'];
  const first = await owner.call(inviteToSpace, { params, body: { emails, role: 'owner' } });
  expect((await viewer.call(inviteToSpace, { params, body: { emails, role: 'viewer' } })).body).toEqual({
    'boss@example.com': { invitationId: first.body['boss@example.com']?.invitationId },
  });
  expect((await owner.call(inviteToSpace, { params, body: { emails, role: 'owner' } })).body).toEqual(first.body);
});

test('an address that the operator vouches for gets what waits for it', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, await newSpace(owner));
  await owner.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['Late@Example.com', 'late@example.com'], role: 'viewer' },
  });
  await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: ['late@example.com'], role: 'editor' } });
  await owner.call(inviteToBase, { params: { baseId }, body: { emails: ['late@example.com'], role: 'commenter' } });
  const someone = await signUp('late@example.com');
  expect(await roleOf(someone, spaceId)).toBe('editor');
  expect((await someone.call(getBase, { params: { baseId } })).body.role).toBe('commenter');
});

test('what was taken back or has expired gives nothing', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const invited = await owner.call(inviteToSpace, {
    params: { spaceId },
    body: { emails: ['back@example.com', 'old@example.com'], role: 'viewer' },
  });
  const idOf = (email: string): string => (invited.body[email] as { invitationId: string }).invitationId;
  expect(
    (await owner.call(deleteSpaceLink, { params: { spaceId, invitationId: idOf('back@example.com') } })).status,
  ).toBe(200);
  await world().db.query(
    sql`update rowhouse.invitations set expired_time = now() where id = ${idOf('old@example.com')}`,
  );
  for (const email of ['back@example.com', 'old@example.com'])
    expect(await roleOf(await signUp(email), spaceId)).toBeUndefined();
});

test('everyone invites by e-mail up to their own role, and cannot lower an invitation above it', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const invite = (by: Pick<Person, 'call'>, emails: string[], role: Role) =>
    by.call(inviteToSpace, { params: { spaceId }, body: { emails, role } });
  const viewer = await member(world(), owner, spaceId, 'viewer');
  expect((await invite(viewer, ['a@example.com'], 'commenter')).status).toBe(403);
  expect((await invite(owner, ['b@example.com'], 'owner')).status).toBe(201);
  expect((await invite(viewer, ['b@example.com'], 'viewer')).status).toBe(201);
  expect(await roleOf(await signUp('b@example.com'), spaceId)).toBe('owner');
  for (const emails of [
    [],
    ['nobody'],
    ['a b@example.com'],
    [`${'x'.repeat(300)}@example.com`],
    ['a\u0000@example.com'],
  ]) {
    expect((await invite(owner, emails, 'viewer')).status).toBe(400);
  }
  const reader = await owner.withToken({ scopes: ['space|read'], spaceIds: [spaceId] });
  expect((await invite(reader, ['c@example.com'], 'viewer')).status).toBe(403);
});

test('the same person invited, accepting and being changed at once has one role and nothing fails', async () => {
  const [owner, guest] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const links = await Promise.all((['viewer', 'creator', 'editor'] as const).map((role) => link(owner, spaceId, role)));
  const answers = await Promise.all([
    ...links.flatMap((one) => [accept(guest, one), accept(guest, one)]),
    owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [guest.email], role: 'commenter' } }),
    give(owner, spaceId, await person(world()), 'viewer').then(() => ({ status: 200 })),
    owner.call(updateSpaceCollaborator, { params: { spaceId }, body: { userId: guest.userId, role: 'viewer' } }),
  ]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const rows = await world().db.query(
    sql`select role from rowhouse.collaborators where resource_id = ${spaceId} and user_id = ${guest.userId}`,
  );
  expect(rows).toHaveLength(1);
});

test('an address that signs up while it is invited gets the role', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  for (let round = 0; round < 8; round += 1) {
    const email = `race${round}@example.com`;
    const [userId, invited] = await Promise.all([
      world().db.transaction(async (tx) => {
        const user = await createUser(tx, { email, passwordHash: null, isAdmin: false });
        await acceptPendingInvitations(tx, { userId: user.id, email });
        return user.id;
      }),
      owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'viewer' } }),
    ]);
    expect(invited.status).toBe(201);
    expect(
      await world().db.query(
        sql`select role from rowhouse.collaborators where resource_id = ${spaceId} and user_id = ${userId}`,
      ),
    ).toEqual([{ role: 'viewer' }]);
  }
});
