// Small creates and updates that arrive at once share statements, and are told apart again.
import { beforeAll, expect, test } from 'vitest';
import { createRecords, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { sql } from '../../server/db/sql.ts';
import { whileLocked } from '../support/lock.ts';
import { plansWith } from '../support/plans.ts';
import { ground, systemFields, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

// Room in every slot of the quota, and one second that never ends: what limits cost now and then is not the subject here.
const world = useWorld(
  {},
  {
    plans: plansWith({ free: { maxRows: 100_000_000, maxRevisionHistoryDays: 36_500 } }),
    now: () => new Date('2030-01-01T00:00:00.000Z'),
  },
);
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Code', type: 'number', unique: true },
    ...writableFields.filter(({ type }) => type !== 'user'),
    ...systemFields,
  ]);
});

const create = (records: Record<string, unknown>[]) =>
  table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: records.map((fields) => ({ fields })) },
  });
const count = 40;

test('every one of many creates at once answers with its own records, as they then are', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => create([{ Code: -1 - at }])));
  const before = world().db.counters.statements;
  // Each names other fields, and another number of records.
  const wanted = Array.from({ length: count }, (_, at) =>
    Array.from({ length: 1 + (at % 3) }, (_record, row) => ({
      Code: at * 10 + row,
      ...(at % 2 === 0 ? { Text: `text ${at}` } : { Number: at, Tags: ['red'] }),
    })),
  );
  const answers = await Promise.all(wanted.map(create));
  expect(world().db.counters.statements - before).toBeLessThan(count);
  for (const [at, { status, body }] of answers.entries()) {
    expect(status).toBe(201);
    expect(
      body.records.map(({ fields }) => ({
        Code: fields.Code,
        ...('Text' in fields ? { Text: fields.Text } : { Number: fields.Number, Tags: fields.Tags }),
      })),
    ).toEqual(wanted[at]);
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
  expect(operations.map(({ record_ids }) => record_ids[0]).toSorted()).toEqual(
    answers.map(({ body }) => body.records[0]?.id).toSorted(),
  );
  expect(new Set(operations.map(({ public_id }) => public_id)).size).toBe(count);
  expect(operations.every(({ row_delta, record_ids }) => row_delta === 1 && record_ids.length === 1)).toBe(true);
});

test('a value that is taken fails its own request alone', async () => {
  await create([{ Code: 20_000 }]);
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => create([{ Code: at % 4 === 3 ? 20_000 : 20_001 + at, Text: `at ${at}` }])),
  );
  for (const [at, { status, body }] of answers.entries()) {
    expect(status, JSON.stringify(body)).toBe(at % 4 === 3 ? 400 : 201);
    if (status === 400)
      expect((body as unknown as { data: { errors: unknown[] } }).data.errors).toMatchObject([
        { index: 0, field: 'Code', code: 'not_unique' },
      ]);
  }
  const { body } = await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } });
  expect(body.records.filter(({ fields }) => Number(fields.Code) > 20_000)).toHaveLength(count - count / 4);
});

test('two people who create at once are each named in their own records', async () => {
  const other = await member(world(), table.owner, table.spaceId, 'editor');
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      (at % 2 === 0 ? table.owner : other).call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: { Text: `${at}` } }] },
      }),
    ),
  );
  expect(answers.map(({ body }) => body.records[0]?.createdBy)).toEqual(
    answers.map((_, at) => (at % 2 === 0 ? table.owner : other).userId),
  );
});

const update = (id: string, fields: Record<string, unknown>, more: { headers?: Record<string, string> } = {}) =>
  table.call(updateRecord, { params: { tableId: table.tableId, recordId: id }, body: { record: { fields } }, ...more });

const newIds = async (first: number): Promise<string[]> =>
  (await create(Array.from({ length: count }, (_, at) => ({ Code: first + at, Text: `old ${at}` })))).body.records.map(
    ({ id }) => id,
  );

const entriesOf = async (recordId: string, query: { operationId?: string } = {}) =>
  (
    await table.call(listRecordHistory, {
      params: { tableId: table.tableId, recordId },
      query: { take: 100, ...query },
    })
  ).body.historyList;

