// Indexes for sorts, groups and filters that are asked again and again without a view: made by a job, within a budget, dropped when nothing uses them.
import { convertField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadTable } from '../../server/catalog/table.ts';
import { sql } from '../../server/db/sql.ts';
import { indexQuery } from '../../server/domain/record/view-index/keep-query-indexes.ts';
import { syncViewIndexes } from '../../server/domain/record/view-index/keep-view-indexes.ts';
import { forgetUnusedIndexes } from '../../server/domain/record/view-index/query-index.sql.ts';
import type { IndexKey } from '../../server/domain/query/wish.ts';
import { howMany } from '../support/cases.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let table: FullTable;
const size = 6_000;

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    ],
    records: [],
  });
  const records = Array.from({ length: size }, (_, at) => ({
    fields: { Name: `name ${(at * 7_919) % size}`, Count: at % 100, Kind: at % 2 === 0 ? 'a' : null },
  }));
  await shop.owner.call(createRecords, { params: { tableId: table.id }, body: { records } });
});

const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;
const key = (name: string, as: IndexKey['as'], order: IndexKey['order'] = 'asc'): IndexKey => ({
  fieldId: idOf(name),
  as,
  order,
});
const wish = async (...keys: IndexKey[]): Promise<void> =>
  indexQuery(world().db, await loadTable(world().db, shop.baseId, table.id), keys);

const indexes = async (): Promise<string[]> =>
  (
    await world().db.query<{ definition: string }>(
      sql`select indexdef as definition from pg_indexes where schemaname = ${shop.baseId} and indexname like '\\_\\_view\\_%' order by 1`,
    )
  )
    .map(({ definition }) => definition.slice(definition.indexOf(' USING ')))
    .sort();

const idsOf = async (query: Record<string, unknown>): Promise<string[]> => {
  const { status, body } = await shop.owner.call(listRecords, {
    params: { tableId: table.id },
    query: { take: 500, ...query },
  });
  expect(status).toBe(200);
  return body.records.map(({ id }) => id);
};

test('the same answers come with and without the index, which the query uses', async () => {
  const queries = [
    { orderBy: JSON.stringify([{ fieldId: 'Name', order: 'desc' }]), skip: 3_000 },
    { orderBy: JSON.stringify([{ fieldId: 'Count', order: 'asc' }]), groupBy: JSON.stringify([{ fieldId: 'Kind' }]) },
    {
      filter: JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: 'Count', operator: 'isLess', value: 3 }],
      }),
    },
  ];
  const before = await Promise.all(queries.map(idsOf));
  await wish(key('Name', 'sort', 'desc'));
  await wish(key('Kind', 'group'), key('Count', 'sort'));
  await wish(key('Count', 'filter'));
  expect(await indexes()).toEqual([
    ' USING btree ("Count" NULLS FIRST, __auto_number)',
    ' USING btree ("left"("Name", 200) DESC NULLS LAST, __auto_number)',
    ` USING btree (array_position('{a,b}'::text[], "Kind") NULLS FIRST, "Count" NULLS FIRST, __auto_number)`,
  ]);
  expect(await Promise.all(queries.map(idsOf))).toEqual(before);
  const plan = await world().db.query<Record<string, string>>(
    sql`explain select r.* from ${sql.id(shop.baseId, table.dbTableName.split('.')[1] as string)} r order by left(r."Name", 200) desc nulls last, r.__auto_number asc limit 101`,
  );
  expect(JSON.stringify(plan)).toMatch(/Index Scan using __view_/);
});

