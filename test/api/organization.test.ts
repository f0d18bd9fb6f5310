// Organisations: who may do what in one, departments as collaborators of its spaces, and domains that are shown by DNS.
import { getUserMe } from '@rowhouse/contract/auth.ts';
import { addSpaceCollaborators, listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import {
  addDepartmentUsers,
  createDepartment,
  deleteDepartment,
  getDepartment,
  listOrganizationDepartments,
  listOrganizationDepartmentUsers,
  moveDepartment,
  moveDepartmentUsers,
  removeDepartmentUsers,
  renameDepartment,
  setDepartmentsOfUser,
} from '@rowhouse/contract/department.ts';
import {
  addOrganizationSpace,
  checkDomain,
  claimDomain,
  countOrganizationSpaces,
  getOrganizationSpace,
  listDomains,
  listOrganizationSpaceNames,
  listOrganizationSpaces,
  listVerifiedDomains,
  removeDomain,
  removeOrganizationSpace,
  verifyDomain,
} from '@rowhouse/contract/enterprise.ts';
import { listDepartments, listDepartmentUsers } from '@rowhouse/contract/group.ts';
import * as contract from '@rowhouse/contract/organization.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { getSpace } from '@rowhouse/contract/space.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyUser } from '../../server/domain/auth/operator-account.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { checkDueDomains } from '../../server/domain/organization/check-domain.ts';
import { organizationRoutes } from '../../server/domain/organization/routes.ts';
import { scimRoutes } from '../../server/domain/scim/routes.ts';
import { sql } from '../../server/db/sql.ts';
import { startNameServer } from '../support/dns-server.ts';
import { listen } from '../support/listen.ts';
import { organizationRequests } from '../support/organization-requests.ts';
import { newOrganization, type TestOrganization, verifiedDomain } from '../support/organizations.ts';
import { plansWith } from '../support/plans.ts';
import { type Person, person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { newSpace } from '../support/workspace.ts';
import { caller, openWorld, useWorld, type World } from '../support/world.ts';

const names = await startNameServer();
const all = {
  organizationEnable: true,
  domainVerificationEnable: true,
  authenticationEnable: true,
  userGroupEnable: true,
};
const none = {
  organizationEnable: false,
  domainVerificationEnable: false,
  authenticationEnable: false,
  userGroupEnable: true,
};
const plans = plansWith({ free: all, plus: none });
const world = useWorld({ dnsServers: [names.address] }, { plans });
let other: World;
let shop: Workshop;
let tableId: string;
let own: TestOrganization;

beforeAll(async () => {
  other = await openWorld(world().databaseUrl, {}, { plans });
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
  own = await newOrganization(world(), 'Example', shop.owner);
  const params = { organizationId: own.organizationId, spaceId: shop.spaceId };
  expect((await shop.owner.call(addOrganizationSpace, { params })).status).toBe(201);
});
afterAll(async () => {
  await other.close();
  await names.close();
});

const params = () => ({ organizationId: own.organizationId });
const join = async (who: Person, { organizationId } = own): Promise<void> => {
  await world().db.query(
    sql`insert into rowhouse.organization_members (organization_id, user_id) values (${organizationId}, ${who.userId})`,
  );
};
const memberOf = async (at = own): Promise<Person> => {
  const who = await person(world());
  await join(who, at);
  return who;
};
const department = async (name: string, parentId?: string, at = own): Promise<string> => {
  const made = await at.admin.call(createDepartment, {
    params: { organizationId: at.organizationId },
    body: { name, ...(parentId === undefined ? {} : { parentId }) },
  });
  expect(made.status).toBe(201);
  return made.body.id;
};
const put = (departmentId: string, ...people: Person[]) =>
  shop.owner.call(addDepartmentUsers, {
    params: params(),
    body: { departmentIds: [departmentId], userIds: people.map(({ userId }) => userId) },
  });
const give = (departmentId: string, role: 'editor' | 'viewer') =>
  shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: departmentId, principalType: 'department' }], role },
  });
