// What is told of a base outside of its cells, to a member whom rules bind: views that no role of theirs lists, pins and last visits, estimates for changes of fields, automations.
import { createAutomation, listAutomations } from '@rowhouse/contract/automation.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { planField } from '@rowhouse/contract/field-plan.ts';
import { listFieldFilterRecords, listViewFilterRecords } from '@rowhouse/contract/filter-link.ts';
import { getLastVisit, getLastVisitedNode, getLastVisitMap, noteVisit } from '@rowhouse/contract/last-visit.ts';
import { createPin, listPins } from '@rowhouse/contract/pin.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { createView, lockView, moveView, setViewFilter, setViewGroup } from '@rowhouse/contract/view.ts';
import { moveRecords, sortManually } from '@rowhouse/contract/view-order.ts';
import { listWorkflows } from '@rowhouse/contract/workflow.ts';
import { beforeAll, expect, test } from 'vitest';
import { everyAction, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

const world = useWorld({}, { plans: plansWith({ free: { advancedPermissionsEnable: true, automationEnable: true } }) });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const hush = 'hushhush';

let shop: Workshop;
let bound: Person;
let orders: FullTable;
let vault: FullTable;
const at: Record<string, string> = {};
let ownView: string;
let hiddenView: string;

const text = (name: string) => ({ name, type: 'singleLineText' });

/** Open orders without their secret, through one view. */
const rules = async (): Promise<void> => {
  await setRoles(shop.owner, shop.baseId, [
    {
      members: [bound.userId],
      tables: {
        [orders.id]: {
          grants: [
            {
              actions: everyAction,
              fields: ['Name', 'State', 'Parent'].map((name) => at[name] as string),
              when: when(at['State'], 'is', 'open'),
            },
          ],
          enabledViewIds: [ownView],
        },
      },
    },
  ]);
};

beforeAll(async () => {
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'editor');
  vault = await shop.table({ name: `${hush} vault`, fields: [text('Name')] as never, records: [] });
  orders = await shop.table({
    name: 'Orders',
    fields: [text('Name'), text('State'), text('Secret')] as never,
    records: [
      { fields: { Name: 'one', State: 'open' } },
      { fields: { Name: 'two', State: 'open' } },
      { fields: { Name: 'three', State: 'shut' } },
    ] as never,
  });
  for (const { id, name } of orders.fields) at[name] = id;
  const params = { tableId: orders.id };
  const add = async (tableId: string, body: object): Promise<string> =>
    must(await shop.owner.call(createField, { params: { tableId }, body: body as never })).id;
  at['Parent'] = await add(orders.id, {
    name: 'Parent',
    type: 'link',
    options: { foreignTableId: orders.id, relationship: 'manyOne', isOneWay: true },
  });
  at['Order'] = await add(vault.id, {
    name: `${hush} order`,
    type: 'link',
    options: { foreignTableId: orders.id, relationship: 'manyOne', isOneWay: true },
  });
  await add(vault.id, {
    name: `${hush} state`,
    type: 'singleLineText',
    isLookup: true,
    lookupOptions: { foreignTableId: orders.id, linkFieldId: at['Order'], lookupFieldId: at['State'] },
  });
  const view = async (name: string): Promise<string> =>
    must(await shop.owner.call(createView, { params, body: { type: 'grid', name } as never })).id;
  ownView = await view('Theirs');
  hiddenView = await view(`${hush} view`);
});

const none = 'viwNoneNoneNoneNon1';

test('a view that no role of theirs lists is not there, for whatever names a view', async () => {
  await rules();
  const params = { tableId: orders.id };
  const [one, two] = orders.records.map(({ id }) => id) as [string, string];
  must(
    await shop.owner.call(setViewFilter, {
      params: { ...params, viewId: hiddenView },
      body: { filter: when(at['Parent'], 'is', one) as never },
    }),
  );
  must(
    await shop.owner.call(setViewGroup, {
      params: { ...params, viewId: orders.defaultViewId as string },
      body: { group: [{ fieldId: at['State'], order: 'asc' }] } as never,
    }),
  );
  const tried = async (viewId: string) => {
    const place = { ...params, viewId };
    const order = { viewId, anchorId: one, position: 'after' };
    const answers = [
      await bound.call(moveRecords, { params: place, body: { anchorId: one, position: 'after', recordIds: [two] } }),
      await bound.call(sortManually, {
        params: place,
        body: { sortObjs: [{ fieldId: at['Name'], order: 'asc' }] },
      } as never),
      await bound.call(createRecords, { params, body: { records: [{ fields: {} }], order } } as never),
      await bound.call(createRecords, { params, body: { records: [], order } } as never),
      await bound.call(updateRecord, {
        params: { ...params, recordId: two },
        body: { record: { fields: {} }, order },
      } as never),
      await bound.call(listViewFilterRecords, { params: place }),
      await bound.call(moveView, {
        params: { ...params, viewId: ownView },
        body: { anchorId: viewId, position: 'after' },
      } as never),
    ];
    return answers.map(({ status, error }) =>
      JSON.stringify([status, error])
        .replaceAll(viewId, '…')
        .replaceAll(/"requestId":"[^"]*"/g, ''),
    );
  };
  for (const isLocked of [false, true]) {
    must(await shop.owner.call(lockView, { params: { ...params, viewId: hiddenView }, body: { isLocked } } as never));
    const told = await tried(hiddenView);
    expect(told).toEqual(await tried(none));
    expect(told.every((one) => one.startsWith('[40'))).toBe(true);
  }
  // Groups of the first view that is there for them, not of one that is not.
  const made = must(
    await bound.call(createRecords, {
      params,
      body: { records: [{ fields: { Name: 'made', State: 'open' } }] } as never,
    }),
  );
  expect(made.extra?.groupPoints ?? []).toEqual([]);
});

