// The rights of a base as they are set up: roles, what they grant, who has them, who administers them, and what is refused.
import {
  checkAuthorityMatrix,
  createAuthorityRole,
  deleteAuthorityRole,
  describeAuthorityRole,
  duplicateAuthorityRole,
  getAuthorityMatrix,
  getAuthorityRole,
  listAuthorityRoleFilterRecords,
  listAuthorityRoles,
  renameAuthorityRole,
  setAuthorityMatrixAdmins,
  setAuthorityMatrixStatus,
  setAuthorityRoleMembers,
  setAuthorityRoleStatus,
  setDefaultAuthorityRole,
  type TableGrant,
  updateAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import { createAccessToken } from '@rowhouse/contract/access-token.ts';
import { moveBase } from '@rowhouse/contract/base.ts';
import { listBaseCollaborators, removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { addGroupMembers, createGroup, deleteGroup } from '@rowhouse/contract/group.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteTable, type FullTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { setSpacePlan } from '../../server/domain/billing/set-space-plan.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { caller, useWorld } from '../support/world.ts';

const plans = plansWith({
  free: { advancedPermissionsEnable: true, userGroupEnable: true },
  plus: { advancedPermissionsEnable: false },
});
const world = useWorld({}, { plans });
let shop: Workshop;
let orders: FullTable;
let titleId: string;
let ownerFieldId: string;

beforeAll(async () => {
  shop = await openWorkshop(world());
  orders = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Title', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
      { name: 'Amount', type: 'number' },
    ],
  });
  [titleId, ownerFieldId] = orders.fields.map(({ id }) => id) as [string, string];
});

const base = () => ({ baseId: shop.baseId });
const at = (authorityMatrixRoleId: string) => ({ baseId: shop.baseId, authorityMatrixRoleId });
let made = 0;
const newRole = async (tables: TableGrant[] = [], name = `Role ${++made}`): Promise<string> => {
  const answer = await shop.owner.call(createAuthorityRole, { params: base(), body: { name, tables } });
  expect(answer.status, JSON.stringify(answer.error)).toBe(200);
  return answer.body.id;
};
const read = async (id: string) => (await shop.owner.call(getAuthorityRole, { params: at(id) })).body;
const mine = () => ({
  conjunction: 'and' as const,
  filterSet: [{ fieldId: ownerFieldId, operator: 'is', value: 'Me' }],
});
const issuesOf = (answer: { error: unknown }): unknown =>
  (answer.error as { data?: { issues?: { path: string; message: string }[] } })?.data?.issues;
const epoch = async (): Promise<number> => {
  const rows = await world().db.query<{ epoch: number }>(
    sql`select epoch from rowhouse.epochs where id = ${shop.spaceId}`,
  );
  return Number(rows[0]?.epoch ?? 0);
};

test('a grant in the form of Teable is stored as what it allows, and shown in both forms', async () => {
  const id = await newRole([
    {
      tableId: orders.id,
      disabledActions: ['record|delete', 'table|export'],
      fieldRecordPermission: [{ fieldId: titleId }, { fieldId: ownerFieldId, disabledActions: ['record|update'] }],
      recordFilter: mine(),
      enabledViewIds: [orders.defaultViewId as string],
    },
  ]);
  const [table] = (await read(id)).tables;
  expect(table).toMatchObject({
    tableId: orders.id,
    authorityMatrixRoleId: id,
    disabledActions: ['record|delete', 'table|export'],
    fieldRecordPermission: [{ fieldId: titleId }, { fieldId: ownerFieldId, disabledActions: ['record|update'] }],
    recordFilter: mine(),
    enabledViewIds: [orders.defaultViewId],
    enabledTime: expect.any(String),
    grants: [{ fields: [titleId, ownerFieldId], create: [titleId, ownerFieldId], update: [titleId], when: mine() }],
  });
  expect(table?.grants?.[0]?.actions).not.toContain('record|delete');
  // What was read can be sent back as it is, and says the same.
  const { name, tables } = await read(id);
  const again = await shop.owner.call(updateAuthorityRole, { params: at(id), body: { name, tables } });
  expect([again.status, again.body?.tables]).toEqual([200, tables]);
});