const roleOf = async (who: Person): Promise<string> => {
  const { status, body } = await who.call(getSpace, { params: { spaceId: shop.spaceId } });
  return status === 200 ? body.role : String(status);
};
const writesAtOther = async (who: Person): Promise<number> =>
  (
    await caller({ baseUrl: other.baseUrl, token: who.token })(createRecords, {
      params: { tableId },
      body: { records: [{ fields: {} }] },
    })
  ).status;

test('an organisation is there for its members alone, and its administrators alone change it', async () => {
  const [member, stranger, operator] = [
    await memberOf(),
    await person(world()),
    await person(world(), { admin: true }),
  ];
  const foreign = await newOrganization(world(), 'Another');
  const limited = await shop.owner.withToken({ scopes: ['space|read'], hasFullAccess: true });
  const departmentId = await department('To be called');
  const domain = await shop.owner.call(claimDomain, { params: params(), body: { domain: 'called.example' } });
  const real = {
    organizationId: own.organizationId,
    departmentId,
    userId: member.userId,
    spaceId: shop.spaceId,
    domainId: domain.body.id,
    providerId: 'idpNone',
    tokenId: 'sctNone',
  };
  const forMembers = [
    'getOrganizationMe',
    'getOrganization',
    'haveOrganizationUsers',
    'listOrganizationDepartments',
    'getDepartment',
    'listOrganizationDepartmentUsers',
    'listAuthenticationProviders',
    'removeOrganizationUsers',
  ];
  const faults: string[] = [];
  for (const { endpoint } of [...organizationRoutes, ...scimRoutes]) {
    const request = organizationRequests[endpoint.name];
    if (request === undefined) continue;
    const asked = {
      ...request,
      params: Object.fromEntries(Object.keys(request.params).map((name) => [name, real[name as keyof typeof real]])),
    };
    const status = async (call: Person['call']): Promise<number> =>
      (await call(endpoint as never, asked as never)).status;
    const expected: [string, Person['call'], number][] = [
      ['stranger', stranger.call, 404],
      ['administrator of the instance', operator.call, 404],
      ['administrator of another one', foreign.admin.call, 404],
      ['limited token', limited.call, 403],
      ...(forMembers.includes(endpoint.name) ? [] : [['member', member.call, 403] as [string, Person['call'], number]]),
    ];
    for (const [name, call, wanted] of expected) {
      const got = await status(call);
      if (got !== wanted) faults.push(`${endpoint.name} as ${name}: ${got} in place of ${wanted}`);
    }
  }
  expect(faults).toEqual([]);
  for (const name of Object.keys(organizationRequests))
    expect([...organizationRoutes, ...scimRoutes].some(({ endpoint }) => endpoint.name === name)).toBe(true);
});

