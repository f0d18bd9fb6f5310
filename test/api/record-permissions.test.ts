// What the answers to writes say of the caller: which cells it may change, and whether it may delete the record.
import type { Action } from '@rowhouse/contract/permission.ts';
import {
  createRecords,
  deleteRecord,
  duplicateRecord,
  getRecord,
  listRecords,
  type RecordVo,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { getTablePermission } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Made', type: 'createdTime' },
  ]);
});

const create = (call: Caller, extra: object = {}) =>
  call(createRecords, { params: table, body: { records: [{ fields: {} }], ...extra } });

const newRecord = async (): Promise<string> => (await create(table.call)).body.records[0]?.id as string;

const claim = (record: RecordVo | undefined) => ({
  permissions: record?.permissions,
  undeletable: record?.undeletable,
});

const cells = (update: boolean, keys = ['Name', 'Count', 'Made']) => ({
  [keys[0] as string]: { read: true, update },
  [keys[1] as string]: { read: true, update },
  [keys[2] as string]: { read: true, update: false },
});

const limited = async (...scopes: Action[]): Promise<Caller> =>
  (await table.owner.withToken({ scopes, spaceIds: [table.spaceId] })).call;

test.each(['owner', 'creator', 'editor'] as const)('anyone who may write and delete is told so: %s', async (role) => {
  const { call } = await member(world(), table.owner, table.spaceId, role);
  const made = await create(call);
  const full = { permissions: cells(true), undeletable: false };
  expect(claim(made.body.records[0])).toEqual(full);
  const recordId = made.body.records[0]?.id as string;
  expect(
    claim(
      (await call(updateRecord, { params: { ...table, recordId }, body: { record: { fields: { Name: 'a' } } } })).body,
    ),
  ).toEqual(full);
  expect(
    claim(
      (await call(updateRecords, { params: table, body: { records: [{ id: recordId, fields: { Name: 'b' } }] } }))
        .body[0],
    ),
  ).toEqual(full);
});

test('a token that may only create is told that it may neither change nor delete, and so it is', async () => {
  const call = await limited('record|create');
  const made = await create(call);
  expect(made.status).toBe(201);
  expect(claim(made.body.records[0])).toEqual({ permissions: cells(false), undeletable: true });
  const params = { ...table, recordId: made.body.records[0]?.id as string };
  expect((await call(updateRecord, { params, body: { record: { fields: { Name: 'a' } } } })).status).toBe(403);
  expect((await call(deleteRecord, { params })).status).toBe(403);
});

test('a token that may change but not delete is told so, and so it is', async () => {
  const call = await limited('record|update');
  const params = { ...table, recordId: await newRecord() };
  const changed = await call(updateRecord, { params, body: { record: { fields: { Name: 'a' } } } });
  expect(claim(changed.body)).toEqual({ permissions: cells(true), undeletable: true });
  const several = await call(updateRecords, {
    params: table,
    body: {
      records: [
        { id: params.recordId, fields: { Count: 1 } },
        { id: await newRecord(), fields: { Count: 2 } },
      ],
    },
  });
  expect(several.body.map(claim)).toEqual([
    { permissions: cells(true), undeletable: true },
    { permissions: cells(true), undeletable: true },
  ]);
  expect((await call(deleteRecord, { params })).status).toBe(403);
});

test('a token that may create and delete but not change is told so, and so it is', async () => {
  const call = await limited('record|create', 'record|delete');
  const made = await create(call);
  expect(claim(made.body.records[0])).toEqual({ permissions: cells(false), undeletable: false });
  const params = { ...table, recordId: made.body.records[0]?.id as string };
  expect((await call(updateRecord, { params, body: { record: { fields: { Name: 'a' } } } })).status).toBe(403);
  expect((await call(deleteRecord, { params })).status).toBe(200);
});

test('what one caller is told does not depend on who asked before', async () => {
  const may = await limited('record|create', 'record|update', 'record|delete');
  const mayNot = await limited('record|create');
  for (const [call, update] of [
    [may, true],
    [mayNot, false],
    [may, true],
  ] as const) {
    expect(claim((await create(call)).body.records[0])).toEqual({ permissions: cells(update), undeletable: !update });
  }
});

test('the keys are those of the request', async () => {
  const ids = ['Name', 'Count', 'Made'].map((name) => table.fieldIds[name] as string);
  expect((await create(table.call, { fieldKeyType: 'id' })).body.records[0]?.permissions).toEqual(cells(true, ids));
  expect((await create(table.call, { fieldKeyType: 'dbFieldName' })).body.records[0]?.permissions).toEqual(cells(true));
});

test.each(['viewer', 'commenter'] as const)(
  'a %s reads, is refused every write without learning anything, and no answer says that they may',
  async (role) => {
    const { call } = await member(world(), table.owner, table.spaceId, role);
    const params = { ...table, recordId: await newRecord() };
    const refused = [
      await create(call),
      await call(updateRecord, { params, body: { record: { fields: { Name: 'a' } } } }),
      await call(updateRecords, { params: table, body: { records: [{ id: params.recordId, fields: { Name: 'a' } }] } }),
      await call(duplicateRecord, { params }),
      await call(deleteRecord, { params }),
    ];
    for (const { status, error } of refused) {
      expect(status).toBe(403);
      expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId', 'status']);
    }
    const one = await call(getRecord, { params });
    const all = await call(listRecords, { params: table });
    expect([one.status, all.status]).toEqual([200, 200]);
    for (const record of [one.body, ...all.body.records])
      expect(claim(record)).toEqual({ permissions: undefined, undeletable: undefined });
    const { record, field } = (await call(getTablePermission, { params: table })).body;
    expect(record).toMatchObject({
      'record|read': true,
      'record|create': false,
      'record|update': false,
      'record|delete': false,
    });
    expect(field).toMatchObject({ 'field|read': true, 'field|update': false });
  },
);

test('what a token may do with a table is what its role and its scopes both allow', async () => {
  const someone = await member(world(), table.owner, table.spaceId, 'editor');
  const { call } = await someone.withToken({
    scopes: ['table|read', 'record|read', 'record|update', 'field|create'],
    spaceIds: [table.spaceId],
  });
  const { record, field } = (await call(getTablePermission, { params: table })).body;
  expect(record).toMatchObject({
    'record|read': true,
    'record|update': true,
    'record|create': false,
    'record|delete': false,
  });
  expect(field).toMatchObject({ 'field|read': false, 'field|create': false });
});
