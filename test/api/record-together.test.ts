// Small creates that arrive at once share statements, and are told apart again.
import { beforeAll, expect, test } from 'vitest';
import { createRecords, getRecord, listRecords } from '@rowhouse/contract/record.ts';
import { sql } from '../../server/db/sql.ts';
import { plansWith } from '../support/plans.ts';
import { ground, systemFields, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

// Room in every slot of the quota, and one second that never ends: what limits cost now and then is not the subject here.
const world = useWorld({}, { plans: plansWith({ free: { maxRows: 100_000_000 } }), now: () => new Date('2030-01-01T00:00:00.000Z') });
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Code', type: 'number', unique: true }, ...writableFields.filter(({ type }) => type !== 'user'), ...systemFields]);
});

const create = (records: Record<string, unknown>[]) => table.call(createRecords, { params: { tableId: table.tableId }, body: { records: records.map((fields) => ({ fields })) } });
const count = 40;

test('every one of many creates at once answers with its own records, as they then are', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => create([{ Code: -1 - at }])));
  const before = world().db.counters.statements;
  // Each names other fields, and another number of records.
  const wanted = Array.from({ length: count }, (_, at) => Array.from({ length: 1 + (at % 3) }, (_record, row) => ({ Code: at * 10 + row, ...(at % 2 === 0 ? { Text: `text ${at}` } : { Number: at, Tags: ['red'] }) })));
  const answers = await Promise.all(wanted.map(create));
  expect(world().db.counters.statements - before).toBeLessThan(count);
  for (const [at, { status, body }] of answers.entries()) {
    expect(status).toBe(201);
    expect(body.records.map(({ fields }) => ({ Code: fields.Code, ...('Text' in fields ? { Text: fields.Text } : { Number: fields.Number, Tags: fields.Tags }) }))).toEqual(wanted[at]);
    for (const record of body.records) {
      const read = await table.call(getRecord, { params: { tableId: table.tableId, recordId: record.id } });
      expect(record).toMatchObject(read.body);
    }
  }
  const numbers = answers.flatMap(({ body }) => body.records.map(({ autoNumber }) => autoNumber));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('each request keeps an operation of its own', async () => {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => create([{ Code: 10_000 + at }])));
  const operations = await world().db.query<{ public_id: string; record_ids: string[]; row_delta: number }>(
    sql`select public_id, record_ids, row_delta from ${sql.id(table.baseId, '__operation')} where record_ids && ${answers.flatMap(({ body }) => body.records.map(({ id }) => id))}::text[]`,
  );
  expect(operations.map(({ record_ids }) => record_ids[0]).toSorted()).toEqual(answers.map(({ body }) => body.records[0]?.id).toSorted());
  expect(new Set(operations.map(({ public_id }) => public_id)).size).toBe(count);
  expect(operations.every(({ row_delta, record_ids }) => row_delta === 1 && record_ids.length === 1)).toBe(true);
});

test('a value that is taken fails its own request alone', async () => {
  await create([{ Code: 20_000 }]);
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => create([{ Code: at % 4 === 3 ? 20_000 : 20_001 + at, Text: `at ${at}` }])));
  for (const [at, { status, body }] of answers.entries()) {
    expect(status, JSON.stringify(body)).toBe(at % 4 === 3 ? 400 : 201);
    if (status === 400) expect((body as unknown as { data: { errors: unknown[] } }).data.errors).toMatchObject([{ index: 0, field: 'Code', code: 'not_unique' }]);
  }
  const { body } = await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } });
  expect(body.records.filter(({ fields }) => Number(fields.Code) > 20_000)).toHaveLength(count - count / 4);
});

test('two people who create at once are each named in their own records', async () => {
  const other = await member(world(), table.owner, table.spaceId, 'editor');
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => (at % 2 === 0 ? table.owner : other).call(createRecords, { params: { tableId: table.tableId }, body: { records: [{ fields: { Text: `${at}` } }] } })),
  );
  expect(answers.map(({ body }) => body.records[0]?.createdBy)).toEqual(answers.map((_, at) => (at % 2 === 0 ? table.owner : other).userId));
});
