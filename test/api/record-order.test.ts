import { beforeEach, expect, test } from 'vitest';
import { createRecords, listRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { setViewFilter, setViewGroup } from '@rowhouse/contract/view.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
let ids: Record<string, string>;

beforeEach(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'x' }, { name: 'y' }] } },
  ]);
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: ['a', 'b', 'c', 'd'].map((Name) => ({ fields: { Name } })) },
  });
  ids = Object.fromEntries(made.body.records.map((record) => [record.name, record.id]));
});

const order = (anchor: string, position: 'before' | 'after') => ({
  viewId: table.viewId,
  anchorId: ids[anchor] as string,
  position,
});
const shown = async (): Promise<string> =>
  (await table.call(listRecords, { params: { tableId: table.tableId }, query: { viewId: table.viewId } })).body.records
    .map((record) => record.name)
    .join('');
const insert = async (names: string, where: ReturnType<typeof order>) => {
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [...names].map((Name) => ({ fields: { Name } })), order: where },
  });
  expect(made.status).toBe(201);
  for (const record of made.body.records) ids[record.name as string] = record.id;
};

test('new records go before or after the anchor, several in request order', async () => {
  await insert('12', order('b', 'before'));
  expect(await shown()).toBe('a12bcd');
  await insert('34', order('d', 'after'));
  expect(await shown()).toBe('a12bcd34');
  await insert('5', order('a', 'before'));
  expect(await shown()).toBe('5a12bcd34');
});

test('a record that is created without a place comes last, also after others were moved to the end', async () => {
  await insert('1', order('d', 'after'));
  for (const name of 'abc')
    await table.call(updateRecord, {
      params: { tableId: table.tableId, recordId: ids[name] as string },
      body: { record: { fields: {} }, order: order('1', 'after') },
    });
  await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'z' } }] },
  });
  expect((await shown()).at(-1)).toBe('z');
});

test('a new record comes last however often others were moved behind the last', async () => {
  const moveBehind = (name: string, anchor: string) =>
    table.call(updateRecord, {
      params: { tableId: table.tableId, recordId: ids[name] as string },
      body: { record: { fields: {} }, order: order(anchor, 'after') },
    });
  for (const [name, anchor] of ['ad', 'ba', 'cb', 'dc', 'ad'] as const)
    await moveBehind(name as string, anchor as string);
  expect(await shown()).toBe('bcda');
  await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'z' } }] },
  });
  expect(await shown()).toBe('bcdaz');
});

test('records are moved one by one and several together, with their values changed on the way', async () => {
  const answer = await table.call(updateRecords, {
    params: { tableId: table.tableId },
    body: {
      records: [
        { id: ids.d as string, fields: { Name: 'D' } },
        { id: ids.c as string, fields: {} },
      ],
      order: order('a', 'before'),
    },
  });
  expect(answer.body.map((record) => record.name)).toEqual(['D', 'c']);
  expect(await shown()).toBe('Dcab');
  await table.call(updateRecord, {
    params: { tableId: table.tableId, recordId: ids.a as string },
    body: { record: { fields: {} }, order: order('b', 'after') },
  });
  expect(await shown()).toBe('Dcba');
});

test('the anchor may be one of the moved records', async () => {
  const answer = await table.call(updateRecords, {
    params: { tableId: table.tableId },
    body: {
      records: [
        { id: ids.a as string, fields: {} },
        { id: ids.c as string, fields: {} },
      ],
      order: order('c', 'after'),
    },
  });
  expect(answer.status).toBe(200);
  expect(await shown()).toBe('bacd');
});

test('an unknown view or anchor is a 404 and writes nothing', async () => {
  for (const wrong of [
    { ...order('a', 'before'), viewId: 'viwNothing0000000' },
    { ...order('a', 'before'), anchorId: 'recNothing0000000' },
  ]) {
    const answer = await table.call(createRecords, {
      params: { tableId: table.tableId },
      body: { records: [{ fields: { Name: 'x' } }], order: wrong },
    });
    expect(answer.status).toBe(404);
  }
  expect(await shown()).toBe('abcd');
});

test('a gap that is used up is renumbered and never fails', async () => {
  let expected = 'ab';
  for (let at = 0; at < 80; at += 1) {
    const made = await table.call(createRecords, {
      params: { tableId: table.tableId },
      body: { records: [{ fields: { Name: `n${at}` } }], order: order('b', 'before') },
    });
    expect(made.status).toBe(201);
    ids[`n${at}`] = made.body.records[0]?.id as string;
    expected = expected.slice(0, -1) + `n${at}b`;
  }
  expect(await shown()).toBe(`${expected}cd`);
});

test('many insert at one place at once: all arrive, and none between another one’s pair', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => insert(String.fromCharCode(65 + at * 2, 66 + at * 2), order('c', 'before'))),
  );
  const middle = (await shown()).slice(2, -2);
  expect(middle).toHaveLength(24);
  for (let at = 0; at < 12; at += 1) expect(middle).toContain(String.fromCharCode(65 + at * 2, 66 + at * 2));
});

test('the answer to a create in a grouped view holds the headers of the groups that its records stand in', async () => {
  await table.call(setViewGroup, {
    params: { tableId: table.tableId, viewId: table.viewId },
    body: { group: [{ fieldId: table.fieldIds.Kind as string, order: 'asc' }] } as never,
  });
  const { body } = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Kind: 'y' } }, { fields: { Kind: 'x' } }] },
  });
  expect(body.extra?.groupPoints).toEqual([
    { id: expect.any(String), type: 0, depth: 0, value: 'x', isCollapsed: false },
    { id: expect.any(String), type: 0, depth: 0, value: 'y', isCollapsed: false },
  ]);
  // They are the headers that a list shows for those groups; the other groups are not looked at.
  const listed = await table.call(listRecords, { params: { tableId: table.tableId }, query: { viewId: table.viewId } });
  expect(listed.body.extra?.groupPoints).toEqual(expect.arrayContaining(body.extra?.groupPoints as never));

  const filter = {
    conjunction: 'and',
    filterSet: [{ fieldId: table.fieldIds.Kind as string, operator: 'isNotEmpty', value: null }],
  };
  await table.call(setViewFilter, {
    params: { tableId: table.tableId, viewId: table.viewId },
    body: { filter } as never,
  });
  const filtered = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: {} }, { fields: { Kind: 'y' } }] },
  });
  expect(filtered.body.extra?.groupPoints?.map((point) => point.type === 0 && point.value)).toEqual(['y']);
});
