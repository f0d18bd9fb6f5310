// Finding records over HTTP: parameters, views, pages, groups, search, and what is refused.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { createView, setViewColumns, setViewFilter, setViewGroup, setViewSort } from '@rowhouse/contract/view.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let table: FullTable;

const fruits = [
  { Name: 'apple', Count: 3, Kind: 'sweet', Tags: ['red', 'round'], Done: true, Day: '2024-01-31T12:00:00.000Z' },
  { Name: 'Banana', Count: 12, Kind: 'sweet', Tags: ['long'], Day: '2024-02-01T23:30:00.000Z' },
  { Name: 'cherry', Count: 3, Kind: 'sour', Tags: ['red'], Done: true },
  { Name: '100% date', Kind: 'sweet', Tags: ['long', 'red'] },
  { Name: 'elderberry_x', Count: -1.5, Day: '2023-12-31T00:00:00.000Z' },
  { Count: 7, Kind: 'sour' },
];

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await shop.table({
    name: 'Fruit',
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count', options: { formatting: { type: 'decimal', precision: 1 } } },
      { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'sweet' }, { name: 'sour' }] } },
      {
        type: 'multipleSelect',
        name: 'Tags',
        options: { choices: [{ name: 'red' }, { name: 'round' }, { name: 'long' }] },
      },
      { type: 'checkbox', name: 'Done' },
      {
        type: 'date',
        name: 'Day',
        options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'Europe/Berlin' } },
      },
      { type: 'user', name: 'Owner' },
    ],
    records: fruits.map((fields) => ({ fields })),
  });
});

const list = (query: Record<string, unknown>) => shop.owner.call(listRecords, { params: { tableId: table.id }, query });

const labels = (records: readonly { fields: Record<string, unknown> }[]): unknown[] =>
  records.map(({ fields }) => fields['Name'] ?? null);

const names = async (query: Record<string, unknown>): Promise<unknown[]> => {
  const { status, body, error } = await list(query);
  if (status !== 200) throw new Error(JSON.stringify(error));
  return labels(body.records);
};

const where = (...filterSet: unknown[]) => names({ filter: JSON.stringify({ conjunction: 'and', filterSet }) });
const one = (fieldId: string, operator: string, value: unknown = null) => where({ fieldId, operator, value });

