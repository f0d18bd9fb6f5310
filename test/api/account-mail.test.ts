// Addresses that are proven by e-mail: signing up, forgotten passwords, other addresses, invitations. With a real SMTP receiver.
import * as teable from '@teable/openapi';
import {
  changeEmail,
  getUserMe,
  resetPassword,
  sendChangeEmailCode,
  sendResetPasswordEmail,
  sendSignInCode,
  sendSignUpCode,
  sendVerificationCode,
  signIn,
  signInWithCode,
  signUp,
  verifyEmail,
} from '@rowhouse/contract/auth.ts';
import { listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { acceptInvitation, inviteToSpace } from '@rowhouse/contract/invitation.ts';
import { beginSecondFactor, confirmSecondFactor } from '@rowhouse/contract/second-factor.ts';
import { renameUser } from '@rowhouse/contract/user.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { changeUserEmail, verifyUser } from '../../server/domain/auth/operator-account.ts';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { codeAt } from '../support/authenticator.ts';
import { openMailServer, type MailServer } from '../support/mail-server.ts';
import { person } from '../support/people.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, createDatabase, openWorld, type World } from '../support/world.ts';

let mail: MailServer;
let world: World;
let drop: () => Promise<void>;

beforeAll(async () => {
  mail = await openMailServer();
  const database = await createDatabase();
  drop = database.drop;
  world = await openWorld(database.url, {
    smtpUrl: mail.url,
    smtpFrom: 'Rowhouse <rowhouse@example.com>',
    trustProxy: true,
  });
});

afterAll(async () => {
  await world.close();
  await drop();
  await mail.close();
});

let clients = 0;
/** Somebody at a network of their own: what one test counts is nothing to the others. */
const anyone = (ip = `198.51.100.${(clients += 1)}`) =>
  caller({ baseUrl: world.baseUrl, headers: { 'x-forwarded-for': ip } });
const password = 'rosebud 1941';
const codeIn = (message: string): string => (/^ +(\d{4} \d{4})$/m.exec(message) as RegExpExecArray)[1] as string;
const linkIn = (message: string): string => (/\/reset-password#(\S+)/.exec(message) as RegExpExecArray)[1] as string;
const invitationIn = (message: string) => {
  const { searchParams } = new URL((/^(http\S+\/invite\S+)$/m.exec(message) as RegExpExecArray)[1] as string);
  return {
    invitationId: searchParams.get('invitationId') as string,
    invitationCode: searchParams.get('invitationCode') as string,
  };
};
const cookieOf = (headers: Headers): string => (headers.get('set-cookie') as string).split(';')[0] as string;
/** Until all that waits has gone out. */
const settled = async (): Promise<void> => {
  while (
    (await world.db.query(sql`select from rowhouse.jobs where every is null and state in ('waiting', 'running')`))
      .length > 0
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('signing up', () => {
  test('takes a code that was mailed, once, and the answer before does not tell whether the address has an account', async () => {
    const [call, email] = [anyone(), 'ada@example.com'];
    const asked = await call(signUp, { body: { email, password } });
    expect([asked.status, asked.error.code, asked.headers.get('set-cookie')]).toEqual([
      422,
      'unprocessable_entity',
      null,
    ]);
    expect(asked.error.data).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), expiresTime: expect.any(String) });
    const verification = { token: asked.error.data.token as string, code: codeIn(await mail.newestTo(email)) };
    const wrong = await call(signUp, { body: { email, password, verification: { ...verification, code: 'wrong' } } });
    expect([wrong.status, wrong.error.data.issues[0].path]).toEqual([400, 'verification.code']);
    expect((await call(signUp, { body: { email: 'other@example.com', password, verification } })).status).toBe(400);
    const made = await Promise.all([1, 2].map(() => call(signUp, { body: { email, password, verification } })));
    expect(made.map(({ status }) => status).toSorted()).not.toEqual([201, 201]);
    expect(made.find(({ status }) => status === 201)?.body).toMatchObject({ email, isEmailVerified: true });

    const again = await call(signUp, { body: { email, password } });
    expect([again.status, again.error.message, Object.keys(again.error.data)]).toEqual([
      422,
      asked.error.message,
      ['token', 'expiresTime'],
    ]);
    const message = await mail.newestTo(email, 1);
    expect(message).toContain('Subject: You already have an account');
    expect(message).not.toMatch(/\d{4} \d{4}/);
  });

  test('a code ends after five tries, and other requests do not count against it', async () => {
    const [call, email] = [anyone(), 'bob@example.com'];
    const { token } = (await call(sendSignUpCode, { body: { email } })).body;
    const code = codeIn(await mail.newestTo(email));
    for (let count = 0; count < 5; count += 1)
      expect(
        (await call(signUp, { body: { email, password, verification: { token, code: `wrong ${count}` } } })).status,
      ).toBe(400);
    expect((await call(signUp, { body: { email, password, verification: { token, code } } })).status).toBe(400);
  });

  test('a sign-in from a new place is told, one from a place that is known is not', async () => {
    const [call, email] = [anyone(), 'new.place@example.com'];
    const { token } = (await call(sendSignUpCode, { body: { email } })).body;
    const code = codeIn(await mail.newestTo(email));
    expect((await call(signUp, { body: { email, password, verification: { token, code } } })).status).toBe(201);
    expect((await call(signIn, { body: { email, password } })).status).toBe(200);
    const elsewhere = `198.51.100.${(clients += 1)}`;
    for (const from of [elsewhere, elsewhere])
      expect((await anyone(from)(signIn, { body: { email, password } })).status).toBe(200);
    const message = await mail.newestTo(email, 1);
    expect(message).toContain('Subject: A new sign-in to your account');
    expect(message).toContain(`from ${elsewhere}`);
    const told = await world.db.query<{ count: number }>(
      sql`select count(*)::int as count from rowhouse.known_devices d join rowhouse.users u on u.id = d.user_id where u.email = ${email}`,
    );
    expect(told).toEqual([{ count: 2 }]);
  });

  test('a code that has expired is worth nothing', async () => {
    const [call, email] = [anyone(), 'cyd@example.com'];
    const { token } = (await call(sendSignUpCode, { body: { email } })).body;
    const code = codeIn(await mail.newestTo(email));
    await world.db.query(sql`update rowhouse.email_codes set expires_time = now() where email = ${email}`);
    expect((await call(signUp, { body: { email, password, verification: { token, code } } })).status).toBe(400);
  });

  test('a few e-mails to one address in an hour, then 429, for known and unknown addresses alike', async () => {
    const someone = await person(world);
    for (const email of [someone.email, 'nobody-at-all@example.com']) {
      const statuses = [];
      for (let count = 0; count < 6; count += 1)
        statuses.push((await anyone()(sendResetPasswordEmail, { body: { email } })).status);
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    }
    await settled();
    expect([mail.countTo(someone.email), mail.countTo('nobody-at-all@example.com')]).toEqual([5, 0]);
  });
});

describe('a forgotten password', () => {
  test('is set again with a mailed link, which works once and ends all sessions', async () => {
    const someone = await person(world);
    const session = await someone.withSession();
    const call = anyone();
    expect((await call(sendResetPasswordEmail, { body: { email: someone.email.toUpperCase() } })).status).toBe(201);
    const code = linkIn(await mail.newestTo(someone.email));
    expect(
      (await call(resetPassword, { body: { code: `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`, password } }))
        .status,
    ).toBe(400);
    expect((await call(resetPassword, { body: { code: 'x', password } })).status).toBe(400);
    const common = await call(resetPassword, { body: { code, password: 'password123' } });
    expect([common.status, common.error.message]).toEqual([400, expect.stringContaining('most common passwords')]);
    expect((await session(getUserMe)).status).toBe(200);
    expect((await call(resetPassword, { body: { code, password } })).status).toBe(201);
    expect((await session(getUserMe)).status).toBe(401);
    expect((await someone.call(getUserMe)).body.isEmailVerified).toBe(true);
    expect((await call(resetPassword, { body: { code, password: 'another one 1' } })).status).toBe(400);
    expect((await call(signIn, { body: { email: someone.email, password } })).status).toBe(200);
    expect(await mail.newestTo(someone.email, 1)).toContain('Subject: Your password was changed');
  });

  test('links of other requests end with the one that was used, and with the address', async () => {
    const someone = await person(world);
    const call = anyone();
    const codes = [];
    for (let count = 0; count < 2; count += 1) {
      await call(sendResetPasswordEmail, { body: { email: someone.email } });
      codes.push(linkIn(await mail.newestTo(someone.email, count)));
    }
    expect((await call(resetPassword, { body: { code: codes[1] as string, password } })).status).toBe(201);
    expect((await call(resetPassword, { body: { code: codes[0] as string, password } })).status).toBe(400);
  });
});

describe('the address of an account', () => {
  test('is verified with a code', async () => {
    const someone = await person(world);
    expect((await someone.call(getUserMe)).body.isEmailVerified).toBe(false);
    const { token } = (await someone.call(sendVerificationCode)).body;
    const code = codeIn(await mail.newestTo(someone.email));
    const other = await person(world);
    expect((await other.call(verifyEmail, { body: { token, code } })).status).toBe(400);
    expect((await someone.call(verifyEmail, { body: { token, code: code.replace(' ', '') } })).status).toBe(201);
    expect((await someone.call(getUserMe)).body.isEmailVerified).toBe(true);
    expect((await someone.call(sendVerificationCode)).status).toBe(409);
  });

  test('is changed with the password and a code that went to the new one; the old one is told', async () => {
    const someone = await person(world);
    const email = 'dora.new@example.com';
    expect((await someone.call(sendChangeEmailCode, { body: { email, password: 'wrong one 1' } })).status).toBe(400);
    const { token } = (
      await someone.call(sendChangeEmailCode, { body: { email: 'Dora.New@example.com', password: someone.password } })
    ).body;
    const code = codeIn(await mail.newestTo(email));
    expect((await someone.call(changeEmail, { body: { email: 'else@example.com', token, code } })).status).toBe(400);
    expect((await someone.call(changeEmail, { body: { email, token, code } })).status).toBe(200);
    expect((await someone.call(getUserMe)).body).toMatchObject({ email, isEmailVerified: true });
    expect(await mail.newestTo(someone.email)).toContain('Subject: Your e-mail address was changed');
    expect((await anyone()(signIn, { body: { email: someone.email, password: someone.password } })).status).toBe(400);
    expect((await anyone()(signIn, { body: { email, password: someone.password } })).status).toBe(200);
  });

  test('cannot become that of another account, and the request for it does not tell that there is one', async () => {
    const [someone, other] = [await person(world), await person(world)];
    expect(
      (await someone.call(sendChangeEmailCode, { body: { email: other.email, password: someone.password } })).status,
    ).toBe(200);
    const message = await mail.newestTo(other.email);
    expect(message).toContain('Subject: This address already has an account');
    expect(message).not.toMatch(/\d{4} \d{4}/);
  });
});

describe('an invitation of an address', () => {
  test('is mailed, not shown to the inviter, and proves the address', async () => {
    const owner = await person(world, { name: 'Olga' });
    const spaceId = await newSpace(owner, 'Works');
    const email = 'eve@example.com';
    const invited = await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'editor' } });
    expect(invited.body).toEqual({ [email]: { invitationId: expect.any(String) } });
    const message = await mail.newestTo(email);
    expect(message).toContain('"Olga" invites you to work together in the space "Works"');
    const made = await anyone()(signUp, { body: { email, password, ...invitationIn(message) } });
    expect([made.status, made.body.isEmailVerified]).toEqual([201, true]);
    const people = await caller({ baseUrl: world.baseUrl, headers: { cookie: cookieOf(made.headers) } })(
      listSpaceCollaborators,
      { params: { spaceId } },
    );
    expect(people.status).toBe(200);
  });

  test('waits for somebody who only signed up with it, and takes effect once it is verified', async () => {
    const owner = await person(world);
    const spaceId = await newSpace(owner);
    const squatter = await person(world);
    await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [squatter.email], role: 'owner' } });
    expect((await squatter.call(listSpaceCollaborators, { params: { spaceId } })).status).toBe(404);
    expect(invitationIn(await mail.newestTo(squatter.email)).invitationId).toMatch(/^inv/);
    await verifyUser(world.db, squatter.email);
    expect((await squatter.call(listSpaceCollaborators, { params: { spaceId } })).status).toBe(200);
    const verified = await owner.call(inviteToSpace, {
      params: { spaceId: await newSpace(owner) },
      body: { emails: [squatter.email], role: 'viewer' },
    });
    expect(verified.status).toBe(201);
  });

  test('carries nothing of a stranger’s choice but names that cannot be a message', async () => {
    const owner = await person(world);
    await owner.call(renameUser, {
      body: { name: 'Win $1000 at https://evil.example/\r\nBcc: x@example.com, call 0800 123 4567' },
    });
    const spaceId = await newSpace(owner, '<a href="https://evil.example">evil.example</a> me@evil.example');
    const email = 'fay@example.com';
    await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [email], role: 'viewer' } });
    const message = await mail.newestTo(email);
    const { invitationId, invitationCode } = invitationIn(message);
    expect(message.replaceAll(world.origin, '').replaceAll(/\b[\w.]+@\w*[\w.]*/g, '')).not.toMatch(
      /https?:|evil\.example|@evil|^Bcc|0800|<a/m,
    );
    const someone = await person(world);
    await verifyUser(world.db, someone.email);
    await owner.call(inviteToSpace, { params: { spaceId }, body: { emails: [someone.email], role: 'viewer' } });
    const told = await mail.newestTo(someone.email);
    expect(told.replaceAll(world.origin, '')).not.toMatch(/https?:|evil\.example|0800|<a/);
    // The link works for the one who has it, once.
    expect((await someone.call(acceptInvitation, { body: { invitationId, invitationCode } })).status).toBe(201);
  });

  test('one account invites so many people within an hour, and no more', async () => {
    const owner = await person(world);
    const spaceId = await newSpace(owner);
    const emails = Array.from({ length: 199 }, (_, at) => `guest${at}.example@unknown.invalid`);
    mail.unknown.add('unknown.invalid');
    expect((await owner.call(inviteToSpace, { params: { spaceId }, body: { emails, role: 'viewer' } })).status).toBe(
      201,
    );
    expect(
      (
        await owner.call(inviteToSpace, {
          params: { spaceId },
          body: { emails: ['one.more@unknown.invalid'], role: 'viewer' },
        })
      ).status,
    ).toBe(201);
    const refused = await owner.call(inviteToSpace, {
      params: { spaceId },
      body: { emails: ['too.many@unknown.invalid'], role: 'viewer' },
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(refused.error.message).toContain('200 people within an hour');
    await world.db.query(sql`delete from rowhouse.jobs where kind = 'send-invitation'`);
  });
});

