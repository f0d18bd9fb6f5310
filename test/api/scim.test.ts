// SCIM 2.0, with the requests that Entra ID and Okta send: people come, are changed and are shut; groups are departments.
import { createAccessToken } from '@rowhouse/contract/access-token.ts';
import { getUserMe } from '@rowhouse/contract/auth.ts';
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { addDepartmentUsers, createDepartment, listOrganizationDepartments } from '@rowhouse/contract/department.ts';
import { addOrganizationSpace } from '@rowhouse/contract/enterprise.ts';
import { activateOrganizationUser } from '@rowhouse/contract/organization.ts';
import { createScimToken, deleteScimToken, listScimTokens } from '@rowhouse/contract/scim.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { createSession } from '../../server/domain/auth/create-session.ts';
import { sql } from '../../server/db/sql.ts';
import { startNameServer } from '../support/dns-server.ts';
import { listen } from '../support/listen.ts';
import { newOrganization, type TestOrganization, verifiedDomain } from '../support/organizations.ts';
import { person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const names = await startNameServer();
const world = useWorld({ dnsServers: [names.address], anonymousRequests: 10_000 });
let other: World;
let shop: Workshop;
let tableId: string;
let own: TestOrganization;
let token: string;

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const tokenOf = async ({ organizationId, admin }: TestOrganization): Promise<string> =>
  (await admin.call(createScimToken, { params: { organizationId }, body: { name: 'Directory' } })).body.token;

beforeAll(async () => {
  other = await openWorld(world().databaseUrl, { anonymousRequests: 10_000 });
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
  own = await newOrganization(world(), 'Example', shop.owner);
  await verifiedDomain(own, names, 'corp.example');
  await shop.owner.call(addOrganizationSpace, {
    params: { organizationId: own.organizationId, spaceId: shop.spaceId },
  });
  token = await tokenOf(own);
});
afterAll(async () => {
  await other.close();
  await names.close();
});

const scim = async (
  method: string,
  path: string,
  body?: unknown,
  { bearer = token, at = world() as Pick<World, 'baseUrl'> } = {},
) => {
  const response = await fetch(`${at.baseUrl}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (text !== '') expect(response.headers.get('content-type')).toContain('json');
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
};
const patch = (path: string, operations: object[], key = 'Operations') =>
  scim('PATCH', path, { schemas: [patchSchema], [key]: operations });

let made = 0;
/** As Entra sends it. */
const entraUser = (name = `person${(made += 1)}`) => ({
  schemas: [`${core}:User`, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `entra-${name}`,
  userName: `${name}@corp.example`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `${name}@corp.example` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales', manager: null },
});
const newUser = async (): Promise<{ id: string; userName: string }> => {
  const { status, body } = await scim('POST', '/Users', entraUser());
  expect(status).toBe(201);
  return body;
};
/** Somebody who is signed in, with a token of their own. */
const signedIn = async (id: string, userName: string) => {
  const context = { config: world().services.config, from: { ip: null, userAgent: null } };
  const cookie = `auth_session=${await createSession(context, world().db, { user: { id, email: userName } })}`;
  const call = caller({ baseUrl: world().baseUrl, headers: { cookie } });
  const { body } = await call(createAccessToken, {
    body: {
      name: 'own',
      scopes: ['space|read'],
      hasFullAccess: true,
      expiredTime: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  return { cookie, call, byToken: caller({ baseUrl: world().baseUrl, token: body.token }) };
};

test('a directory connects with a token that is shown once, and with nothing else', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body.patch).toEqual({ supported: true });
  expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
    'User',
    'Group',
  ]);
  expect((await scim('GET', '/Schemas')).body.totalResults).toBe(2);
  for (const bearer of ['', 'x', token.slice(0, -1), `${token}x`, shop.owner.token]) {
    const refused = await scim('GET', '/Users', undefined, { bearer });
    expect([refused.status, refused.body.schemas, refused.body.status]).toEqual([
      401,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
      '401',
    ]);
  }
  const params = { organizationId: own.organizationId };
  const listed = (await shop.owner.call(listScimTokens, { params })).body;
  expect(JSON.stringify(listed)).not.toContain(token.split('_').at(-1));
  const second = await tokenOf(own);
  expect((await scim('GET', '/Users', undefined, { bearer: second })).status).toBe(200);
  const tokenId = second.split('_')[1] as string;
  expect((await shop.owner.call(deleteScimToken, { params: { ...params, tokenId } })).status).toBe(200);
  expect((await scim('GET', '/Users', undefined, { bearer: second })).status).toBe(401);
});

test('people are looked for, made and found again, as Entra does it', async () => {
  // The test of the connection, and the question before somebody is made.
  const asked = await scim('GET', `/Users?filter=userName+eq+%22${crypto.randomUUID()}%22`);
  expect(asked.body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
  const { status, body, headers } = await scim('POST', '/Users', entraUser('ada'));
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(body.meta.location);
  expect(body).toMatchObject({
    schemas: [`${core}:User`],
    externalId: 'entra-ada',
    userName: 'ada@corp.example',
    name: { formatted: 'Given Family', givenName: 'Given', familyName: 'Family' },
    emails: [{ value: 'ada@corp.example', type: 'work', primary: true }],
    active: true,
  });
  for (const filter of [
    'userName eq "ADA@corp.example"',
    'externalId eq "entra-ada"',
    'emails[type eq "work"].value eq "ada@corp.example"',
    `id eq "${body.id}" and active eq true`,
    `${core}:User:userName Eq "ada@corp.example"`,
  ]) {
    const found = await scim('GET', `/Users?${new URLSearchParams({ filter })}`);
    expect(
      found.body.Resources?.map(({ id }: { id: string }) => id),
      filter,
    ).toEqual([body.id]);
  }
  for (const filter of [
    'userName sw "a"',
    'userName eq ada',
    'password eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (active eq true)',
  ]) {
    const refused = await scim('GET', `/Users?${new URLSearchParams({ filter })}`);
    expect([refused.status, refused.body.scimType], filter).toEqual([400, 'invalidFilter']);
  }
  const again = await scim('POST', '/Users', entraUser('ada'));
  expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
  expect((await scim('GET', `/Users/${body.id}`)).body.id).toBe(body.id);
  expect((await scim('GET', '/Users/usrNone')).status).toBe(404);
});

test('only addresses of verified domains get accounts, and nobody of others is taken in or seen', async () => {
  const foreign = await newOrganization(world(), 'Foreign');
  const theirs = await tokenOf(foreign);
  const { id } = await newUser();
  expect((await scim('GET', `/Users/${id}`, undefined, { bearer: theirs })).status).toBe(404);
  expect((await scim('DELETE', `/Users/${id}`, undefined, { bearer: theirs })).status).toBe(404);
  expect((await scim('POST', '/Users', entraUser(), { bearer: theirs })).status).toBe(400);
  const stranger = await person(world(), { email: 'stranger@mail.example' });
  const body = { ...entraUser(), userName: stranger.email, emails: [{ value: stranger.email, primary: true }] };
  expect((await scim('POST', '/Users', body)).body).toMatchObject({ status: '400', scimType: 'invalidValue' });
  // Somebody has made an account with the address, without showing that it is theirs.
  const unproven = await person(world(), { email: 'unproven@corp.example' });
  const squatted = { ...entraUser(), userName: unproven.email, emails: [{ value: unproven.email, primary: true }] };
  expect((await scim('POST', '/Users', squatted)).status).toBe(409);
  const operator = await person(world(), { admin: true, email: 'operator@corp.example' });
  await world().db.query(
    sql`insert into rowhouse.organization_members (organization_id, user_id) values (${own.organizationId}, ${operator.userId})`,
  );
  expect((await patch(`/Users/${operator.userId}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(
    403,
  );
  expect((await scim('DELETE', `/Users/${operator.userId}`)).status).toBe(403);
  expect((await operator.call(getUserMe)).status).toBe(200);
});

test.each([
  ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }], 'Operations'],
  ['Okta', [{ op: 'replace', value: { active: false } }], 'Operations'],
  ['others', [{ op: 'replace', path: `${core}:User:active`, value: false }], 'operations'],
])('%s shuts somebody: sessions, tokens and streams end before it is answered', async (_name, operations, key) => {
  const { id, userName } = await newUser();
  await shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: id, principalType: 'user' }], role: 'viewer' },
  });
  const open = await signedIn(id, userName);
  const ear = await listen(`${world().baseUrl}/table/${tableId}/events`, { cookie: open.cookie });
  await ear.until((event) => event.name === 'ready');
  expect([
    (await open.call(getUserMe)).status,
    (await open.byToken(getSpace, { params: { spaceId: shop.spaceId } })).status,
  ]).toEqual([200, 200]);
  // At the other process.
  const shut = await scim('PATCH', `/Users/${id}`, { schemas: [patchSchema], [key]: operations }, { at: other });
  expect([shut.status, shut.body.active]).toEqual([200, false]);
  expect([
    (await open.call(getUserMe)).status,
    (await open.byToken(getSpace, { params: { spaceId: shop.spaceId } })).status,
  ]).toEqual([401, 401]);
  await ear.ended;
  const again = await patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }]);
  expect(again.body.active).toBe(true);
  // What ended stays ended.
  expect((await open.byToken(getSpace, { params: { spaceId: shop.spaceId } })).status).toBe(401);
});