test('an administrator of the instance makes organisations, names who administers them, and deletes them', async () => {
  const operator = await person(world(), { admin: true });
  const [who, elsewhere] = [await person(world()), await memberOf()];
  const { id } = (await operator.call(contract.createOrganization, { body: { name: 'To be deleted' } })).body;
  const set = (userId: string, isAdmin: boolean) =>
    operator.call(contract.setOrganizationAdmin, { params: { organizationId: id }, body: { userId, isAdmin } });
  expect((await set(who.userId, true)).status).toBe(200);
  expect((await set(elsewhere.userId, true)).status).toBe(409);
  expect((await set('usrNone', true)).status).toBe(404);
  const listed = await operator.call(contract.listOrganizations, { query: { search: 'TO BE' } });
  expect(listed.body).toMatchObject({ total: 1, page: 1, pageSize: 10 });
  expect(listed.body.data[0]).toMatchObject({
    id,
    userCount: 1,
    spaceCount: 0,
    adminCount: 1,
    admins: [{ id: who.userId }],
  });
  expect((await who.call(contract.getOwnOrganization)).body).toEqual({ id, name: 'To be deleted', isAdmin: true });
  expect((await operator.call(contract.getInstanceOrganization)).body).toBeNull();
  const spaceId = await newSpace(who);
  await who.call(addOrganizationSpace, { params: { organizationId: id, spaceId } });
  const departmentId = await department('Its own', undefined, { organizationId: id, admin: who });
  const colleague = await memberOf({ organizationId: id, admin: who });
  await who.call(addDepartmentUsers, {
    params: { organizationId: id },
    body: { departmentIds: [departmentId], userIds: [colleague.userId] },
  });
  await who.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [{ principalId: departmentId, principalType: 'department' }], role: 'viewer' },
  });
  expect((await colleague.call(getSpace, { params: { spaceId } })).status).toBe(200);
  expect((await operator.call(contract.deleteOrganization, { params: { organizationId: id } })).status).toBe(200);
  expect((await colleague.call(getSpace, { params: { spaceId } })).status).toBe(404);
  expect((await who.call(getSpace, { params: { spaceId } })).body.role).toBe('owner');
  expect((await who.call(contract.getOwnOrganization)).body).toBeNull();
});

test('a department has roles in the spaces of its organisation, and they end at once in every process', async () => {
  const [top, who] = [await department('Top'), await memberOf()];
  const below = await department('Below', top);
  expect((await put(below, who)).status).toBe(200);
  expect((await give(top, 'editor')).status).toBe(200);
  expect([await roleOf(who), await writesAtOther(who)]).toEqual(['editor', 201]);
  const people = (await shop.owner.call(listSpaceCollaborators, { params: { spaceId: shop.spaceId }, query: {} })).body;
  expect(JSON.stringify(people)).toContain(top);
  const ear = await listen(`${other.baseUrl}/table/${tableId}/events`, { token: who.token });
  await ear.until((event) => event.name === 'ready');
  const moved = await shop.owner.call(moveDepartment, {
    params: { ...params(), departmentId: below },
    body: { parentId: null },
  });
  expect(moved.status).toBe(200);
  expect([await roleOf(who), await writesAtOther(who)]).toEqual(['404', 404]);
  await ear.ended;
  await shop.owner.call(moveDepartment, { params: { ...params(), departmentId: below }, body: { parentId: top } });
  expect(await roleOf(who)).toBe('editor');
  expect((await shop.owner.call(deleteDepartment, { params: { ...params(), departmentId: top } })).status).toBe(400);
  expect((await shop.owner.call(deleteDepartment, { params: { ...params(), departmentId: below } })).status).toBe(200);
  expect(await roleOf(who)).toBe('404');
});

test('departments of other organisations, and of a space that has left, have no roles there', async () => {
  const foreign = await newOrganization(world(), 'Foreign');
  expect((await give(await department('Theirs', undefined, foreign), 'viewer')).status).toBe(400);
  const [who, departmentId, spaceId] = [await memberOf(), await department('Ours'), await newSpace(shop.owner)];
  const place = { ...params(), spaceId };
  await put(departmentId, who);
  const add = () =>
    shop.owner.call(addSpaceCollaborators, {
      params: { spaceId },
      body: { collaborators: [{ principalId: departmentId, principalType: 'department' }], role: 'viewer' },
    });
  expect((await add()).status).toBe(400);
  expect((await who.call(addOrganizationSpace, { params: place })).status).toBe(403);
  expect((await shop.owner.call(addOrganizationSpace, { params: place })).status).toBe(201);
  expect((await shop.owner.call(addOrganizationSpace, { params: place })).status).toBe(409);
  expect((await add()).status).toBe(200);
  expect((await who.call(getSpace, { params: { spaceId } })).status).toBe(200);
  // Nobody takes a space of others into an organisation.
  const theirs = { organizationId: foreign.organizationId, spaceId };
  expect((await foreign.admin.call(addOrganizationSpace, { params: theirs })).status).toBe(404);
  expect((await foreign.admin.call(removeOrganizationSpace, { params: theirs })).status).toBe(404);
  const listed = await shop.owner.call(listOrganizationSpaces, { params: params(), query: {} });
  expect(listed.body.map(({ id }) => id)).toContain(spaceId);
  expect((await shop.owner.call(countOrganizationSpaces, { params: params() })).body).toBe(listed.body.length);
  expect(
    (await shop.owner.call(listOrganizationSpaceNames, { params: params() })).body.map((one) => one.spaceId),
  ).toContain(spaceId);
  expect((await shop.owner.call(getOrganizationSpace, { params: place })).body).toMatchObject({
    id: spaceId,
    collaboratorCount: 2,
    externalUserCount: 0,
    base: [],
  });
  expect((await shop.owner.call(removeOrganizationSpace, { params: place })).status).toBe(200);
  expect((await who.call(getSpace, { params: { spaceId } })).status).toBe(404);
});

