// What administrators of the instance do to accounts.
import {
  createAdminUser,
  createPasswordLink,
  deleteAdminUser,
  endUserSession,
  eraseAdminUser,
  getAdminUser,
  listAdminUsers,
  removeSecondFactorOf,
  restoreAdminUser,
  revokeUserToken,
  setUserAdmin,
  updateAdminUser,
} from '@rowhouse/contract/admin-user.ts';
import { listInstanceAudit } from '@rowhouse/contract/admin-audit.ts';
import { getUserMe, resetPassword, signIn, signUp } from '@rowhouse/contract/auth.ts';
import { listSessions } from '@rowhouse/contract/session.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { rowhouse } from '../support/command.ts';
import { listen } from '../support/listen.ts';
import { type Person, person } from '../support/people.ts';
import { recordSecret } from '../support/secret-record.ts';
import { openWorkshop } from '../support/tables.ts';
import { member, newSpace } from '../support/workspace.ts';
import { caller, type Caller, type LocalWorld, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
let admin: Person;
let act: Caller;
/** Another process on the same database. */
let second: LocalWorld;

beforeAll(async () => {
  admin = await person(world(), { admin: true, name: 'Ada' });
  act = await admin.withSession();
  second = await openWorld(world().databaseUrl);
});
afterAll(() => second.close());

const there = ({ token }: Person): Caller => caller({ baseUrl: second.baseUrl, token });
const of = ({ userId }: Pick<Person, 'userId'>) => ({ params: { userId } });
const actionsOn = async (userId: string): Promise<string[]> =>
  (await act(listInstanceAudit, { query: { resourceId: userId, take: 100 } })).body.items.map(({ action }) => action);

test('people are found by name, address and id, page by page, and the total is that of the search', async () => {
  const mark = `q${Date.now()}`;
  const made = [];
  for (const name of [`${mark} 100%`, `${mark} one`, `${mark} two`]) made.push(await person(world(), { name }));
  const find = async (query: object) => (await act(listAdminUsers, { query })).body;
  expect(await find({ search: mark, pageSize: 2 })).toMatchObject({ total: 3, page: 1, pageSize: 2 });
  const pages = [await find({ search: mark, pageSize: 2 }), await find({ search: mark, pageSize: 2, page: 2 })];
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ userId }) => userId).toReversed());
  expect(await find({ search: mark, page: 9 })).toMatchObject({ total: 3, data: [] });
  // A sign of patterns is a sign.
  expect((await find({ search: `${mark} 100%` })).data.map(({ id }) => id)).toEqual([made[0]?.userId]);
  expect((await find({ search: `${mark}_one` })).total).toBe(0);
  expect((await find({ search: made[1]?.email.toUpperCase() })).data[0]).toMatchObject({
    id: made[1]?.userId,
    email: made[1]?.email,
    isAdmin: false,
    deactivatedTime: null,
    deletedTime: null,
    hasPassword: true,
    hasSecondFactor: false,
  });
  expect((await find({ search: made[2]?.userId })).total).toBe(1);
  expect((await find({ state: 'admin' })).data.every(({ isAdmin }) => isAdmin)).toBe(true);
  expect((await act(listAdminUsers, { query: { pageSize: 101 } })).status).toBe(400);
  expect(JSON.stringify(pages)).not.toMatch(/argon|hash/i);
});

test('only administrators see people, and only those who are signed in change them', async () => {
  const someone = await person(world());
  const own = await someone.withSession();
  const limited = await admin.withToken({ hasFullAccess: true, scopes: ['space|read', 'user|email_read'] });
  const everything = [listAdminUsers, getAdminUser, updateAdminUser, setUserAdmin, deleteAdminUser, createPasswordLink];
  for (const endpoint of everything) {
    const request = { ...of(someone), body: { isAdmin: true } } as never;
    for (const call of [own, someone.call, limited.call])
      expect((await call(endpoint, request)).status, endpoint.name).toBe(403);
    expect((await caller({ baseUrl: world().baseUrl })(endpoint, request)).status, endpoint.name).toBe(401);
  }
  // A token without limits reads, and does not act.
  expect((await admin.call(listAdminUsers)).status).toBe(200);
  expect((await admin.call(updateAdminUser, { ...of(someone), body: { isActivated: false } })).status).toBe(403);
  expect((await admin.call(createAdminUser, { body: { email: 'by-token@example.com' } })).status).toBe(403);
  expect((await someone.call(getUserMe)).status).toBe(200);
  for (const endpoint of [getAdminUser, createPasswordLink, deleteAdminUser])
    expect((await act(endpoint, { params: { userId: 'usrNobody' } } as never)).status, endpoint.name).toBe(404);
});