test('who may not see the fields of a table may not read or change its cells', async () => {
  const id = await newRole([{ tableId: orders.id, disabledActions: ['field|read', 'record|archive'] }]);
  expect((await read(id)).tables[0]?.disabledActions).toEqual(['record|read', 'record|update']);
});

test('several grants for one table are kept as they are, and have no form of Teable', async () => {
  const grants = [
    { actions: ['record|read' as const] },
    { actions: ['record|update' as const], fields: [titleId], when: mine(), after: mine(), memo: 'Only your own' },
  ];
  const id = await newRole([{ tableId: orders.id, grants, recordFacts: false }]);
  const [table] = (await read(id)).tables;
  expect(table).toMatchObject({
    recordFacts: false,
    grants: [
      { actions: ['record|read'], fields: null },
      { update: [titleId], after: mine(), memo: 'Only your own' },
    ],
  });
  expect(table).not.toHaveProperty('disabledActions');
});

test('what does not fit is refused with its place, and nothing is stored', async () => {
  const before = (await shop.owner.call(listAuthorityRoles, { params: base() })).body.length;
  const bad = async (table: Partial<TableGrant>): Promise<unknown> => {
    const body = { name: 'Bad', tables: [{ tableId: orders.id, ...table }] };
    const answer = await shop.owner.call(createAuthorityRole, { params: base(), body });
    expect(answer.status).toBe(400);
    return issuesOf(answer);
  };
  const condition = { fieldId: titleId, operator: 'is', value: 'x' };
  expect(await bad({ tableId: 'tblNone' })).toMatchObject([{ path: 'tables[0].tableId' }]);
  expect(await bad({ fieldRecordPermission: [{ fieldId: 'fldNone' }] })).toContainEqual(
    expect.objectContaining({ path: 'tables[0].fieldRecordPermission[0]' }),
  );
  expect(await bad({ enabledViewIds: ['viwNone'] })).toMatchObject([{ path: 'tables[0].enabledViewIds[0]' }]);
  expect(
    await bad({ recordFilter: { conjunction: 'and', filterSet: [{ ...condition, operator: 'isGreater' }] } }),
  ).toMatchObject([{ path: 'tables[0].when.filterSet[0].operator' }]);
  expect(await bad({ recordFilter: { conjunction: 'and', filterSet: [{ ...condition, value: null }] } })).toMatchObject(
    [{ path: 'tables[0].when' }],
  );
  expect(
    await bad({
      recordFilter: { conjunction: 'and', filterSet: Array.from({ length: 201 }, () => condition) },
    }),
  ).toMatchObject([{ path: 'tables[0]' }]);
  expect(await bad({ grants: [{ actions: ['record|read'], after: mine() }] })).toMatchObject([
    { path: 'tables[0].grants[0].after' },
  ]);
  expect(await bad({ grants: [{ actions: ['record|read'] }], disabledActions: ['record|read'] })).toMatchObject([
    { path: 'tables[0].grants' },
  ]);
  expect(await bad({ grants: [{ actions: ['record|read'], reveals: ['fldNone'] }] })).toMatchObject([
    { path: 'tables[0].grants[0].reveals[0]' },
    { path: 'tables[0].grants[0].reveals' },
  ]);
  const twice = { name: 'Twice', tables: [{ tableId: orders.id }, { tableId: orders.id }] };
  expect(issuesOf(await shop.owner.call(createAuthorityRole, { params: base(), body: twice }))).toMatchObject([
    { path: 'tables[1].tableId' },
  ]);
  expect((await shop.owner.call(listAuthorityRoles, { params: base() })).body).toHaveLength(before);
});

test('a condition without conditions means all records', async () => {
  const id = await newRole([{ tableId: orders.id, recordFilter: { conjunction: 'and', filterSet: [] } }]);
  expect((await read(id)).tables[0]).not.toHaveProperty('recordFilter');
});