test('people are moved between departments, and all of one person are set at once', async () => {
  const [a, b, who, stranger] = [await department('A'), await department('B'), await memberOf(), await person(world())];
  expect((await put(a, who, stranger)).error?.message).toContain('no member');
  await put(a, who);
  const of = async (): Promise<string[]> =>
    (
      await shop.owner.call(contract.getOrganizationUser, { params: { ...params(), userId: who.userId } })
    ).body.departments.map(({ id }) => id);
  expect(await of()).toEqual([a]);
  const move = (departmentId: string, toDepartmentId: string) =>
    shop.owner.call(moveDepartmentUsers, {
      params: params(),
      body: { departmentId, toDepartmentId, userIds: [who.userId] },
    });
  expect((await move(a, b)).status).toBe(200);
  expect(await of()).toEqual([b]);
  expect((await move(a, b)).status).toBe(404);
  const set = (departmentIds: string[]) =>
    shop.owner.call(setDepartmentsOfUser, { params: params(), body: { departmentIds, userId: who.userId } });
  expect((await set([a, b])).status).toBe(200);
  expect(new Set(await of())).toEqual(new Set([a, b]));
  expect((await set([a, 'odpNone'])).status).toBe(400);
  expect((await set([])).status).toBe(200);
  expect(await of()).toEqual([]);
  await put(b, who);
  const remove = () =>
    shop.owner.call(removeDepartmentUsers, { params: params(), query: { departmentId: b, userIds: [who.userId] } });
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  const rename = { params: { ...params(), departmentId: a }, body: { name: 'b' } };
  expect((await shop.owner.call(renameDepartment, rename)).status).toBe(400);
  expect(
    (await shop.owner.call(moveDepartment, { params: { ...params(), departmentId: a }, body: { parentId: a } })).status,
  ).toBe(400);
});

test('members browse all departments, or only the branches that they are in', async () => {
  const [finance, sales] = [await department('Finance'), await department('Sales')];
  const [north, south] = [await department('North', sales), await department('South', sales)];
  const [who, colleague] = [await memberOf(), await memberOf()];
  await put(north, who);
  await put(finance, colleague);
  const seen = async (): Promise<string[]> =>
    (
      await who.call(listOrganizationDepartments, { params: params(), query: { includeChildrenDepartment: true } })
    ).body.map(({ id }) => id);
  expect(await seen()).toEqual(expect.arrayContaining([finance, sales, north, south]));
  const scope = (departmentScope: 'all' | 'related') =>
    shop.owner.call(contract.setDepartmentScope, { params: params(), body: { departmentScope } });
  await scope('related');
  expect(await seen()).toEqual([sales, north]);
  expect((await who.call(getDepartment, { params: { ...params(), departmentId: finance } })).status).toBe(404);
  const peopleSeen = async (departmentId?: string): Promise<string[]> =>
    (
      await who.call(listOrganizationDepartmentUsers, {
        params: params(),
        query: { includeChildrenDepartment: true, ...(departmentId === undefined ? {} : { departmentId }) },
      })
    ).body.users.map(({ id }) => id);
  expect([await peopleSeen(), await peopleSeen(finance)]).toEqual([[who.userId], []]);
  const mine = (await who.call(listDepartments, { query: { includeChildrenDepartment: true } })).body;
  expect(mine.map(({ id }) => id)).toEqual([sales, north]);
  expect((await who.call(listDepartmentUsers, { query: { departmentId: finance } })).body.total).toBe(0);
  await scope('all');
  expect(await seen()).toContain(finance);
  expect(await peopleSeen(finance)).toEqual([colleague.userId]);
});

