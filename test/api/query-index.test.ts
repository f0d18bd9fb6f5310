// The indexes that the server makes for views: they come and go with them, and never stand in the way.
import { convertField, createField, getField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { setViewFilter, setViewSort } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadTable } from '../../server/catalog/table.ts';
import { sql } from '../../server/db/sql.ts';
import { lookAfterViewIndexes, syncViewIndexes } from '../../server/domain/record/view-index/keep-view-indexes.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let table: FullTable;
let place: { params: { tableId: string; viewId: string } };
const size = 6_000;

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      {
        type: 'singleSelect',
        name: 'Kind',
        options: { choices: [{ name: "it's" }, { name: 'a "b"' }, { name: 'c\\d' }] },
      },
    ],
    records: [],
  });
  place = { params: { tableId: table.id, viewId: table.views[0]?.id as string } };
  const kinds = ["it's", 'a "b"', 'c\\d', null];
  const records = Array.from({ length: size }, (_, at) => ({
    fields: { Name: `name ${(at * 7_919) % size}`, Count: at % 100, Kind: kinds[at % 4] },
  }));
  await shop.owner.call(createRecords, { params: { tableId: table.id }, body: { records } });
});

const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;

const indexes = async (): Promise<string[]> =>
  (
    await world().db.query<{ definition: string }>(
      sql`select indexdef as definition from pg_indexes where schemaname = ${shop.baseId} and indexname like '\\_\\_view\\_%' order by 1`,
    )
  ).map(({ definition }) => definition);

const look = async (query: Record<string, unknown> = {}) =>
  (
    await shop.owner.call(listRecords, {
      params: { tableId: table.id },
      query: { viewId: place.params.viewId, ...query },
    })
  ).body;

/** Reads the view until the indexes are as they should be: they are made in the background. */
const whenIndexed = (count: number): Promise<string[]> =>
  vi.waitFor(
    async () => {
      await look({ take: 1 });
      const found = await indexes();
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 50_000, interval: 100 },
  );

test('a view that sorts gets an index in its order, and the answer stays the same', async () => {
  await shop.owner.call(setViewSort, {
    ...place,
    body: {
      sort: {
        sortObjs: [
          { fieldId: idOf('Kind'), order: 'desc' },
          { fieldId: idOf('Name'), order: 'asc' },
        ],
      },
    },
  });
  const before = (await look({ take: 1_000 })).records.map(({ id }) => id);
  const [definition] = await whenIndexed(1);
  expect(definition).toMatch(/array_position.*DESC NULLS LAST.*left.*NULLS FIRST.*__auto_number/i);
  expect((await look({ take: 1_000 })).records.map(({ id }) => id)).toEqual(before);
  const paged: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < 4; page += 1) {
    const body = await look({ take: 250, ...(cursor == null ? {} : { cursor }) });
    paged.push(...body.records.map(({ id }) => id));
    cursor = body.extra?.nextCursor;
  }
  expect(paged).toEqual(before);
});

test('a field that a view filters on gets one too', async () => {
  await shop.owner.call(setViewFilter, {
    ...place,
    body: {
      filter: {
        conjunction: 'and',
        filterSet: [
          { fieldId: idOf('Count'), operator: 'isGreater', value: 98 },
          { fieldId: idOf('Name'), operator: 'contains', value: '9' },
        ],
      },
    },
  });
  await whenIndexed(2);
  expect((await look({ take: 0 })).records).toEqual([]);
});

test('texts longer than an index entry are written as ever', async () => {
  const Name = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(
    '',
  );
  const { status } = await shop.owner.call(createRecords, {
    params: { tableId: table.id },
    body: { records: [{ fields: { Name, Count: 99 } }] },
  });
  expect(status).toBe(201);
});

test('fields with an index are renamed and converted as ever', async () => {
  const field = { params: { tableId: table.id, fieldId: idOf('Name') } };
  expect((await shop.owner.call(updateField, { ...field, body: { dbFieldName: 'Renamed' } })).status).toBe(200);
  await whenIndexed(2);
  expect((await shop.owner.call(convertField, { ...field, body: { type: 'number' } })).status).toBe(200);
  expect(
    (
      await shop.owner.call(convertField, {
        params: { tableId: table.id, fieldId: idOf('Kind') },
        body: { type: 'multipleSelect' },
      })
    ).status,
  ).toBe(200);
});