test('an account is made without a password, and its link sets one, once', async () => {
  const made = await act(createAdminUser, { body: { email: 'New.Person@example.com', name: 'New Person' } });
  expect(made.status).toBe(201);
  const { id, link, isMailed } = made.body;
  const code = link.split('#')[1] as string;
  recordSecret('password link', code);
  expect(isMailed).toBe(false);
  expect(link.startsWith(`${world().origin}/reset-password#`)).toBe(true);
  const anyone = caller({ baseUrl: second.baseUrl });
  const password = 'glass kettle 7';
  expect((await anyone(signIn, { body: { email: 'new.person@example.com', password } })).status).not.toBe(200);
  expect((await anyone(resetPassword, { body: { password: 'password1', code } })).status).toBe(400);
  expect((await anyone(resetPassword, { body: { password, code } })).status).toBe(201);
  expect((await anyone(resetPassword, { body: { password: 'glass kettle 8', code } })).status).toBe(400);
  expect((await anyone(signIn, { body: { email: 'new.person@example.com', password } })).status).toBe(200);
  const twice = await act(createAdminUser, { body: { email: 'new.PERSON@example.com' } });
  expect(twice.status).toBe(400);
  expect(twice.error.message).toContain('already registered');
  expect(await actionsOn(id)).toEqual(expect.arrayContaining(['user.created', 'user.passwordReset']));
  expect((await act(createAdminUser, { body: { email: 'no address' } })).status).toBe(400);
});

test('a link for a password leaves the present one valid until it is used, ends older links, and proves no address', async () => {
  const someone = await person(world());
  const session = await someone.withSession();
  const anyone = caller({ baseUrl: world().baseUrl });
  const linked = async (): Promise<string> => {
    const { body } = await act(createPasswordLink, of(someone));
    const code = body.link.split('#')[1] as string;
    recordSecret('password link', code);
    return code;
  };
  const [first, last] = [await linked(), await linked()];
  expect((await session(getUserMe)).status).toBe(200);
  expect((await anyone(signIn, { body: { email: someone.email, password: someone.password } })).status).toBe(200);
  const password = 'copper lantern 9';
  expect((await anyone(resetPassword, { body: { password, code: first } })).status).toBe(400);
  expect((await anyone(resetPassword, { body: { password, code: last } })).status).toBe(201);
  expect((await session(getUserMe)).status).toBe(401);
  const now = await anyone(signIn, { body: { email: someone.email, password } });
  expect(now.body).toMatchObject({ id: someone.userId, isEmailVerified: false });
  expect(await actionsOn(someone.userId)).toContain('user.passwordLinkMade');
  // Not for somebody who is shut out meanwhile.
  const late = await linked();
  expect((await act(updateAdminUser, { ...of(someone), body: { isActivated: false } })).status).toBe(200);
  expect((await anyone(resetPassword, { body: { password, code: late } })).status).toBe(400);
  expect((await act(createPasswordLink, of(someone))).status).toBe(409);
});