describe('filters', () => {
  test('text is compared without regard to case, and wildcards mean themselves', async () => {
    expect(await one('Name', 'is', 'BANANA')).toEqual(['Banana']);
    expect(await one('Name', 'isNot', 'banana')).toEqual(['apple', 'cherry', '100% date', 'elderberry_x', null]);
    expect(await one('Name', 'contains', '0%')).toEqual(['100% date']);
    expect(await one('Name', 'contains', 'y_X')).toEqual(['elderberry_x']);
    expect(await one('Name', 'contains', '%')).toEqual(['100% date']);
    expect(await one('Name', 'doesNotContain', 'an')).toEqual(['apple', 'cherry', '100% date', 'elderberry_x', null]);
    expect(await one('Name', 'isEmpty')).toEqual([null]);
  });

  test('numbers are compared, and empty ones only match isEmpty and isNot', async () => {
    expect(await one('Count', 'is', 3)).toEqual(['apple', 'cherry']);
    expect(await one('Count', 'isNot', 3)).toEqual(['Banana', '100% date', 'elderberry_x', null]);
    expect(await one('Count', 'isGreater', 3)).toEqual(['Banana', null]);
    expect(await one('Count', 'isLessEqual', 3)).toEqual(['apple', 'cherry', 'elderberry_x']);
    expect(await one('Count', 'isEmpty')).toEqual(['100% date']);
  });

  test('a query in words finds what a filter finds, beside a filter and through a view', async () => {
    const tql = (filterByTql: string, more: Record<string, unknown> = {}) => names({ filterByTql, ...more });
    expect(await tql(`{Count} = 3 and {Done} = true`)).toEqual(['apple', 'cherry']);
    expect(await tql(`{Kind} = 'sour' or {Count} < 0`)).toEqual(['cherry', 'elderberry_x', null]);
    expect(await tql(`{Tags} has ('red', 'long') or ({Name} like 'AN' and {Count} > 3)`)).toEqual([
      'Banana',
      '100% date',
    ]);
    // The day in the zone of the field: half past eleven in London is the next day in Berlin.
    expect(await tql(`{Day} = '2024-02-02'`)).toEqual(['Banana']);
    expect(await tql(`{${table.fields[1]?.id}} is null`)).toEqual(['100% date']);
    expect(
      await tql('{Count} = 3', {
        filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: 'Kind', operator: 'is', value: 'sour' }] }),
      }),
    ).toEqual(['cherry']);
  });

  test('selects know one of, none of, all of and exactly', async () => {
    expect(await one('Kind', 'isAnyOf', ['sour', 'nothing'])).toEqual(['cherry', null]);
    expect(await one('Kind', 'isNoneOf', ['sour'])).toEqual(['apple', 'Banana', '100% date', 'elderberry_x']);
    expect(await one('Tags', 'hasAnyOf', ['round', 'long'])).toEqual(['apple', 'Banana', '100% date']);
    expect(await one('Tags', 'hasAllOf', ['red', 'long'])).toEqual(['100% date']);
    expect(await one('Tags', 'isExactly', ['round', 'red'])).toEqual(['apple']);
    expect(await one('Tags', 'isNotExactly', ['red'])).toEqual(['apple', 'Banana', '100% date', 'elderberry_x', null]);
    expect(await one('Tags', 'hasNoneOf', ['red'])).toEqual(['Banana', 'elderberry_x', null]);
  });

  test('a checkbox that is not checked is false', async () => {
    expect(await one('Done', 'is', true)).toEqual(['apple', 'cherry']);
    expect(await one('Done', 'is', false)).toEqual(['Banana', '100% date', 'elderberry_x', null]);
  });

  test('a day is the day of the time zone in the condition', async () => {
    const on = (operator: string, exactDate: string, timeZone: string) =>
      one('Day', operator, { mode: 'exactDate', exactDate, timeZone });
    expect(await on('is', '2024-02-02', 'Europe/Berlin')).toEqual(['Banana']);
    expect(await on('is', '2024-02-02', 'UTC')).toEqual([]);
    expect(await on('isBefore', '2024-01-31', 'UTC')).toEqual(['elderberry_x']);
    expect(await on('isOnOrBefore', '2024-01-31', 'UTC')).toEqual(['apple', 'elderberry_x']);
    expect(await on('isAfter', '2024-01-31', 'UTC')).toEqual(['Banana']);
    expect(await on('isNot', '2024-01-31', 'UTC')).toEqual(['Banana', 'cherry', '100% date', 'elderberry_x', null]);
    expect(await one('Day', 'isWithIn', { mode: 'pastNumberOfDays', numberOfDays: 100_000, timeZone: 'UTC' })).toEqual([
      'apple',
      'Banana',
      'elderberry_x',
    ]);
  });

  test('me is anyone who asks', async () => {
    const mine = await shop.table({
      name: 'Mine',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'user', name: 'Who' },
        { type: 'user', name: 'All', options: { isMultiple: true } },
        { type: 'createdBy', name: 'Maker' },
      ],
      records: [],
    });
    const me = { id: shop.owner.userId, title: 'x' };
    await shop.owner.call(createRecords, {
      params: { tableId: mine.id },
      body: { records: [{ fields: { Name: 'a', Who: me, All: [me] } }, { fields: { Name: 'b' } }] },
    });
    const ask = async (fieldId: string, operator: string, value: unknown) => {
      const { body } = await shop.owner.call(listRecords, {
        params: { tableId: mine.id },
        query: { filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) },
      });
      return labels(body.records);
    };
    expect(await ask('Who', 'is', 'me')).toEqual(['a']);
    expect(await ask('Who', 'isNot', 'me')).toEqual(['b']);
    // As Teable's clients write it.
    expect(await ask('Who', 'is', 'Me')).toEqual(['a']);
    expect(await ask('Who', 'isAnyOf', ['Me'])).toEqual(['a']);
    expect(await ask('All', 'hasNoneOf', ['Me'])).toEqual(['b']);
    expect(await ask('Who', 'isAnyOf', ['me'])).toEqual(['a']);
    expect(await ask('All', 'hasAnyOf', ['me'])).toEqual(['a']);
    expect(await ask('All', 'isExactly', [me.id])).toEqual(['a']);
    expect(await ask('All', 'hasNoneOf', ['me'])).toEqual(['b']);
    expect(await ask('Maker', 'is', 'me')).toEqual(['a', 'b']);
  });

  test('groups of conditions nest, and a condition without a value has no effect', async () => {
    const filterSet = [
      { fieldId: 'Name', operator: 'is', value: null },
      {
        conjunction: 'or',
        filterSet: [
          { fieldId: 'Count', operator: 'is', value: 12 },
          {
            conjunction: 'and',
            filterSet: [
              { fieldId: 'Done', operator: 'is', value: true },
              { fieldId: 'Kind', operator: 'is', value: 'sour' },
            ],
          },
        ],
      },
    ];
    expect(await where(...filterSet)).toEqual(['Banana', 'cherry']);
  });

  test('symbols stand for operators', async () => {
    expect(await where({ fieldId: 'Count', operator: '>=', value: 7, isSymbol: true })).toEqual(['Banana', null]);
  });

  test('fields are named by id, or as fieldKeyType says', async () => {
    const count = table.fields[1] as FullTable['fields'][number];
    const ask = (fieldId: string, fieldKeyType?: string) =>
      list({
        filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 12 }] }),
        fieldKeyType,
      });
    for (const [key, type] of [
      [count.id, undefined],
      [count.id, 'name'],
      [count.id, 'id'],
      [count.name, 'name'],
      [count.dbFieldName, 'dbFieldName'],
    ] as const) {
      expect((await ask(key, type)).body.records, `${key} by ${type}`).toHaveLength(1);
    }
    expect((await ask('Count', 'id')).status).toBe(400);
  });
});

