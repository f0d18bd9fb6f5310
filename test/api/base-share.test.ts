// Shares of whole bases, folders and tables: what visitors read with ordinary requests, and that they get nothing else.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { deleteBase, getBase, getBasePermission } from '@rowhouse/contract/base.ts';
import * as api from '@rowhouse/contract/base-share.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { createFolder, getNodeTree, moveNode } from '@rowhouse/contract/node.ts';
import { createRecords, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { copyRanges } from '@rowhouse/contract/selection.ts';
import { createTable, deleteTable, getTable, listTables } from '@rowhouse/contract/table.ts';
import { restoreTrash, listTrash } from '@rowhouse/contract/trash.ts';
import { createView, listViews, makeViewPersonal } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '../support/access-cells.ts';
import { inBatches, requestFor, send } from '../support/access-request.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import { type Aviary, openAviary } from '../support/aviary.ts';
import { caller, type Caller } from '../support/caller.ts';
import { addressesIn } from '../support/canary-walk.ts';
import { listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  {
    plans: plansWith({
      free: {
        userGroupEnable: true,
        automationEnable: true,
        advancedPermissionsEnable: true,
        passwordRestrictedSharesEnable: true,
      },
    }),
  },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

/** Without any credential. */
const visitor = (shareId: string, more: Record<string, string> = {}, at = world().baseUrl): Caller =>
  caller({ baseUrl: at, headers: { 'x-tea-base-share': shareId, ...more } });

const share = async (shop: Workshop, body: object = {}): Promise<string> =>
  must(await shop.owner.call(api.createBaseShare, { params: { baseId: shop.baseId }, body })).shareId;

let tenant: Tenant;
let aviary: Aviary;
beforeAll(async () => {
  tenant = await openTenant(world());
  aviary = await openAviary(world(), tenant);
});

/** What the share of a whole base lets through, by hand. */
const readable = [
  'getBase',
  'getBasePermission',
  'getBaseDiagram',
  'listNodes',
  'getNodeTree',
  'getNode',
  'listTables',
  'getTable',
  'getDefaultViewId',
  'getTablePermission',
  'listFields',
  'getField',
  'listViews',
  'getView',
  'listRecords',
  'getRecord',
  'getRecordStatus',
  'getAggregation',
  'getRowCount',
  'getGroupPoints',
  'getSearchCount',
  'getSearchIndex',
  'getRecordIndex',
  'getCalendarDays',
  'listenToTable',
  'copyRanges',
];

test('everybody who comes through a share gets the same, tells nobody’s address, and may do nothing but read', async () => {
  const { owner } = tenant;
  const { baseId } = aviary.things;
  const { shareId } = must(await owner.call(api.createBaseShare, { params: { baseId }, body: { allowCopy: true } }));
  const addresses = await addressesIn(world());
  const slips: string[] = [];
  const share = { 'x-tea-base-share': shareId };
  await inBatches<Declaration>(
    endpoints.filter(({ access }) => access.on !== 'public'),
    async (endpoint) => {
      const request = requestFor(endpoint, aviary.things);
      const asOwner = await send(world(), endpoint, request, { ...share, authorization: `Bearer ${owner.token}` });
      if (!readable.includes(endpoint.name)) {
        if (asOwner.status !== 403 || !asOwner.text.includes('This is a share'))
          slips.push(`${endpoint.name} let an owner through: ${asOwner.status} ${asOwner.text.slice(0, 200)}`);
        return;
      }
      const alone = await send(world(), endpoint, request, share);
      if (alone.status !== 200 && alone.status !== 400)
        slips.push(`${endpoint.name} answers ${alone.status} ${alone.text.slice(0, 200)}`);
      const plain = ({ status, text }: { status: number; text: string }): string =>
        `${status} ${text.replace(/"requestId":"[^"]*"/, '')}`;
      if (endpoint.name !== 'listenToTable' && plain(alone) !== plain(asOwner))
        slips.push(`${endpoint.name} tells an owner something else: ${asOwner.text.slice(0, 200)}`);
      const address = addresses.find((one) => alone.text.includes(one));
      if (address !== undefined) slips.push(`${endpoint.name} shows ${address}`);
    },
  );
  expect(slips).toEqual([]);
  const read = visitor(shareId);
  const { records } = must(await read(listRecords, { params: aviary.things, query: {} }));
  expect(records.length).toBeGreaterThan(0);
  expect(Object.keys(records[0] as object)).not.toContain('createdTime');
  const may = must(await read(getBasePermission, { params: { baseId } }));
  expect(Object.entries(may).flatMap(([action, yes]) => (yes ? [action] : []))).toEqual(
    expect.arrayContaining(['record|read']),
  );
  expect(Object.entries(may).filter(([action, yes]) => yes && !action.endsWith('|read'))).toEqual([]);
  must(await owner.call(api.deleteBaseShare, { params: { baseId, shareId } }));
  expect((await read(getBase, { params: { baseId } })).status).toBe(404);
});

test('those who manage a base and see all of it make, change and end shares', async () => {
  const shop = await openWorkshop(world());
  const { owner, baseId } = shop;
  const params = { baseId };
  const made = must(await owner.call(api.createBaseShare, { params, body: { password: 'a long one 7' } }));
  expect(made).toEqual({
    baseId,
    shareId: expect.stringMatching(/^shr/),
    nodeId: null,
    password: true,
    allowSave: false,
    allowCopy: false,
    enabled: true,
  });
  expect((await owner.call(api.createBaseShare, { params, body: {} })).status).toBe(409);
  const folder = must(await owner.call(createFolder, { params, body: { name: 'Folder' } }));
  const nodeId = `bno${folder.id.slice(3)}`;
  expect((await owner.call(api.createBaseShare, { params, body: { nodeId, allowSave: true } })).status).toBe(400);
  expect((await owner.call(api.createBaseShare, { params, body: { nodeId: 'bno0000000000000000' } })).status).toBe(404);
  must(await owner.call(api.createBaseShare, { params, body: { nodeId } }));
  expect(must(await owner.call(api.listBaseShares, { params }))).toEqual([{ nodeId: null }, { nodeId }]);
  expect(must(await owner.call(api.getWholeShare, { params }))?.shareId).toBe(made.shareId);
  expect(must(await owner.call(api.getNodeShare, { params: { baseId, nodeId } }))?.nodeId).toBe(nodeId);

  const at = { baseId, shareId: made.shareId };
  const changed = must(
    await owner.call(api.updateBaseShare, { params: at, body: { allowSave: true, password: null, enabled: false } }),
  );
  expect(changed).toMatchObject({ allowSave: true, password: false, enabled: false });
  expect((await caller({ baseUrl: world().baseUrl })(api.getSharedBase, { params: at })).status).toBe(404);
  // One that is off makes way.
  const second = must(await owner.call(api.createBaseShare, { params, body: {} }));
  expect(second).toMatchObject({ allowSave: false, enabled: true });
  const third = must(await owner.call(api.refreshBaseShare, { params: { baseId, shareId: second.shareId } }));
  expect(third.shareId).not.toBe(second.shareId);
  expect((await visitor(second.shareId)(listTables, { params })).status).toBe(404);
  expect(must(await visitor(third.shareId)(listTables, { params }))).toEqual([]);

  const editor = await member(world(), owner, baseId, 'editor');
  expect((await editor.call(api.createBaseShare, { params, body: {} })).status).toBe(403);
  expect((await editor.call(api.getWholeShare, { params })).status).toBe(403);
  const blind = await owner.withToken({ hasFullAccess: true, scopes: ['base|read', 'base|update', 'table|read'] });
  expect((await blind.call(api.createBaseShare, { params, body: { nodeId } })).status).toBe(403);
  expect((await blind.call(api.updateBaseShare, { params: at, body: { enabled: true } })).status).toBe(403);
  const bound = await member(world(), owner, baseId, 'creator');
  await setMatrix(world(), baseId, [{ members: [{ userId: bound.userId }], tables: {} }]);
  for (const refused of [
    await bound.call(api.createBaseShare, { params, body: {} }),
    await bound.call(api.listBaseShares, { params }),
    await bound.call(api.deleteBaseShare, { params: { baseId, shareId: third.shareId } }),
  ])
    expect(refused.status).toBe(403);
});

test('a folder is shared without what lies outside of it, and what is computed from there', async () => {
  const shop = await openWorkshop(world());
  const { owner, baseId } = shop;
  const { call } = owner;
  const folder = async (name: string, parent?: string) => {
    const made = must(await call(createFolder, { params: { baseId }, body: { name } }));
    const nodeId = `bno${made.id.slice(3)}`;
    if (parent !== undefined) must(await call(moveNode, { params: { baseId, nodeId }, body: { parentId: parent } }));
    return nodeId;
  };
  const outer = await folder('Outer');
  const inner = await folder('Inner', outer);
  const secret = await shop.table({
    name: 'Salaries',
    fields: [{ name: 'Name', type: 'singleLineText' }],
    records: [{ fields: { Name: 'hush' } }],
  } as never);
  const table = await shop.table({
    name: 'Staff',
    fields: [{ name: 'Name', type: 'singleLineText' }],
    records: [{ fields: { Name: 'Ann' } }],
  } as never);
  const nodeOf = (tableId: string) => ({ baseId, nodeId: `bno${tableId.slice(3)}` });
  must(await call(moveNode, { params: nodeOf(table.id), body: { parentId: inner } }));
  must(await call(moveNode, { params: nodeOf(secret.id), body: { parentId: outer } }));
  const params = { tableId: table.id };
  const link = must(
    await call(createField, {
      params,
      body: { type: 'link', name: 'Pay', options: { relationship: 'manyOne', foreignTableId: secret.id } },
    }),
  );
  must(
    await call(createField, {
      params,
      body: {
        type: 'singleLineText',
        name: 'Pay name',
        isLookup: true,
        lookupOptions: {
          foreignTableId: secret.id,
          linkFieldId: link.id,
          lookupFieldId: secret.fields[0]?.id as string,
        },
      },
    }),
  );
  const recordId = table.records[0]?.id as string;
  must(
    await call(updateRecord, {
      params: { ...params, recordId },
      body: { fieldKeyType: 'name', record: { fields: { Pay: { id: secret.records[0]?.id } } } },
    }),
  );
  const personal = must(await call(createView, { params, body: { type: 'grid', name: 'Mine' } }));
  must(await call(makeViewPersonal, { params: { ...params, viewId: personal.id }, body: { isPersonal: true } }));

  const shareId = await share(shop, { nodeId: inner });
  const read = visitor(shareId);
  expect(must(await read(getBase, { params: { baseId } }))).toMatchObject({ id: baseId, spaceId: '', role: 'viewer' });
  const { nodes } = must(await read(getNodeTree, { params: { baseId } }));
  expect(nodes.map(({ resourceMeta, parentId }) => [resourceMeta.name, parentId])).toEqual([
    ['Inner', null],
    ['Staff', inner],
  ]);
  expect(must(await read(listTables, { params: { baseId } })).map(({ name }) => name)).toEqual(['Staff']);
  // As for members who are bound: a lookup of what they do not see is a field without cells, and names nothing of it.
  const fields = must(await read(listFields, { params }));
  expect(fields.map(({ name }) => name)).toEqual(['Name', 'Pay name']);
  for (const hidden of [secret.id, secret.fields[0]?.id, link.id]) expect(JSON.stringify(fields)).not.toContain(hidden);
  expect(must(await read(listViews, { params })).map(({ name }) => name)).not.toContain('Mine');
  expect(must(await read(listRecords, { params, query: {} })).records.map(({ fields }) => fields)).toEqual([
    { Name: 'Ann' },
  ]);
  expect((await read(listRecords, { params: { tableId: secret.id }, query: {} })).status).toBe(404);
  expect((await read(getTable, { params: { baseId, tableId: secret.id } })).status).toBe(404);
  const elsewhere = await newBase(owner, shop.spaceId);
  expect((await read(listTables, { params: { baseId: elsewhere } })).status).toBe(404);
  expect((await read(listRecords, { params: aviary.things, query: {} })).status).toBe(404);
  expect((await read(copyRanges, { params, query: { ranges: '[[0,0],[0,0]]' } })).status).toBe(403);
  // Of one table alone not even the folder that it is in.
  const alone = visitor(await share(shop, { nodeId: nodeOf(table.id).nodeId }));
  expect(
    must(await alone(getNodeTree, { params: { baseId } })).nodes.map(({ resourceMeta, parentId }) => [
      resourceMeta.name,
      parentId,
    ]),
  ).toEqual([['Staff', null]]);

  const url = world().baseUrl + addressOf(listenToTable, { params, query: { values: true } });
  const ear = await listen(url, { headers: { 'x-tea-base-share': shareId } });
  expect(ear.status).toBe(200);
  must(await call(createRecords, { params, body: { records: [{ fields: { Name: 'Ben' } }] } }));
  await ear.until(({ name }) => name === 'records.created');
  must(await call(moveNode, { params: nodeOf(table.id), body: { parentId: outer } }));
  await ear.ended;
  expect((await read(listRecords, { params, query: {} })).status).toBe(404);
  expect(JSON.stringify(ear.heard)).not.toMatch(/hush|Salaries/);
});

test('a password is asked for, and a new one, as the end of the share, counts at once in every process', async () => {
  const shop = await openWorkshop(world());
  const { baseId, owner } = shop;
  await shop.table({ name: 'Table' });
  const shareId = await share(shop, { password: 'a long one 7' });
  const params = { baseId };
  const anyone = caller({ baseUrl: world().baseUrl });
  expect((await anyone(api.getSharedBase, { params: { shareId } })).error.code).toBe('unauthorized_share');
  expect((await visitor(shareId)(listTables, { params })).status).toBe(401);
  const enter = (password: string) => anyone(api.enterSharedBase, { params: { shareId }, body: { password } });
  expect((await enter('wrong')).status).toBe(400);
  const entered = await enter('a long one 7');
  const cookie = (entered.headers.get('set-cookie') as string).split(';')[0] as string;
  expect(cookie).toBe(`${shareId}=${entered.body.token}`);
  const other = await openWorld(world().databaseUrl);
  const [here, there] = [visitor(shareId, { cookie }), visitor(shareId, { cookie }, other.baseUrl)];
  for (const read of [here, there])
    expect(must(await read(listTables, { params })).map(({ name }) => name)).toEqual(['Table']);
  expect(must(await here(api.getSharedBase, { params: { shareId } })).shareMeta).toEqual({
    password: true,
    nodeId: null,
    allowSave: false,
    allowCopy: false,
  });
  must(await owner.call(api.updateBaseShare, { params: { baseId, shareId }, body: { password: 'another one 8' } }));
  for (const read of [here, there]) expect((await read(listTables, { params })).status).toBe(401);
  must(await owner.call(api.updateBaseShare, { params: { baseId, shareId }, body: { password: null } }));
  for (const read of [here, there]) expect((await read(listTables, { params })).status).toBe(200);
  must(await owner.call(deleteBase, { params }));
  for (const read of [here, there]) expect((await read(listTables, { params })).status).toBe(404);
  const trashed = must(await owner.call(listTrash, { query: { resourceType: 'base' } }));
  const trashId = trashed.trashItems.find(({ resourceId }) => resourceId === baseId)?.id as string;
  must(await owner.call(restoreTrash, { params: { trashId } }));
  expect((await there(listTables, { params })).status).toBe(200);
  must(await owner.call(api.deleteBaseShare, { params: { baseId, shareId } }));
  for (const read of [here, there]) expect((await read(listTables, { params })).status).toBe(404);
  await other.close();
});

test('files of shared cells are read until the share changes', async () => {
  const shop = await openWorkshop(world());
  const { baseId, owner } = shop;
  const made = must(
    await owner.call(createTable, {
      params: { baseId },
      body: {
        fields: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'Files', type: 'attachment' },
        ],
        records: [],
      } as never,
    }),
  );
  const body = { contentType: 'text/plain', contentLength: 4, type: 1 as const };
  const { url, token } = must(await owner.call(createFileSignature, { body }));
  await fetch(url, { method: 'PUT', body: 'seed', headers: { 'content-type': 'text/plain' } });
  must(await owner.call(notifyFile, { params: { token }, query: { filename: 'seed.txt' } }));
  const [record] = must(
    await owner.call(createRecords, {
      params: { tableId: made.id },
      body: { records: [{ fields: { Files: [{ token, name: 'seed.txt' }] } }] },
    }),
  ).records;
  const shareId = await share(shop);
  const seen = must(
    await visitor(shareId)(getRecord, { params: { tableId: made.id, recordId: record?.id as string } }),
  );
  const [file] = seen.fields['Files'] as { presignedUrl: string }[];
  const address = file?.presignedUrl as string;
  expect(await (await fetch(address)).text()).toBe('seed');
  must(await owner.call(api.updateBaseShare, { params: { baseId, shareId }, body: { enabled: false } }));
  expect((await fetch(address)).status).toBe(400);
});