test('names are taken once, whatever their case; a copy finds a free one and grants the same', async () => {
  const id = await newRole([{ tableId: orders.id, recordFilter: mine() }], 'Sales');
  const taken = await shop.owner.call(createAuthorityRole, { params: base(), body: { name: 'SALES' } });
  expect(issuesOf(taken)).toMatchObject([{ path: 'name' }]);
  const copy = await shop.owner.call(duplicateAuthorityRole, { params: at(id), body: {} });
  expect(copy.status).toBe(201);
  const copied = await read(copy.body.authorityMatrixRoleId);
  expect(copied).toMatchObject({ name: 'Sales copy', tables: [{ tableId: orders.id, recordFilter: mine() }] });
  expect((await shop.owner.call(renameAuthorityRole, { params: at(id), body: { name: 'sales' } })).body).toEqual({
    id,
    name: 'sales',
  });
  expect((await shop.owner.call(renameAuthorityRole, { params: at(id), body: { name: 'Sales copy' } })).status).toBe(
    400,
  );
  const description = 'Who sells';
  expect((await shop.owner.call(describeAuthorityRole, { params: at(id), body: { description } })).body).toEqual({
    id,
    description,
  });
});

test('people and groups get a role, and become viewers of the base where they were nobody', async () => {
  const id = await newRole([{ tableId: orders.id }]);
  const outsider = await person(world());
  const inside = await member(world(), shop.owner, shop.baseId, 'editor');
  const groupId = (await shop.owner.call(createGroup, { params: { spaceId: shop.spaceId }, body: { name: 'Clients' } }))
    .body.id;
  const answer = await shop.owner.call(setAuthorityRoleMembers, {
    params: at(id),
    body: { userIds: [outsider.userId, inside.userId], departmentIds: [groupId] },
  });
  expect(answer.status, JSON.stringify(answer.error)).toBe(200);
  expect(answer.body.users?.map((user) => user.id).sort()).toEqual([outsider.userId, inside.userId].sort());
  expect(answer.body.departments).toEqual([{ id: groupId, name: 'Clients' }]);
  const { collaborators } = (await shop.owner.call(listBaseCollaborators, { params: base(), query: {} })).body;
  const roles = collaborators.map((one) => [one.type === 'user' ? one.userId : one.departmentId, one.role]);
  expect(roles).toContainEqual([outsider.userId, 'viewer']);
  expect(roles).toContainEqual([inside.userId, 'editor']);
  expect(roles).toContainEqual([groupId, 'viewer']);
  // A list that is not given stays.
  const fewer = await shop.owner.call(setAuthorityRoleMembers, { params: at(id), body: { userIds: [inside.userId] } });
  expect(fewer.body).toMatchObject({ users: [{ id: inside.userId }], departments: [{ id: groupId }] });
  const nobody = await shop.owner.call(setAuthorityRoleMembers, {
    params: at(id),
    body: { userIds: ['usrNobody'], departmentIds: ['odpNone'] },
  });
  expect(issuesOf(nobody)).toMatchObject([{ path: 'userIds[0]' }, { path: 'departmentIds[0]' }]);
  await shop.owner.call(addGroupMembers, {
    params: { spaceId: shop.spaceId, groupId },
    body: { userIds: [inside.userId] },
  });
  expect((await shop.owner.call(deleteGroup, { params: { spaceId: shop.spaceId, groupId } })).status).toBe(200);
  expect((await read(id)).departments).toEqual([]);
});

test('who leaves the base has its roles no more, also when they come back', async () => {
  const id = await newRole([{ tableId: orders.id }]);
  const [leaves, stays] = [
    await member(world(), shop.owner, shop.baseId, 'viewer'),
    await member(world(), shop.owner, shop.baseId, 'creator'),
  ];
  const body = { userIds: [leaves.userId, stays.userId] };
  await shop.owner.call(setAuthorityRoleMembers, { params: at(id), body });
  await shop.owner.call(setAuthorityMatrixAdmins, { params: base(), body: { userIds: [stays.userId] } });
  const holders = async () => (await read(id)).users?.map((user) => user.id);
  const remove = (principalId: string) =>
    shop.owner.call(removeBaseCollaborator, { params: base(), query: { principalId, principalType: 'user' } });
  expect((await remove(leaves.userId)).status).toBe(200);
  await give(shop.owner, shop.baseId, leaves, 'viewer');
  expect(await holders()).toEqual([stays.userId]);
  expect((await remove(stays.userId)).status).toBe(200);
  expect(await holders()).toEqual([]);
  expect((await shop.owner.call(getAuthorityMatrix, { params: base() })).body[0]?.adminUsers).toEqual([]);
});