test('an account that the operator has shut is not let in again by a directory, nor by administrators', async () => {
  const { id, userName } = await newUser();
  const params = { organizationId: own.organizationId, userId: id };
  const active = async (value: boolean) =>
    (await patch(`/Users/${id}`, [{ op: 'replace', value: { active: value } }])).status;
  expect([await active(false), await active(true)]).toEqual([200, 200]);
  await setUserActive(world().db, userName, false);
  expect(await active(true)).toBe(403);
  expect((await shop.owner.call(activateOrganizationUser, { params })).status).toBe(403);
  await setUserActive(world().db, userName, true);
  // Shut by the directory first, and by the operator, too.
  expect(await active(false)).toBe(200);
  await setUserActive(world().db, userName, false);
  expect(await active(true)).toBe(403);
  expect((await scim('GET', `/Users/${id}`)).body.active).toBe(false);
});

test('a person is changed by single values and as a whole', async () => {
  const { id } = await newUser();
  const changed = await patch(`/Users/${id}`, [
    { op: 'Add', path: 'name.givenName', value: 'Grace' },
    { op: 'Replace', path: 'displayName', value: 'Grace H.' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'grace@corp.example' },
    { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'IT' },
    { op: 'Remove', path: 'externalId' },
  ]);
  expect(changed.body).toMatchObject({
    displayName: 'Grace H.',
    name: { givenName: 'Grace', familyName: 'Family' },
    emails: [{ value: 'grace@corp.example' }],
  });
  expect(changed.body.externalId).toBeUndefined();
  expect(
    (await patch(`/Users/${id}`, [{ op: 'replace', value: { 'name.familyName': 'Hopper', userName: 'grace' } }])).body,
  ).toMatchObject({
    userName: 'grace',
    name: { givenName: 'Grace', familyName: 'Hopper' },
  });
  // Okta replaces the whole, with what it was answered.
  const whole = (await scim('GET', `/Users/${id}`)).body;
  const replaced = await scim('PUT', `/Users/${id}`, {
    ...whole,
    externalId: '00u1',
    name: { givenName: 'Ada', familyName: 'King' },
    displayName: undefined,
  });
  expect(replaced.body).toMatchObject({ externalId: '00u1', displayName: 'Ada King', active: true });
  for (const [operations, status] of [
    [[{ op: 'move', path: 'active' }], 400],
    [[{ op: 'remove' }], 400],
    [[{ op: 'remove', path: 'userName' }], 400],
    [[{ op: 'replace', path: 'active', value: 'perhaps' }], 400],
    [[{ op: 'replace', path: 'emails', value: [{ value: 'x@elsewhere.example' }] }], 400],
    [[{ op: 'replace', path: 'emails', value: [{ value: 'ada@corp.example' }] }], 409],
    [[{ op: 'replace', path: 'displayName', value: 7 }], 400],
    [[], 400],
  ] as const)
    expect((await patch(`/Users/${id}`, operations as never)).status, JSON.stringify(operations)).toBe(status);
  // Of several changes with a wrong one none is made.
  const half = [
    { op: 'replace', path: 'displayName', value: 'Half' },
    { op: 'replace', path: 'active', value: 7 },
  ];
  expect((await patch(`/Users/${id}`, half)).status).toBe(400);
  expect((await scim('GET', `/Users/${id}`)).body.displayName).toBe('Ada King');
  for (const text of ['', '[]', '{', 'null']) expect((await scim('POST', '/Users', text)).status, text).toBe(400);
});