describe('what is refused', () => {
  const refused = async (query: Record<string, unknown>): Promise<string[]> => {
    const { status, error } = await list(query);
    expect(status, JSON.stringify(error)).toBe(400);
    return error.data.issues.map(({ path }: { path: string }) => path);
  };
  const bad = (...filterSet: unknown[]) => refused({ filter: JSON.stringify({ conjunction: 'and', filterSet }) });
  const fine = { fieldId: 'Count', operator: 'is', value: 1 };

  test('a filter names the place that is wrong', async () => {
    expect(await bad(fine, { ...fine, fieldId: 'Nope' })).toEqual(['filter.filterSet[1].fieldId']);
    expect(await bad({ ...fine, operator: 'contains' })).toEqual(['filter.filterSet[0].operator']);
    expect(await bad(fine, fine, { ...fine, value: 'many' })).toEqual(['filter.filterSet[2].value']);
    expect(await bad({ fieldId: 'Kind', operator: 'isAnyOf', value: 'sour' })).toEqual(['filter.filterSet[0].value']);
    expect(await bad({ fieldId: 'Day', operator: 'is', value: '2024-01-01' })).toEqual(['filter.filterSet[0].value']);
    expect(await bad({ fieldId: 'Day', operator: 'is', value: { mode: 'today', timeZone: 'Mars/Base' } })).toEqual([
      'filter.filterSet[0].value.timeZone',
    ]);
    expect(await bad({ conjunction: 'xor', filterSet: [] })).toEqual(['filter.filterSet[0].conjunction']);
    expect(await bad({ fieldId: 'Name', operator: 'is', value: 'a\u0000b' })).toEqual(['filter.filterSet[0].value']);
    expect(await bad({ fieldId: 'Name', operator: 'contains', value: '\ud800' })).toEqual([
      'filter.filterSet[0].value',
    ]);
  });

  test('malformed JSON, unknown fields and wrong forms elsewhere', async () => {
    expect(await refused({ filter: '{"conjunction":' })).toEqual(['filter']);
    expect(await refused({ filter: '[]' })).toEqual(['filter']);
    expect(await refused({ orderBy: 'Name' })).toEqual(['orderBy']);
    expect(await refused({ orderBy: '[{"fieldId":"Nope","order":"up"}]' })).toEqual([
      'orderBy[0].fieldId',
      'orderBy[0].order',
    ]);
    expect(await refused({ groupBy: '{"fieldId":"Name"}' })).toEqual(['groupBy']);
    expect(await refused({ groupBy: '[{"fieldId":"Name","order":"asc"},7]' })).toEqual(['groupBy[1].fieldId']);
    expect(await refused({ search: ['x', 'Nope'] })).toEqual(['search[1]']);
    expect(await refused({ search: ['x'.repeat(1_001)] })).toEqual(['search[0]']);
    expect(await names({ search: ['x'.repeat(1_000)] })).toEqual([]);
    expect(await refused({ collapsedGroupIds: '[1]' })).toEqual(['collapsedGroupIds']);
    expect((await list({ take: 2_000 })).status).toBe(200);
    expect(await refused({ take: 2_001 })).toEqual(['query.take']);
    expect(await refused({ skip: -1 })).toEqual(['query.skip']);
    expect(await refused({ filterByTql: '{Nope} = 1' })).toEqual(['filterByTql']);
    expect(await refused({ queryId: 'x' })).toEqual(['query.queryId']);
    for (const cursor of ['x', 'bnVsbA', Buffer.from('["AAAAAAAA"]').toString('base64url')])
      expect(await refused({ cursor })).toEqual(['query.cursor']);
    expect((await list({ viewId: 'viwNope' })).status).toBe(404);
    expect((await list({ projection: ['Nope'] })).status).toBe(404);
  });
});