test('groups of a space do not keep their roles in a base that leaves it', async () => {
  const baseId = await newBase(shop.owner, shop.spaceId);
  const elsewhere = await newSpace(shop.owner);
  const made = await shop.owner.call(createAuthorityRole, { params: { baseId }, body: { name: 'Moving' } });
  const params = { baseId, authorityMatrixRoleId: made.body.id };
  const group = await shop.owner.call(createGroup, { params: { spaceId: shop.spaceId }, body: { name: 'Movers' } });
  const body = { departmentIds: [group.body.id], userIds: [shop.owner.userId] };
  expect((await shop.owner.call(setAuthorityRoleMembers, { params, body })).body.departments).toHaveLength(1);
  const moved = await shop.owner.call(moveBase, { params: { baseId }, body: { spaceId: elsewhere } });
  expect(moved.status, JSON.stringify(moved.error)).toBe(200);
  const role = (await shop.owner.call(getAuthorityRole, { params })).body;
  expect([role.departments, role.users?.length]).toEqual([[], 1]);
});

test('the default role cannot be deleted, another role can', async () => {
  const [one, two] = [await newRole(), await newRole()];
  const set = (defaultRole: string | null) =>
    shop.owner.call(setDefaultAuthorityRole, { params: base(), body: { defaultRole } });
  expect((await set(one)).body).toMatchObject({ baseId: shop.baseId, defaultRole: one });
  expect((await set('aurNone')).status).toBe(400);
  expect((await shop.owner.call(deleteAuthorityRole, { params: at(one) })).status).toBe(400);
  expect((await shop.owner.call(deleteAuthorityRole, { params: at(two) })).status).toBe(200);
  expect((await shop.owner.call(getAuthorityRole, { params: at(two) })).status).toBe(404);
  expect((await set(null)).body).not.toHaveProperty('defaultRole');
  expect((await shop.owner.call(deleteAuthorityRole, { params: at(one) })).status).toBe(200);
});

test('a table off and on, a role off and on; what is not said stays as it was', async () => {
  const id = await newRole([{ tableId: orders.id, enabled: false }]);
  expect((await read(id)).tables[0]).not.toHaveProperty('enabledTime');
  const { name, tables } = await read(id);
  const kept = await shop.owner.call(updateAuthorityRole, { params: at(id), body: { name, tables } });
  expect(kept.body.tables[0]).not.toHaveProperty('enabledTime');
  const status = async (enabled: boolean) =>
    (await shop.owner.call(setAuthorityRoleStatus, { params: at(id), body: { enabled } })).body;
  expect(await status(false)).not.toHaveProperty('enabledTime');
  expect(await status(true)).toMatchObject({ enabledTime: expect.any(String) });
});

test('every change is decided about at once: the epoch of the space grows with it', async () => {
  const id = await newRole();
  for (const change of [
    () =>
      shop.owner.call(updateAuthorityRole, {
        params: at(id),
        body: { name: 'Other', tables: [{ tableId: orders.id }] },
      }),
    () => shop.owner.call(setAuthorityRoleStatus, { params: at(id), body: { enabled: false } }),
    () => shop.owner.call(setAuthorityRoleMembers, { params: at(id), body: { userIds: [] } }),
    () => shop.owner.call(setDefaultAuthorityRole, { params: base(), body: { defaultRole: null } }),
    () => shop.owner.call(setAuthorityMatrixAdmins, { params: base(), body: { userIds: [] } }),
    () => shop.owner.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: false } }),
    () => shop.owner.call(deleteAuthorityRole, { params: at(id) }),
  ]) {
    const before = await epoch();
    expect((await change()).status).toBe(200);
    expect(await epoch()).toBe(before + 1);
  }
});

