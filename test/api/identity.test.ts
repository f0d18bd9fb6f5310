// Signing in through a provider of OpenID Connect, against one that is certified, and with everything that somebody in between,
// another browser, another provider or a careless one could do.
import {
  addPassword,
  getSignInOptions,
  getUserMe,
  sendSignInCode,
  signIn,
  signInWithCode,
  signUp,
} from '@rowhouse/contract/auth.ts';
import { linkIdentity, listIdentities, unlinkIdentity } from '@rowhouse/contract/identity.ts';
import { beginSecondFactor, confirmSecondFactor, signInWithSecondFactor } from '@rowhouse/contract/second-factor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignInProviders } from '../../server/catalog/sign-in-providers.ts';
import { verifyUser } from '../../server/domain/auth/operator-account.ts';
import { sql } from '../../server/db/sql.ts';
import { codeAt } from '../support/authenticator.ts';
import { clientId, clientSecret, type Lies, newBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { person } from '../support/people.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const company = await startIdentityProvider();
const anybody = await startIdentityProvider();
const gone = await startIdentityProvider();

const providers = createSignInProviders({
  providers: [
    {
      id: 'company',
      name: 'Company',
      issuer: company.issuer,
      clientId,
      clientSecret,
      createsAccounts: true,
      joinsDomains: ['company.example'],
      onlyForDomains: ['bound.example'],
    },
    { id: 'anybody', name: 'Anybody', issuer: anybody.issuer, clientId, clientSecret },
    { id: 'gone', name: 'Gone', issuer: gone.issuer, clientId, clientSecret },
  ],
});

const world = useWorld({}, { signInProviders: providers });
let made = 0;

beforeAll(async () => {
  company.serve([`${world().baseUrl}/auth/oidc/company/callback`]);
  anybody.serve([`${world().baseUrl}/auth/oidc/anybody/callback`]);
  await gone.close();
});
afterAll(() => Promise.all([company.close(), anybody.close()]));

/** What the audit log tells about somebody, oldest first. */
const toldAbout = async (userId: string): Promise<object[]> =>
  world().db.query<object>(
    sql`select action, target ->> 'provider' as provider, ip from rowhouse.audit_log where actor_id = ${userId} order by id`,
  );

const anyone = () => caller({ baseUrl: world().baseUrl });

const newSubject = (at = company, claims: Record<string, unknown> = {}): { subject: string; email: string } => {
  made += 1;
  const [subject, email] = [`subject-${made}`, `person${made}@mail.example`];
  at.people.set(subject, { email, email_verified: true, name: `Person ${made}`, ...claims });
  return { subject, email: String(claims['email'] ?? email) };
};

const beginOf = (provider = 'company', redirect?: string): string =>
  `${world().baseUrl}/auth/oidc/${provider}${redirect === undefined ? '' : `?${new URLSearchParams({ redirect })}`}`;

/** Where the browser is led in the end. */
const arrive = async (browser: ReturnType<typeof newBrowser>, callback: URL): Promise<URL> => {
  const response = await browser.visit(callback);
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') as string);
};

const enter = async (subject: string, { provider = 'company', redirect = undefined as string | undefined } = {}) => {
  const browser = newBrowser();
  const callback = await browser.travel(beginOf(provider, redirect), subject);
  const end = callback.pathname.endsWith('/callback') ? await arrive(browser, callback) : callback;
  const call = caller({ baseUrl: world().baseUrl, headers: { cookie: browser.cookiesOf(world().origin) } });
  return { browser, callback, end, call, problem: end.searchParams.get('problem') };
};

test('a newcomer with a verified address gets an account, and the same one the next time', async () => {
  const { subject, email } = newSubject();
  expect((await anyone()(getSignInOptions, {})).body.providers).toContainEqual({ id: 'company', name: 'Company' });
  const first = await enter(subject, { redirect: '/trash?base=bse1' });
  expect(first.end.href).toBe(`${world().origin}/trash?base=bse1`);
  const me = (await first.call(getUserMe, {})).body;
  expect(me).toMatchObject({
    email,
    name: `Person ${made}`,
    hasPassword: false,
    isEmailVerified: true,
    isAdmin: false,
  });
  // The address may change there: the account is known by the subject.
  company.people.set(subject, { email: 'another@mail.example', email_verified: false });
  const second = await enter(subject);
  expect(second.end.href).toBe(`${world().origin}/`);
  expect((await second.call(getUserMe, {})).body).toMatchObject({ id: me.id, email });
  expect((await second.call(listIdentities, {})).body).toMatchObject([
    { provider: { id: 'company', name: 'Company' }, issuer: company.issuer, email: 'another@mail.example' },
  ]);
  const signedIn = { action: 'user.signedIn', provider: 'company', ip: '127.0.0.1' };
  expect(await toldAbout(me.id)).toEqual([signedIn, signedIn]);
});

test.each(['//example.com/', 'https://example.com/', '/\\example.com', '/\t/example.com', 'javascript:alert(1)'])(
  'nobody is led away from this server by %j',
  async (redirect) => {
    expect((await enter(newSubject().subject, { redirect })).end.href).toBe(`${world().origin}/`);
  },
);

test('an address that nobody vouches for makes no account and joins none', async () => {
  for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email: 'k\u212A@mail.example' }]) {
    const { subject, email } = newSubject(company, claims);
    const { problem, call } = await enter(subject);
    expect(problem).toBe('unverified');
    expect((await call(getUserMe, {})).status).toBe(401);
    expect(await world().db.query(sql`select id from rowhouse.users where email = ${email.toLowerCase()}`)).toEqual([]);
  }
});