test('who leaves an organisation leaves its departments; the last administrator stays', async () => {
  const [departmentId, who] = [await department('To be left'), await memberOf()];
  await give(departmentId, 'viewer');
  await put(departmentId, who);
  expect(await roleOf(who)).toBe('viewer');
  const remove = (by: Person, userId: string) =>
    by.call(contract.removeOrganizationUsers, { params: params(), body: { userIds: [userId] } });
  expect((await remove(who, shop.owner.userId)).status).toBe(403);
  expect((await remove(shop.owner, shop.owner.userId)).status).toBe(409);
  expect((await remove(who, who.userId)).status).toBe(200);
  expect([await roleOf(who), (await remove(who, who.userId)).status]).toEqual(['404', 404]);
  const demote = { params: { ...params(), userId: shop.owner.userId }, body: { isAdmin: false } };
  expect((await shop.owner.call(contract.updateOrganizationUser, demote)).status).toBe(409);
});

test('only people of verified domains, and of its spaces, are taken in; accounts are made for its domains alone', async () => {
  await verifiedDomain(own, names, 'people.example');
  const [proven, unproven, outside, colleague] = [
    await person(world(), { email: 'proven@people.example' }),
    await person(world(), { email: 'unproven@people.example' }),
    await person(world()),
    await person(world()),
  ];
  await verifyUser(world().db, proven.email);
  await shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: colleague.userId, principalType: 'user' }], role: 'viewer' },
  });
  const emails = [proven, unproven, outside, colleague, proven].map(({ email }) => email);
  const added = await shop.owner.call(contract.addOrganizationUsers, { params: params(), body: { emails } });
  expect(added.body.map(({ success }) => success)).toEqual([true, false, false, true, false]);
  const listed = (await shop.owner.call(contract.listOrganizationUsers, { params: params(), query: { limit: 1_000 } }))
    .body;
  expect(listed.users.find(({ id }) => id === proven.userId)).toMatchObject({ isExternal: false, isAdmin: false });
  expect(listed.users.find(({ id }) => id === colleague.userId)).toMatchObject({ isExternal: true });
  const have = { params: params(), query: { userIds: [proven.userId, outside.userId] } };
  expect((await shop.owner.call(contract.haveOrganizationUsers, have)).body).toEqual([true, false]);

  const departmentId = await department('Newcomers');
  const make = (body: object[]) =>
    shop.owner.call(contract.createOrganizationUsers, { params: params(), body: body as never });
  expect((await make([{ email: 'a@people.example' }, { email: 'b@elsewhere.example' }])).status).toBe(400);
  expect((await make([{ email: 'a@people.example', id: 'usrOwn' }])).status).toBe(400);
  const made = await make([{ email: 'a@people.example', name: 'Newcomer', departmentId }]);
  expect(made).toMatchObject({ status: 201, body: [{ email: 'a@people.example', name: 'Newcomer' }] });
  const [newcomer] = made.body;
  const got = await shop.owner.call(contract.getOrganizationUser, {
    params: { ...params(), userId: newcomer?.id as string },
  });
  expect(got.body.departments).toMatchObject([{ id: departmentId }]);
});