test('a field or table that goes and comes back has its grant again, and the role can be saved meanwhile', async () => {
  const table = await shop.table({ name: 'Going', fields: [{ name: 'Name', type: 'singleLineText' }] });
  const extra = (
    await shop.owner.call(createField, {
      params: { tableId: table.id },
      body: { name: 'State', type: 'singleLineText' },
    })
  ).body;
  const when = { conjunction: 'and' as const, filterSet: [{ fieldId: extra.id, operator: 'is', value: 'open' }] };
  const id = await newRole([{ tableId: table.id, fieldRecordPermission: [{ fieldId: extra.id }], recordFilter: when }]);
  await shop.owner.call(deleteField, { params: { tableId: table.id, fieldId: extra.id } });
  const { name, tables } = await read(id);
  expect(tables[0]?.recordFilter).toEqual(when);
  expect((await shop.owner.call(updateAuthorityRole, { params: at(id), body: { name, tables } })).body.tables).toEqual(
    tables,
  );
  await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: table.id } });
  expect((await read(id)).tables).toEqual([]);
  expect((await shop.owner.call(updateAuthorityRole, { params: at(id), body: { name, tables: [] } })).status).toBe(200);
  const trash = await shop.owner.call(listTrashItems, {
    query: { resourceId: shop.baseId, resourceType: 'base' },
  });
  const trashId = trash.body.trashItems.find(({ resourceId }) => resourceId === table.id)?.id ?? '';
  expect((await shop.owner.call(restoreTrash, { params: { trashId } })).status).toBeLessThan(300);
  expect((await read(id)).tables).toMatchObject([{ tableId: table.id, recordFilter: when }]);
});

test('records that conditions name are listed with their titles', async () => {
  const [record] = (
    await shop.owner.call(createRecords, {
      params: { tableId: orders.id },
      body: { fieldKeyType: 'id', records: [{ fields: { [titleId]: 'First order' } }] },
    })
  ).body.records;
  const table = await shop.table({
    name: 'Items',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Order', type: 'link', options: { relationship: 'manyOne', foreignTableId: orders.id } },
    ],
  });
  const when = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: table.fields[1]?.id, operator: 'is', value: record?.id }],
  };
  const id = await newRole([{ tableId: table.id, recordFilter: when }]);
  const listed = await shop.owner.call(listAuthorityRoleFilterRecords, {
    params: { baseId: shop.baseId, tableId: table.id },
    query: { authorityMatrixRoleId: id },
  });
  expect(listed.body).toEqual([{ tableId: orders.id, records: [{ id: record?.id, title: 'First order' }] }]);
  // A title is a cell: a token needs the scope for those.
  const token = await shop.owner.call(createAccessToken, {
    body: {
      name: 'Rights',
      scopes: ['base|authority_matrix_config'],
      baseIds: [shop.baseId],
      expiredTime: '2099-01-01',
    },
  });
  const limited = caller({ baseUrl: world().baseUrl, token: token.body.token });
  const untitled = await limited(listAuthorityRoleFilterRecords, {
    params: { baseId: shop.baseId, tableId: table.id },
    query: { authorityMatrixRoleId: id },
  });
  expect(untitled.body).toEqual([{ tableId: orders.id, records: [{ id: record?.id }] }]);
});

test('while rights are on, a creator who is no administrator neither sees nor changes them', async () => {
  const creator = await member(world(), shop.owner, shop.baseId, 'creator');
  const other = await member(world(), shop.owner, shop.baseId, 'creator');
  const editor = await member(world(), shop.owner, shop.baseId, 'editor');
  const put = (userIds: string[]) => shop.owner.call(setAuthorityMatrixAdmins, { params: base(), body: { userIds } });
  expect(issuesOf(await put([editor.userId]))).toMatchObject([{ path: 'userIds[0]' }]);
  const on = await creator.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: true } });
  expect(on.body, JSON.stringify(on.error)).toMatchObject({ enabledTime: expect.any(String) });
  expect((await shop.owner.call(getAuthorityMatrix, { params: base() })).body).toMatchObject([
    { adminUsers: [{ id: creator.userId }], enabledTime: on.body.enabledTime },
  ]);
  expect((await other.call(listAuthorityRoles, { params: base() })).status).toBe(403);
  expect((await other.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: false } })).status).toBe(403);
  expect((await creator.call(listAuthorityRoles, { params: base() })).status).toBe(200);
  expect((await put([other.userId])).status).toBe(200);
  expect((await creator.call(listAuthorityRoles, { params: base() })).status).toBe(403);
  expect(
    (await other.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: false } })).body,
  ).not.toHaveProperty('enabledTime');
});

