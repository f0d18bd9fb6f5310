// Members who are bound by the rules of a base, over HTTP: what their roles grant is all that there is for them, at once and in every operation.
import { duplicateBase, getBase } from '@rowhouse/contract/base.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { addGroupMembers, createGroup } from '@rowhouse/contract/group.ts';
import { listNodes } from '@rowhouse/contract/node.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import { createTable, getTable, listTables } from '@rowhouse/contract/table.ts';
import { createView, getView, listViews, setViewFilter } from '@rowhouse/contract/view.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { inBatches } from '../support/access-request.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import { type Aviary, inCells, inDefinitions, openAviary } from '../support/aviary.ts';
import { callHidden, type Hidden, isOfTemplates, telling, walked } from '../support/canary-walk.ts';
import { cases } from '../support/cases.ts';
import { listen } from '../support/listen.ts';
import { whileChanged } from '../support/lock.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  { plans: plansWith({ free: { userGroupEnable: true, automationEnable: true, advancedPermissionsEnable: true } }) },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const is = (fieldId: string | undefined, value: unknown, operator = 'is') => ({
  conjunction: 'and',
  filterSet: [{ fieldId, operator, value }],
});
const actions = (...names: string[]) => names.map((name) => `record|${name}`);

describe('a member with a role', () => {
  let shop: Workshop;
  let bound: Person;
  let orders: { id: string; viewId: string; otherViewId: string };
  let hiddenId: string;
  const fields: Record<string, string> = {};

  beforeAll(async () => {
    shop = await openWorkshop(world());
    const table = await shop.table({
      name: 'Orders',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'State', type: 'singleLineText' },
        { name: 'Secret', type: 'singleLineText' },
      ] as never,
      records: [
        { fields: { Name: 'one', State: 'open', Secret: 'hush' } },
        { fields: { Name: 'two', State: 'closed', Secret: 'hush' } },
      ] as never,
    });
    for (const { id, name } of table.fields) fields[name] = id;
    const other = must(
      await shop.owner.call(createView, {
        params: { tableId: table.id },
        body: { type: 'grid', name: 'Other', filter: is(fields['Secret'], 'hush') } as never,
      }),
    );
    orders = { id: table.id, viewId: table.defaultViewId as string, otherViewId: other.id };
    hiddenId = (await shop.table({ name: 'Salaries' })).id;
    bound = await member(world(), shop.owner, shop.baseId, 'creator');
  });

  const role = (given: object = {}) => ({
    members: [{ userId: bound.userId }],
    tables: {
      [orders.id]: {
        viewIds: [orders.viewId],
        grants: [
          {
            actions: [...actions('read', 'create', 'update'), 'view|create', 'view|update'],
            fields: [fields['Name'] as string, fields['State'] as string],
            when: is(fields['State'], 'open'),
          },
        ],
        ...given,
      },
    },
  });

  const names = async (who: Person): Promise<string[]> =>
    must(await who.call(listRecords, { params: { tableId: orders.id }, query: {} })).records.map(({ name }) =>
      String(name),
    );

  test('sees the tables, views, fields and records that it grants, and may do no more', async () => {
    await setMatrix(world(), shop.baseId, [role()]);
    const { baseId } = shop;
    const params = { tableId: orders.id };
    expect(must(await bound.call(listTables, { params: { baseId } })).map(({ id }) => id)).toEqual([orders.id]);
    expect(must(await bound.call(listNodes, { params: { baseId } })).map(({ resourceId }) => resourceId)).toEqual([
      orders.id,
    ]);
    expect((await bound.call(getTable, { params: { baseId, tableId: hiddenId } })).status).toBe(404);
    expect((await bound.call(listRecords, { params: { tableId: hiddenId }, query: {} })).status).toBe(404);
    expect(must(await bound.call(listFields, { params, query: {} })).map(({ name }) => name)).toEqual([
      'Name',
      'State',
    ]);
    expect(must(await bound.call(listViews, { params })).map(({ id }) => id)).toEqual([orders.viewId]);
    expect((await bound.call(getView, { params: { ...params, viewId: orders.otherViewId } })).status).toBe(404);
    expect((await bound.call(listRecords, { params, query: { viewId: orders.otherViewId } })).status).toBe(404);
    expect(await names(bound)).toEqual(['one']);
    const refused = [
      await bound.call(createField, { params, body: { type: 'singleLineText', name: 'New' } }),
      await bound.call(createTable, { params: { baseId }, body: {} }),
      await bound.call(queryBase, { params: { baseId }, query: { query: JSON.stringify({ from: orders.id }) } }),
      await bound.call(enableShare, { params: { ...params, viewId: orders.viewId } }),
      await bound.call(duplicateBase, { body: { fromBaseId: baseId, spaceId: shop.spaceId } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(must(await bound.call(getBase, { params: { baseId } })).id).toBe(baseId);
  });

  test('a view shows nothing of fields that are not seen, and who does not see all of a filter cannot replace it', async () => {
    await setMatrix(world(), shop.baseId, [role({ viewIds: undefined })]);
    const params = { tableId: orders.id, viewId: orders.otherViewId };
    const view = must(await bound.call(getView, { params }));
    expect(JSON.stringify(view)).not.toContain(fields['Secret']);
    expect(JSON.stringify(view)).not.toContain('hush');
    expect((await bound.call(setViewFilter, { params, body: { filter: null } })).status).toBe(403);
    const own = { params: { ...params, viewId: orders.viewId } };
    expect(
      (await bound.call(setViewFilter, { ...own, body: { filter: is(fields['Secret'], 'h', 'contains') } as never }))
        .status,
    ).toBe(400);
    expect(
      (await bound.call(setViewFilter, { ...own, body: { filter: is(fields['Name'], 'o', 'contains') } as never }))
        .status,
    ).toBe(200);
    must(await bound.call(setViewFilter, { ...own, body: { filter: null } }));
  });

  test('writes what it grants; numbers, times and authors can be kept from them', async () => {
    await setMatrix(world(), shop.baseId, [role({ hidesFacts: true })]);
    const params = { tableId: orders.id };
    const made = await bound.call(createRecords, { params, body: { records: [{ fields: { Name: 'three' } }] } });
    expect([made.status, JSON.stringify(made.body)]).toEqual([201, expect.not.stringContaining('createdTime')]);
    expect(await names(bound)).toEqual(['one', 'three']);
    const recordId = must(made).records[0]?.id as string;
    const update = (record: object) =>
      bound.call(updateRecord, { params: { ...params, recordId }, body: { record: { fields: record } } as never });
    expect((await update({ Secret: 'x' })).status).toBe(404);
    expect((await update({ State: 'closed' })).status).toBe(200);
    expect((await update({ Name: 'x' })).status).toBe(404);
    const list = await bound.call(listRecords, { params, query: {} });
    expect(JSON.stringify(list.body)).not.toMatch(/createdTime|autoNumber|lastModified/);
  });

  test('by a group, by default, by several roles at once; owners and administrators are not bound, and nobody when it is off', async () => {
    const { baseId, spaceId } = shop;
    const count = async () => (await names(bound)).length;
    const all = (await names(shop.owner)).length;
    const open = { grants: [{ actions: actions('read'), when: is(fields['State'], 'open') }] };
    const closed = { grants: [{ actions: actions('read'), when: is(fields['State'], 'closed') }] };
    await setMatrix(world(), baseId, []);
    expect((await bound.call(listRecords, { params: { tableId: orders.id }, query: {} })).status).toBe(404);
    expect(must(await bound.call(listTables, { params: { baseId } }))).toEqual([]);
    await setMatrix(world(), baseId, [{ members: [], isDefault: true, tables: { [orders.id]: open } }]);
    expect(await count()).toBe(1);
    const group = must(await shop.owner.call(createGroup, { params: { spaceId }, body: { name: 'Sales' } }));
    must(
      await shop.owner.call(addGroupMembers, {
        params: { spaceId, groupId: group.id },
        body: { userIds: [bound.userId] } as never,
      }),
    );
    await setMatrix(world(), baseId, [
      { members: [{ groupId: group.id }], tables: { [orders.id]: closed } },
      { members: [{ userId: bound.userId }], tables: { [orders.id]: open } },
    ]);
    expect(await count()).toBe(all);
    expect((await names(shop.owner)).length).toBe(all);
    await setMatrix(world(), baseId, [], { adminIds: [bound.userId] });
    expect(await count()).toBe(all);
    await setMatrix(world(), baseId, [], { isOn: false });
    expect(await count()).toBe(all);
  });

  test('a rule that changes while a write waits holds for the write', async () => {
    await setMatrix(world(), shop.baseId, [role()]);
    const { db } = world();
    const params = { tableId: orders.id };
    const recordId = must(await bound.call(listRecords, { params, query: {} })).records[0]?.id as string;
    let update: Promise<{ status: number }> | undefined;
    const change = { tableId: orders.id, recordId, fieldId: fields['Secret'] as string, value: 'hush' };
    await whileChanged(world(), change, async () => {
      update = bound.call(updateRecord, {
        params: { ...params, recordId },
        body: { record: { fields: { Name: 'too late' } } },
      });
      while ((await countWaiting(db)) === 0) await setTimeout(10);
      await setMatrix(world(), shop.baseId, [role({ grants: [{ actions: actions('read') }] })]);
    });
    // Begun before the rule, it may have been written by the old one or refused by the new one; after it nothing is.
    expect([200, 403]).toContain((await update)?.status);
    const late = await bound.call(updateRecord, {
      params: { ...params, recordId },
      body: { record: { fields: { Name: 'later' } } },
    });
    expect(late.status).toBe(403);
    must(
      await shop.owner.call(updateRecord, {
        params: { ...params, recordId },
        body: { record: { fields: { Name: 'one' } } },
      }),
    );
  });

  test('a stream tells what is seen, and that there is all to read again when the rules change', async () => {
    await setMatrix(world(), shop.baseId, [role()]);
    const params = { tableId: orders.id };
    const [one, two] = must(await shop.owner.call(listRecords, { params, query: {} })).records.map(({ id }) => id);
    const update = async (recordId: string | undefined, cells: object) =>
      must(
        await shop.owner.call(updateRecord, {
          params: { ...params, recordId: recordId as string },
          body: { record: { fields: cells } } as never,
        }),
      );
    const ear = await listen(
      `${world().baseUrl}${addressOf(listenToTable, { params, query: { values: true } } as never)}`,
      {
        token: bound.token,
      },
    );
    try {
      await ear.until(({ name }) => name === 'ready');
      await update(two, { Name: 'not for them' });
      await update(one, { Secret: 'still hushed' });
      await update(one, { Name: 'for them' });
      await ear.until((event) => JSON.stringify(event).includes('for them'));
      expect(JSON.stringify(ear.heard)).not.toMatch(/not for them|hushed/);
      expect(JSON.stringify(ear.heard)).not.toContain(two);
      await setMatrix(world(), shop.baseId, [
        role({ grants: [{ actions: actions('read'), fields: [fields['State']] }] }),
      ]);
      await update(one, { Name: 'not any more' });
      await ear.until(({ name }) => name === 'reload');
      await update(one, { State: 'ajar', Name: 'one' });
      await ear.until((event) => JSON.stringify(event).includes('ajar'));
      expect(JSON.stringify(ear.heard)).not.toContain('not any more');
      await setMatrix(world(), shop.baseId, []);
      await update(one, { State: 'open' });
      await ear.ended;
      await update(two, { Name: 'two' });
    } finally {
      ear.close();
    }
  });

  test('a token has the sight of its user, and a changed rule holds for what comes after it', async () => {
    await setMatrix(world(), shop.baseId, [role()]);
    const { call } = await bound.withToken({ hasFullAccess: true });
    const seen = async () =>
      must(await call(listRecords, { params: { tableId: orders.id }, query: {} })).records.map(({ name }) =>
        String(name),
      );
    expect(await seen()).toEqual(['one']);
    for (let round = 0; round < 5; round += 1) {
      await setMatrix(world(), shop.baseId, [
        {
          members: [{ userId: bound.userId }],
          tables: { [orders.id]: { grants: [{ actions: actions('read'), when: is(fields['Name'], 'two') }] } },
        },
      ]);
      expect([await seen(), await names(bound)]).toEqual([['two'], ['two']]);
      await setMatrix(world(), shop.baseId, [role()]);
      expect([await seen(), await names(bound)]).toEqual([['one'], ['one']]);
    }
  });
});

describe('no operation shows what is hidden', () => {
  let tenant: Tenant;
  let aviary: Aviary;
  let bound: Person;
  beforeAll(async () => {
    tenant = await openTenant(world());
    bound = await member(world(), tenant.owner, tenant.things.baseId, 'creator');
    aviary = await openAviary(world(), tenant);
  });

  const walk = async (hidden: Hidden, endpoints = telling): Promise<string[]> => {
    const slips: string[] = [];
    await inBatches(endpoints, async (endpoint) => {
      const { token } = bound;
      slips.push(...(await callHidden(world(), tenant, aviary, endpoint, { token, label: 'bound', hidden })).slips);
    });
    return slips;
  };
  const everything = [
    'record|read',
    'record|create',
    'record|update',
    'record|delete',
    'record|comment',
    'record|copy',
    'table|import',
    'table|export',
    'view|create',
    'view|update',
    'view|delete',
    'table_record_history|read',
  ];

  test('of a table that is not there', { timeout: 300_000 }, async () => {
    const { baseId, siblingTableId } = aviary.things;
    await setMatrix(world(), baseId, [
      { members: [{ userId: bound.userId }], tables: { [siblingTableId]: { grants: [{ actions: everything }] } } },
    ]);
    const hidden = { cell: [inCells], definition: [inDefinitions], 'share link': [aviary.shareId] };
    expect(await walk(hidden, cases(walked, telling))).toEqual([]);
  });

  test('of fields that no grant names, comments included', { timeout: 300_000 }, async () => {
    const { baseId, tableId } = aviary.things;
    await setMatrix(world(), baseId, [
      {
        members: [{ userId: bound.userId }],
        tables: {
          [tableId]: {
            grants: [{ actions: everything.filter((one) => one !== 'record|comment'), fields: [aviary.fields.number] }],
          },
        },
      },
    ]);
    expect(await walk({ cell: [inCells], 'share link': [aviary.shareId] }, cases(walked, telling))).toEqual([]);
  });

  test('but shows it to a member whose roles grant everything, or the walk would prove nothing', async () => {
    const { baseId, tableId } = aviary.things;
    await setMatrix(world(), baseId, [
      { members: [{ userId: bound.userId }], tables: { [tableId]: { grants: [{ actions: everything }] } } },
    ]);
    const shown = new Set((await walk({ cell: [inCells] })).map((slip) => slip.split(' ')[0]));
    expect(shown.size).toBeGreaterThan(10);
  });

  test('of records that do not meet the condition', { timeout: 300_000 }, async () => {
    const { baseId, tableId } = aviary.things;
    await setMatrix(world(), baseId, [
      {
        members: [{ userId: bound.userId }],
        tables: {
          [tableId]: { grants: [{ actions: everything, when: is(aviary.fields.number, 8_888_888) }] },
        },
      },
    ]);
    const through = cases(walked, telling).filter((endpoint) => !isOfTemplates(endpoint));
    expect(await walk({ cell: [inCells], 'share link': [aviary.shareId] }, through)).toEqual([]);
  });
});
