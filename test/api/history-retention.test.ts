import { beforeAll, expect, test } from 'vitest';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredHistory } from '../../server/domain/history/drop-expired-history.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const day = 86_400_000;
let table: TestTable;
let operationId: string;

/** The free plan keeps 90 days. */
const moveOperationsBack = async (days: number): Promise<void> => {
  await world().db.query(sql`update ${sql.id(table.baseId, '__operation')} set time = time - ${days} * interval '1 day' where table_id = ${table.tableId}`);
};
const entries = async () => (await table.call(listTableHistory, { params: { tableId: table.tableId } })).body.historyList;

beforeAll(async () => {
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records: [{ fields: { Name: 'a' } }] } });
  const changed = await table.call(updateRecord, { params: { tableId: table.tableId, recordId: made.body.records[0]?.id as string }, body: { record: { fields: { Name: 'b' } } } });
  operationId = changed.headers.get('x-operation-id') as string;
});

test('entries are shown while the plan keeps them, hidden afterwards, and removed a week later', async () => {
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(89);
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(2);
  expect(await entries()).toHaveLength(0);
  expect((await table.call(restoreHistory, { params: { tableId: table.tableId }, body: { operationId } })).body).toMatchObject({ restored: 0 });
  expect(await dropExpiredHistory(world().services)).toBe(0);
  await moveOperationsBack(-2);
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(9);
  expect(await dropExpiredHistory(world().services)).toBe(1);
  await moveOperationsBack(-98);
  expect(await entries()).toHaveLength(0);
});

test('two servers that remove at once remove each entry once', async () => {
  const made = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records: [{ fields: { Name: '0' } }] } });
  for (let round = 1; round <= 20; round += 1) {
    await table.call(updateRecord, { params: { tableId: table.tableId, recordId: made.body.records[0]?.id as string }, body: { record: { fields: { Name: `${round}` } } } });
  }
  await moveOperationsBack(98);
  const later = { ...world().services, now: () => new Date(Date.now() + day) };
  const counts = await Promise.all([dropExpiredHistory(later), dropExpiredHistory(later), dropExpiredHistory(later)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
});