/** Text is sorted by the collation of the database: `Banana` comes before `apple` where that is by code points. */
const inTextOrder = async (...texts: string[]): Promise<string[]> =>
  (
    await world().db.query<{ text: string }>(sql`select text from unnest(${texts}::text[]) as t(text) order by text`)
  ).map(({ text }) => text);

describe('sort', () => {
  const by = (...items: [string, 'asc' | 'desc'][]) =>
    names({ orderBy: JSON.stringify(items.map(([fieldId, order]) => ({ fieldId, order }))) });

  test('empty cells are first ascending and last descending, ties stand by autoNumber', async () => {
    expect(await by(['Count', 'asc'])).toEqual(['100% date', 'elderberry_x', 'apple', 'cherry', null, 'Banana']);
    expect(await by(['Count', 'desc'])).toEqual(['Banana', null, 'apple', 'cherry', 'elderberry_x', '100% date']);
    expect(await by(['Done', 'desc'], ['Count', 'desc'])).toEqual([
      'apple',
      'cherry',
      'Banana',
      null,
      'elderberry_x',
      '100% date',
    ]);
  });

  test('selects are sorted by the order of their choices', async () => {
    expect(await by(['Kind', 'asc'])).toEqual(['elderberry_x', 'apple', 'Banana', '100% date', 'cherry', null]);
    expect(await by(['Kind', 'desc'], ['Name', 'asc'])).toEqual([
      null,
      'cherry',
      '100% date',
      ...(await inTextOrder('Banana', 'apple')),
      'elderberry_x',
    ]);
    expect(await by(['Tags', 'asc'])).toEqual(['elderberry_x', null, 'cherry', 'apple', 'Banana', '100% date']);
  });
});