describe('signing in by a code', () => {
  const account = async (name: string): Promise<{ email: string; userId: string }> => {
    const { email, userId } = await person(world, { name });
    return { email, userId };
  };

  test('the newest code works, once, in one session; the answer before does not tell whether there is an account', async () => {
    const call = anyone();
    const { email, userId } = await account('Cora');
    const none = await call(sendSignInCode, { body: { email: 'nobody-here@example.com' } });
    const first = await call(sendSignInCode, { body: { email } });
    expect([none.status, Object.keys(none.body)]).toEqual([first.status, Object.keys(first.body)]);
    const old = codeIn(await mail.newestTo(email));
    await call(sendSignInCode, { body: { email: email.toUpperCase() } });
    const message = await mail.newestTo(email, 1);
    expect(message).toContain('Subject: Your code to sign in');
    const code = codeIn(message);
    expect((await call(signInWithCode, { body: { email, code: old } })).error.data.issues[0].path).toBe('code');
    const tries = await Promise.all([1, 2].map(() => call(signInWithCode, { body: { email, code } })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const done = tries.find(({ status }) => status === 200);
    expect(done?.body).toMatchObject({ id: userId, isEmailVerified: true });
    const cookie = cookieOf(done?.headers as Headers);
    expect((await caller({ baseUrl: world.baseUrl, headers: { cookie } })(getUserMe, {})).body.id).toBe(userId);
    await settled();
    expect(mail.countTo('nobody-here@example.com')).toBe(0);
  });

  test('five wrong tries end it, a code for something else is none, and a deactivated account gets neither mail nor in', async () => {
    const { email } = await account('Dora');
    const call = anyone();
    await call(sendSignInCode, { body: { email } });
    const code = codeIn(await mail.newestTo(email));
    for (let count = 0; count < 5; count += 1)
      expect((await anyone()(signInWithCode, { body: { email, code: `0000 000${count}` } })).status).toBe(400);
    expect((await anyone()(signInWithCode, { body: { email, code } })).status).toBe(400);

    const other = await person(world, { name: 'Eva' });
    await other.call(sendVerificationCode, {});
    const verification = codeIn(await mail.newestTo(other.email));
    expect((await anyone()(signInWithCode, { body: { email: other.email, code: verification } })).status).toBe(400);
    await call(sendSignInCode, { body: { email: other.email } });
    const late = codeIn(await mail.newestTo(other.email, 1));
    await setUserActive(world.db, other.email, false);
    expect((await anyone()(signInWithCode, { body: { email: other.email, code: late } })).status).toBe(400);
  });

  test('a second factor is asked for as well', async () => {
    const someone = await person(world, { name: 'Fay' });
    const { secret } = (await someone.call(beginSecondFactor, { body: { password: someone.password } })).body;
    const confirm = { body: { code: codeAt(secret, new Date()) } };
    expect((await someone.call(confirmSecondFactor, confirm)).status).toBe(201);
    await settled();
    const call = anyone();
    const before = mail.countTo(someone.email);
    await call(sendSignInCode, { body: { email: someone.email } });
    const code = codeIn(await mail.newestTo(someone.email, before));
    const step = await call(signInWithCode, { body: { email: someone.email, code } });
    expect([step.status, step.headers.get('set-cookie')]).toEqual([422, null]);
    expect(step.error.data).toEqual({ secondFactorToken: expect.any(String) });
    expect((await call(signInWithCode, { body: { email: someone.email, code } })).status).toBe(400);
  });
});

test('the official client of Teable, unmodified: signup with a code, sendResetPasswordEmail, resetPassword, sendChangeEmailCode, changeEmail', async () => {
  const { axios } = teable;
  delete axios.defaults.headers.common.Authorization;
  axios.defaults.baseURL = world.baseUrl;
  axios.defaults.headers.common['x-forwarded-for'] = '203.0.113.77';
  try {
    const [email, other] = ['teable.one@example.com', 'teable.two@example.com'];
    const asked = await teable
      .signup({ email, password })
      .catch((error: unknown) => error as { status: number; data: { token: string } });
    expect(asked).toMatchObject({ status: 422, data: { token: expect.any(String), expiresTime: expect.any(String) } });
    // E-mails go out side by side: the second one is asked for when the first has come, or either could be the newest.
    await mail.newestTo(email);
    const sent = teable.sendSignupVerificationCodeVoSchema.parse((await teable.sendSignupVerificationCode(email)).data);
    const made = await teable.signup({
      email,
      password,
      verification: { token: sent.token, code: codeIn(await mail.newestTo(email, 1)) },
    });
    expect(teable.userMeVoSchema.parse(made.data).email).toBe(email);
    axios.defaults.headers.common.Cookie = cookieOf(
      new Headers({ 'set-cookie': (made.headers as unknown as { 'set-cookie': string[] })['set-cookie'][0] as string }),
    );
    const { token } = teable.sendChangeEmailCodeVoSchema.parse(
      (await teable.sendChangeEmailCode({ email: other, password })).data,
    );
    expect((await teable.changeEmail({ email: other, token, code: codeIn(await mail.newestTo(other)) })).status).toBe(
      200,
    );
    expect((await teable.userMe()).data.email).toBe(other);
    expect((await teable.sendResetPasswordEmail({ email: other })).status).toBe(201);
    expect(
      (await teable.resetPassword({ code: linkIn(await mail.newestTo(other, 1)), password: 'compatible 2' })).status,
    ).toBe(201);
    await expect(teable.userMe()).rejects.toMatchObject({ status: 401 });
    expect((await teable.signin({ email: other, password: 'compatible 2' })).status).toBe(200);
  } finally {
    delete axios.defaults.headers.common.Cookie;
    delete axios.defaults.headers.common['x-forwarded-for'];
  }
});

test('the operator gives an account another address, which nobody else has', async () => {
  const [someone, other] = [await person(world), await person(world)];
  await expect(changeUserEmail(world.db, someone.email, other.email.toUpperCase())).rejects.toThrow(
    'already has an account',
  );
  await expect(changeUserEmail(world.db, 'nobody@example.org', 'x@example.org')).rejects.toThrow(
    'User nobody@example.org not found',
  );
  await changeUserEmail(world.db, someone.email, 'Operator.Chose@example.com');
  expect((await someone.call(getUserMe)).body).toMatchObject({
    email: 'operator.chose@example.com',
    isEmailVerified: true,
  });
});
