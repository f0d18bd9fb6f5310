import { beforeAll, describe, expect, test } from 'vitest';
import {
  createRecords,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
});

const create = (key: string, fields: Record<string, unknown>, call = table.call) =>
  call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields }] },
    headers: { 'idempotency-key': key },
  });
const replayed = ({ headers }: { headers: Headers }): string | null => headers.get('idempotency-replayed');
const named = async (name: string): Promise<number> =>
  (await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } })).body.records.filter(
    (record) => record.name === name,
  ).length;

test('the same key and body answer the first answer again without writing', async () => {
  const first = await create('k1', { Name: 'once' });
  const second = await create('k1', { Name: 'once' });
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'));
  expect([first, second].map(replayed)).toEqual([null, 'true']);
  expect(await named('once')).toBe(1);
});

test('many at once with one key write once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create('k2', { Name: 'race' })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.every((answer) => answer.status === 201)).toBe(true);
  expect(answers.filter((answer) => replayed(answer) === 'true')).toHaveLength(11);
  expect(await named('race')).toBe(1);
});

test('the same key with another body is a conflict', async () => {
  await create('k3', { Name: 'one' });
  const other = await create('k3', { Name: 'other' });
  expect(other.status).toBe(409);
  expect(await named('other')).toBe(0);
});

test('a key whose first request failed may be used again', async () => {
  expect((await create('k4', { Count: 'not a number' })).status).toBe(400);
  expect((await create('k4', { Name: 'second try' })).status).toBe(201);
});

test('keys belong to a token: another token may use the same', async () => {
  const other = await table.owner.withToken({ hasFullAccess: true });
  await create('k5', { Name: 'mine' });
  expect((await create('k5', { Name: 'theirs' }, other.call)).status).toBe(201);
});

test('a key that is too long is refused', async () => {
  expect((await create('k'.repeat(256), { Name: 'x' })).status).toBe(400);
});

describe('a change of records with a key', () => {
  const change = (key: string, id: string, fields: Record<string, unknown>, before?: Record<string, unknown>) =>
    table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: { records: [{ id, fields, ...(before === undefined ? {} : { before }) }] },
      headers: { 'idempotency-key': key },
    });
  const made = async (name: string): Promise<string> =>
    (
      await table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: { Name: name } }] },
      })
    ).body.records[0]?.id as string;
  const nameOf = async (id: string): Promise<unknown> =>
    (await table.call(getRecord, { params: { tableId: table.tableId, recordId: id }, query: {} })).body.fields['Name'];

  test('that is sent again is written once, and is answered with what others made of the record since', async () => {
    const id = await made('A');
    const first = await change('u1', id, { Name: 'B' }, { Name: 'A' });
    expect([first.status, first.body[0]?.fields['Name']]).toEqual([200, 'B']);
    // Somebody else puts back what was there: `before` alone would take the second request for a new one.
    expect((await change('u1-other', id, { Name: 'A' })).status).toBe(200);
    const again = await change('u1', id, { Name: 'B' }, { Name: 'A' });
    expect([again.status, again.body[0]?.fields['Name']]).toEqual([200, 'A']);
    expect(again.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'));
    expect(await nameOf(id)).toBe('A');
  });

  test('is written once by many at the same time, and is no conflict with itself', async () => {
    const id = await made('C');
    const answers = await Promise.all(Array.from({ length: 8 }, () => change('u2', id, { Name: 'D' }, { Name: 'C' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ headers }) => headers.get('x-operation-id'))).size).toBe(1);
  });

  test('is refused with another body, and is free after a refusal', async () => {
    const id = await made('E');
    expect((await change('u3', id, { Name: 'F' }, { Name: 'other' })).status).toBe(409);
    expect((await change('u3', id, { Name: 'F' }, { Name: 'E' })).status).toBe(200);
    expect((await change('u3', id, { Name: 'G' })).status).toBe(409);
    expect(await nameOf(id)).toBe('F');
  });

  test('works for a single record, and leaves out what was deleted since', async () => {
    const id = await made('H');
    const one = () =>
      table.call(updateRecord, {
        params: { tableId: table.tableId, recordId: id },
        body: { record: { fields: { Name: 'I' } } },
        headers: { 'idempotency-key': 'u4', 'if-match': '"1"' },
      });
    const several = () => change('u5', id, { Count: 1 });
    expect([(await one()).status, (await one()).status, (await several()).status]).toEqual([200, 200, 200]);
    await table.call(deleteRecord, { params: { tableId: table.tableId, recordId: id } });
    expect([(await one()).status, (await several()).body]).toEqual([404, []]);
  });
});
