// Dashboards over HTTP: what stands on them, who sees how much of it, by address, in the trash, in copies and files, and as it changes.
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Chart } from '@rowhouse/contract/chart.ts';
import type { ChartData } from '@rowhouse/contract/chart-data.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import {
  createDashboard,
  createDashboardItem,
  deleteDashboard,
  getChartData,
  getDashboard,
  getDashboardPlugin,
  installDashboardPlugin,
  listDashboards,
  setDashboardFilters,
  setDashboardLayout,
  updateDashboardItem,
} from '@rowhouse/contract/dashboard.ts';
import {
  authDashboardShare,
  getSharedChartData,
  getSharedDashboard,
  shareDashboard,
  unshareDashboard,
} from '@rowhouse/contract/dashboard-share.ts';
import { listenToBase } from '@rowhouse/contract/event.ts';
import { convertField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { createNode, deleteNodePermanently, duplicateNode, listNodes, moveNode } from '@rowhouse/contract/node.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import * as teable from '@teable/openapi';
import { beforeAll, expect, test } from 'vitest';
import { caller } from '../support/caller.ts';
import { exportToFile, importFromFile } from '../support/base-file.ts';
import { listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member, newSpace } from '../support/workspace.ts';
import type { Person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  { plans: plansWith({ free: { advancedPermissionsEnable: true, passwordRestrictedSharesEnable: true } }) },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(error)}`);
  return body;
};

let shop: Workshop;
let table: FullTable;
const states = ['open', 'won', 'lost'];

const salesTable = () =>
  shop.table({
    name: 'Sales',
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Price' },
      { type: 'singleSelect', name: 'State', options: { choices: states.map((name) => ({ name })) } },
    ],
    records: [
      { fields: { Name: 'a', Price: 1, State: 'open' } },
      { fields: { Name: 'b', Price: 2, State: 'won' } },
      { fields: { Name: 'c', Price: 4, State: 'won' } },
      { fields: { Name: 'd', Price: 8, State: 'lost' } },
    ],
  });

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await salesTable();
});

const idOf = (name: string, of = table): string => of.fields.find((field) => field.name === name)?.id as string;

const byState = (more: object = {}, of = table): Chart =>
  ({
    type: 'bar',
    tableId: of.id,
    group: { fieldId: idOf('State', of) },
    measures: [{ statistic: 'sum', fieldId: idOf('Price', of) }],
    ...more,
  }) as Chart;

const newDashboard = async (name = 'Sales', baseId = shop.baseId) => {
  const { id: dashboardId } = must(await shop.owner.call(createDashboard, { params: { baseId }, body: { name } }));
  return { baseId, dashboardId };
};

type OfDashboard = Awaited<ReturnType<typeof newDashboard>>;

const add = async (params: OfDashboard, chart: Chart, name = 'Chart', who: Person = shop.owner) => {
  const item = must(await who.call(createDashboardItem, { params, body: { name, chart } as never }));
  return { ...params, itemId: item.id };
};

const ask = async (
  who: Pick<Person, 'call'>,
  params: OfDashboard & { itemId: string },
  filters?: object[],
): Promise<ChartData> =>
  must(
    await who.call(getChartData, {
      params,
      query: filters === undefined ? {} : { filters: JSON.stringify(filters) },
    } as never),
  ) as ChartData;

const valuesOf = (data: ChartData): unknown => (data.kind === 'groups' ? data.values : data);

test("Teable's client makes, arranges, copies and deletes dashboards, and its charts are read", async () => {
  teable.configApi({ token: shop.owner.token, endpoint: world().origin });
  const { baseId } = shop;
  const { data: made } = await teable.createDashboard(baseId, { name: 'Mine' });
  const { data: second } = await teable.createDashboard(baseId, { name: 'Mine' });
  expect(second.name).toBe('Mine 2');
  const { data: plugin } = await teable.installPlugin(baseId, made.id, { name: 'Bars', pluginId: 'plgchart' });
  const install = plugin.pluginInstallId;
  const query = {
    from: table.id,
    groupBy: [{ column: idOf('State'), type: 'field' }],
    aggregation: [{ column: idOf('Price'), type: 'aggregation', statisticFunc: 'sum' }],
    orderBy: [{ column: `${idOf('Price')}_sum`, type: 'aggregation', order: 'desc' }],
    where: {
      conjunction: 'and',
      filterSet: [{ column: idOf('Price'), type: 'field', operator: 'isGreater', value: 1 }],
    },
  };
  const config = {
    type: 'bar',
    stack: false,
    xAxis: [{ column: idOf('State') }],
    yAxis: [{ column: `${idOf('Price')}_sum`, label: 'Total', suffix: ' €', decimal: 1 }],
  };
  await teable.updateDashboardPluginStorage(baseId, made.id, install, { query, config });
  expect((await teable.getDashboardInstallPlugin(baseId, made.id, install)).data.storage).toEqual({ query, config });
  const params = { baseId, dashboardId: made.id, itemId: install };
  expect(await ask(shop.owner, params)).toMatchObject({
    kind: 'groups',
    groups: [{ value: 'lost' }, { value: 'won' }],
    series: [{ label: 'Total' }],
    values: [[8, 6]],
  });
  const asked = await fetch(
    `${world().origin}/api/plugin/chart/${install}/dashboard/${made.id}/query?baseId=${baseId}`,
    { headers: { authorization: `Bearer ${shop.owner.token}` } },
  );
  expect(await asked.json()).toMatchObject({ rows: [{}, {}], columns: [{}, {}] });

  await teable.renamePlugin(baseId, made.id, install, 'Columns');
  const copied = (await teable.duplicateDashboardInstalledPlugin(baseId, made.id, install, {})).data.id;
  const layout = [
    { pluginInstallId: install, x: 0, y: 0, w: 4, h: 3 },
    { pluginInstallId: copied, x: 4, y: Number.MAX_SAFE_INTEGER, w: 20 - 8, h: 3 },
  ];
  const placed = (await teable.updateLayoutDashboard(baseId, made.id, layout)).data.layout;
  expect(placed.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [0, 3],
  ]);
  const { data: got } = await teable.getDashboard(baseId, made.id);
  expect(teable.getDashboardVoSchema.parse(got)).toMatchObject({
    name: 'Mine',
    layout: placed,
    pluginMap: { [install]: { name: 'Columns' }, [copied]: { name: 'Columns' } },
  });
  await teable.removePlugin(baseId, made.id, copied);
  await teable.renameDashboard(baseId, made.id, 'Ours');
  const { data: copy } = await teable.duplicateDashboard(baseId, made.id, {});
  expect(copy.name).toBe('Ours 2');
  expect(Object.keys((await teable.getDashboard(baseId, copy.id)).data.pluginMap ?? {})).toHaveLength(1);
  for (const id of [made.id, second.id, copy.id]) await teable.deleteDashboard(baseId, id);
  expect((await teable.getDashboardList(baseId)).data).toEqual([]);
});

test('a chart is followed through changes of its fields, and comes back with what it rests on', async () => {
  const own = await salesTable();
  const params = await newDashboard('Followed');
  const item = await add(params, byState({}, own));
  const data = () => ask(shop.owner, item);
  const tableId = own.id;
  const field = (name: string) => ({ params: { tableId, fieldId: idOf(name, own) } });
  expect(valuesOf(await data())).toEqual([[1, 6, 8]]);
  must(await shop.owner.call(updateField, { ...field('Price'), body: { name: 'Worth' } }));
  expect(await data()).toMatchObject({ series: [{ label: 'Worth (sum)' }] });

  // A filter names choices: another name of one is followed.
  const filter = { conjunction: 'and', filterSet: [{ fieldId: idOf('State', own), operator: 'is', value: 'won' }] };
  const won = await add(params, byState({ filter }, own));
  const choices = (own.fields.find(({ name }) => name === 'State')?.options['choices'] as { name: string }[]).map(
    (choice) => (choice.name === 'won' ? { ...choice, name: 'Won!' } : choice),
  );
  must(
    await shop.owner.call(convertField, { ...field('State'), body: { type: 'singleSelect', options: { choices } } }),
  );
  expect(await ask(shop.owner, won)).toMatchObject({ groups: [{ value: 'Won!' }], values: [[6]] });

  must(await shop.owner.call(convertField, { ...field('Price'), body: { type: 'singleLineText' } as never }));
  expect(await data()).toMatchObject({ kind: 'broken', problems: [{ path: 'measures[0].statistic', code: 'unfit' }] });
  must(await shop.owner.call(convertField, { ...field('Price'), body: { type: 'number' } as never }));
  expect(valuesOf(await data())).toEqual([[1, 6, 8]]);

  must(await shop.owner.call(deleteField, field('State')));
  expect(await data()).toMatchObject({ kind: 'broken', problems: [{ path: 'group.fieldId', code: 'noField' }] });
  // It can be mended: the definition is still there.
  const { items } = must(await shop.owner.call(getDashboard, { params }));
  expect(items[0]).toMatchObject({ type: 'bar', chart: { group: { fieldId: idOf('State', own) } }, problems: [{}] });
  const trash = must(
    await shop.owner.call(listTrashItems, { query: { resourceId: tableId, resourceType: 'table' } }),
  ).trashItems;
  must(await shop.owner.call(restoreTrash, { params: { trashId: trash[0]?.id as string } }));
  expect(valuesOf(await data())).toEqual([[1, 6, 8]]);
});

test('bad input changes nothing and says where it is wrong', async () => {
  const params = await newDashboard('Bad');
  const item = await add(params, byState());
  const refused = async (made: Promise<{ status: number; error: unknown }>, path: string): Promise<void> => {
    const { status, error } = await made;
    expect([status, JSON.stringify(error)]).toEqual([400, expect.stringContaining(path)]);
  };
  const { call } = shop.owner;
  await refused(
    call(createDashboardItem, { params, body: { name: 'x', chart: byState({ tableId: 'tblNone' }) } }),
    'chart.tableId',
  );
  await refused(call(createDashboardItem, { params, body: { name: 'x', chart: byState({ colour: 1 }) } }), 'chart');
  await refused(
    call(updateDashboardItem, { params: item, body: { chart: byState({ group: { fieldId: 'fldNone' } }) } }),
    'chart.group.fieldId',
  );
  await refused(
    call(setDashboardLayout, { params, body: { layout: [{ pluginInstallId: 'pliNone', x: 0, y: 0, w: 1, h: 1 }] } }),
    'layout[0].pluginInstallId',
  );
  await refused(call(getChartData, { params: item, query: { filters: '{' } }), 'filters');
  const bad = [{ tableId: table.id, filter: { conjunction: 'and', filterSet: [{ fieldId: 'fldNone' }] } }];
  await refused(call(getChartData, { params: item, query: { filters: JSON.stringify(bad) } }), 'filters[0].filter');
  const taken = await call(updateDashboardItem, { params: item, body: { name: 'New', version: 7 } });
  expect(taken.status).toBe(409);
  expect((await call(installDashboardPlugin, { params, body: { name: 'x', pluginId: 'plgother' } })).status).toBe(404);
  const { items } = must(await call(getDashboard, { params }));
  expect(items.map(({ name, version }) => [name, version])).toEqual([['Chart', 1]]);
});

test('members who are bound by rules see their records, and nothing of a chart on what is hidden', async () => {
  const own = await openWorkshop(world());
  const [shopBefore, tableBefore] = [shop, table];
  shop = own;
  table = await salesTable();
  try {
    const bound = await member(world(), own.owner, own.baseId, 'editor');
    const params = await newDashboard();
    const secret = { conjunction: 'and', filterSet: [{ fieldId: idOf('Price'), operator: 'isGreater', value: 4711 }] };
    const counts = await add(params, byState({ measures: [{ statistic: 'count' }] }), 'Counts');
    const sums = await add(params, byState(), 'Sums');
    const filtered = await add(params, byState({ measures: [{ statistic: 'count' }], filter: secret }), 'Filtered');
    must(
      await own.owner.call(setDashboardFilters, {
        params,
        body: {
          filters: [
            { id: 'one', name: 'State', fields: [{ tableId: table.id, fieldId: idOf('State') }] },
            { id: 'two', name: 'Price', fields: [{ tableId: table.id, fieldId: idOf('Price') }] },
          ],
        },
      }),
    );
    await setMatrix(world(), own.baseId, [
      {
        members: [{ userId: bound.userId }],
        tables: {
          [table.id]: {
            grants: [
              {
                actions: ['record|read'],
                fields: [idOf('Name'), idOf('State')],
                when: { conjunction: 'and', filterSet: [{ fieldId: idOf('State'), operator: 'is', value: 'won' }] },
              },
            ],
          },
        },
      },
    ]);
    expect(await ask(bound, counts)).toMatchObject({ groups: [{ value: 'won' }], values: [[2]], total: 2 });
    for (const item of [sums, filtered])
      expect(await ask(bound, item)).toMatchObject({ kind: 'broken', problems: [{ code: 'noField' }] });
    const hidden = [{ tableId: table.id, filter: secret }];
    const asked = await bound.call(getChartData, { params: counts, query: { filters: JSON.stringify(hidden) } });
    expect(asked.status).toBe(400);
    const seen = must(await bound.call(getDashboard, { params }));
    expect(seen.items.map(({ name, chart }) => [name, chart === undefined])).toEqual([
      ['Counts', false],
      ['Sums', true],
      ['Filtered', true],
    ]);
    expect(seen.filters.map(({ name }) => name)).toEqual(['State']);
    expect(seen.mayChange).toBe(false);
    const stored = must(await bound.call(getDashboardPlugin, { params: { ...params, itemId: filtered.itemId } }));
    expect(JSON.stringify([seen, stored])).not.toMatch(new RegExp(`4711|${idOf('Price')}`));
    expect((await bound.call(createDashboard, { params: { baseId: own.baseId }, body: { name: 'x' } })).status).toBe(
      403,
    );
    // A token that may not read records sees no numbers.
    const narrow = await own.owner.withToken({ scopes: ['base|read'], baseIds: [own.baseId] });
    expect((await narrow.call(getChartData, { params: counts, query: {} })).status).toBe(403);
    const bare = must(await narrow.call(getDashboard, { params }));
    expect(bare.items.every(({ chart }) => chart === undefined)).toBe(true);
  } finally {
    [shop, table] = [shopBefore, tableBefore];
  }
});

test('a share shows the charts as the one who shared it sees them, behind its password, and ends with them', async () => {
  const sharer = await member(world(), shop.owner, shop.spaceId, 'creator');
  const params = await newDashboard('Shared');
  const item = await add(params, byState());
  await add(params, { type: 'text', text: '# Hello' }, 'Text');
  const { shareId } = must(await sharer.call(shareDashboard, { params, body: { password: 'secret' } }));
  const visitor = caller({ baseUrl: world().baseUrl });
  const share = { params: { shareId } };
  expect((await visitor(getSharedDashboard, share)).status).toBe(401);
  expect((await visitor(authDashboardShare, { ...share, body: { password: 'wrong' } })).status).toBe(400);
  const { token } = must(await visitor(authDashboardShare, { ...share, body: { password: 'secret' } }));
  const guest = caller({ baseUrl: world().baseUrl, headers: { cookie: `${shareId}=${token}` } });
  const shown = must(await guest(getSharedDashboard, share));
  expect(shown.items.map(({ type, chart }) => [type, chart?.type])).toEqual([
    ['bar', undefined],
    ['text', 'text'],
  ]);
  const data = must(await guest(getSharedChartData, { params: { shareId, itemId: item.itemId } })) as ChartData;
  expect(valuesOf(data)).toEqual([[1, 6, 8]]);
  expect(JSON.stringify(data)).not.toContain('filter');
  const foreign = await add(await newDashboard('Other'), byState());
  expect((await guest(getSharedChartData, { params: { shareId, itemId: foreign.itemId } })).status).toBe(404);
  // Another password: what visitors had entered ends.
  must(await sharer.call(shareDashboard, { params, body: { password: 'another' } }));
  expect((await guest(getSharedDashboard, share)).status).toBe(401);
  must(await sharer.call(shareDashboard, { params, body: { password: null } }));
  expect((await visitor(getSharedDashboard, share)).status).toBe(200);
  must(
    await shop.owner.call(removeSpaceCollaborator, {
      params: { spaceId: shop.spaceId },
      query: { principalId: sharer.userId, principalType: 'user' },
    }),
  );
  expect((await visitor(getSharedDashboard, share)).status).toBe(400);
  must(await shop.owner.call(shareDashboard, { params, body: {} }));
  expect((await visitor(getSharedDashboard, share)).status).toBe(200);
  must(await shop.owner.call(unshareDashboard, { params }));
  expect((await visitor(getSharedDashboard, share)).status).toBe(400);
});

test('a dashboard is a node: in folders, in the trash and back, deleted for good', async () => {
  const { baseId } = shop;
  const node = (given: object) =>
    shop.owner.call(createNode, { params: { baseId }, body: { resourceType: 'dashboard', ...given } as never });
  const folder = must(await node({ resourceType: 'folder', name: 'Reports' }));
  const made = must(await node({ name: 'Node', parentId: folder.id }));
  expect(made).toMatchObject({ resourceType: 'dashboard', parentId: folder.id, resourceMeta: { name: 'Node' } });
  await add({ baseId, dashboardId: made.resourceId }, byState());
  const copy = must(await shop.owner.call(duplicateNode, { params: { baseId, nodeId: made.id }, body: {} }));
  expect(copy).toMatchObject({ parentId: folder.id, resourceMeta: { name: 'Node 2' } });
  must(await shop.owner.call(moveNode, { params: { baseId, nodeId: copy.id }, body: { parentId: null } }));
  must(await shop.owner.call(deleteDashboard, { params: { baseId, dashboardId: made.resourceId } }));
  const nodes = async () => must(await shop.owner.call(listNodes, { params: { baseId } })).map(({ id }) => id);
  expect(await nodes()).not.toContain(made.id);
  const { trashItems } = must(
    await shop.owner.call(listTrashItems, { query: { resourceId: baseId, resourceType: 'base' } }),
  );
  expect(trashItems[0]).toMatchObject({ resourceId: made.resourceId, resourceType: 'dashboard' });
  must(await shop.owner.call(restoreTrash, { params: { trashId: trashItems[0]?.id as string } }));
  expect(await nodes()).toContain(made.id);
  const back = must(await shop.owner.call(getDashboard, { params: { baseId, dashboardId: made.resourceId } }));
  expect(back.items).toHaveLength(1);
  must(await shop.owner.call(deleteNodePermanently, { params: { baseId, nodeId: copy.id } }));
  expect(await nodes()).not.toContain(copy.id);
});

test('copies and files of a base carry its dashboards, whose charts rest on the copies', async () => {
  const own = await openWorkshop(world());
  const [shopBefore, tableBefore] = [shop, table];
  shop = own;
  table = await salesTable();
  try {
    await add(await newDashboard(), byState({ viewId: table.defaultViewId }));
    const { id: copyId } = must(
      await own.owner.call(duplicateBase, {
        body: { fromBaseId: own.baseId, spaceId: own.spaceId, withRecords: true } as never,
      }),
    );
    const spaceId = await newSpace(own.owner);
    const importedId = await importFromFile(own.owner, spaceId, await exportToFile(own.owner, own.baseId));
    for (const baseId of [copyId, importedId]) {
      const [dashboard] = must(await own.owner.call(listDashboards, { params: { baseId } }));
      const params = { baseId, dashboardId: dashboard?.id as string };
      const [item] = must(await own.owner.call(getDashboard, { params })).items;
      expect(item?.problems).toBeUndefined();
      expect(JSON.stringify(item)).not.toMatch(new RegExp(`${table.id}|${idOf('State')}|${table.defaultViewId}`));
      expect(valuesOf(await ask(own.owner, { ...params, itemId: item?.id as string }))).toEqual([[1, 6, 8]]);
    }
  } finally {
    [shop, table] = [shopBefore, tableBefore];
  }
});

test('a chart that has not changed costs nothing, and those who have the base open hear of what has', async () => {
  const own = await salesTable();
  const other = await salesTable();
  const params = await newDashboard('Live');
  const url = world().baseUrl + addressOf(listenToBase, { params: { baseId: shop.baseId }, query: {} });
  const ear = await listen(url, { token: shop.owner.token });
  await ear.until(({ name }) => name === 'ready');
  const item = await add(params, byState({}, own));
  await ear.until(({ name, data }) => name === 'dashboards.changed' && data.dashboardId === params.dashboardId);

  const get = (tag?: string) =>
    fetch(world().baseUrl + addressOf(getChartData, { params: item, query: {} }), {
      headers: { authorization: `Bearer ${shop.owner.token}`, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    });
  const first = await get();
  const tag = first.headers.get('etag') as string;
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^".+"$/)]);
  expect((await get(tag)).status).toBe(304);
  const write = (of: FullTable) =>
    shop.owner.call(createRecords, {
      params: { tableId: of.id },
      body: { records: [{ fields: { State: 'open', Price: 16 } }] },
    });
  // What happens in another table is not of its concern.
  must(await write(other));
  expect((await get(tag)).status).toBe(304);
  must(await write(own));
  await ear.until(({ name, data }) => name === 'tables.touched' && data.tableIds.includes(own.id));
  const changed = await get(tag);
  expect([changed.status, valuesOf((await changed.json()) as ChartData)]).toEqual([200, [[17, 6, 8]]]);
  must(await shop.owner.call(updateDashboardItem, { params: item, body: { name: 'Renamed' } }));
  expect((await get(changed.headers.get('etag') as string)).status).toBe(200);
  ear.close();
});