describe('pages', () => {
  const orders = [
    '[{"fieldId":"Kind","order":"desc"},{"fieldId":"Count","order":"asc"}]',
    '[{"fieldId":"Count","order":"desc"},{"fieldId":"Tags","order":"desc"}]',
    '[{"fieldId":"Day","order":"asc"}]',
    undefined,
  ];

  test('cursors walk through every record once, in order', async () => {
    for (const orderBy of orders) {
      const all = (await list({ orderBy })).body.records.map(({ id }) => id);
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const { body } = await list({ orderBy, take: 2, ...(cursor == null ? {} : { cursor }) });
        seen.push(...body.records.map(({ id }) => id));
        cursor = body.extra?.nextCursor;
      } while (cursor != null);
      expect(seen).toEqual(all);
    }
  });

  test('the header Link names the next page, and there is none behind the last', async () => {
    const filter = JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: 'Count', operator: 'isGreater', value: 0 }],
    });
    const first = await list({ filter, take: 3, orderBy: orders[0], projection: ['Name', 'Count'] });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string;
    const answer = (await (await fetch(next, { headers: { authorization: `Bearer ${shop.owner.token}` } })).json()) as {
      records: { fields: object }[];
    };
    expect(first.body.records.length + answer.records.length).toBe(4);
    expect(Object.keys(answer.records[0]?.fields as object).every((key) => key === 'Name' || key === 'Count')).toBe(
      true,
    );
    const last = await list({ filter, take: 4 });
    expect(last.headers.get('link')).toBeNull();
    expect(last.body.extra?.nextCursor).toBeNull();
  });

  test('a cursor of another order is refused', async () => {
    const { body } = await list({ take: 2, orderBy: orders[0] });
    expect((await list({ take: 2, orderBy: orders[1], cursor: body.extra?.nextCursor })).status).toBe(400);
  });

  test('take 0 answers no records, skip leaves some out', async () => {
    expect(await names({ take: 0 })).toEqual([]);
    expect(await names({ skip: 4 })).toEqual(['elderberry_x', null]);
  });

  test('only selected records, as repeated and as bracketed parameters', async () => {
    const { body } = await list({});
    const ids = body.records.slice(1, 3).map(({ id }) => id);
    expect(await names({ selectedRecordIds: ids })).toEqual(['Banana', 'cherry']);
    expect(await names({ selectedRecordIds: [ids.join(',')] })).toEqual(['Banana', 'cherry']);
    const repeated = await fetch(
      `${world().baseUrl}/table/${table.id}/record?selectedRecordIds=${ids[0]}&selectedRecordIds=${ids[1]}&projection=Name`,
      { headers: { authorization: `Bearer ${shop.owner.token}` } },
    );
    expect(labels(((await repeated.json()) as typeof body).records)).toEqual(['Banana', 'cherry']);
  });
});

