// Counts, statistics, groups and hits over HTTP, the order of a view, and the same with the official client of Teable.
import {
  getAggregation,
  getGroupPoints,
  getRowCount,
  getSearchCount,
  getRecordIndex,
  getSearchIndex,
} from '@rowhouse/contract/aggregation.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { createView, getView, lockView, setViewColumns } from '@rowhouse/contract/view.ts';
import { moveRecords, sortManually } from '@rowhouse/contract/view-order.ts';
import * as teable from '@teable/openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let table: FullTable;
let params: { tableId: string };

const rows = [
  { Name: 'a', Count: 1, Kind: 'x', Done: true, Day: '2024-01-31T12:00:00.000Z', Tags: ['red', 'blue'] },
  { Name: 'b', Count: 2.5, Kind: 'x', Day: '2024-03-01T23:30:00.000Z', Tags: ['red'] },
  { Name: 'a', Count: 4, Kind: 'y', Done: true },
  { Name: null, Kind: 'y', Day: '2023-12-31T00:00:00.000Z' },
];

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'y' }, { name: 'x' }] } },
      { type: 'checkbox', name: 'Done' },
      { type: 'date', name: 'Day' },
      { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'red' }, { name: 'blue' }] } },
      { type: 'createdBy', name: 'Maker' },
    ],
    records: rows.map((fields) => ({ fields })),
  });
  params = { tableId: table.id };
});

const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;

const measure = async (wanted: Record<string, string[]>, query: Record<string, unknown> = {}): Promise<unknown[]> => {
  const fields = Object.fromEntries(Object.entries(wanted).map(([statistic, names]) => [`field[${statistic}]`, names]));
  const { status, body, error } = await shop.owner.call(getAggregation, { params, query: { ...query, ...fields } });
  if (status !== 200) throw new Error(JSON.stringify(error));
  return body.aggregations.map(({ total }) => total?.value);
};

describe('statistics', () => {
  test('of numbers', async () => {
    expect(
      await measure({
        sum: ['Count'],
        average: ['Count'],
        min: ['Count'],
        max: ['Count'],
        count: ['Count'],
        empty: ['Count'],
        filled: ['Count'],
        percentFilled: ['Count'],
      }),
    ).toEqual([7.5, 2.5, 1, 4, 4, 1, 3, 75]);
  });

  test('of text, choices, people and checkboxes', async () => {
    expect(
      await measure({
        unique: ['Name', 'Kind', 'Maker', 'Tags'],
        percentUnique: ['Name', 'Tags'],
        percentEmpty: ['Name'],
      }),
    ).toEqual([2, 2, 1, 2, 50, (2 / 3) * 100, 25].map((value) => expect.closeTo(value, 9)));
    expect(
      await measure({ checked: ['Done'], unChecked: ['Done'], percentChecked: ['Done'], percentUnChecked: ['Done'] }),
    ).toEqual([2, 2, 50, 50]);
  });

  test('of dates', async () => {
    expect(
      await measure({
        earliestDate: ['Day'],
        latestDate: ['Day'],
        dateRangeOfDays: ['Day'],
        dateRangeOfMonths: ['Day'],
        unique: ['Day'],
      }),
    ).toEqual(['2023-12-31T00:00:00.000Z', '2024-03-01T23:30:00.000Z', 61, 2, 3]);
  });

  test('of nothing', async () => {
    const filter = JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: 'Count', operator: 'isGreater', value: 100 }],
    });
    expect(
      await measure(
        {
          sum: ['Count'],
          count: ['Count'],
          percentEmpty: ['Count'],
          earliestDate: ['Day'],
          dateRangeOfDays: ['Day'],
          unique: ['Tags'],
        },
        { filter },
      ),
    ).toEqual([null, 0, 0, null, null, 0]);
  });

  test('per group carry the ids of the group points', async () => {
    const groupBy = JSON.stringify([
      { fieldId: 'Kind', order: 'asc' },
      { fieldId: 'Done', order: 'asc' },
    ]);
    const points = (await shop.owner.call(getGroupPoints, { params, query: { groupBy } })).body.filter(
      (point) => point.type === 0,
    );
    const { body } = await shop.owner.call(getAggregation, { params, query: { groupBy, 'field[sum]': ['Count'] } });
    expect(points.map(({ id, depth, value }) => [depth, value, body.aggregations[0]?.group?.[id]?.value])).toEqual([
      [0, 'y', 4],
      [1, null, null],
      [1, true, 4],
      [0, 'x', 3.5],
      [1, null, 2.5],
      [1, true, 1],
    ]);
    expect(Object.keys(body.aggregations[0]?.group ?? {})).toHaveLength(6);
  });

  test('without fields are those that the columns of the view show', async () => {
    const { body: view } = await shop.owner.call(createView, { params, body: { type: 'grid' } });
    await shop.owner.call(setViewColumns, {
      params: { ...params, viewId: view.id },
      body: [
        { fieldId: idOf('Count'), columnMeta: { statisticFunc: 'sum' } },
        { fieldId: idOf('Done'), columnMeta: { statisticFunc: 'percentChecked' } },
      ],
    });
    const { body } = await shop.owner.call(getAggregation, { params, query: { viewId: view.id } });
    expect(body.aggregations).toEqual([
      { fieldId: idOf('Count'), total: { value: 7.5, aggFunc: 'sum' } },
      { fieldId: idOf('Done'), total: { value: 50, aggFunc: 'percentChecked' } },
    ]);
    expect((await shop.owner.call(getAggregation, { params })).body.aggregations).toEqual([]);
  });

  test('that a field does not have, or nobody has, are refused', async () => {
    const refused = async (query: Record<string, unknown>): Promise<unknown> => {
      const { status, error } = await shop.owner.call(getAggregation, { params, query });
      expect(status).toBe(400);
      return error.data.issues[0].path;
    };
    expect(await refused({ 'field[sum]': ['Name'] })).toBe('query.field[sum][0]');
    expect(await refused({ 'field[median]': ['Count'] })).toBe('query.field[median]');
    expect(await refused({ 'field[sum]': ['Count', 'Nope'] })).toBe('query.field[sum][1]');
    expect(await refused({ filter: '{' })).toBe('filter');
  });
});