test('pins and last visits are of tables and views that are there for them', async () => {
  await rules();
  const { baseId } = shop;
  const tried = async (type: 'table' | 'view', id: string) => {
    const { status, error } = await bound.call(createPin, { body: { type, id } });
    return JSON.stringify([status, error])
      .replaceAll(id, '…')
      .replaceAll(/"requestId":"[^"]*"/g, '');
  };
  expect(await tried('table', vault.id)).toBe(await tried('table', 'tblNoneNoneNoneNon1'));
  expect(await tried('view', vault.defaultViewId as string)).toBe(await tried('view', none));
  expect(await tried('view', hiddenView)).toBe(await tried('view', none));
  for (const [type, id] of [
    ['table', orders.id],
    ['view', ownView],
  ] as const)
    must(await bound.call(createPin, { body: { type, id } }));
  const visit = (resourceType: 'table' | 'view', resourceId: string, parentResourceId: string, child?: string) =>
    bound.call(noteVisit, {
      body: { resourceType, resourceId, parentResourceId, ...(child === undefined ? {} : { childResourceId: child }) },
    } as never);
  expect((await visit('table', vault.id, baseId)).status).toBe(404);
  expect((await visit('view', hiddenView, orders.id)).status).toBe(404);
  const last = must(await bound.call(getLastVisit, { query: { resourceType: 'table', parentResourceId: baseId } }));
  expect(last).toMatchObject({ resourceId: orders.id, childResourceId: ownView });
  expect(must(await bound.call(getLastVisitedNode, { query: { parentResourceId: baseId } } as never))).toEqual(last);
  must(await visit('table', orders.id, baseId, hiddenView));
  expect(
    must(await bound.call(getLastVisit, { query: { resourceType: 'table', parentResourceId: baseId } })),
  ).toMatchObject({ childResourceId: ownView });
  const ofTable = (parentResourceId: string) =>
    bound.call(getLastVisit, { query: { resourceType: 'view', parentResourceId } });
  expect(must(await ofTable(orders.id))).toMatchObject({ resourceId: ownView });
  expect((await ofTable(vault.id)).status).toBe(404);
  const map = must(
    await bound.call(getLastVisitMap, { query: { resourceType: 'view', parentResourceId: baseId } } as never),
  );
  expect(Object.values(map).map(({ resourceId }) => resourceId)).toEqual([ownView]);

  // What they pinned and visited while nothing bound them is not there afterwards, and comes back with their rights.
  const given = { members: [bound.userId], tables: { [orders.id]: { grants: [{ actions: everyAction }] } } };
  const late = await shop.table({ name: 'Late', fields: [text('Name')] as never, records: [] });
  await setRoles(shop.owner, baseId, [
    { ...given, tables: { ...given.tables, [late.id]: given.tables[orders.id] as never } },
  ]);
  must(await bound.call(createPin, { body: { type: 'table', id: late.id } }));
  must(await visit('table', late.id, baseId));
  const pinned = async () => must(await bound.call(listPins, {})).map(({ name }) => name);
  expect(await pinned()).toEqual(['Orders', 'Theirs', 'Late']);
  await setRoles(shop.owner, baseId, [given]);
  expect(await pinned()).toEqual(['Orders', 'Theirs']);
  expect(
    must(await bound.call(getLastVisit, { query: { resourceType: 'table', parentResourceId: baseId } })),
  ).toMatchObject({ resourceId: orders.id });
});

test('what a change of a field would cost is told to those who see everything: it counts records and names tables', async () => {
  await rules();
  const params = { tableId: orders.id, fieldId: at['State'] as string };
  const told = must(await shop.owner.call(planField, { params }));
  expect(told.updateCellCount).toBeGreaterThan(0);
  expect(JSON.stringify(told)).toContain(hush);
  const { status, body } = await bound.call(planField, { params });
  expect([status, JSON.stringify(body).includes(hush)]).toEqual([403, false]);
});