test('nobody is locked out: rules that no active owner or administrator could change are refused', async () => {
  const creator = await member(world(), shop.owner, shop.baseId, 'creator');
  await creator.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: true } });
  await world().db.query(sql`update rowhouse.users set deactivated_time = now() where id = ${shop.owner.userId}`);
  const leave = () => creator.call(setAuthorityMatrixAdmins, { params: base(), body: { userIds: null } });
  expect(issuesOf(await leave())).toMatchObject([{ path: 'userIds' }]);
  await world().db.query(sql`update rowhouse.users set deactivated_time = null where id = ${shop.owner.userId}`);
  expect((await leave()).status).toBe(200);
  expect((await shop.owner.call(setAuthorityMatrixStatus, { params: base(), body: { enabled: false } })).status).toBe(
    200,
  );
});

test('a plan without this feature changes nothing but the switch to off', async () => {
  const baseId = await newBase(shop.owner, shop.spaceId);
  const params = { baseId };
  const role = (name: string) => shop.owner.call(createAuthorityRole, { params, body: { name } });
  const { id } = (await role('Kept')).body;
  expect((await shop.owner.call(setAuthorityMatrixStatus, { params, body: { enabled: true } })).status).toBe(200);
  await setSpacePlan(world().services, shop.spaceId, { level: 'plus', quantity: 100 });
  try {
    expect((await role('More')).status).toBe(402);
    const path = { baseId, authorityMatrixRoleId: id };
    expect((await shop.owner.call(deleteAuthorityRole, { params: path })).status).toBe(402);
    expect((await shop.owner.call(getAuthorityMatrix, { params })).body[0]).toHaveProperty('enabledTime');
    expect((await shop.owner.call(setAuthorityMatrixStatus, { params, body: { enabled: false } })).status).toBe(200);
    expect((await shop.owner.call(setAuthorityMatrixStatus, { params, body: { enabled: true } })).status).toBe(402);
  } finally {
    await setSpacePlan(world().services, shop.spaceId, { level: 'free' });
  }
});

