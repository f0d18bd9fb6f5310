// Counts and statistics that took long are answered again without counting, for as long as nothing has been written to the table.
import { getAggregation, getGroupPoints, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { convertField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { restoreTrash, listTrashItems } from '@rowhouse/contract/trash.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { limits } from '../../server/domain/record/read/kept-answer.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
let shop: Workshop;
let table: FullTable;

beforeAll(async () => {
  limits.slow = 0;
  shop = await openWorkshop(world());
  table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    ],
    records: [],
  });
  await create(
    Array.from({ length: 20 }, (_, at) => ({ Name: `name ${at}`, Count: at, Kind: at % 3 === 0 ? 'a' : 'b' })),
  );
});

afterAll(() => void Object.assign(limits, usual));

const create = (rows: object[]): Promise<unknown> =>
  shop.owner.call(createRecords, {
    params: { tableId: table.id },
    body: { records: rows.map((fields) => ({ fields: fields as Record<string, unknown> })) },
  });

interface Answers {
  count: number;
  listed: unknown;
  few: number;
  sum: unknown;
  groups: unknown;
}

const few = JSON.stringify({
  conjunction: 'and',
  filterSet: [{ fieldId: 'Count', operator: 'isLess', value: 3 }],
});

const ask = async (by: Person = shop.owner): Promise<Answers> => {
  const params = { tableId: table.id };
  const groups = await by.call(getGroupPoints, { params, query: { groupBy: JSON.stringify([{ fieldId: 'Kind' }]) } });
  const sums = await by.call(getAggregation, { params, query: { 'field[sum]': ['Count'] } as never });
  const listed = await by.call(listRecords, {
    params,
    query: { take: 1, groupBy: JSON.stringify([{ fieldId: 'Kind' }]) },
  });
  const counts = (points: readonly object[] | null | undefined): unknown =>
    points?.flatMap((point) => ('count' in point ? [point.count] : []));
  return {
    listed: counts(listed.body.extra?.groupPoints as object[]),
    count: (await by.call(getRowCount, { params, query: {} })).body.rowCount,
    few: (await by.call(getRowCount, { params, query: { filter: few } })).body.rowCount,
    sum: sums.body.aggregations[0]?.total?.value,
    groups: counts(groups.body),
  };
};

/** Past the feed: nobody is told, and no server can know. */
const smuggle = async (statement: 'in' | 'out'): Promise<void> => {
  const place = sql.id(shop.baseId, table.dbTableName.split('.')[1] as string);
  await world().db.query(
    statement === 'in'
      ? sql`insert into ${place} (__id, __created_by, "Count", "Kind") values ('recSmuggled00000000', 'usr', 1, 'a')`
      : sql`delete from ${place} where __id = 'recSmuggled00000000'`,
  );
};

test('an answer is kept, and another one is given after each write of anybody', async () => {
  const first = await ask();
  expect(first).toEqual({ count: 20, few: 3, sum: 190, groups: [7, 13], listed: [7, 13] });
  await ask();
  await smuggle('in');
  expect(await ask()).toEqual(first);
  await create([{ Name: 'new', Count: 2, Kind: 'a' }]);
  // Counted again, with what was smuggled in.
  expect(await ask()).toEqual({ count: 22, few: 5, sum: 193, groups: [9, 13], listed: [9, 13] });
  await smuggle('out');
  const { body } = await shop.owner.call(listRecords, { params: { tableId: table.id }, query: { take: 100 } });
  const ids = body.records.map(({ id }) => id);
  await shop.owner.call(updateRecord, {
    params: { tableId: table.id, recordId: ids[0] as string },
    body: { record: { fields: { Count: 100, Kind: 'b' } } },
  });
  expect(await ask()).toEqual({ count: 21, few: 3, sum: 292, groups: [7, 14], listed: [7, 14] });
  await ask();
  await shop.owner.call(deleteRecords, { params: { tableId: table.id }, query: { recordIds: ids.slice(0, 1) } });
  expect(await ask()).toEqual({ count: 20, few: 3, sum: 192, groups: [7, 13], listed: [7, 13] });
  await ask();
  const items = await shop.owner.call(listTrashItems, { query: { resourceId: table.id, resourceType: 'table' } });
  await shop.owner.call(restoreTrash, { params: { trashId: items.body.trashItems[0]?.id as string } });
  expect(await ask()).toEqual({ count: 21, few: 3, sum: 292, groups: [7, 14], listed: [7, 14] });
});

test('writes to other tables leave it as it is, a conversion of a field does not', async () => {
  await ask();
  await ask();
  const other = await shop.table({});
  await shop.owner.call(createRecords, { params: { tableId: other.id }, body: { records: [{ fields: {} }] } });
  await smuggle('in');
  expect((await ask()).count).toBe(21);
  await smuggle('out');
  const kind = table.fields.find(({ name }) => name === 'Kind')?.id as string;
  await shop.owner.call(convertField, {
    params: { tableId: table.id, fieldId: kind },
    body: { type: 'singleLineText' },
  });
  expect(await ask()).toMatchObject({ groups: [7, 14], listed: [7, 14] });
});

test('nothing is kept of those who see a part of the records', async () => {
  await ask();
  await ask();
  const reader = await member(world(), shop.owner, shop.baseId, 'viewer');
  const countId = table.fields.find(({ name }) => name === 'Count')?.id as string;
  const when = { conjunction: 'and', filterSet: [{ fieldId: countId, operator: 'isLess', value: 3 }] };
  const grants = [{ actions: ['record|read'], when }];
  await setMatrix(world(), shop.baseId, [
    { members: [{ userId: reader.userId }], tables: { [table.id]: { grants } } },
  ] as never);
  const seen = await ask(reader);
  expect(seen).toMatchObject({ count: 3, few: 3 });
  expect((await ask()).count).toBe(21);
  expect(await ask(reader)).toEqual(seen);
});
