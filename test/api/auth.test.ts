import { getUserMe, getUser, signIn, signOut, signUp, changePassword } from '@rowhouse/contract/auth.ts';
import { inviteToSpace } from '@rowhouse/contract/invitation.ts';
import { describe, expect, test } from 'vitest';
import { keyOf } from '../../server/domain/user/limit-attempts.ts';
import { resetPassword } from '../../server/domain/auth/operator-account.ts';
import { sql } from '../../server/db/sql.ts';
import { person } from '../support/people.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
const anyone = () => caller({ baseUrl: world().baseUrl });
const password = 'rosebud 1941';

const cookieOf = (headers: Headers): string => (headers.get('set-cookie') as string).split(';')[0] as string;
const withCookie = (cookie: string) => caller({ baseUrl: world().baseUrl, headers: { cookie } });

describe('signing up', () => {
  test('the first user of an instance is its administrator, also when two sign up at once; nobody after is', async () => {
    const both = await Promise.all(
      ['ada', 'bob'].map((name) => anyone()(signUp, { body: { email: `${name}@example.com`, password } })),
    );
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both.map(({ body }) => body.isAdmin).sort()).toEqual([false, true]);
    expect((await anyone()(signUp, { body: { email: 'cyd@example.com', password } })).body.isAdmin).toBe(false);
  });

  test('answers the new user, signs in, and gives them a space of their own', async () => {
    const made = await anyone()(signUp, {
      body: { email: 'Dora.Jones@Example.com', password, refMeta: { query: 'a=1' }, inviteCode: 'x' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^usr[0-9A-Za-z]{16}$/),
      name: 'dora.jones',
      avatar: null,
      email: 'dora.jones@example.com',
      phone: null,
      notifyMeta: { email: true },
      lang: null,
      hasPassword: true,
      isAdmin: false,
      isEmailVerified: false,
    });
    expect(made.headers.get('set-cookie')).toMatch(
      /^auth_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
    );
    expect((await withCookie(cookieOf(made.headers))(getUserMe)).body).toEqual(made.body);
    const spaces = await world().db.query(
      sql`select s.name, c.role from rowhouse.spaces s join rowhouse.collaborators c on c.resource_id = s.id where c.user_id = ${made.body.id}`,
    );
    expect(spaces).toEqual([{ name: "dora.jones's space", role: 'owner' }]);
  });

  test('the account and the first space take the names that were asked for', async () => {
    const made = await anyone()(signUp, {
      body: { email: 'eve@example.com', password, name: ' Eve Stone ', defaultSpaceName: 'Garden' },
    });
    expect(made.body.name).toBe('Eve Stone');
    const spaces = await world().db.query(sql`select name from rowhouse.spaces where created_by = ${made.body.id}`);
    expect(spaces).toEqual([{ name: 'Garden' }]);
  });

  test('an address that has an account is refused, whatever its case, and however many try at once', async () => {
    const body = { email: 'fay@example.com', password };
    const tries = await Promise.all(
      [body, { ...body, email: 'FAY@example.com' }, { ...body, email: 'Fay@Example.Com' }].map((each) =>
        anyone()(signUp, { body: each }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const refused = tries.find(({ status }) => status === 400);
    expect([refused?.error.code, refused?.error.message]).toEqual([
      'validation_error',
      expect.stringContaining('is already registered'),
    ]);
    expect(refused?.headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['no letter', { email: 'gus@example.com', password: '12345678' }, 'password'],
    ['no digit', { email: 'gus@example.com', password: 'abcdefgh' }, 'password'],
    ['seven characters', { email: 'gus@example.com', password: 'abcdef1' }, 'password'],
    ['257 characters', { email: 'gus@example.com', password: `1${'a'.repeat(256)}` }, 'password'],
    ['no password', { email: 'gus@example.com' }, 'password'],
    ['no address', { password }, 'email'],
    ['an address without @', { email: 'gus', password }, 'email'],
    ['half a surrogate pair', { email: 'gus@example.com', password, defaultSpaceName: 'a\ud800' }, 'defaultSpaceName'],
    ['a zero byte', { email: 'gus@example.com', password, defaultSpaceName: 'a\0' }, 'defaultSpaceName'],
    ['a number', { email: 7, password }, 'email'],
  ])('%s is a 400 that names the place', async (_case, body, path) => {
    const refused = await anyone()(signUp, { body: body as never });
    expect(refused.status).toBe(400);
    expect(refused.error.code).toBe('validation_error');
    expect(refused.error.data.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  test('what is no address is named', async () => {
    const refused = await anyone()(signUp, { body: { email: 'notmail', password } });
    expect(refused.error.data.issues).toEqual([
      { path: 'email', message: '"notmail" is not an e-mail address', expected: 'an e-mail address' },
    ]);
  });

  test('an invitation of the address takes effect with its secret, while it lasts', async () => {
    const host = await person(world());
    const invite = async (): Promise<{ spaceId: string; secret: { invitationId: string; invitationCode: string } }> => {
      const spaceId = await newSpace(host);
      const invited = await host.call(inviteToSpace, {
        params: { spaceId },
        body: { emails: ['guest@example.com'], role: 'editor' },
      });
      return {
        spaceId,
        secret: Object.fromEntries(
          new URL(invited.body['guest@example.com']?.inviteUrl as string).searchParams,
        ) as never,
      };
    };
    const [open, expired] = [await invite(), await invite()];
    await world().db.query(
      sql`update rowhouse.invitations set expired_time = '2001-01-01' where resource_id = ${expired.spaceId}`,
    );
    const rolesOf = async (userId: string): Promise<unknown[]> =>
      world().db.query(
        sql`select resource_id, role from rowhouse.collaborators where user_id = ${userId} and role <> 'owner'`,
      );
    const late = await anyone()(signUp, { body: { email: 'Guest@example.com', password, ...expired.secret } });
    expect(await rolesOf(late.body.id)).toEqual([]);
    await world().db.query(sql`update rowhouse.users set email = 'other@example.com' where id = ${late.body.id}`);
    const made = await anyone()(signUp, { body: { email: 'Guest@example.com', password, ...open.secret } });
    expect(await rolesOf(made.body.id)).toEqual([{ resource_id: open.spaceId, role: 'editor' }]);
  });

  test('switched off, nobody gets an account; for invited people only, the invited do', async () => {
    const host = await person(world());
    const party = await host.call(inviteToSpace, {
      params: { spaceId: await newSpace(host) },
      body: { emails: ['welcome@example.com'], role: 'viewer' },
    });
    const secret = Object.fromEntries(new URL(party.body['welcome@example.com']?.inviteUrl as string).searchParams);
    const closed = await openWorld(world().databaseUrl, { signUp: 'closed' });
    const invited = await openWorld(world().databaseUrl, { signUp: 'invited' });
    try {
      const atClosed = await caller({ baseUrl: closed.baseUrl })(signUp, {
        body: { email: 'welcome@example.com', password },
      });
      expect([atClosed.status, atClosed.error.code]).toEqual([403, 'restricted_resource']);
      const stranger = await caller({ baseUrl: invited.baseUrl })(signUp, {
        body: { email: 'stranger@example.com', password },
      });
      expect([stranger.status, stranger.error.code]).toEqual([403, 'restricted_resource']);
      expect(await world().db.query(sql`select id from rowhouse.users where email = 'stranger@example.com'`)).toEqual(
        [],
      );
      const alone = await caller({ baseUrl: invited.baseUrl })(signUp, {
        body: { email: 'welcome@example.com', password },
      });
      expect([alone.status, alone.error.code]).toEqual([403, 'restricted_resource']);
      const guest = await caller({ baseUrl: invited.baseUrl })(signUp, {
        body: { email: 'welcome@example.com', password, ...secret },
      });
      expect(guest.status).toBe(201);
    } finally {
      await closed.close();
      await invited.close();
    }
  });
});

describe('signing in', () => {
  test('the right password opens a session, in any case of the address', async () => {
    const ida = await person(world(), { email: 'ida@example.com' });
    const done = await anyone()(signIn, { body: { email: 'IDA@example.com', password: ida.password } });
    expect([done.status, done.body.id]).toEqual([200, ida.userId]);
    expect((await withCookie(cookieOf(done.headers))(getUserMe)).body.email).toBe('ida@example.com');
    const [row] = await world().db.query<{ seen: boolean }>(
      sql`select last_sign_in_time is not null as seen from rowhouse.users where id = ${ida.userId}`,
    );
    expect(row?.seen).toBe(true);
  });

  test('behind https the cookie is sent over https alone', async () => {
    const jon = await person(world());
    const secure = await openWorld(world().databaseUrl, { publicUrl: 'https://rows.example.com' });
    const done = await caller({ baseUrl: secure.baseUrl })(signIn, {
      body: { email: jon.email, password: jon.password },
    });
    await secure.close();
    expect(done.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('the database keeps neither the password nor the secret of the session', async () => {
    const kim = await person(world());
    const done = await anyone()(signIn, { body: { email: kim.email, password: kim.password } });
    const secret = cookieOf(done.headers).split('=')[1] as string;
    const [row] = await world().db.query<{ session: string; user: string }>(
      sql`select s::text as session, u::text as user from rowhouse.sessions s join rowhouse.users u on u.id = s.user_id where u.id = ${kim.userId}`,
    );
    expect(row?.session).not.toContain(secret);
    expect(row?.session).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    expect(row?.user).toContain('$argon2id$v=19$');
    expect(row?.user).not.toContain(kim.password);
  });

  test('unknown address, wrong password, no password and deactivated user are one and the same 400', async () => {
    const [lea, max, ned] = await Promise.all([person(world()), person(world()), person(world())]);
    await world().db.query(sql`update rowhouse.users set deactivated_time = now() where id = ${max.userId}`);
    await world().db.query(sql`update rowhouse.users set password_hash = null where id = ${ned.userId}`);
    const answers = await Promise.all([
      anyone()(signIn, { body: { email: 'nobody@example.com', password } }),
      anyone()(signIn, { body: { email: lea.email, password } }),
      anyone()(signIn, { body: { email: max.email, password: max.password } }),
      anyone()(signIn, { body: { email: ned.email, password: ned.password } }),
      anyone()(signIn, { body: { email: 'no address at all', password } }),
    ]);
    for (const { status, error, headers } of answers) {
      expect(status).toBe(400);
      expect({ ...error, requestId: '' }).toEqual({ ...answers[0]?.error, requestId: '' });
      expect(error.code).toBe('invalid_credentials');
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  test('signing in many times at once, and wrongly in between, gets in every one of them that is right', async () => {
    const liv = await person(world());
    const tries = Array.from({ length: 10 }, (_, at) =>
      anyone()(signIn, { body: { email: liv.email, password: at % 3 === 2 ? password : liv.password } }),
    );
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([
      200, 200, 400, 200, 200, 400, 200, 200, 400, 200,
    ]);
  });

  test('missing parts are a 400 that names them', async () => {
    const refused = await anyone()(signIn, { body: {} as never });
    expect(refused.status).toBe(400);
    expect(refused.error.message).toBe('Validation error: Required at "email"; Required at "password"');
  });
});

describe('guessing', () => {
  const guess = (email: string, guessed = 'wrong 1234') => anyone()(signIn, { body: { email, password: guessed } });
  const useUp = (email: string) => Promise.all(Array.from({ length: 10 }, () => guess(email)));
  const pass = () =>
    world().db.query(sql`update rowhouse.sign_in_attempts set expires_time = now() - interval '1 second'`);

  test('after ten wrong tries, even at once, comes 429 with Retry-After, for the right password too, and it ends', async () => {
    const olga = await person(world());
    expect((await useUp(olga.email)).map(({ status }) => status)).toEqual(Array(10).fill(400));
    const refused = await guess(olga.email, olga.password);
    expect([refused.status, refused.error.code]).toEqual([429, 'too_many_requests']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(900);
    // Trying on does not push the end away.
    await guess(olga.email);
    expect(Number((await guess(olga.email)).headers.get('retry-after'))).toBeLessThanOrEqual(wait);
    await pass();
    expect((await guess(olga.email, olga.password)).status).toBe(200);
  });

  test('addresses without an account are counted alike', async () => {
    await useUp('nemo@example.com');
    expect((await guess('nemo@example.com')).status).toBe(429);
    await pass();
  });

  test('a success starts the count of the address again', async () => {
    const pia = await person(world());
    for (let round = 0; round < 4; round += 1) {
      expect(
        (await Promise.all([guess(pia.email), guess(pia.email), guess(pia.email)])).map(({ status }) => status),
      ).toEqual([400, 400, 400]);
      expect((await guess(pia.email, pia.password)).status).toBe(200);
    }
    await pass();
  });

  test('who has signed in from a client before is not locked out there by others, and several servers count together', async () => {
    const quin = await person(world());
    const proxied = await openWorld(world().databaseUrl, { trustProxy: true });
    const from = (ip: string, guessed: string) =>
      caller({ baseUrl: proxied.baseUrl, headers: { 'x-forwarded-for': ip } })(signIn, {
        body: { email: quin.email, password: guessed },
      });
    try {
      expect((await from('198.51.100.7', quin.password)).status).toBe(200);
      await useUp(quin.email);
      expect((await from('203.0.113.50', quin.password)).status).toBe(429);
      expect((await from('198.51.100.7', quin.password)).status).toBe(200);
    } finally {
      await proxied.close();
      await pass();
    }
  });

  test('a client that tries many addresses is refused, others are not', async () => {
    const rex = await person(world());
    const proxied = await openWorld(world().databaseUrl, { trustProxy: true });
    const from = (ip: string, email: string, guessed: string) =>
      caller({ baseUrl: proxied.baseUrl, headers: { 'x-forwarded-for': ip } })(signIn, {
        body: { email, password: guessed },
      });
    try {
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => from('2001:db8::1', `user${at}@example.com`, 'wrong 1234')),
      );
      expect((await from('2001:db8::2', rex.email, rex.password)).status).toBe(429);
      expect((await from('2001:db8:0:1::2', rex.email, rex.password)).status).toBe(200);
      // A proxy adds the address it sees to what the client says of itself, which does not count.
      const claiming = (at: number) => from(`198.51.100.${at}, 203.0.113.99`, `person${at}@example.com`, 'wrong 1234');
      expect((await Promise.all([claiming(1), claiming(2)])).map(({ status }) => status)).toEqual([400, 400]);
      await world().db.query(
        sql`update rowhouse.sign_in_attempts set count = count + 97 where key = ${keyOf('client', '203.0.113.99')}`,
      );
      expect((await claiming(3)).status).toBe(400);
      expect((await from('198.51.100.200, 203.0.113.99', rex.email, rex.password)).status).toBe(429);
    } finally {
      await proxied.close();
    }
  });
});

describe('a session', () => {
  test('ends when its user signs out, at once and alone', async () => {
    const sam = await person(world());
    const [cookie, other] = [await sam.cookie(), await sam.cookie()];
    const out = await withCookie(cookie)(signOut);
    expect(out.status).toBe(200);
    expect(out.headers.get('set-cookie')).toMatch(/^auth_session=; .*Max-Age=0/);
    expect((await withCookie(cookie)(getUserMe)).status).toBe(401);
    expect((await withCookie(cookie)(signOut)).status).toBe(401);
    expect((await withCookie(other)(getUserMe)).status).toBe(200);
    expect((await sam.call(signOut)).status).toBe(200);
    expect((await sam.call(getUserMe)).status).toBe(200);
  });

  test('lasts a week from its last use', async () => {
    const own = await openWorld(world().databaseUrl);
    const tim = await person(own);
    const call = await tim.withSession();
    await own.db.query(
      sql`update rowhouse.sessions set expires_time = now() + interval '1 day' where user_id = ${tim.userId}`,
    );
    expect((await call(getUserMe)).status).toBe(200);
    await own.close();
    const left = () =>
      world().db.query<{ days: number }>(
        sql`select round(extract(epoch from expires_time - now()) / 86400)::int as days from rowhouse.sessions where user_id = ${tim.userId}`,
      );
    expect(await left()).toEqual([{ days: 7 }]);
  });

  test('that has expired is a 401, and is removed when somebody signs in', async () => {
    const uma = await person(world());
    const call = await uma.withSession();
    await world().db.query(sql`update rowhouse.sessions set expires_time = now() where user_id = ${uma.userId}`);
    expect((await call(getUserMe)).status).toBe(401);
    await (await person(world())).cookie();
    expect(await world().db.query(sql`select 1 from rowhouse.sessions where user_id = ${uma.userId}`)).toEqual([]);
  });

  test('cannot be used by pages of other sites to change anything', async () => {
    const vic = await person(world());
    const cookie = await vic.cookie();
    const post = async (headers: Record<string, string>) =>
      (
        await fetch(`${world().baseUrl}/user/notify-meta`, {
          method: 'PATCH',
          headers: { cookie, 'content-type': 'application/json', ...headers },
          body: '{}',
        })
      ).status;
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ origin: 'null' })).toBe(403);
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await post({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await post({ origin: world().origin })).toBe(200);
    expect(await post({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await post({})).toBe(200);
    // A token does not travel by itself, so where it is used from says nothing.
    expect((await vic.call(signOut, { headers: { origin: 'https://tool.example' } })).status).toBe(200);
    const mine = await openWorld(world().databaseUrl, { publicUrl: 'https://rows.example.com' });
    const there = await fetch(`${mine.baseUrl}/auth/signout`, {
      method: 'POST',
      headers: { cookie, origin: 'https://rows.example.com' },
    });
    await mine.close();
    expect(there.status).toBe(200);
  });
});

describe('credentials that do not count', () => {
  test('missing, malformed, unknown, expired, revoked and of a deactivated user: one and the same 401', async () => {
    const will = await person(world());
    const gone = await person(world());
    await world().db.query(sql`update rowhouse.users set deactivated_time = now() where id = ${gone.userId}`);
    const expired = await will.withToken({ hasFullAccess: true, expiredTime: new Date(Date.now() - 1_000) });
    const other = await will.withToken({ hasFullAccess: true });
    const bearer = (authorization: string) => ({ authorization });
    const cases: Record<string, string>[] = [
      {},
      bearer(''),
      bearer('Bearer'),
      bearer('Bearer '),
      bearer(will.token),
      bearer(`bearer ${will.token}`),
      bearer(`Basic ${will.token}`),
      bearer('Bearer teable_x_y'),
      bearer(`Bearer ${will.token}x`),
      bearer(`Bearer ${will.token.slice(0, -1)}`),
      bearer(`Bearer teable_acc0000000000000000_${'a'.repeat(43)}`),
      bearer(`Bearer teable_${other.id}_${will.token.split('_')[2]}`),
      bearer(`Bearer ${expired.token}`),
      bearer(`Bearer ${gone.token}`),
      { cookie: await gone.cookie() },
      { cookie: 'auth_session=' },
      { cookie: 'auth_session=unknown' },
      { cookie: `auth_session=${'x'.repeat(5_000)}` },
    ];
    for (const headers of cases) {
      const response = await fetch(`${world().baseUrl}/auth/user`, { headers: { ...headers, 'x-request-id': 'same' } });
      expect([headers, response.status]).toEqual([headers, 401]);
      expect(await response.json()).toEqual({
        message: 'Unauthorized',
        status: 401,
        code: 'unauthorized',
        requestId: 'same',
      });
    }
    expect((await will.call(getUser)).status).toBe(200);
  });
});

describe('changing the password', () => {
  const change = { password: '', newPassword: 'brand new 2' };

  test('ends every session, keeps tokens, and the new one counts from then on', async () => {
    const xan = await person(world());
    const [one, two] = [await xan.withSession(), await xan.withSession()];
    expect((await one(changePassword, { body: { ...change, password: xan.password } })).status).toBe(200);
    expect([(await one(getUserMe)).status, (await two(getUserMe)).status]).toEqual([401, 401]);
    expect((await xan.call(getUserMe)).status).toBe(200);
    expect((await anyone()(signIn, { body: { email: xan.email, password: xan.password } })).status).toBe(400);
    expect((await anyone()(signIn, { body: { email: xan.email, password: change.newPassword } })).status).toBe(200);
  });

  test('needs the present one, and a new one that is good enough', async () => {
    const yul = await person(world());
    const call = await yul.withSession();
    const wrong = await call(changePassword, { body: { ...change, password: 'wrong 1234' } });
    expect([wrong.status, wrong.error.code]).toEqual([400, 'invalid_credentials']);
    expect((await call(changePassword, { body: { password: yul.password, newPassword: 'short1' } })).status).toBe(400);
    expect((await call(getUserMe)).status).toBe(200);
  });

  test('is not for limited tokens', async () => {
    const zoe = await person(world());
    const limited = await zoe.withToken({ hasFullAccess: true, scopes: ['record|read'] });
    expect((await limited.call(changePassword, { body: { ...change, password: zoe.password } })).status).toBe(403);
  });

  test('can be done by the operator, without the old one', async () => {
    const abe = await person(world());
    const call = await abe.withSession();
    await resetPassword(world().db, { email: abe.email.toUpperCase(), password: 'forgotten 3' });
    expect((await call(getUserMe)).status).toBe(401);
    expect((await anyone()(signIn, { body: { email: abe.email, password: 'forgotten 3' } })).status).toBe(200);
    await expect(
      resetPassword(world().db, { email: 'nobody@example.com', password: 'forgotten 3' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(resetPassword(world().db, { email: abe.email, password: 'short' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});