describe('groups', () => {
  const byKind = JSON.stringify([
    { fieldId: 'Kind', order: 'asc' },
    { fieldId: 'Done', order: 'desc' },
  ]);

  test('headers stand depth first with the counts of everything found', async () => {
    const { body } = await list({ groupBy: byKind, take: 1 });
    const points = body.extra?.groupPoints ?? [];
    expect(points.map((point) => (point.type === 0 ? [point.depth, point.value] : point.count))).toEqual([
      [0, null],
      [1, null],
      1,
      [0, 'sweet'],
      [1, true],
      1,
      [1, null],
      2,
      [0, 'sour'],
      [1, true],
      1,
      [1, null],
      1,
    ]);
    expect(body.extra?.allGroupHeaderRefs).toHaveLength(8);
    expect(await names({ groupBy: byKind })).toEqual(['elderberry_x', 'apple', 'Banana', '100% date', 'cherry', null]);
  });

  test('a collapsed group keeps its header and gives up its records', async () => {
    const { body } = await list({ groupBy: byKind });
    const sweet = body.extra?.groupPoints?.find((point) => point.type === 0 && point.value === 'sweet') as {
      id: string;
    };
    const collapsed = await list({ groupBy: byKind, collapsedGroupIds: JSON.stringify([sweet.id]) });
    expect(
      collapsed.body.extra?.groupPoints
        ?.filter((point) => point.type === 1)
        .map((point) => point.type === 1 && point.count),
    ).toEqual([1, 1, 1]);
    expect(collapsed.body.extra?.groupPoints?.find((point) => point.type === 0 && point.id === sweet.id)).toMatchObject(
      { isCollapsed: true },
    );
    expect(collapsed.body.extra?.allGroupHeaderRefs).toHaveLength(8);
    expect(labels(collapsed.body.records)).toEqual(['elderberry_x', 'cherry', null]);
  });

  test('numbers are grouped as they are shown, dates by the day in the zone of the field', async () => {
    const values = async (fieldId: string) =>
      (await list({ groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) })).body.extra?.groupPoints?.flatMap(
        (point) => (point.type === 0 ? [point.value] : []),
      );
    expect(await values('Count')).toEqual([null, -1.5, 3, 7, 12]);
    expect(await values('Day')).toEqual([null, '2023-12-31', '2024-01-31', '2024-02-02']);
    expect(await values('Tags')).toEqual([null, ['red'], ['red', 'round'], ['long'], ['long', 'red']]);
  });
});

describe('search', () => {
  test('finds displayed text, in all fields, some, or one', async () => {
    expect(await names({ search: ['ERR'] })).toEqual(['cherry', 'elderberry_x']);
    expect(await names({ search: ['3.0', 'Count', 'true'] })).toEqual(['apple', 'cherry']);
    expect(await names({ search: ['3.00', 'Count', 'true'] })).toEqual([]);
    expect(await names({ search: ['2024-02-02', 'Day'] })).toEqual(['Banana']);
    expect(await names({ search: ['so', 'Name,Kind'] })).toEqual(['cherry', null]);
    expect(await names({ search: '["long, red","Tags",true]' })).toEqual(['100% date']);
    expect(await names({ search: ['LONG', 'Tags'] })).toEqual(
      await names({
        filter: { conjunction: 'and', filterSet: [{ fieldId: 'Tags', operator: 'hasAnyOf', value: ['long'] }] },
      }),
    );
    expect(await names({ search: ['"', 'Tags'] })).toEqual([]);
    expect(await names({ search: ['%'] })).toEqual(['100% date']);
  });

  test('without hiding the rest it only tells the hits of the page', async () => {
    const { body } = await list({ search: ['erry', '', 'false'], take: 3 });
    expect(body.records).toHaveLength(3);
    expect(body.extra?.searchHitIndex).toEqual([{ recordId: body.records[2]?.id, fieldId: table.fields[0]?.id }]);
  });
});