/** All of them begin while none can end: the first two wait for the table, the others for these. */
const atOnce = async <T>(start: () => Promise<T>[]): Promise<T[]> => {
  let begun: Promise<T>[] = [];
  await whileLocked(world(), table, async () => {
    begun = start();
    await expect.poll(() => countWaiting(world().db)).toBeGreaterThanOrEqual(2);
    await expect
      .poll(
        async () =>
          /^rowhouse_http_requests_in_flight (\d+)/m.exec(await (await fetch(`${world().origin}/metrics`)).text())?.[1],
      )
      .toBe(String(begun.length));
  });
  return Promise.all(begun);
};

test('every one of many updates at once answers with its own record, and has its own operation and history', async () => {
  const ids = await newIds(30_000);
  const answers = await atOnce(() =>
    ids.map((id, at) =>
      update(id, at % 2 === 0 ? { Text: `new ${at}` } : { Text: `new ${at}`, Number: at, Tags: ['red'] }),
    ),
  );
  for (const [at, { status, body, headers }] of answers.entries()) {
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids[at],
      fields: { Code: 30_000 + at, Text: `new ${at}`, ...(at % 2 === 0 ? {} : { Number: at, Tags: ['red'] }) },
    });
    expect(headers.get('etag')).toBe('"2"');
    const read = await table.call(getRecord, { params: { tableId: table.tableId, recordId: body.id } });
    expect(body).toMatchObject(read.body);
    const entries = await entriesOf(body.id, { operationId: headers.get('x-operation-id') as string });
    expect(entries).toHaveLength(at % 2 === 0 ? 1 : 3);
    expect(entries).toContainEqual(
      expect.objectContaining({
        before: expect.objectContaining({ data: `old ${at}` }),
        after: expect.objectContaining({ data: `new ${at}` }),
      }),
    );
  }
  // One statement wrote most of them.
  const together = await world().db.query<{ count: number }>(
    sql`select count(*)::int as count from ${sql.id(table.baseId, '__operation')} where public_id = any(${answers.map(({ headers }) => headers.get('x-operation-id'))}) group by xmin`,
  );
  expect(together.reduce((sum, { count: each }) => sum + each, 0)).toBe(count);
  expect(together.length).toBeLessThan(count / 2);
});

test('many updates of the same record at once are all done, one after the other', async () => {
  const [id] = await newIds(31_000);
  const answers = await atOnce(() =>
    Array.from({ length: count }, (_, at) => update(id as string, { Text: `turn ${at}` })),
  );
  expect(
    answers.map(({ headers }) => Number(headers.get('etag')?.slice(1, -1))).toSorted((one, other) => one - other),
  ).toEqual(Array.from({ length: count }, (_, at) => at + 2));
  const entries = await entriesOf(id as string);
  // Each begins with what the one before has left.
  const changes = entries.filter(({ before }) => before.data !== null);
  expect(changes).toHaveLength(count);
  expect(changes.slice(1).map(({ after }) => after.data)).toEqual(
    changes.slice(0, -1).map(({ before }) => before.data),
  );
});

test('an update that cannot be done fails alone: a value that is taken, a record that is gone, a version that has passed', async () => {
  const ids = await newIds(32_000);
  const answers = await atOnce(() =>
    ids.map((id, at) => {
      if (at % 4 === 1) return update(id, { Code: 30_000, Text: 'taken' });
      if (at % 4 === 2) return update(`rec${'x'.repeat(13)}${at}`.slice(0, 19), { Code: 40_000 + at, Text: 'gone' });
      if (at % 4 === 3) return update(id, { Code: 40_000 + at, Text: 'late' }, { headers: { 'if-match': '"7"' } });
      return update(id, { Code: 40_000 + at, Text: 'good' });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map((_, at) => [200, 400, 404, 412][at % 4]));
  const { body } = await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } });
  expect(body.records.filter(({ fields }) => Number(fields.Code) >= 40_000).map(({ fields }) => fields.Text)).toEqual(
    Array.from({ length: count / 4 }, () => 'good'),
  );
});

test('two people who update at once are each named', async () => {
  const other = await member(world(), table.owner, table.spaceId, 'editor');
  const ids = await newIds(33_000);
  const answers = await atOnce(() =>
    ids.map((id, at) =>
      (at % 2 === 0 ? table.owner : other).call(updateRecord, {
        params: { tableId: table.tableId, recordId: id },
        body: { record: { fields: { Text: 'mine' } } },
      }),
    ),
  );
  expect(answers.map(({ body }) => body.lastModifiedBy)).toEqual(
    answers.map((_, at) => (at % 2 === 0 ? table.owner : other).userId),
  );
});