test('new members join spaces by themselves, as editors, and where there is no seat they stay outside', async () => {
  const [first, second] = [await newSpace(shop.owner), await newSpace(shop.owner)];
  for (const spaceId of [first, second])
    await shop.owner.call(addOrganizationSpace, { params: { ...params(), spaceId } });
  const set = (body: object) =>
    shop.owner.call(contract.setOrganizationAutoSpace, { params: params(), body: body as never });
  expect((await set({ autoSpaceType: 'selected', autoSpaceIds: ['spcNone'] })).status).toBe(400);
  expect((await set({ autoSpaceType: 'selected', autoSpaceIds: [first, second] })).status).toBe(200);
  await setSpacePlan(world().services, second, { level: 'pro', quantity: 1 });
  const [made] = (
    await shop.owner.call(contract.createOrganizationUsers, {
      params: params(),
      body: [{ email: 'auto@people.example' }],
    })
  ).body;
  const roles = await world().db.query<object>(
    sql`select resource_id as id, role from rowhouse.collaborators where user_id = ${made?.id as string} and resource_id in (${first}, ${second})`,
  );
  expect(roles).toEqual([{ id: first, role: 'editor' }]);
  await set({ autoSpaceType: 'none' });
  expect((await shop.owner.call(contract.getOrganizationSetting, { params: params() })).body).toMatchObject({
    autoSpaceType: 'none',
    autoSpaceIds: [],
  });
});

test('an account of its domain is shut by its administrators, with all that it has open', async () => {
  await verifiedDomain(own, names, 'shut.example');
  const [who, external, operator] = [
    await person(world(), { email: 'who@shut.example' }),
    await memberOf(),
    await person(world(), { email: 'operator@shut.example', admin: true }),
  ];
  for (const one of [who, operator]) await join(one);
  await shop.owner.call(addSpaceCollaborators, {
    params: { spaceId: shop.spaceId },
    body: { collaborators: [{ principalId: who.userId, principalType: 'user' }], role: 'viewer' },
  });
  const ear = await listen(`${other.baseUrl}/table/${tableId}/events`, { token: who.token });
  await ear.until((event) => event.name === 'ready');
  const shut = (userId: string) =>
    shop.owner.call(contract.deactivateOrganizationUser, { params: { ...params(), userId } });
  expect([(await shut(external.userId)).status, (await shut(operator.userId)).status]).toEqual([403, 403]);
  expect([(await shut(shop.owner.userId)).status, (await shut(who.userId)).status]).toEqual([409, 200]);
  await ear.ended;
  expect((await who.call(getUserMe)).status).toBe(401);
  expect(
    (await shop.owner.call(contract.activateOrganizationUser, { params: { ...params(), userId: who.userId } })).status,
  ).toBe(200);
  // What ended stays ended.
  expect((await who.call(getUserMe)).status).toBe(401);
});