describe('a view', () => {
  test('applies its filter, sort, group and hidden fields, unless told otherwise', async () => {
    const { body: view } = await shop.owner.call(createView, {
      params: { tableId: table.id },
      body: { type: 'grid', name: 'Some' },
    });
    const place = { params: { tableId: table.id, viewId: view.id } };
    const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;
    await shop.owner.call(setViewFilter, {
      ...place,
      body: {
        filter: { conjunction: 'and', filterSet: [{ fieldId: idOf('Kind'), operator: 'isNotEmpty', value: null }] },
      },
    });
    await shop.owner.call(setViewSort, {
      ...place,
      body: { sort: { sortObjs: [{ fieldId: idOf('Name'), order: 'desc' }] } },
    });
    await shop.owner.call(setViewColumns, {
      ...place,
      body: [{ fieldId: idOf('Tags'), columnMeta: { hidden: true } }],
    });
    const shown = await list({ viewId: view.id });
    expect(labels(shown.body.records)).toEqual([
      'cherry',
      ...(await inTextOrder('apple', 'Banana')).reverse(),
      '100% date',
      null,
    ]);
    expect(shown.body.records[0]?.fields).not.toHaveProperty('Tags');
    expect(await names({ viewId: view.id, orderBy: '[{"fieldId":"Count","order":"asc"}]' })).toEqual([
      '100% date',
      'cherry',
      'apple',
      null,
      'Banana',
    ]);
    expect(
      await names({
        viewId: view.id,
        filter: '{"conjunction":"and","filterSet":[{"fieldId":"Done","operator":"is","value":true}]}',
      }),
    ).toEqual(['cherry', 'apple']);
    await shop.owner.call(setViewGroup, { ...place, body: { group: [{ fieldId: idOf('Kind'), order: 'desc' }] } });
    const grouped = await list({ viewId: view.id });
    expect(labels(grouped.body.records)).toEqual([
      'cherry',
      null,
      ...(await inTextOrder('apple', 'Banana')).reverse(),
      '100% date',
    ]);
    expect(grouped.body.extra?.groupPoints).toHaveLength(4);
    const without = await list({ viewId: view.id, withGroups: false });
    expect(labels(without.body.records)).toEqual(labels(grouped.body.records));
    expect(without.body.extra).not.toHaveProperty('groupPoints');
    expect(await names({ viewId: view.id, ignoreViewQuery: true })).toHaveLength(6);
    expect((await list({ viewId: view.id, projection: ['Tags'] })).body.records[1]?.fields).toEqual({});
    expect(await names({ viewId: view.id, search: ['round'] })).toEqual([]);
  });

  test('ties stand in its manual order', async () => {
    const viewId = table.views[0]?.id as string;
    const { body } = await list({});
    const [apple, , cherry] = body.records.map(({ id }) => id) as [string, string, string];
    await shop.owner.call(updateRecords, {
      params: { tableId: table.id },
      body: { records: [{ id: cherry, fields: {} }], order: { viewId, anchorId: apple, position: 'before' } },
    });
    expect(await names({ viewId })).toEqual(['cherry', 'apple', 'Banana', '100% date', 'elderberry_x', null]);
    expect(await names({ viewId, orderBy: '[{"fieldId":"Count","order":"desc"}]' })).toEqual([
      'Banana',
      null,
      'cherry',
      'apple',
      'elderberry_x',
      '100% date',
    ]);
    const first = await list({ viewId, take: 1 });
    expect(await names({ viewId, cursor: first.body.extra?.nextCursor, take: 1 })).toEqual(['apple']);
  });
});

test('a field added in between is there at once', async () => {
  await list({});
  await shop.owner.call(createField, { params: { tableId: table.id }, body: { type: 'number', name: 'Later' } });
  expect(await one('Later', 'isEmpty')).toHaveLength(6);
});