describe('counts', () => {
  test('records by filter, search, selection and view', async () => {
    const count = async (query: Record<string, unknown>) =>
      (await shop.owner.call(getRowCount, { params, query })).body.rowCount;
    expect(await count({})).toBe(4);
    expect(
      await count({
        filter: JSON.stringify({
          conjunction: 'or',
          filterSet: [
            { fieldId: 'Name', operator: 'is', value: 'A' },
            { fieldId: 'Count', operator: 'isEmpty', value: null },
          ],
        }),
      }),
    ).toBe(3);
    expect(await count({ search: ['a', 'Name', 'true'] })).toBe(2);
    expect(await count({ search: ['a', 'Name', 'false'] })).toBe(4);
    expect(await count({ selectedRecordIds: ['recNope'] })).toBe(0);
  });

  test('cells that a search finds, and where', async () => {
    const query = { search: ['re', 'Name,Tags', 'false'] };
    expect((await shop.owner.call(getSearchCount, { params, query })).body).toEqual({ count: 2 });
    const orderBy = '[{"fieldId":"Count","order":"desc"}]';
    const found = (await shop.owner.call(getSearchIndex, { params, query: { ...query, orderBy, take: 10 } })).body;
    expect(found?.map(({ index, fieldId }) => [index, fieldId])).toEqual([
      [2, idOf('Tags')],
      [3, idOf('Tags')],
    ]);
    expect((await shop.owner.call(getSearchIndex, { params, query: { search: ['zzz'], take: 10 } })).body).toBeNull();
    expect((await shop.owner.call(getSearchCount, { params })).body).toEqual({ count: 0 });
  });

  test('the place of a record in the list, whatever it is ordered by', async () => {
    const queries: Record<string, unknown>[] = [
      {},
      { orderBy: '[{"fieldId":"Count","order":"asc"}]' },
      { orderBy: '[{"fieldId":"Count","order":"desc"},{"fieldId":"Name","order":"asc"}]' },
      { groupBy: '[{"fieldId":"Tags","order":"desc"}]', orderBy: '[{"fieldId":"Name","order":"desc"}]' },
      { search: ['a', 'Name', 'true'], orderBy: '[{"fieldId":"Name","order":"desc"}]' },
    ];
    const { records: all } = (await shop.owner.call(listRecords, { params, query: {} })).body;
    for (const query of queries) {
      const { records } = (await shop.owner.call(listRecords, { params, query })).body;
      const places = await Promise.all(
        all.map(
          async ({ id }) =>
            (await shop.owner.call(getRecordIndex, { params, query: { ...query, recordId: id } })).body?.index ?? null,
        ),
      );
      const listed = all.map(({ id }) => records.findIndex((record) => record.id === id));
      expect([query, places]).toEqual([query, listed.map((at) => (at === -1 ? null : at))]);
    }
    expect((await shop.owner.call(getRecordIndex, { params, query: { recordId: 'recNope' } })).body).toBeNull();
  });

  test('strangers see nothing, viewers all of it', async () => {
    const stranger = await person(world());
    expect((await stranger.call(getRowCount, { params })).status).toBe(404);
    const viewer = await member(world(), shop.owner, shop.baseId, 'viewer');
    expect((await viewer.call(getRowCount, { params })).body).toEqual({ rowCount: 4 });
    const narrow = await shop.owner.withToken({ scopes: ['table|read', 'field|read'], baseIds: [shop.baseId] });
    expect((await narrow.call(getRowCount, { params })).status).toBe(403);
  });
});

