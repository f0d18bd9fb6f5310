import { beforeAll, expect, test } from 'vitest';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }, { name: 'Count', type: 'number' }]);
});

const create = (key: string, fields: Record<string, unknown>, call = table.call) =>
  call(createRecords, { params: { tableId: table.tableId }, body: { records: [{ fields }] }, headers: { 'idempotency-key': key } });
const named = async (name: string): Promise<number> =>
  (await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } })).body.records.filter((record) => record.name === name).length;

test('the same key and body answer the first answer again without writing', async () => {
  const first = await create('k1', { Name: 'once' });
  const second = await create('k1', { Name: 'once' });
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'));
  expect(await named('once')).toBe(1);
});

test('many at once with one key write once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create('k2', { Name: 'race' })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.every((answer) => answer.status === 201)).toBe(true);
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