test('a verified address joins an account only where its domain is of the provider and the account has proven it', async () => {
  const [proven, unproven, outside] = [
    await person(world(), { email: 'proven@company.example' }),
    await person(world(), { email: 'unproven@company.example' }),
    await person(world()),
  ];
  for (const { email } of [proven, outside]) await verifyUser(world().db, email);
  const join = async ({ email }: { email: string }) => enter(newSubject(company, { email }).subject);
  expect((await join(unproven)).problem).toBe('taken');
  expect((await join(outside)).problem).toBe('taken');
  await newSpace(proven);
  const joined = await join(proven);
  expect(await toldAbout(proven.userId)).toMatchObject([
    { action: 'user.identityLinked', provider: 'company' },
    { action: 'user.signedIn', provider: 'company' },
  ]);
  expect((await joined.call(getUserMe, {})).body).toMatchObject({ id: proven.userId, hasPassword: true });
  // The mailbox has got to somebody else: what they are at the provider is another.
  expect((await join(proven)).problem).toBe('taken');
});

test('a provider that makes no accounts signs in those who have one', async () => {
  const { subject } = newSubject(anybody);
  expect((await enter(subject, { provider: 'anybody' })).problem).toBe('unknown');
});

test('what comes back is taken once, and in the browser in which it began', async () => {
  const { subject } = newSubject();
  const browser = newBrowser();
  const callback = await browser.travel(beginOf(), subject);
  const other = newBrowser();
  // A link of somebody else: in a browser that began nothing, and in one that is on its way itself.
  expect((await arrive(other, callback)).searchParams.get('problem')).toBe('over');
  await other.travel(beginOf(), newSubject().subject);
  expect((await arrive(other, callback)).searchParams.get('problem')).toBe('over');
  expect(other.cookiesOf(world().origin)).not.toContain('auth_session');
  expect((await arrive(browser, callback)).searchParams.get('problem')).toBeNull();
  expect((await arrive(browser, callback)).searchParams.get('problem')).toBe('over');
  const [late, tab] = [await browser.travel(beginOf(), subject), await browser.travel(beginOf(), subject)];
  expect((await arrive(browser, tab)).searchParams.get('problem')).toBeNull();
  await world().db.query(sql`update rowhouse.begun_sign_ins set expires_time = now()`);
  expect((await arrive(browser, late)).searchParams.get('problem')).toBe('over');
});

test('another process finishes what one has begun', async () => {
  const second = await openWorld(world().databaseUrl, {}, { signInProviders: providers });
  second.services.publicUrl = () => world().origin;
  const browser = newBrowser();
  const callback = await browser.travel(beginOf(), newSubject().subject);
  const cookie = browser.cookiesOf(world().origin);
  const there = `${second.origin}${callback.pathname}${callback.search}`;
  const response = await fetch(there, { redirect: 'manual', headers: { cookie } });
  expect(response.headers.getSetCookie().join()).toContain('auth_session=');
  await second.close();
});

