import { beforeAll, describe, expect, test } from 'vitest';
import { listRecordHistory, listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredHistory } from '../../server/domain/history/drop-expired-history.ts';
import { jobRests } from '../support/jobs.sql.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });
const day = 86_400_000;
let table: TestTable;
let operationId: string;

/** The free plan keeps 90 days. */
const moveOperationsBack = async (days: number): Promise<void> => {
  await world().db.query(
    sql`update ${sql.id(table.baseId, '__operation')} set time = (select time - ${days} * interval '1 day') where table_id = ${table.tableId}`,
  );
};
const entries = async () =>
  (await table.call(listTableHistory, { params: { tableId: table.tableId } })).body.historyList;

beforeAll(async () => {
  await jobRests(world().db, 'remove-old-history');
  table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'a' } }] },
  });
  const changed = await table.call(updateRecord, {
    params: { tableId: table.tableId, recordId: made.body.records[0]?.id as string },
    body: { record: { fields: { Name: 'b' } } },
  });
  operationId = changed.headers.get('x-operation-id') as string;
});

test('entries are shown while the plan keeps them, hidden afterwards, and removed a week later', async () => {
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(89);
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(2);
  expect(await entries()).toHaveLength(0);
  expect((await table.call(restoreHistory, { params: { tableId: table.tableId }, body: { operationId } })).status).toBe(
    404,
  );
  expect(await dropExpiredHistory(world().services)).toBe(0);
  await moveOperationsBack(-2);
  expect(await entries()).toHaveLength(1);
  await moveOperationsBack(9);
  expect(await dropExpiredHistory(world().services)).toBe(1);
  await moveOperationsBack(-98);
  expect(await entries()).toHaveLength(0);
});

test('two servers that remove at once remove each entry once', async () => {
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: '0' } }] },
  });
  for (let round = 1; round <= 20; round += 1) {
    await table.call(updateRecord, {
      params: { tableId: table.tableId, recordId: made.body.records[0]?.id as string },
      body: { record: { fields: { Name: `${round}` } } },
    });
  }
  await moveOperationsBack(98);
  const later = { ...world().services, now: () => new Date(Date.now() + day) };
  const counts = await Promise.all([dropExpiredHistory(later), dropExpiredHistory(later), dropExpiredHistory(later)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
});

describe('the history of one record', () => {
  const aged = async (on: TestTable, days: number): Promise<void> => {
    await world().db.query(
      sql`update ${sql.id(on.baseId, '__operation')} set time = (select time - ${days} * interval '1 day') where table_id = ${on.tableId}`,
    );
    const [place] = await world().db.query<{ name: string }>(
      sql`select db_table_name as name from rowhouse.tables where id = ${on.tableId}`,
    );
    await world().db.query(
      sql`update ${sql.id(on.baseId, place?.name as string)} set __created_time = (select __created_time - ${days} * interval '1 day')`,
    );
  };
  const fresh = async (): Promise<TestTable> =>
    tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Still', type: 'singleLineText' },
    ]);
  const create = async (on: TestTable): Promise<string> =>
    (await on.call(createRecords, { params: on, body: { records: [{ fields: { Name: 'A', Still: 'same' } }] } })).body
      .records[0]?.id as string;
  const rename = (on: TestTable, recordId: string, Name: string) =>
    on.call(updateRecord, { params: { ...on, recordId }, body: { record: { fields: { Name } } } });
  const told = async (on: TestTable, recordId: string, query = {}) => {
    const { body } = await on.call(listRecordHistory, {
      params: { ...on, recordId },
      query: { includeCreated: true, ...query },
    });
    return {
      entries: body.historyList.map(({ before, after, created }) => [
        created === true ? 'created' : before.data,
        after.data,
      ]),
      creationKnown: body.creationKnown,
    };
  };

  test('tells what the record was created with while that is known', async () => {
    const on = await fresh();
    const id = await create(on);
    await rename(on, id, 'B');
    const whole = {
      entries: [
        ['A', 'B'],
        ['created', 'A'],
        ['created', 'same'],
      ],
      creationKnown: true,
    };
    expect(await told(on, id)).toEqual(whole);
    await aged(on, 60);
    await rename(on, id, 'C');
    await dropExpiredHistory(world().services);
    expect(await told(on, id)).toEqual({ ...whole, entries: [['B', 'C'], ...whole.entries] });
  });

  test('shows nothing that is older than the plan shows', async () => {
    const on = await fresh();
    const id = await create(on);
    await rename(on, id, 'B');
    await aged(on, 91);
    await rename(on, id, 'C');
    expect(await told(on, id)).toEqual({ entries: [['B', 'C']], creationKnown: false });
  });

  test('says that the creation is unknown when the history it followed from was removed', async () => {
    const on = await fresh();
    const id = await create(on);
    await rename(on, id, 'B');
    await aged(on, 98);
    expect(await dropExpiredHistory(world().services)).toBeGreaterThan(0);
    // As after a change to a plan that shows more: what is gone stays gone.
    await aged(on, -97);
    await rename(on, id, 'C');
    expect(await told(on, id)).toEqual({ entries: [['B', 'C']], creationKnown: false });
    const later = await create(on);
    await rename(on, later, 'D');
    expect(await told(on, later)).toEqual({
      entries: [
        ['A', 'D'],
        ['created', 'A'],
        ['created', 'same'],
      ],
      creationKnown: true,
    });
  });

  test('does not go back to a moment that the plan does not show', async () => {
    const on = await fresh();
    const id = await create(on);
    await rename(on, id, 'B');
    await aged(on, 91);
    await rename(on, id, 'C');
    const back = (days: number) =>
      on.call(restoreHistory, {
        params: on,
        body: { recordId: id, at: new Date(Date.now() - days * day).toISOString() },
      });
    const refused = await back(92);
    expect(refused.status).toBe(400);
    expect(refused.error).toMatchObject({ code: 'validation_error', data: { issues: [{ path: 'at' }] } });
    expect((await back(89)).body).toMatchObject({ restored: 1 });
  });
});
