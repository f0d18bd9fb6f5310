// Providers of organisations: trusted with addresses of the verified domains, with nobody of other organisations, and with nothing when a domain is lost.
import {
  getSignInOptions,
  getUserMe,
  sendSignInCode,
  signIn,
  signInWithCode,
  signUp,
} from '@rowhouse/contract/auth.ts';
import { addDepartmentUsers, createDepartment } from '@rowhouse/contract/department.ts';
import {
  addOrganizationSpace,
  createAuthentication,
  deleteAuthentication,
  getAuthentication,
  listAuthenticationProviders,
  listAuthentications,
  removeDomain,
  setOnlyProvider,
  updateAuthentication,
} from '@rowhouse/contract/enterprise.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { linkIdentity } from '@rowhouse/contract/identity.ts';
import { getOrganizationUser, getOwnOrganization, removeOrganizationUsers } from '@rowhouse/contract/organization.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyUser } from '../../server/domain/auth/operator-account.ts';
import { sql } from '../../server/db/sql.ts';
import { startNameServer } from '../support/dns-server.ts';
import { clientId, clientSecret, newBrowser, startIdentityProvider } from '../support/identity-provider.ts';
import { newOrganization, type TestOrganization, verifiedDomain } from '../support/organizations.ts';
import { person } from '../support/people.ts';
import { enterThrough } from '../support/provider-sign-in.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const names = await startNameServer();
const [one, two] = [await startIdentityProvider(), await startIdentityProvider()];
const settings = { dnsServers: [names.address], providerNetworks: ['127.0.0.1/32'] };
const world = useWorld(settings);

interface Ready extends TestOrganization {
  providerId: string;
  provider: typeof one;
  domain: string;
  domainId: string;
}
let [first, second]: Ready[] = [];
let made = 0;

const ready = async (name: string, provider: typeof one, domain: string): Promise<Ready> => {
  const organization = await newOrganization(world(), name);
  const domainId = await verifiedDomain(organization, names, domain);
  const { body, status } = await organization.admin.call(createAuthentication, {
    params: { organizationId: organization.organizationId },
    body: { type: 'oidc', name, config: { issuer: provider.issuer, clientId, clientSecret, groupsClaim: 'groups' } },
  });
  expect(status).toBe(201);
  expect(body.callbackUrl).toBe(`${world().origin}/api/auth/oidc/${body.id}/callback`);
  provider.serve([body.callbackUrl]);
  return { ...organization, providerId: body.id, provider, domain, domainId };
};

beforeAll(async () => {
  first = await ready('First', one, 'first.example');
  second = await ready('Second', two, 'second.example');
});
afterAll(() => Promise.all([names.close(), one.close(), two.close()]));

const at = (ready = first as Ready) => ({ organizationId: ready.organizationId });
const subjectWith = (email: string, ready = first as Ready, more: object = {}): string => {
  made += 1;
  ready.provider.people.set(`s${made}`, { email, email_verified: true, name: `Somebody ${made}`, ...more });
  return `s${made}`;
};
const enter = (subject: string, ready = first as Ready) => enterThrough(world(), ready.providerId, subject);
const anyone = () => caller({ baseUrl: world().baseUrl });

test('people of the verified domains get an account and are members, others do not come in', async () => {
  const entered = await enter(subjectWith('newcomer@first.example'));
  expect(entered.problem).toBeNull();
  const { body } = await entered.call(getOwnOrganization);
  expect(body).toMatchObject({ id: first?.organizationId, isAdmin: false });
  expect((await enter(subjectWith('somebody@second.example'))).problem).toBe('domain');
  expect((await enter(subjectWith('somebody@mail.example'))).problem).toBe('domain');
  expect((await enter(subjectWith('x@first.example', first, { email_verified: false }))).problem).toBe('unverified');
});

test('the secret goes in and never comes out, and anyone who changes the issuer brings a new one', async () => {
  const { admin, providerId, provider } = second as Ready;
  const params = { ...at(second), providerId };
  const answers = [
    await admin.call(listAuthentications, { params: at(second) }),
    await admin.call(getAuthentication, { params }),
    await admin.call(listAuthenticationProviders, { params: at(second) }),
  ];
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(clientSecret);
  const rows = await world().db.query<object>(sql`select * from rowhouse.organization_providers`);
  expect(JSON.stringify(rows)).not.toContain(clientSecret);
  const change = (config: object) =>
    admin.call(updateAuthentication, {
      params,
      body: { type: 'oidc', name: 'Second', config: { clientId, ...config } as never },
    });
  expect((await change({ issuer: one.issuer })).status).toBe(400);
  for (const issuer of [
    'http://id.example.com',
    'https://id.example.com/?a=b',
    'id.example.com',
    'https://user@id.example.com',
  ])
    expect((await change({ issuer, clientSecret: 'x' })).status, issuer).toBe(400);
  expect((await change({ issuer: provider.issuer, scopes: ['email'] })).status).toBe(400);
  expect((await change({ issuer: provider.issuer })).status).toBe(200);
  expect((await enter(subjectWith('kept@second.example', second), second)).problem).toBeNull();
});