test('answers of one provider do not pass for those of another', async () => {
  const browser = newBrowser();
  const { subject } = newSubject(company);
  anybody.people.set(subject, { email: 'x@mail.example', email_verified: true });
  const misnamed = await browser.travel(beginOf(), subject);
  misnamed.searchParams.set('iss', anybody.issuer);
  expect((await arrive(browser, misnamed)).searchParams.get('problem')).toBe('untrusted');
  const moved = await browser.travel(beginOf(), subject);
  moved.pathname = moved.pathname.replace('company', 'anybody');
  expect((await arrive(browser, moved)).searchParams.get('problem')).toBe('over');
  // A code that was issued for somebody else.
  const [own, stolen] = [
    await browser.travel(beginOf(), subject),
    await newBrowser().travel(beginOf(), newSubject().subject),
  ];
  own.searchParams.set('code', stolen.searchParams.get('code') as string);
  expect((await arrive(browser, own)).searchParams.get('problem')).toBe('untrusted');
});

const now = (): number => Math.floor(Date.now() / 1_000);
const lies: [string, Lies][] = [
  ['for another audience', { claims: (claims) => ({ ...claims, aud: 'another-client' }) }],
  ['of another issuer', { claims: (claims) => ({ ...claims, iss: anybody.issuer }) }],
  ['that has expired', { claims: (claims) => ({ ...claims, iat: now() - 7_200, exp: now() - 3_600 }) }],
  ['for another request', { claims: (claims) => ({ ...claims, nonce: 'of another one' }) }],
  ['about nobody', { claims: (claims) => ({ ...claims, sub: undefined }) }],
  ['signed with a key that is not published', { withStrangeKey: true }],
  ['that nobody signed', { unsigned: true }],
];

test.each(lies)('an ID token %s signs nobody in', async (_name, lie) => {
  const { subject } = newSubject();
  company.lies = lie;
  try {
    const { problem, browser } = await enter(subject);
    expect(problem).toBe('untrusted');
    expect(browser.cookiesOf(world().origin)).not.toContain('auth_session');
  } finally {
    company.lies = null;
  }
  expect((await enter(subject)).problem).toBeNull();
});

test('a clock that is a little wrong, and a new key, do no harm', async () => {
  const { subject } = newSubject();
  company.lies = { claims: (claims) => ({ ...claims, iat: now() + 20, exp: now() - 20 }) };
  expect((await enter(subject)).problem).toBeNull();
  company.lies = null;
  company.rotateKey();
  expect((await enter(subject)).problem).toBeNull();
});

test('without the provider others sign in, and people are told', async () => {
  const someone = await person(world());
  expect((await enter('nobody', { provider: 'gone' })).problem).toBe('unavailable');
  expect((await anyone()(signIn, { body: { email: someone.email, password: someone.password } })).status).toBe(200);
  expect((await fetch(beginOf('unknown'))).status).toBe(404);
});

test('somebody links and unlinks identities, but never the last way in', async () => {
  const someone = await person(world());
  const browser = newBrowser();
  browser.take(world().origin, await someone.cookie());
  const call = () => caller({ baseUrl: world().baseUrl, headers: { cookie: browser.cookiesOf(world().origin) } });
  const { subject } = newSubject(anybody, { email_verified: false });
  const begin = async (password: string | undefined) =>
    call()(linkIdentity, { body: { providerId: 'anybody', ...(password === undefined ? {} : { password }) } });
  // A session is not enough: it needs the person.
  expect((await begin(undefined)).status).toBe(400);
  expect((await begin('wrong password 1')).status).toBe(400);
  const link = async (as: string) => {
    const { body, headers } = await begin(someone.password);
    browser.take(world().origin, (headers.get('set-cookie') as string).split(';')[0] as string);
    return browser.travel(body.url, as);
  };
  // Somebody else is signed in by then.
  const callback = await link(subject);
  const thief = await person(world());
  const own = browser.cookiesOf(world().origin).match(/auth_session=[^;]+/)?.[0] as string;
  browser.take(world().origin, await thief.cookie());
  expect((await arrive(browser, callback)).searchParams.get('problem')).toBe('changed');
  browser.take(world().origin, own);
  expect((await arrive(browser, await link(subject))).pathname).toBe('/account');
  const entered = await enter(subject, { provider: 'anybody' });
  expect((await entered.call(getUserMe, {})).body.id).toBe(someone.userId);
  // It is one account's.
  const other = newBrowser();
  other.take(world().origin, await thief.cookie());
  const asThief = caller({ baseUrl: world().baseUrl, headers: { cookie: other.cookiesOf(world().origin) } });
  const begun = await asThief(linkIdentity, { body: { providerId: 'anybody', password: thief.password } });
  other.take(world().origin, (begun.headers.get('set-cookie') as string).split(';')[0] as string);
  expect((await arrive(other, await other.travel(begun.body.url, subject))).searchParams.get('problem')).toBe('linked');

  const [identity] = (await call()(listIdentities, {})).body;
  const params = { identityId: identity?.id as string };
  expect((await asThief(unlinkIdentity, { params })).status).toBe(404);
  expect((await call()(unlinkIdentity, { params })).status).toBe(200);
  // What was signed in with it is signed out.
  expect((await entered.call(getUserMe, {})).status).toBe(401);
  expect((await enter(subject, { provider: 'anybody' })).problem).toBe('unverified');
});