test('every type of field can be sorted, grouped, searched and paged', async () => {
  const date = (format: string, time = 'None') => ({
    formatting: { date: format, time, timeZone: 'America/New_York' },
  });
  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'longText', name: 'Long' },
    { type: 'number', name: 'Percent', options: { formatting: { type: 'percent', precision: 0 } } },
    { type: 'number', name: 'Money', options: { formatting: { type: 'currency', precision: 2, symbol: '$' } } },
    { type: 'rating', name: 'Rating' },
    { type: 'checkbox', name: 'Check' },
    { type: 'date', name: 'Minute', options: date('DD/MM/YYYY', 'hh:mm A') },
    { type: 'date', name: 'Month', options: date('YYYY-MM') },
    { type: 'date', name: 'Year', options: date('YYYY') },
    { type: 'date', name: 'NoYear', options: date('MM-DD') },
    { type: 'singleSelect', name: 'One', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    { type: 'multipleSelect', name: 'Many', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    { type: 'user', name: 'Person' },
    { type: 'user', name: 'People', options: { isMultiple: true } },
    { type: 'autoNumber', name: 'Auto' },
    { type: 'createdTime', name: 'Made' },
    { type: 'lastModifiedTime', name: 'Changed' },
    { type: 'createdBy', name: 'Maker' },
    { type: 'lastModifiedBy', name: 'Changer' },
  ];
  const made = await shop.table({ fields: fields as never, records: [] });
  const params = { tableId: made.id };
  const me = { id: shop.owner.userId, title: 'Owner' };
  const days = ['2024-02-29T23:00:00.000Z', '2023-02-28T12:00:00.000Z', '2024-02-29T01:00:00.000Z'];
  const full = days.map((Day, at) => ({
    fields: {
      Name: `n${at}`,
      Long: 'x\ny',
      Percent: 0.121 + at / 100,
      Money: 1234.5,
      Rating: at + 1,
      Check: at === 1,
      Minute: Day,
      Month: Day,
      Year: Day,
      NoYear: Day,
      One: at === 0 ? 'b' : 'a',
      Many: ['b', 'a'].slice(at % 2),
      Person: me,
      People: [me],
    },
  }));
  await shop.owner.call(createRecords, { params, body: { records: [...full, { fields: {} }] } });
  const ask = async (query: Record<string, unknown>) => {
    const { status, body, error } = await shop.owner.call(listRecords, { params, query });
    expect(status, JSON.stringify([query, error])).toBe(200);
    return body;
  };
  const headers = new Map<string, unknown[]>();
  for (const { name } of fields) {
    for (const order of ['asc', 'desc']) {
      const item = JSON.stringify([{ fieldId: name, order }]);
      const all = (await ask({ orderBy: item })).records.map(({ id }) => id);
      const first = await ask({ orderBy: item, take: 2 });
      const second = await ask({ orderBy: item, take: 2, cursor: first.extra?.nextCursor });
      expect(
        [...first.records, ...second.records].map(({ id }) => id),
        name,
      ).toEqual(all);
      const grouped = await ask({ groupBy: item, take: 2 });
      expect(
        (grouped.extra?.groupPoints ?? []).reduce((sum, point) => sum + (point.type === 1 ? point.count : 0), 0),
        name,
      ).toBe(4);
      const rest = await ask({ groupBy: item, take: 2, cursor: grouped.extra?.nextCursor });
      expect(new Set([...grouped.records, ...rest.records].map(({ id }) => id)).size, name).toBe(4);
      const [header] = grouped.extra?.groupPoints ?? [];
      const left = await ask({ groupBy: item, collapsedGroupIds: [(header as { id: string }).id] });
      expect(left.records.length, name).toBeLessThan(4);
      if (order === 'asc')
        headers.set(
          name,
          (grouped.extra?.groupPoints ?? []).flatMap((point) => (point.type === 0 ? [point.value] : [])),
        );
    }
    await ask({ search: ['1', name] });
    await ask({ search: ['owner', name] });
  }
  expect(headers.get('Percent')).toEqual([null, 0.12, 0.13, 0.14]);
  expect(headers.get('Minute')).toEqual([null, '28/02/2023 07:00 AM', '28/02/2024 08:00 PM', '29/02/2024 06:00 PM']);
  expect(headers.get('Month')).toEqual([null, '2023-02', '2024-02']);
  expect(headers.get('Year')).toEqual([null, '2023', '2024']);
  expect(headers.get('NoYear')).toEqual([null, '02-28', '02-29']);
  expect(headers.get('Person')).toEqual([null, expect.objectContaining({ id: me.id })]);
  expect(headers.get('Maker')).toEqual([expect.objectContaining({ id: me.id })]);
});

test('a filter has its limits', async () => {
  const filter = {
    conjunction: 'or' as const,
    filterSet: Array.from({ length: 1_001 }, () => ({ fieldId: table.fields[0]?.id, operator: 'is', value: 'x' })),
  };
  const { status, error } = await shop.owner.call(setViewFilter, {
    params: { tableId: table.id, viewId: table.views[0]?.id as string },
    body: { filter },
  });
  expect([status, error.data.total]).toEqual([400, 1]);
});