test('people copy a base whose share allows it, without the people and personal views of it', async () => {
  const shop = await openWorkshop(world());
  const { owner, baseId } = shop;
  const table = await shop.table({
    name: 'Tasks',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Who', type: 'user' },
    ],
    records: [{ fields: { Name: 'one', Who: { id: owner.userId, title: '' } } }],
  } as never);
  const personal = must(
    await owner.call(createView, { params: { tableId: table.id }, body: { type: 'grid', name: 'Mine' } }),
  );
  must(
    await owner.call(makeViewPersonal, {
      params: { tableId: table.id, viewId: personal.id },
      body: { isPersonal: true },
    }),
  );
  const shareId = await share(shop);
  const guest = await person(world());
  const spaceId = await newSpace(guest);
  const copy = (who = guest.call, body: object = { spaceId, name: 'Copy' }) =>
    who(api.copySharedBase, { params: { shareId }, body: body as never });
  expect((await copy()).status).toBe(403);
  must(await owner.call(api.updateBaseShare, { params: { baseId, shareId }, body: { allowSave: true } }));
  expect((await copy(guest.call, { spaceId: shop.spaceId })).status).toBe(404);
  const narrow = await guest.withToken({ hasFullAccess: true, scopes: ['base|create', 'table|read'] });
  expect((await copy(narrow.call)).status).toBe(403);
  const made = must(await copy());
  expect(made).toEqual({ id: expect.stringMatching(/^bse/), name: 'Copy', spaceId });
  const [own] = must(await guest.call(listTables, { params: { baseId: made.id } }));
  const params = { tableId: own?.id as string };
  expect(must(await guest.call(listRecords, { params, query: {} })).records.map(({ fields }) => fields)).toEqual([
    { Name: 'one' },
  ]);
  expect(must(await guest.call(listViews, { params })).map(({ name }) => name)).not.toContain('Mine');
  must(await copy(guest.call, { spaceId, baseId: made.id, withRecords: false }));
  expect(must(await guest.call(listTables, { params: { baseId: made.id } }))).toHaveLength(2);
});