test('anyone who is deactivated has nothing left before it is answered, in every process', async () => {
  const { owner, spaceId, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const eve = await member(world(), owner, spaceId, 'editor');
  const session = await eve.withSession();
  const ears = [];
  for (const { baseUrl } of [world(), second]) {
    const ear = await listen(`${baseUrl}/table/${made.id}/events`, { token: eve.token });
    await ear.until(({ name }) => name === 'ready');
    ears.push(ear);
  }
  expect((await there(eve)(getUserMe)).status).toBe(200);
  expect((await act(updateAdminUser, { ...of(eve), body: { isActivated: false } })).status).toBe(200);
  expect((await there(eve)(getUserMe)).status).toBe(401);
  expect((await eve.call(getUserMe)).status).toBe(401);
  expect((await session(getUserMe)).status).toBe(401);
  for (const ear of ears) await ear.ended;
  expect((await act(getAdminUser, of(eve))).body).toMatchObject({ sessions: [], tokens: [], applications: [] });
  expect((await act(updateAdminUser, { ...of(eve), body: { isActivated: true } })).status).toBe(200);
  // What ended stays ended; what they may is as before.
  expect((await eve.call(getUserMe)).status).toBe(401);
  const shown = (await act(getAdminUser, of(eve))).body;
  expect(shown.deactivatedTime).toBeNull();
  expect(shown.spaces).toEqual(
    expect.arrayContaining([{ id: spaceId, name: expect.any(String), role: 'editor', isOnlyOwner: false }]),
  );
  expect((await actionsOn(eve.userId)).filter((action) => action.startsWith('user.'))).toEqual([
    'user.activated',
    'user.deactivated',
  ]);
});

test('sessions and tokens of somebody are listed without what they are opened with, and ended one by one', async () => {
  const someone = await person(world());
  const other = await person(world());
  const session = await someone.withSession();
  const [mine] = (await session(listSessions)).body.sessions;
  const shown = (await act(getAdminUser, of(someone))).body;
  expect(shown.sessions.map(({ id }) => id)).toEqual([mine?.id]);
  expect(shown.tokens).toHaveLength(1);
  expect(JSON.stringify(shown)).not.toContain(someone.token.split('_').at(-1));
  const [token] = shown.tokens;
  const sessionId = mine?.id as string;
  const tokenId = token?.id as string;
  // Of another person they are not known.
  expect((await act(endUserSession, { params: { userId: other.userId, sessionId } })).status).toBe(404);
  expect((await act(revokeUserToken, { params: { userId: other.userId, tokenId } })).status).toBe(404);
  expect((await act(endUserSession, { params: { userId: someone.userId, sessionId } })).status).toBe(200);
  expect((await session(getUserMe)).status).toBe(401);
  expect((await there(someone)(getUserMe)).status).toBe(200);
  expect((await act(revokeUserToken, { params: { userId: someone.userId, tokenId } })).status).toBe(200);
  expect((await there(someone)(getUserMe)).status).toBe(401);
  expect((await act(revokeUserToken, { params: { userId: someone.userId, tokenId } })).status).toBe(404);
  expect((await act(removeSecondFactorOf, of(someone))).status).toBe(404);
  expect(await actionsOn(someone.userId)).toContain('user.sessionsEnded');
});

test('a deleted account is out and not listed, comes back as it was, and is erased only after it was deleted', async () => {
  const [plain, shut] = [await person(world()), await person(world())];
  await act(updateAdminUser, { ...of(shut), body: { isActivated: false } });
  for (const someone of [plain, shut]) expect((await act(deleteAdminUser, of(someone))).status).toBe(200);
  expect((await there(plain)(getUserMe)).status).toBe(401);
  const find = async (query: object) => (await act(listAdminUsers, { query })).body.total;
  expect(await find({ search: plain.email })).toBe(0);
  expect(await find({ search: plain.email, includeDeleted: true })).toBe(1);
  expect(await find({ search: plain.email, state: 'deleted' })).toBe(1);
  expect((await act(deleteAdminUser, of(plain))).status).toBe(409);
  expect((await act(updateAdminUser, { ...of(plain), body: { isActivated: true } })).status).toBe(409);
  expect((await act(setUserAdmin, { ...of(plain), body: { isAdmin: true } })).status).toBe(409);
  const byOperator = await rowhouse(world().databaseUrl, 'user', 'activate', plain.email);
  expect([byOperator.code, byOperator.err]).toEqual([1, expect.stringContaining('is deleted')]);
  // Nobody else gets the address.
  const again = { email: plain.email, password: 'wicker basket 5' };
  expect((await caller({ baseUrl: world().baseUrl })(signUp, { body: again })).status).toBe(400);
  for (const someone of [plain, shut]) expect((await act(restoreAdminUser, of(someone))).status).toBe(200);
  expect((await act(getAdminUser, of(plain))).body.deactivatedTime).toBeNull();
  expect((await act(getAdminUser, of(shut))).body.deactivatedTime).not.toBeNull();
  expect((await act(restoreAdminUser, of(plain))).status).toBe(409);

  expect((await act(eraseAdminUser, of(plain))).status).toBe(409);
  await act(deleteAdminUser, of(plain));
  expect((await act(eraseAdminUser, of(plain))).status).toBe(200);
  expect((await act(getAdminUser, of(plain))).status).toBe(404);
  expect(await find({ search: plain.userId, includeDeleted: true })).toBe(0);
  const [row] = await world().db.query<{ name: string; email: string }>(
    sql`select name, email from rowhouse.users where id = ${plain.userId}`,
  );
  expect(row).toEqual({ name: 'Deleted user', email: `${plain.userId.toLowerCase()}@deleted.invalid` });
  expect(await actionsOn(plain.userId)).toEqual(
    expect.arrayContaining(['user.deleted', 'user.restored', 'user.erased']),
  );
});

test('the only owner of a space is not erased while it is theirs alone', async () => {
  const [owner, heir] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  await act(deleteAdminUser, of(owner));
  const refused = await act(eraseAdminUser, of(owner));
  expect(refused.error).toMatchObject({ status: 400, code: 'validation_error' });
  expect(refused.error.message).toContain('no other owner');
  await act(restoreAdminUser, of(owner));
  expect((await act(getAdminUser, of(owner))).body.spaces).toEqual([
    { id: spaceId, name: expect.any(String), role: 'owner', isOnlyOwner: true },
  ]);
  const token = await owner.withSession();
  const added = {
    collaborators: [{ principalId: heir.userId, principalType: 'user' as const }],
    role: 'owner' as const,
  };
  expect((await token(addSpaceCollaborators, { params: { spaceId }, body: added })).status).toBe(200);
  await act(deleteAdminUser, of(owner));
  expect((await act(eraseAdminUser, of(owner))).status).toBe(200);
});

test('an administrator is made and unmade, and holds at once', async () => {
  const someone = await person(world());
  const session = await someone.withSession();
  expect((await session(listAdminUsers)).status).toBe(403);
  expect((await act(setUserAdmin, { ...of(someone), body: { isAdmin: true } })).status).toBe(200);
  expect((await session(listAdminUsers)).status).toBe(200);
  expect((await act(setUserAdmin, { ...of(someone), body: { isAdmin: false } })).status).toBe(200);
  expect((await session(listAdminUsers)).status).toBe(403);
  expect(await actionsOn(someone.userId)).toEqual(['user.unmadeAdmin', 'user.madeAdmin']);
});

test('whatever several administrators do to each other at once, one stays', async () => {
  const alone = async (): Promise<{ userId: string }[]> =>
    (
      await world().db.query<{ id: string }>(
        sql`select id from rowhouse.users where is_admin and deactivated_time is null`,
      )
    ).map(({ id }) => ({ userId: id }));
  for (const other of await alone())
    if (other.userId !== admin.userId) await act(setUserAdmin, { ...of(other), body: { isAdmin: false } });
  for (const refused of [
    await act(setUserAdmin, { ...of(admin), body: { isAdmin: false } }),
    await act(updateAdminUser, { ...of(admin), body: { isActivated: false } }),
    await act(deleteAdminUser, of(admin)),
  ]) {
    expect(refused.status).toBe(409);
    expect(refused.error.message).toContain('the only administrator');
  }
  for (let round = 0; round < 4; round += 1) {
    const peer = await person(world(), { admin: true });
    const [mine, theirs] = [act, await peer.withSession()];
    const outcomes = await Promise.all(
      round % 2 === 0
        ? [
            mine(updateAdminUser, { ...of(peer), body: { isActivated: false } }),
            theirs(setUserAdmin, { ...of(admin), body: { isAdmin: false } }),
          ]
        : [
            mine(setUserAdmin, { ...of(peer), body: { isAdmin: false } }),
            theirs(setUserAdmin, { ...of(peer), body: { isAdmin: false } }),
            mine(deleteAdminUser, of(admin)),
            mine(setUserAdmin, { ...of(admin), body: { isAdmin: false } }),
          ],
    );
    expect(outcomes.some(({ status }) => status === 200)).toBe(true);
    expect(await alone()).toHaveLength(1);
    // The one who stayed goes on as the administrator of the next round.
    await world().db.query(
      sql`update rowhouse.users set is_admin = (id = ${admin.userId}), deactivated_time = case when id = ${admin.userId} then null else deactivated_time end,
            deleted_time = case when id = ${admin.userId} then null else deleted_time end where is_admin or id = ${admin.userId}`,
    );
    act = await admin.withSession();
  }
});