test('an index that was planned for a field which is converted meanwhile is no failure; that of a good plan is', async () => {
  const on = async (name: string) => {
    const made = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'longText', name },
      ],
      records: [],
    });
    await shop.owner.call(setViewSort, {
      params: { tableId: made.id, viewId: made.views[0]?.id as string },
      body: { sort: { sortObjs: [{ fieldId: made.fields[1]?.id as string, order: 'asc' }] } },
    });
    // As large as a table has to be: its numbers count, not its records.
    await world().db.query(
      sql`select setval(format('%I.%I', ${shop.baseId}::text, ${`__auto_number_${made.id}`}::text)::regclass, 99999)`,
    );
    await shop.owner.call(createRecords, {
      params: { tableId: made.id },
      body: { records: [{ fields: { [name]: '1' } }] },
    });
    return { made, planned: await loadTable(world().db, shop.baseId, made.id) };
  };
  const { made, planned } = await on('Long');
  expect(
    (
      await shop.owner.call(convertField, {
        params: { tableId: made.id, fieldId: made.fields[1]?.id as string },
        body: { type: 'number' },
      })
    ).status,
  ).toBe(200);
  await expect(syncViewIndexes(world().db, planned)).rejects.toThrow(
    'function left(double precision, integer) does not exist',
  );
  await lookAfterViewIndexes(world().db, planned);

  const other = await on('Other');
  const [schema, table] = other.made.dbTableName.split('.') as [string, string];
  await world().db.query(
    sql`alter table ${sql.id(schema, table)} alter column "Other" type double precision using "Other"::double precision`,
  );
  await expect(lookAfterViewIndexes(world().db, other.planned)).rejects.toThrow(
    'function left(double precision, integer) does not exist',
  );
});

test('indexes that no view wants any more are dropped', async () => {
  await shop.owner.call(setViewSort, { ...place, body: { sort: null } });
  await shop.owner.call(setViewFilter, { ...place, body: { filter: null } });
  await whenIndexed(0);
});

test('a formula that is stored gets one like any field, one that depends on the time of reading none', async () => {
  const add = async (name: string, expression: string): Promise<string> => {
    const made = await shop.owner.call(createField, {
      params: { tableId: table.id },
      body: { name, type: 'formula', options: { expression } },
    });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const [stored, live] = [await add('Twice', '{Count} * 2'), await add('Live', 'IF(NOW() > "2020-01-01", {Count}, 0)')];
  await vi.waitFor(
    async () =>
      expect(
        (await shop.owner.call(getField, { params: { tableId: table.id, fieldId: stored } })).body,
      ).not.toHaveProperty('isPending'),
    { timeout: 50_000, interval: 100 },
  );
  const sortBy = (fieldId: string) =>
    shop.owner.call(setViewSort, { ...place, body: { sort: { sortObjs: [{ fieldId, order: 'desc' }] } } });
  await sortBy(stored);
  const [definition] = await whenIndexed(1);
  expect(definition).toMatch(/\("Twice" DESC NULLS LAST/);
  const first = async (): Promise<unknown> => (await look({ take: 1 })).records[0]?.fields['Twice'];
  expect(await first()).toBe(198);
  await sortBy(live);
  await whenIndexed(0);
  expect(await first()).toBe(198);
});

test('what a rule pins of the records that are seen gets one too, and loses it with the rule', async () => {
  await shop.owner.call(setViewFilter, { ...place, body: { filter: null } });
  await shop.owner.call(setViewSort, { ...place, body: { sort: null } });
  const reader = await member(world(), shop.owner, shop.baseId, 'viewer');
  const condition = (...items: object[]) => ({ conjunction: 'and', filterSet: items });
  const rules = (when: object, isOn = true) =>
    setMatrix(
      world(),
      shop.baseId,
      [
        {
          members: [{ userId: reader.userId }],
          tables: { [table.id]: { grants: [{ actions: ['record|read'], when }] } },
        },
      ],
      { isOn },
    );
  const read = async (): Promise<number> =>
    (await reader.call(listRecords, { params: { tableId: table.id }, query: { take: 1_000 } })).body.records.length;
  const whenThere = (count: number, ask: () => Promise<unknown>): Promise<string[]> =>
    vi.waitFor(
      async () => {
        await ask();
        const found = await indexes();
        expect(found).toHaveLength(count);
        return found;
      },
      { timeout: 50_000, interval: 100 },
    );
  const name = { fieldId: idOf('Name'), operator: 'isNot', value: 1 };
  const count = { fieldId: idOf('Count'), operator: 'is', value: 4 };
  await rules(condition(count, name));
  const seen = await read();
  const [definition] = await whenThere(1, read);
  expect(definition).toMatch(/__auto_number/);
  expect(await read()).toBe(seen);
  // Neither a range nor one of several ways to be seen is few records.
  await rules({ conjunction: 'or', filterSet: [name, count] });
  await whenThere(0, read);
  await rules(condition({ ...count, operator: 'isGreater' }));
  await whenThere(0, read);
  await rules(condition(count));
  await whenThere(1, read);
  await rules(condition(count), false);
  await shop.owner.call(setViewSort, { ...place, body: { sort: { sortObjs: [] } } as never });
  await whenThere(0, () => look({ take: 1 }));
});