test('a domain is shown by its record, checked again every day, and lost three days after the record', async () => {
  const claim = (domain: string, by = own) =>
    by.admin.call(claimDomain, { params: { organizationId: by.organizationId }, body: { domain } });
  for (const domain of ['gmail.com', 'localhost', 'Upper.example', '-a.example', 'a..example'])
    expect((await claim(domain)).status, domain).toBe(400);
  const { id, recordName, recordValue } = (await claim('daily.example')).body;
  expect(recordName).toBe('_rowhouse.daily.example');
  expect((await claim('daily.example')).status).toBe(409);
  const check = () => shop.owner.call(checkDomain, { params: { ...params(), domainId: id } });
  names.records.set(recordName, ['something else']);
  expect((await check()).body).toMatchObject({ isVerified: false });
  const verify = (verifyCode: string) =>
    shop.owner.call(verifyDomain, { params: params(), body: { domain: 'daily.example', verifyCode } });
  expect([(await verify('wrong')).status, (await verify(recordValue)).status]).toEqual([400, 409]);
  names.records.set(recordName, ['something else', recordValue]);
  names.isBroken = true;
  expect((await check()).status).toBe(503);
  names.isBroken = false;
  expect((await verify(recordValue)).body).toEqual({ id, domain: 'daily.example' });

  const state = async () =>
    (await shop.owner.call(listDomains, { params: params() })).body.find((one) => one.id === id);
  const wait = (interval: string) =>
    world().db.query(
      sql`update rowhouse.organization_domains set checked_time = now() - ${interval}::interval, missing_since = missing_since - ${interval}::interval where id = ${id}`,
    );
  names.records.delete(recordName);
  await checkDueDomains(world().services);
  expect(await state()).toMatchObject({ isVerified: true, missingSince: null });
  await wait('2 days');
  names.isBroken = true;
  await checkDueDomains(world().services);
  expect(await state()).toMatchObject({ isVerified: true, missingSince: null });
  names.isBroken = false;
  await checkDueDomains(world().services);
  expect(await state()).toMatchObject({ isVerified: true, missingSince: expect.any(String) });
  await wait('2 days');
  await checkDueDomains(world().services);
  expect((await state())?.isVerified).toBe(true);
  await wait('2 days');
  await checkDueDomains(world().services);
  expect(await state()).toMatchObject({ isVerified: false, missingSince: null });
  const told = await world().db.query<{ action: string }>(
    sql`select action from rowhouse.audit_log where space_id = ${shop.spaceId} and target ->> 'domain' = 'daily.example' order by id`,
  );
  expect(told.map(({ action }) => action)).toEqual(['organization.domainVerified', 'organization.domainLost']);
});

test('a domain changes hands when the record of the former owner is gone, and not before', async () => {
  const next = await newOrganization(world(), 'Next');
  const before = await verifiedDomain(own, names, 'sold.example');
  const claimed = (
    await next.admin.call(claimDomain, {
      params: { organizationId: next.organizationId },
      body: { domain: 'sold.example' },
    })
  ).body;
  const old = names.records.get(claimed.recordName) as string[];
  const check = () =>
    next.admin.call(checkDomain, { params: { organizationId: next.organizationId, domainId: claimed.id } });
  names.records.set(claimed.recordName, [...old, claimed.recordValue]);
  expect((await check()).status).toBe(409);
  names.records.set(claimed.recordName, [claimed.recordValue]);
  expect((await check()).body.isVerified).toBe(true);
  const verified = async ({ admin, organizationId }: TestOrganization): Promise<string[]> =>
    (await admin.call(listVerifiedDomains, { params: { organizationId } })).body.map(({ domain }) => domain);
  expect(await verified(next)).toEqual(['sold.example']);
  expect(await verified(own)).not.toContain('sold.example');
  expect(
    (await next.admin.call(removeDomain, { params: { organizationId: own.organizationId, domainId: before } })).status,
  ).toBe(404);
});

test('without the switch of the plan nothing new is made, and everything can be taken away', async () => {
  const admin = await person(world());
  const poor = await newOrganization(world(), 'Poor', admin);
  const departmentId = await department('Before', undefined, poor);
  const spaces = await world().db.query<{ id: string }>(
    sql`select resource_id as id from rowhouse.collaborators where user_id = ${admin.userId}`,
  );
  const spaceId = spaces[0]?.id ?? (await newSpace(admin));
  await setSpacePlan(world().services, spaceId, { level: 'plus', quantity: 10 });
  const at = { organizationId: poor.organizationId };
  expect((await admin.call(createDepartment, { params: at, body: { name: 'Later' } })).status).toBe(402);
  expect((await admin.call(claimDomain, { params: at, body: { domain: 'poor.example' } })).status).toBe(402);
  expect((await admin.call(addOrganizationSpace, { params: { ...at, spaceId } })).status).toBe(402);
  expect((await admin.call(deleteDepartment, { params: { ...at, departmentId } })).status).toBe(200);
});