test('the check names what is probably not meant, and nothing once it is put right', async () => {
  const other = await openWorkshop(world());
  const params = { baseId: other.baseId };
  const check = async () =>
    (await other.owner.call(checkAuthorityMatrix, { params })).body.findings.map(
      ({ kind, tableName, roleName, fieldName, count }) =>
        [kind, roleName, tableName, fieldName, count].filter((part) => part !== undefined).join(' '),
    );
  expect(await check()).toEqual([]);
  const tasks = await other.table({
    name: 'Tasks',
    fields: [
      { name: 'Title', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
      { name: 'Code', type: 'singleLineText', notNull: true },
      { name: 'State', type: 'singleLineText' },
    ],
    records: [],
  });
  const [title, person, code, state] = tasks.fields.map(({ id }) => id) as [string, string, string, string];
  await other.table({ name: 'Hidden', records: [] });
  const some = await member(world(), other.owner, other.baseId, 'editor');
  const when = { conjunction: 'and' as const, filterSet: [{ fieldId: person, operator: 'is', value: 'me' }] };
  const gone = { conjunction: 'and' as const, filterSet: [{ fieldId: state, operator: 'isNot', value: 'done' }] };
  const grants = [
    { actions: ['record|update' as const, 'record|create' as const], fields: [title, person], when },
    { actions: ['record|delete' as const], when: gone },
  ];
  const made = await other.owner.call(createAuthorityRole, {
    params,
    body: { name: 'Staff', tables: [{ tableId: tasks.id, grants }] },
  });
  expect(made.status, JSON.stringify(made.error)).toBe(200);
  await other.owner.call(deleteField, { params: { tableId: tasks.id, fieldId: state } });
  expect(await check()).toEqual([
    'tableUnseen Tasks',
    'tableUnseen Hidden',
    'roleWithoutMembers Staff',
    'memberWithoutRole 1',
    'conditionWithoutMeaning Staff Tasks',
    'requiredFieldMissing Staff Tasks Code',
    'writesOwnCondition Staff Tasks Owner',
    'changesUnseen Staff Tasks',
  ]);
  const right = [
    { actions: ['record|read' as const] },
    { actions: ['record|update' as const, 'record|create' as const], fields: [title, person, code], when, after: when },
  ];
  const path = { ...params, authorityMatrixRoleId: made.body.id };
  await other.owner.call(updateAuthorityRole, {
    params: path,
    body: { name: 'Staff', tables: [{ tableId: tasks.id, grants: right }] },
  });
  await other.owner.call(setAuthorityRoleMembers, { params: path, body: { userIds: [some.userId] } });
  expect(await check()).toEqual(['tableUnseen Hidden']);
});

test('a base has 50 roles at most', async () => {
  const baseId = await newBase(shop.owner, shop.spaceId);
  const params = { baseId };
  for (let at = 0; at < 50; at += 1)
    expect((await shop.owner.call(createAuthorityRole, { params, body: { name: `R${at}` } })).status).toBe(200);
  const more = await shop.owner.call(createAuthorityRole, { params, body: { name: 'R50' } });
  expect(issuesOf(more)).toMatchObject([{ path: 'name' }]);
});

test('nodes are kept, and those without a word on them stay on or off', async () => {
  const nodes = [
    { nodeType: 'workflow' as const, nodeId: 'wflOne', enabled: true },
    { nodeType: 'app' as const, nodeId: 'appOne', enabled: false },
  ];
  const body = { name: 'With nodes', nodes };
  const { id } = (await shop.owner.call(createAuthorityRole, { params: base(), body })).body;
  const shown = (await read(id)).nodes;
  expect(shown).toMatchObject([
    { nodeType: 'workflow', nodeId: 'wflOne', enabledTime: expect.any(String) },
    { nodeType: 'app', nodeId: 'appOne' },
  ]);
  const sent = shown?.map(({ nodeType, nodeId }) => ({ nodeType, nodeId })) ?? [];
  await shop.owner.call(updateAuthorityRole, { params: at(id), body: { name: 'With nodes', nodes: sent } });
  expect((await read(id)).nodes).toEqual(shown);
});

test('switched on it holds for the next request, switched off for none, and the set-up stays as it was', async () => {
  const own = await openWorkshop(world());
  const params = { baseId: own.baseId };
  const table = await own.table({ records: [{ fields: {} }, { fields: {} }] });
  const reader = await member(world(), own.owner, own.baseId, 'editor');
  const [field] = table.fields.map(({ id }) => id) as [string];
  const made = await own.owner.call(createAuthorityRole, {
    params,
    body: {
      name: 'Reads one field',
      tables: [{ tableId: table.id, grants: [{ actions: ['record|read'], fields: [field], memo: 'Ask the owner' }] }],
    },
  });
  const role = { ...params, authorityMatrixRoleId: made.body.id };
  await own.owner.call(setAuthorityRoleMembers, { params: role, body: { userIds: [reader.userId] } });
  await own.owner.call(setDefaultAuthorityRole, { params, body: { defaultRole: made.body.id } });
  const setUp = async () => [
    (await own.owner.call(getAuthorityRole, { params: role })).body,
    (await own.owner.call(getAuthorityMatrix, { params })).body.map((one) => ({ ...one, enabledTime: null })),
  ];
  const before = await setUp();
  const turn = async (enabled: boolean): Promise<void> =>
    expect((await own.owner.call(setAuthorityMatrixStatus, { params, body: { enabled } })).status).toBe(200);
  const mayWrite = async (): Promise<number> =>
    (await reader.call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: {} }] } })).status;
  for (let round = 0; round < 3; round += 1) {
    expect(await mayWrite()).toBe(201);
    await turn(true);
    expect([await mayWrite(), await mayWrite()]).toEqual([403, 403]);
    // Twice is once.
    await turn(true);
    expect(await setUp()).toEqual(before);
    await turn(false);
    expect(await setUp()).toEqual(before);
  }
  expect((await own.owner.call(getAuthorityMatrix, { params })).body[0]).not.toHaveProperty('enabledTime');
});