describe('the order of a view', () => {
  const arranged = async (viewId: string): Promise<string> =>
    (await shop.owner.call(listRecords, { params: { tableId: list.id }, query: { viewId } })).body.records
      .map(({ name }) => name)
      .join('');
  let list: FullTable;
  let ids: Record<string, string>;
  let place: { params: { tableId: string; viewId: string } };

  beforeAll(async () => {
    list = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'N' },
      ],
      records: ['c', 'a', 'd', 'b'].map((Name, N) => ({ fields: { Name, N: N % 2 } })),
    });
    ids = Object.fromEntries(list.records.map(({ id, fields }) => [fields['Name'] as string, id]));
    place = { params: { tableId: list.id, viewId: list.views[0]?.id as string } };
  });

  test('records are moved before and after another, in the order of the request', async () => {
    const move = (anchor: string, position: 'before' | 'after', ...names: string[]) =>
      shop.owner.call(moveRecords, {
        ...place,
        body: { anchorId: ids[anchor] as string, position, recordIds: names.map((name) => ids[name] as string) },
      });
    expect((await move('a', 'before', 'b', 'd')).status).toBe(200);
    expect(await arranged(place.params.viewId)).toBe('cbda');
    await move('d', 'after', 'd', 'c');
    expect(await arranged(place.params.viewId)).toBe('bdca');
    expect(
      (
        await shop.owner.call(moveRecords, {
          ...place,
          body: { anchorId: 'recNope', position: 'after', recordIds: [ids['a'] as string] },
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await shop.owner.call(moveRecords, {
          ...place,
          body: { anchorId: ids['a'] as string, position: 'after', recordIds: ['recNope', ids['b'] as string] },
        })
      ).status,
    ).toBe(404);
    expect((await move('a', 'after', 'b', 'b')).status).toBe(400);
    expect(await arranged(place.params.viewId)).toBe('bdca');
  });

  test('a sort that is applied once stays when cells change, and new records come last', async () => {
    const { status } = await shop.owner.call(sortManually, {
      ...place,
      body: {
        sortObjs: [
          { fieldId: list.fields[1]?.id as string, order: 'desc' },
          { fieldId: list.fields[0]?.id as string, order: 'asc' },
        ],
      },
    });
    expect(status).toBe(200);
    expect(await arranged(place.params.viewId)).toBe('abcd');
    expect((await shop.owner.call(getView, place)).body.sort).toMatchObject({ manualSort: true });
    await shop.owner.call(createRecords, {
      params: { tableId: list.id },
      body: { records: [{ fields: { Name: 'e', N: 9 } }] },
    });
    expect(await arranged(place.params.viewId)).toBe('abcde');
    expect(
      (await shop.owner.call(sortManually, { ...place, body: { sortObjs: [{ fieldId: 'fldNope', order: 'asc' }] } }))
        .error.data.issues[0].path,
    ).toBe('sortObjs[0].fieldId');
  });

  test('a locked view keeps its order', async () => {
    await shop.owner.call(lockView, { ...place, body: { isLocked: true } });
    expect(
      (
        await shop.owner.call(moveRecords, {
          ...place,
          body: { anchorId: ids['a'] as string, position: 'after', recordIds: [ids['c'] as string] },
        })
      ).status,
    ).toBe(403);
    await shop.owner.call(lockView, { ...place, body: { isLocked: false } });
  });
});