test('a provider of an organisation is not asked inside of the own network', async () => {
  const guarded = await openWorld(world().databaseUrl, { dnsServers: [names.address] });
  const subject = subjectWith('inside@first.example');
  const browser = newBrowser();
  const answer = await browser.travel(`${guarded.baseUrl}/auth/oidc/${first?.providerId}`, subject);
  expect(answer.searchParams.get('problem')).toBe('unavailable');
  await guarded.close();
});

test('an account with an address of the domain is joined, but not one of another organisation or an administrator', async () => {
  const proven = await person(world(), { email: 'proven@first.example' });
  const unproven = await person(world(), { email: 'unproven@first.example' });
  const operator = await person(world(), { email: 'operator@first.example', admin: true });
  const elsewhere = await person(world(), { email: 'elsewhere@first.example' });
  for (const { email } of [proven, operator, elsewhere]) await verifyUser(world().db, email);
  await world().db.query(
    sql`insert into rowhouse.organization_members (organization_id, user_id) values (${second?.organizationId}, ${elsewhere.userId})`,
  );
  const problemOf = async ({ email }: { email: string }) => (await enter(subjectWith(email))).problem;
  expect(await problemOf(proven)).toBeNull();
  expect((await proven.call(getOwnOrganization)).body?.id).toBe(first?.organizationId);
  for (const account of [unproven, operator, elsewhere]) expect(await problemOf(account)).toBe('taken');
  // Nor does somebody link what would make an organisation master of the instance.
  const call = await operator.withSession();
  const begun = await call(linkIdentity, {
    body: { providerId: first?.providerId as string, password: operator.password },
  });
  const browser = newBrowser();
  browser.take(world().origin, begun.headers.get('set-cookie')?.split(';')[0] as string);
  browser.take(world().origin, await operator.cookie());
  const callback = await browser.travel(begun.body.url, subjectWith('operator@first.example'));
  const end = new URL((await browser.visit(callback)).headers.get('location') as string);
  expect(end.searchParams.get('problem')).toBe('elsewhere');
});

test('a domain that changes hands takes no account of the former organisation with it', async () => {
  const [old, next] = [first as Ready, second as Ready];
  await verifiedDomain(old, names, 'sold.example');
  const subject = subjectWith('sold@sold.example');
  const before = await enter(subject);
  const { id } = (await before.call(getUserMe)).body;
  names.records.clear();
  await verifiedDomain(next, names, 'sold.example');
  // Not through the provider that had the domain, and not through the one that has it now.
  expect((await enter(subject, old)).problem).toBe('domain');
  expect((await enter(subjectWith('sold@sold.example', next), next)).problem).toBe('taken');
  expect((await before.call(getUserMe)).body.id).toBe(id);
  const others = await enter(subjectWith('other@sold.example', next), next);
  expect((await others.call(getOwnOrganization)).body?.id).toBe(next.organizationId);
});

test('values of a claim are departments, with what these may do', async () => {
  const { admin, providerId, provider } = first as Ready;
  const spaceId = await newSpace(admin);
  await admin.call(addOrganizationSpace, { params: { ...at(), spaceId } });
  const departmentId = (await admin.call(createDepartment, { params: at(), body: { name: 'Sales' } })).body.id;
  await admin.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [{ principalId: departmentId, principalType: 'department' }], role: 'editor' },
  });
  const change = (group: string) =>
    admin.call(updateAuthentication, {
      params: { ...at(), providerId },
      body: {
        type: 'oidc',
        name: 'First',
        config: { issuer: provider.issuer, clientId, groupsClaim: 'groups', groups: [{ value: 'sales', group }] },
      },
    });
  const foreign = (
    await (second as Ready).admin.call(createDepartment, { params: at(second), body: { name: 'Theirs' } })
  ).body.id;
  expect((await change(foreign)).status).toBe(400);
  expect((await change(departmentId)).status).toBe(200);
  const subject = subjectWith('sales@first.example', first, { groups: ['sales'] });
  const entered = await enter(subject);
  const roleOf = async () => (await entered.call(getSpace, { params: { spaceId } })).body?.role;
  expect(await roleOf()).toBe('editor');
  const { id: userId } = (await entered.call(getUserMe)).body;
  const member = (await admin.call(getOrganizationUser, { params: { ...at(), userId } })).body;
  expect(member.departments).toMatchObject([{ id: departmentId }]);
  // What people add stays when the provider takes its own away.
  await admin.call(addDepartmentUsers, { params: at(), body: { departmentIds: [departmentId], userIds: [userId] } });
  one.people.set(subject, { ...one.people.get(subject), groups: [] });
  await enter(subject);
  expect(await roleOf()).toBe('editor');
  await admin.call(removeOrganizationUsers, { params: at(), body: { userIds: [userId] } });
  expect(await roleOf()).toBeUndefined();
  // What a provider has given goes with it.
  const spare = await admin.call(createAuthentication, {
    params: at(),
    body: {
      type: 'oidc',
      name: 'Spare',
      config: {
        issuer: provider.issuer,
        clientId,
        clientSecret,
        groupsClaim: 'groups',
        groups: [{ value: 'sales', group: departmentId }],
      },
    },
  });
  provider.serve([spare.body.callbackUrl, `${world().baseUrl}/auth/oidc/${providerId}/callback`]);
  one.people.set(subject, { ...one.people.get(subject), groups: ['sales'] });
  expect((await enterThrough(world(), spare.body.id, subject)).problem).toBeNull();
  expect(await roleOf()).toBe('editor');
  await admin.call(deleteAuthentication, { params: { ...at(), providerId: spare.body.id } });
  expect(await roleOf()).toBeUndefined();
});