test('automations about what they do not see are not there for them', async () => {
  await rules();
  const { baseId } = shop;
  const create = async (name: string, trigger: object, steps: object[] = []) =>
    must(await shop.owner.call(createAutomation, { params: { baseId }, body: { name, trigger, steps } as never })).id;
  const seen = await create('seen', {
    type: 'recordUpdated',
    tableId: orders.id,
    fieldIds: [at['State'], at['Secret']],
  });
  await create(`${hush} one`, { type: 'recordCreated', tableId: vault.id });
  await create(`${hush} two`, { type: 'recordCreated', tableId: orders.id }, [
    { id: 'a', type: 'createRecord', tableId: vault.id, fields: {} },
  ]);
  const list = must(await bound.call(listAutomations, { params: { baseId } }));
  expect(list.map(({ id }) => id)).toEqual([seen]);
  expect(JSON.stringify(list)).not.toMatch(new RegExp(`${hush}|${vault.id}|${at['Secret']}`));
  const flows = must(await bound.call(listWorkflows, { params: { baseId }, query: {} } as never));
  expect(flows.map(({ id }) => id.slice(3))).toEqual([seen.slice(3)]);
  expect(must(await shop.owner.call(listAutomations, { params: { baseId } }))).toHaveLength(3);
});

test('records that conditions of fields name have no title for those who do not see them, and their tables no name', async () => {
  const third = await shop.table({
    name: 'Third',
    fields: [text('Name')] as never,
    records: [{ fields: { Name: hush } }] as never,
  });
  const link = async (tableId: string, foreignTableId: string, more: object = {}): Promise<string> =>
    must(
      await shop.owner.call(createField, {
        params: { tableId },
        body: {
          type: 'link',
          options: { foreignTableId, relationship: 'manyMany', isOneWay: true, ...more },
        } as never,
      }),
    ).id;
  const toThird = await link(vault.id, third.id);
  const boss = await link(orders.id, orders.id);
  const hidden = orders.records[2]?.id;
  const fieldIds = [
    await link(orders.id, vault.id, { filter: when(toThird, 'hasAnyOf', [third.records[0]?.id]) }),
    await link(orders.id, orders.id, { filter: when(boss, 'hasAnyOf', [hidden]) }),
  ];
  const told = async (who: Person) => {
    const params = { tableId: orders.id };
    const answers = await Promise.all(
      fieldIds.map((fieldId) => who.call(listFieldFilterRecords, { params: { ...params, fieldId } })),
    );
    return JSON.stringify(answers.map(must));
  };
  const open = when(at['State'], 'is', 'open');
  const [named] = vault.fields.map(({ id }) => id);
  for (const ofVault of [{}, { fields: [named as string] }])
    for (const ofOrders of [
      {},
      { when: open },
      { fields: [at['Name'] as string, at['State'] as string, ...fieldIds] },
    ]) {
      await setRoles(shop.owner, shop.baseId, [
        {
          members: [bound.userId],
          tables: {
            [orders.id]: { grants: [{ actions: everyAction, ...ofOrders }] },
            [vault.id]: { grants: [{ actions: everyAction, ...ofVault }] },
          },
        },
      ]);
      const text = await told(bound);
      expect(text).not.toContain(hush);
      if ('fields' in ofVault) expect(text).not.toContain(third.id);
      if (Object.keys(ofOrders).length > 0) expect(text).not.toContain('three');
    }
  expect(await told(shop.owner)).toMatch(new RegExp(`three.*${hush}|${hush}.*three`));
});

test('a field that is not there is not named where a picker of records asks for a link', async () => {
  await rules();
  const told = async (fieldId: string, cell: string): Promise<string[]> => {
    const answers = await Promise.all(
      ['filterLinkCellSelected', 'filterLinkCellCandidate'].flatMap((name) =>
        [fieldId, JSON.stringify([fieldId, cell])].map((value) =>
          bound.call(listRecords, { params: { tableId: orders.id }, query: { [name]: value } } as never),
        ),
      ),
    );
    return answers.map(({ status, error }) =>
      JSON.stringify([status, error])
        .replaceAll(fieldId, '…')
        .replaceAll(/"requestId":"[^"]*"/g, ''),
    );
  };
  const cell = orders.records[0]?.id as string;
  const absent = await told('fldNoneNoneNoneNon1', cell);
  expect(absent.every((one) => one.startsWith('[404'))).toBe(true);
  // No link, a link of another table that leads here, and one of another table that leads elsewhere.
  const elsewhere = must(
    await shop.owner.call(createField, {
      params: { tableId: vault.id },
      body: {
        name: `${hush} elsewhere`,
        type: 'link',
        options: { foreignTableId: vault.id, relationship: 'manyOne', isOneWay: true },
      } as never,
    }),
  ).id;
  for (const fieldId of [at['Secret'] as string, at['Order'] as string, elsewhere, vault.fields[0]?.id as string])
    expect(await told(fieldId, cell), fieldId).toEqual(absent);
});