test('an account without a password gets one, and can give its identity up then', async () => {
  const { subject, email } = newSubject();
  const { call } = await enter(subject);
  const params = { identityId: (await call(listIdentities, {})).body[0]?.id as string };
  expect((await call(unlinkIdentity, { params })).status).toBe(409);
  const password = 'a horse of my own 5';
  await world().db.query(
    sql`update rowhouse.users set last_sign_in_time = now() - interval '1 hour' where email = ${email}`,
  );
  expect((await call(addPassword, { body: { password } })).status).toBe(400);
  await enter(subject);
  expect((await call(addPassword, { body: { password } })).status).toBe(201);
  expect((await call(addPassword, { body: { password } })).status).toBe(409);
  const { id } = (await call(getUserMe, {})).body;
  expect((await call(unlinkIdentity, { params })).status).toBe(200);
  expect((await toldAbout(id)).slice(-2)).toMatchObject([
    { action: 'user.passwordAdded' },
    { action: 'user.identityUnlinked', provider: 'company' },
  ]);
  expect((await anyone()(signIn, { body: { email, password } })).status).toBe(200);
});

test('a second factor of the account is asked for', async () => {
  const { subject } = newSubject();
  const { call } = await enter(subject);
  const password = 'a horse of my own 5';
  await call(addPassword, { body: { password } });
  const { secret } = (await call(beginSecondFactor, { body: { password } })).body;
  await call(confirmSecondFactor, { body: { code: codeAt(secret, new Date()) } });
  const { end, browser } = await enter(subject, { redirect: '/trash' });
  expect([end.pathname, end.searchParams.get('redirect')]).toEqual(['/login', '/trash']);
  expect(browser.cookiesOf(world().origin)).not.toContain('auth_session');
  const token = end.hash.replace('#second-factor=', '');
  const code = codeAt(secret, new Date(Date.now() + 30_000));
  expect((await anyone()(signInWithSecondFactor, { body: { token, code } })).status).toBe(200);
});

test('people of a domain sign in through its provider alone, administrators in an emergency otherwise', async () => {
  const [member, admin] = [
    await person(world(), { email: 'member@bound.example' }),
    await person(world(), { email: 'admin@bound.example', admin: true }),
  ];
  const trySignIn = async (email: string, password: string) => {
    const { status, error } = await anyone()(signIn, { body: { email, password } });
    return [status, error?.message];
  };
  const refused = [403, 'People of bound.example sign in with Company'];
  expect(await trySignIn(member.email, member.password)).toEqual(refused);
  // The same for a wrong password, an administrator's too: nothing is told about it.
  expect(await trySignIn(member.email, 'wrong password 1')).toEqual(refused);
  expect(await trySignIn(admin.email, 'wrong password 1')).toEqual(refused);
  expect((await trySignIn(admin.email, admin.password))[0]).toBe(200);
  // Nor with a code that is mailed, administrators neither.
  for (const { email } of [member, admin]) {
    const sent = await anyone()(sendSignInCode, { body: { email } });
    expect([sent.status, sent.error.message]).toEqual(refused);
    expect((await anyone()(signInWithCode, { body: { email, code: '1234 5678' } })).status).toBe(403);
  }
  const signedUp = await anyone()(signUp, { body: { email: 'new@bound.example', password: 'a horse of my own 5' } });
  expect(signedUp.status).toBe(403);
  const { subject } = newSubject(company, { email: 'newcomer@bound.example' });
  expect((await enter(subject)).problem).toBeNull();
  anybody.people.set(subject, { email: 'other@bound.example', email_verified: true });
  expect((await enter(subject, { provider: 'anybody' })).problem).toBe('elsewhere');
});

test('the provider may be left without signing in', async () => {
  const browser = newBrowser();
  const callback = await browser.travel(beginOf(), newSubject().subject);
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  expect((await arrive(browser, callback)).searchParams.get('problem')).toBe('declined');
});