describe('the client of Teable', () => {
  beforeAll(() => {
    teable.configApi({ token: shop.owner.token, endpoint: world().origin });
  });

  test('lists records', async () => {
    const { data } = await teable.getRecords(table.id, {
      filter: { conjunction: 'and', filterSet: [{ fieldId: idOf('Kind'), operator: 'isAnyOf', value: ['x', 'y'] }] },
      orderBy: [{ fieldId: idOf('Count'), order: 'desc' as never }],
      groupBy: [{ fieldId: idOf('Kind'), order: 'asc' as never }],
      search: ['a', idOf('Name'), true],
      projection: ['Name', 'Count'],
      take: 10,
      skip: 0,
    });
    expect(teable.recordsVoSchema.parse(data).records.map(({ fields }) => fields)).toEqual([
      { Name: 'a', Count: 4 },
      { Name: 'a', Count: 1 },
    ]);
    expect(data.extra?.groupPoints).toHaveLength(4);
    const id = data.extra?.groupPoints?.[0] as { id: string };
    const collapsed = await teable.getRecords(table.id, {
      groupBy: [{ fieldId: idOf('Kind'), order: 'asc' as never }],
      collapsedGroupIds: [id.id] as never,
    });
    expect(teable.recordsVoSchema.parse(collapsed.data).records).toHaveLength(2);
  });

  test('counts, groups, aggregates and searches', async () => {
    const filter = {
      conjunction: 'and' as const,
      filterSet: [{ fieldId: idOf('Count'), operator: 'isGreater' as const, value: 1 }],
    };
    expect(
      teable.rowCountVoSchema.parse(
        (await teable.getRowCount(table.id, { filter, search: ['a', idOf('Name'), true] })).data,
      ),
    ).toEqual({ rowCount: 1 });
    const groupBy = [{ fieldId: idOf('Kind'), order: 'desc' as never }];
    const points = teable.groupPointsVoSchema.parse(
      (await teable.getGroupPoints(table.id, { groupBy, filter, collapsedGroupIds: [] as never })).data,
    );
    expect(points).toHaveLength(4);
    const { data } = await teable.getAggregation(table.id, {
      filter,
      groupBy,
      field: { sum: [idOf('Count')], unique: [idOf('Name'), idOf('Kind')] } as never,
    });
    expect(teable.aggregationVoSchema.parse(data).aggregations?.map(({ total }) => total?.value)).toEqual([6.5, 2, 2]);
    expect(
      teable.searchCountVoSchema.parse((await teable.getSearchCount(table.id, { search: ['a', '', true] })).data).count,
    ).toBeGreaterThan(0);
    expect(
      teable.searchIndexVoSchema.parse(
        (await teable.getSearchIndex(table.id, { search: ['a', idOf('Name'), true], take: 5 })).data,
      ),
    ).toHaveLength(2);
  });

  test('orders the records of a view', async () => {
    const viewId = table.views[0]?.id as string;
    const [first, , third] = table.records.map(({ id }) => id) as [string, string, string];
    await teable.updateRecordOrders(table.id, viewId, { anchorId: first, position: 'before', recordIds: [third] });
    expect((await teable.getRecords(table.id, { viewId })).data.records[0]?.id).toBe(third);
    await teable.manualSortView(table.id, viewId, { sortObjs: [{ fieldId: idOf('Count'), order: 'desc' as never }] });
    expect((await teable.getRecords(table.id, { viewId })).data.records.map(({ fields }) => fields['Count'])).toEqual([
      4,
      2.5,
      1,
      undefined,
    ]);
  });
});