test('people are read page by page', async () => {
  for (let n = 0; n < 5; n += 1) await newUser();
  const { totalResults } = (await scim('GET', '/Users?count=0')).body;
  expect(totalResults).toBeGreaterThan(5);
  const seen = new Set<string>();
  for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
    const page = (await scim('GET', `/Users?startIndex=${startIndex}&count=2`)).body;
    expect([page.startIndex, page.totalResults]).toEqual([startIndex, totalResults]);
    expect(page.itemsPerPage).toBe(page.Resources.length);
    for (const { id } of page.Resources) seen.add(id);
  }
  expect(seen.size).toBe(totalResults);
  expect((await scim('GET', '/Users?startIndex=-3&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
  expect((await scim('GET', '/Users?startIndex=100000')).body.Resources).toEqual([]);
});

test('somebody who is deleted leaves the organisation, and may come again', async () => {
  const body = entraUser();
  const { id } = (await scim('POST', '/Users', body)).body;
  const { call } = await signedIn(id, body.userName);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await call(getUserMe)).status).toBe(401);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  expect(
    (await scim('GET', `/Users?${new URLSearchParams({ filter: `userName eq "${body.userName}"` })}`)).body
      .totalResults,
  ).toBe(0);
  expect((await scim('POST', '/Users', body)).body).toMatchObject({ id, active: true });
});

