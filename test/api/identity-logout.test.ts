// Signing out at the provider and here: what a provider says of an ended session ends it here, in every process, and nothing else does.
import { addPassword, getUserMe } from '@rowhouse/contract/auth.ts';
import { signOutThere } from '@rowhouse/contract/identity.ts';
import { beginSecondFactor, confirmSecondFactor, signInWithSecondFactor } from '@rowhouse/contract/second-factor.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignInProviders } from '../../server/catalog/sign-in-providers.ts';
import { sql } from '../../server/db/sql.ts';
import { codeAt } from '../support/authenticator.ts';
import { clientId, clientSecret, newBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { listen } from '../support/listen.ts';
import { person } from '../support/people.ts';
import { beginOf, enterThrough } from '../support/provider-sign-in.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { give } from '../support/workspace.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const [company, another] = [await startIdentityProvider(), await startIdentityProvider()];
const signInProviders = createSignInProviders({
  providers: [
    {
      id: 'company',
      name: 'Company',
      issuer: company.issuer,
      clientId,
      clientSecret,
      createsAccounts: true,
      signsOutThere: true,
    },
    { id: 'another', name: 'Another', issuer: another.issuer, clientId, clientSecret, createsAccounts: true },
  ],
});
const world = useWorld({}, { signInProviders });
let other: World;
let shop: Workshop;
let tableId: string;
let made = 0;

beforeAll(async () => {
  company.serve([`${world().baseUrl}/auth/oidc/company/callback`]);
  another.serve([`${world().baseUrl}/auth/oidc/another/callback`]);
  other = await openWorld(world().databaseUrl, {}, { signInProviders });
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
});
afterAll(() => Promise.all([other.close(), company.close(), another.close()]));

const newSubject = (): string => {
  made += 1;
  for (const provider of [company, another])
    provider.people.set(`person-${made}`, {
      email: `person${made}@${provider === company ? 'one' : 'two'}.example`,
      email_verified: true,
    });
  return `person-${made}`;
};

/** With the sid that the provider has told. */
const enter = async (subject: string, provider: 'company' | 'another' = 'company') => {
  const entered = await enterThrough(world(), provider, subject);
  expect(entered.problem).toBeNull();
  const { id: userId } = (await entered.call(getUserMe, {})).body;
  const [session] = await world().db.query<{ sid: string | null }>(
    sql`select sid from rowhouse.sessions where user_id = ${userId} order by created_time desc limit 1`,
  );
  return { ...entered, userId, sid: session?.sid as string };
};

const tell = async (token: string, { provider = 'company', at = world() as Pick<World, 'baseUrl'> } = {}) => {
  const response = await fetch(`${at.baseUrl}/auth/oidc/${provider}/backchannel-logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  });
  const text = await response.text();
  return { status: response.status, message: text === '' ? '' : (JSON.parse(text) as { message: string }).message };
};
const isIn = async ({ call }: Pick<Awaited<ReturnType<typeof enter>>, 'call'>): Promise<boolean> =>
  (await call(getUserMe, {})).status === 200;

test('a session that ended there has ended here when the answer comes, with its streams, at every server', async () => {
  const subject = newSubject();
  const [one, two] = [await enter(subject), await enter(subject)];
  expect(one.sid).not.toBe(two.sid);
  await give(shop.owner, shop.spaceId, { userId: one.userId } as never, 'viewer');
  const [ear, far] = [
    await listen(`${world().baseUrl}/table/${tableId}/events`, { cookie: one.cookie }),
    await listen(`${other.baseUrl}/table/${tableId}/events`, { cookie: one.cookie }),
  ];
  for (const listener of [ear, far]) await listener.until((event) => event.name === 'ready');
  expect(await tell(company.logoutToken({ sub: subject, sid: one.sid }), { at: other })).toMatchObject({ status: 200 });
  await shop.owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: {} }] } });
  await Promise.all([ear.ended, far.ended]);
  for (const { heard } of [ear, far]) expect(heard.map(({ name }) => name)).not.toContain('changes');
  expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
  // Without a session: all that this person has by the provider.
  const own = await person(world());
  expect((await tell(company.logoutToken({ sub: subject }))).status).toBe(200);
  expect(await isIn(two)).toBe(false);
  expect((await own.call(getUserMe, {})).status).toBe(200);
  const told = await world().db.query<object>(
    sql`select action, via, target ->> 'provider' as provider from rowhouse.audit_log where target ->> 'userId' = ${one.userId} and action = 'user.sessionsEnded'`,
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told[0]).toEqual({ action: 'user.sessionsEnded', via: 'server', provider: 'company' });
});

const at = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
const lies: [string, Record<string, unknown>, object, RegExp][] = [
  ['signed with a key that is not published', {}, { withStrangeKey: true }, /signature/],
  ['that nobody signed', {}, { unsigned: true }, /alg/i],
  ['of another issuer', { iss: another.issuer }, {}, /iss/],
  ['for another client', { aud: 'another-client' }, {}, /aud/],
  ['that is an ID token', { nonce: 'n', events: undefined }, {}, /events/],
  ['that tells of something else', { events: { 'http://example.com/event': {} } }, {}, /events/],
  ['with a nonce', { nonce: 'n' }, {}, /nonce/],
  ['without a number of its own', { jti: undefined }, {}, /jti/],
  ['that has expired', { iat: at(-400), exp: at(-200) }, {}, /exp/],
  ['that is old', { iat: at(-7_200), exp: undefined }, {}, /iat/],
  ['about nobody', { sub: undefined, sid: undefined }, {}, /neither sub nor sid/],
  ['about somebody without a name', { sub: '', sid: 7 }, {}, /no text/],
];

test.each(lies)('a logout token %s ends nothing', async (_name, claims, lie, message) => {
  const subject = newSubject();
  const session = await enter(subject);
  const told = await tell(company.logoutToken({ sub: subject, sid: session.sid, ...claims }, lie));
  expect(told).toEqual({ status: 400, message: expect.stringMatching(message) });
  expect(await isIn(session)).toBe(true);
});

test('a logout token counts once, for its provider alone, and what is no token is refused', async () => {
  const subject = newSubject();
  const [here, there] = [await enter(subject), await enter(subject, 'another')];
  const token = company.logoutToken({ sub: subject });
  expect((await tell(token, { provider: 'another' })).status).toBe(400);
  expect((await tell(token)).status).toBe(200);
  expect([await isIn(here), await isIn(there)]).toEqual([false, true]);
  const later = await enter(newSubject());
  expect(await tell(token)).toMatchObject({ status: 400, message: expect.stringContaining('used before') });
  expect(await isIn(later)).toBe(true);
  for (const wrong of ['x', 'a.b.c', token.slice(0, -3)]) expect((await tell(wrong)).status).toBe(400);
  expect((await tell(token, { provider: 'nobody' })).status).toBe(404);
});

test('a sign-in that was under way when the provider ended the session does not outlive it', async () => {
  const subject = newSubject();
  const password = 'a horse of my own 5';
  const first = await enter(subject);
  await first.call(addPassword, { body: { password } });
  const { secret } = (await first.call(beginSecondFactor, { body: { password } })).body;
  await first.call(confirmSecondFactor, { body: { code: codeAt(secret, new Date()) } });
  const half = await enterThrough(world(), 'company', subject);
  const token = half.end.hash.replace('#second-factor=', '');
  expect((await tell(company.logoutToken({ sub: subject }))).status).toBe(200);
  const code = codeAt(secret, new Date(Date.now() + 30_000));
  const finished = await caller({ baseUrl: world().baseUrl })(signInWithSecondFactor, { body: { token, code } });
  expect(finished.status).toBe(400);
  // The same for an answer of the provider that was on its way: its token is older than the logout.
  const late = newSubject();
  const browser = newBrowser();
  const callback = await browser.travel(beginOf(world(), 'company'), late);
  company.lies = { claims: (claims) => ({ ...claims, iat: at(-5) }) };
  try {
    expect((await tell(company.logoutToken({ sub: late }))).status).toBe(200);
    const response = await browser.visit(callback);
    expect(new URL(response.headers.get('location') as string).searchParams.get('problem')).toBe('over');
  } finally {
    company.lies = null;
  }
  expect(browser.cookiesOf(world().origin)).not.toContain('auth_session');
});

test('signing out leads to the provider, which ends its session and says so to this server', async () => {
  const subject = newSubject();
  const session = await enter(subject);
  const elsewhere = await enterThrough(world(), 'company', subject, session.browser);
  const { url } = (await elsewhere.call(signOutThere, {})).body;
  expect(await isIn(elsewhere)).toBe(false);
  const there = new URL(url as string);
  expect(there.origin).toBe(company.issuer);
  expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${world().origin}/login`);
  expect(there.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  // The page of the provider asks once more; its form is sent as a browser does it.
  const page = await (await session.browser.visit(there)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] as string;
  const action = /action="([^"]+)"/.exec(page)?.[1] as string;
  const done = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: session.browser.cookiesOf(company.issuer) },
    body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
  });
  expect(done.status).toBe(303);
  await expect.poll(() => isIn(session), { timeout: 10_000 }).toBe(false);
});

test('signing out leads nowhere without a provider, or where the operator has not asked for it', async () => {
  const plain = await person(world());
  const call = await plain.withSession();
  expect((await call(signOutThere, {})).body).toEqual({ url: null });
  expect((await call(getUserMe, {})).status).toBe(401);
  const { call: there } = await enter(newSubject(), 'another');
  expect((await there(signOutThere, {})).body).toEqual({ url: null });
  expect((await there(getUserMe, {})).status).toBe(401);
});