test('any sort, group and filter is answered as without the index', async () => {
  const names = ['Name', 'Count', 'Kind'];
  const ordered = fc.record({
    name: fc.constantFrom(...names),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  });
  const condition = fc.oneof(
    fc.record({
      fieldId: fc.constant('Count'),
      operator: fc.constantFrom('is', 'isLess', 'isGreaterEqual'),
      value: fc.nat(99),
    }),
    fc.record({ fieldId: fc.constant('Kind'), operator: fc.constant('is'), value: fc.constantFrom('a', 'b') }),
    fc.record({
      fieldId: fc.constant('Name'),
      operator: fc.constant('is'),
      value: fc.nat(size).map((at) => `NAME ${at}`),
    }),
  );
  const query = fc.record({
    sorted: fc.uniqueArray(ordered, { maxLength: 2, selector: ({ name }) => name }),
    grouped: fc.uniqueArray(ordered, { maxLength: 1, selector: ({ name }) => name }),
    filterSet: fc.array(condition, { maxLength: 2 }),
    skip: fc.constantFrom(0, 10, 3_000),
  });
  await fc.assert(
    fc.asyncProperty(query, async ({ sorted, grouped, filterSet, skip }) => {
      const items = (list: typeof sorted) => JSON.stringify(list.map(({ name, order }) => ({ fieldId: name, order })));
      const asked = {
        skip,
        take: 50,
        ...(sorted.length === 0 ? {} : { orderBy: items(sorted) }),
        ...(grouped.length === 0 ? {} : { groupBy: items(grouped) }),
        ...(filterSet.length === 0 ? {} : { filter: JSON.stringify({ conjunction: 'and', filterSet }) }),
      };
      await world().db.query(sql`delete from rowhouse.query_indexes where table_id = ${table.id}`);
      await syncViewIndexes(world().db, await loadTable(world().db, shop.baseId, table.id));
      const before = await idsOf(asked);
      const inOrder = [
        ...grouped.map(({ name, order }) => key(name, 'group', order)),
        ...sorted.map(({ name, order }) => key(name, 'sort', order)),
      ];
      if (inOrder.length > 0) await wish(...inOrder);
      for (const { fieldId } of filterSet) await wish(key(fieldId, 'filter'));
      if (inOrder.length + filterSet.length > 0) expect((await indexes()).length).toBeGreaterThan(0);
      expect(await idsOf(asked)).toEqual(before);
    }),
    { numRuns: howMany(60, 12) },
  );
}, 120_000);

test('a table has three of them; one that is in use keeps its place', async () => {
  await world().db.query(sql`delete from rowhouse.query_indexes where table_id = ${table.id}`);
  await wish(key('Name', 'sort', 'desc'));
  await wish(key('Kind', 'group'), key('Count', 'sort'));
  await wish(key('Count', 'filter'));
  const three = await indexes();
  expect(three).toHaveLength(3);
  await wish(key('Kind', 'sort', 'desc'));
  expect(await indexes()).toEqual(three);
  await world().db.query(
    sql`update rowhouse.query_indexes set used_time = now() - interval '2 hours' where table_id = ${table.id} and keys @> '[{"as": "filter"}]'`,
  );
  await wish(key('Kind', 'sort', 'desc'));
  const after = await indexes();
  expect(after).toHaveLength(3);
  expect(after.filter((one) => !three.includes(one))).toEqual([
    expect.stringMatching(/array_position.*DESC NULLS LAST/),
  ]);
});

test('they follow renames and conversions', async () => {
  const field = { params: { tableId: table.id, fieldId: idOf('Name') } };
  expect((await shop.owner.call(updateField, { ...field, body: { dbFieldName: 'Renamed' } })).status).toBe(200);
  expect((await shop.owner.call(convertField, { ...field, body: { type: 'number' } })).status).toBe(200);
  await syncViewIndexes(world().db, await loadTable(world().db, shop.baseId, table.id));
  expect(await indexes()).toContainEqual(expect.stringMatching(/"Renamed" DESC NULLS LAST, __auto_number\)$/));
});

test('what nothing has used for days is forgotten and dropped, what was used is not', async () => {
  const used = sql`update rowhouse.query_indexes set used_time = now() - interval '9 days', scans = case when keys @> ${JSON.stringify([{ fieldId: idOf('Name') }])}::jsonb then -1 else scans end where table_id = ${table.id}`;
  await world().db.query(sql`select pg_stat_force_next_flush()`);
  // What was counted up to now is noted, so that only the made-up difference of one of them is a use.
  await forgetUnusedIndexes(world().db, 30);
  await world().db.query(used);
  const gone = await forgetUnusedIndexes(world().db, 3);
  expect(gone).toContainEqual({ tableId: table.id, baseId: shop.baseId });
  await syncViewIndexes(world().db, await loadTable(world().db, shop.baseId, table.id));
  expect(await indexes()).toEqual([expect.stringMatching(/"Renamed" DESC NULLS LAST/)]);
});