test('groups are departments: members come and go at once, in the ways of Entra and Okta', async () => {
  const [one, two] = [await newUser(), await newUser()];
  const name = 'Sales of the directory';
  expect(
    (await scim('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${name}"`)}`))
      .body.totalResults,
  ).toBe(0);
  const created = await scim('POST', '/Groups', {
    schemas: [`${core}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: 'entra-group',
    displayName: name,
    members: [],
    meta: { resourceType: 'Group' },
  });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const params = { organizationId: own.organizationId };
  expect(
    (await shop.owner.call(listOrganizationDepartments, { params, query: {} })).body.map((department) => department.id),
  ).toContain(id);
  await shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: id, principalType: 'department' }], role: 'viewer' },
  });
  const open = await signedIn(one.id, one.userName);
  const mayRead = async (): Promise<boolean> =>
    (await open.call(getSpace, { params: { spaceId: shop.spaceId } })).status === 200;
  const members = async (): Promise<string[]> =>
    (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).toSorted();
  const add = [
    {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: one.id },
        { $ref: null, value: two.id },
      ],
    },
  ];
  expect((await patch(`/Groups/${id}`, add)).status).toBe(200);
  expect(await members()).toEqual([one.id, two.id].toSorted());
  expect(await mayRead()).toBe(true);
  const ear = await listen(`${other.baseUrl}/table/${tableId}/events`, { cookie: open.cookie });
  await ear.until((event) => event.name === 'ready');
  await patch(`/Groups/${id}`, [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: one.id }] }]);
  expect([await mayRead(), await members()]).toEqual([false, [two.id]]);
  await ear.ended;
  await patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: one.id, display: one.userName }] }]);
  await patch(`/Groups/${id}`, [{ op: 'remove', path: `members[value eq "${two.id}"]` }]);
  expect(await members()).toEqual([one.id]);
  // Okta renames with its own id among the values.
  const renamed = await patch(`/Groups/${id}`, [{ op: 'replace', value: { id, displayName: 'Sales' } }]);
  expect(renamed.body.displayName).toBe('Sales');
  const replaced = await scim('PUT', `/Groups/${id}`, {
    schemas: [`${core}:Group`],
    displayName: 'Sales',
    members: [{ value: two.id }],
  });
  expect([replaced.body.members.length, await members(), await mayRead()]).toEqual([1, [two.id], false]);
  expect((await scim('GET', `/Groups/${id}?excludedAttributes=members`)).body.members).toBeUndefined();
  // Without a value: all of them.
  await patch(`/Groups/${id}`, [{ op: 'remove', path: 'members' }]);
  expect(await members()).toEqual([]);
  const unknown = await patch(`/Groups/${id}`, [
    { op: 'add', path: 'members', value: [{ value: two.id }, { value: 'usrNone' }] },
  ]);
  expect([unknown.status, unknown.body.scimType, await members()]).toEqual([400, 'invalidValue', []]);
  await patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: one.id }] }]);
  expect(await mayRead()).toBe(true);
  expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect([await mayRead(), (await scim('GET', `/Groups/${id}`)).status]).toEqual([false, 404]);
});

test('a directory keeps its own groups, and of members only those that it has put there', async () => {
  const { id: userId } = await newUser();
  const params = { organizationId: own.organizationId };
  const byHand = (await shop.owner.call(createDepartment, { params, body: { name: 'By hand' } })).body.id;
  expect((await scim('GET', `/Groups/${byHand}`)).status).toBe(404);
  expect((await scim('DELETE', `/Groups/${byHand}`)).status).toBe(404);
  expect((await scim('POST', '/Groups', { displayName: 'by HAND' })).body).toMatchObject({
    status: '409',
    scimType: 'uniqueness',
  });
  const { id } = (await scim('POST', '/Groups', { displayName: 'Of the directory' })).body;
  await shop.owner.call(addDepartmentUsers, { params, body: { departmentIds: [id], userIds: [userId] } });
  expect((await scim('GET', `/Groups/${id}`)).body.members).toEqual([]);
  await patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: [] }]);
  expect((await scim('GET', `/Users/${userId}`)).body.groups).toEqual([{ value: id, display: 'Of the directory' }]);
  const foreign = await newOrganization(world(), 'Another one');
  expect((await scim('GET', `/Groups/${id}`, undefined, { bearer: await tokenOf(foreign) })).status).toBe(404);
});

test('the last administrator of the organisation is not shut out by its directory', async () => {
  const admin = await person(world(), { email: 'chief@last.example' });
  const alone = await newOrganization(world(), 'Alone', admin);
  await verifiedDomain(alone, names, 'last.example');
  const bearer = await tokenOf(alone);
  const shut = await scim(
    'PATCH',
    `/Users/${admin.userId}`,
    { Operations: [{ op: 'replace', path: 'active', value: false }] },
    { bearer },
  );
  expect(shut.status).toBe(409);
  expect((await admin.call(getUserMe)).status).toBe(200);
});