test('owners of a space see all shares of bases in it, and nobody else does', async () => {
  const shop = await openWorkshop(world());
  const { owner, baseId, spaceId } = shop;
  const table = await shop.table({ name: 'Plans' });
  const whole = await share(shop);
  const part = await share(shop, { nodeId: `bno${table.id.slice(3)}`, password: 'a long one 7' });
  const params = { spaceId };
  const listed = must(await owner.call(api.listSpaceBaseShares, { params }));
  expect(listed).toMatchObject([
    { shareId: part, name: 'Plans', password: true, baseId, createdBy: owner.userId },
    { shareId: whole, name: null, nodeId: null, password: false },
  ]);
  expect(listed[0]?.url).toMatch(new RegExp(`/share/${part}/base$`));
  const creator = await member(world(), owner, baseId, 'creator');
  expect((await creator.call(api.listSpaceBaseShares, { params })).status).toBeGreaterThanOrEqual(403);
  must(await owner.call(deleteTable, { params: { baseId, tableId: table.id } }));
  expect(must(await owner.call(api.listSpaceBaseShares, { params })).map(({ shareId }) => shareId)).toEqual([whole]);
});

test('a stream of a browser names the share in its address, and ends with it', async () => {
  const shop = await openWorkshop(world());
  const { owner, baseId } = shop;
  const table = await shop.table({});
  const shareId = await share(shop);
  const url = `${world().baseUrl}/table/${table.id}/events`;
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(`${url}?baseShare=shr0000000000000000`)).status).toBe(404);
  expect((await fetch(`${url}?baseShare=${shareId}&viewAs=${owner.userId}`)).status).toBe(403);
  // Only where a header cannot be sent.
  expect((await fetch(`${world().baseUrl}/table/${table.id}/record?baseShare=${shareId}`)).status).toBe(401);
  const stream = await fetch(`${url}?baseShare=${shareId}`);
  expect(stream.status).toBe(200);
  const text = stream.text();
  must(await owner.call(api.deleteBaseShare, { params: { baseId, shareId } }));
  expect(await text).toContain('event: end');
});