test('only through this provider: passwords and other providers end, administrators of the organisation come in', async () => {
  const { admin, providerId } = first as Ready;
  const only = (id: string | null) => admin.call(setOnlyProvider, { params: at(), body: { providerId: id } });
  expect((await only((second as Ready).providerId)).status).toBe(400);
  const [member, chief] = [
    await person(world(), { email: 'member@first.example' }),
    await person(world(), { email: 'chief@first.example' }),
  ];
  await world().db.query(
    sql`insert into rowhouse.organization_members (organization_id, user_id, is_admin) values (${first?.organizationId}, ${chief.userId}, true)`,
  );
  const come = async ({ email, password }: { email: string; password: string }) =>
    (await anyone()(signIn, { body: { email, password } })).status;
  expect([await come(member), await come(chief)]).toEqual([200, 200]);
  expect((await only(providerId)).status).toBe(200);
  expect([await come(member), await come(chief)]).toEqual([403, 200]);
  expect(await come({ ...chief, password: 'wrong password 1' })).toBe(403);
  // Nor does a mailed code.
  const { email } = member;
  expect((await anyone()(sendSignInCode, { body: { email } })).status).toBe(403);
  expect((await anyone()(signInWithCode, { body: { email, code: '12345678' } })).status).toBe(403);
  const signedUp = await anyone()(signUp, { body: { email: 'late@first.example', password: 'a horse of my own 5' } });
  expect(signedUp.status).toBe(403);
  expect((await enter(subjectWith('through@first.example'))).problem).toBeNull();
  // A lost domain binds nobody.
  const spare = await verifiedDomain(first as Ready, names, 'spare.example');
  const guest = await person(world(), { email: 'guest@spare.example' });
  expect(await come(guest)).toBe(403);
  await admin.call(removeDomain, { params: { ...at(), domainId: spare } });
  expect(await come(guest)).toBe(200);
  expect((await admin.call(deleteAuthentication, { params: { ...at(), providerId } })).status).toBe(200);
  expect(await come(member)).toBe(200);
  expect((await fetch(`${world().baseUrl}/auth/oidc/${providerId}`)).status).toBe(404);
});

test('a restart in the middle of a sign-in does no harm', async () => {
  const before = await openWorld(world().databaseUrl, settings);
  before.services.publicUrl = () => world().origin;
  const browser = newBrowser();
  const ready = second as Ready;
  const callback = await browser.travel(
    `${before.baseUrl}/auth/oidc/${ready.providerId}`,
    subjectWith('restart@second.example', ready),
  );
  browser.take(world().origin, browser.cookiesOf(before.origin));
  await before.close();
  const response = await browser.visit(callback);
  expect(new URL(response.headers.get('location') as string).searchParams.get('problem')).toBeNull();
  expect(browser.cookiesOf(world().origin)).toContain('auth_session');
});

test('the sign-in page names the providers of the organisation whose domain an address is of', async () => {
  const of = async (query: { email?: string }) => (await anyone()(getSignInOptions, { query })).body;
  const { providerId } = second as Ready;
  expect(await of({})).toMatchObject({ providers: [], organizations: true });
  expect((await of({ email: 'Anybody@SECOND.example' })).providers).toEqual([{ id: providerId, name: 'Second' }]);
  expect((await of({ email: 'anybody@nowhere.example' })).providers).toEqual([]);
});

test('another process finishes what one has begun with a provider of an organisation', async () => {
  const other = await openWorld(world().databaseUrl, settings);
  other.services.publicUrl = () => world().origin;
  const browser = newBrowser();
  const ready = second as Ready;
  const callback = await browser.travel(
    `${world().baseUrl}/auth/oidc/${ready.providerId}`,
    subjectWith('process@second.example', ready),
  );
  const response = await fetch(`${other.origin}${callback.pathname}${callback.search}`, {
    redirect: 'manual',
    headers: { cookie: browser.cookiesOf(world().origin) },
  });
  expect(response.headers.getSetCookie().join()).toContain('auth_session=');
  await other.close();
});
