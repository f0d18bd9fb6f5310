// The history stays a chain, and nothing acknowledged is lost, however often the server and its PostgreSQL are
// killed in the middle of updates, restores and conversions.
import { expect, test } from 'vitest';
import { convertField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import pg from 'pg';
import { allEntries, chainFaults } from '../support/chain.ts';
import { credentialsIn, postgresPid, serve, until, usedDataFolder } from '../support/program.ts';
import { type Caller, caller } from '../support/world.ts';

/** Of the server alone and together with PostgreSQL, in turn. `npm run proof -- kill` does it a hundred times. */
const cycles = 2;

/** `record:count` of every change that was acknowledged; no count is written twice. */
type Acknowledged = Set<string>;

const load = async (
  call: Caller,
  tableId: string,
  convertedId: string,
  ids: readonly string[],
  acknowledged: Acknowledged,
  from: number,
  isOver: () => boolean,
): Promise<void> => {
  const operations: string[] = [];
  for (let count = from; !isOver(); count += 8) {
    const chosen = ids.filter((_, at) => (count + at) % 3 !== 0);
    const written = await call(updateRecords, {
      params: { tableId },
      body: { records: chosen.map((id) => ({ id, fields: { Count: count, Name: `n${count % 5}` } })) },
    }).catch(() => undefined);
    if (written === undefined) return;
    if (written.status === 200) {
      operations.push(written.headers.get('x-operation-id') as string);
      for (const id of chosen) acknowledged.add(`${id}:${count}`);
    }
    if (count % 40 === 1)
      await call(convertField, {
        params: { tableId, fieldId: convertedId },
        body: { type: count % 80 === 1 ? 'singleLineText' : 'number' } as never,
      }).catch(() => undefined);
    if (count % 5 === 0)
      await call(restoreHistory, { params: { tableId }, body: { operationId: operations[0] as string } }).catch(
        () => undefined,
      );
  }
};

test(`after ${cycles} kills under load the chain holds and acknowledged changes are in it`, {
  timeout: 240_000,
}, async () => {
  const data = usedDataFolder();
  let server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const connect = (): Caller => caller({ baseUrl: `${server.origin}/api`, token: known.token });
  let call = connect();
  const made = await call(createTable, {
    params: { baseId: known.baseId },
    body: {
      name: 'Counters',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Count', type: 'number' },
        { name: 'Converted', type: 'number' },
      ],
      records: [],
    },
  });
  const tableId = made.body.id;
  const convertedId = made.body.fields[2]?.id as string;
  const created = await call(createRecords, {
    params: { tableId },
    body: { records: Array.from({ length: 6 }, () => ({ fields: { Count: 0, Converted: 1.5 } })) },
  });
  const ids = created.body.records.map((record) => record.id);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const acknowledged: Acknowledged = new Set();
    let over = false;
    const loads = Array.from({ length: 8 }, (_, at) =>
      load(call, tableId, convertedId, ids, acknowledged, 1 + cycle * 1_000_000 + at, () => over),
    );
    await until('some changes are acknowledged', () => acknowledged.size > 50);
    await new Promise((passed) => setTimeout(passed, Math.random() * 300));
    server.kill('SIGKILL');
    if (cycle % 2 === 1) process.kill(postgresPid(data) as number, 'SIGKILL');
    over = true;
    await Promise.all(loads);
    await server.ended;
    server = await serve({ ROWHOUSE_DATA: data });
    call = connect();
    expect(await chainFaults({ call, tableId }), `cycle ${cycle}`).toEqual([]);
    const written = new Set(
      (await allEntries({ call, tableId })).map((entry) => `${entry.recordId}:${entry.after.data}`),
    );
    expect(
      [...acknowledged].filter((change) => !written.has(change)),
      `cycle ${cycle}`,
    ).toEqual([]);
  }

  // Killed in the middle of an undo: nothing of it is done, and the step is there still, before the one before it.
  const headers = { 'x-window-id': 'tab', 'x-window-step': 'pair' };
  const [first, second] = ids as [string, string];
  const write = (recordId: string, name: string, step: string) =>
    call(updateRecords, {
      params: { tableId },
      headers: { ...headers, 'x-window-step': step },
      body: { records: [{ id: recordId, fields: { Name: name } }] },
    } as never);
  await write(first, 'before', 'earlier');
  await write(second, 'before', 'earlier');
  await write(first, 'after', 'pair');
  await write(second, 'after', 'pair');
  const names = async () =>
    (await call(listRecords, { params: { tableId }, query: {} })).body.records
      .filter(({ id }) => id === first || id === second)
      .map(({ fields }) => fields['Name']);
  const postgres = await startEmbedded(data);
  const holder = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  await holder.connect();
  await holder.query('begin');
  await holder.query(
    `select from "${known.baseId}"."${made.body.dbTableName?.split('.').at(-1)}" where __id = $1 for update`,
    [first],
  );
  const undoing = call(undo, { params: { tableId }, headers } as never).catch(() => undefined);
  await until(
    'the undo waits for the record',
    async () => (await holder.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount === 1,
  );
  server.kill('SIGKILL');
  await undoing;
  await server.ended;
  await holder.query('rollback');
  await holder.end();
  await postgres.stop();
  server = await serve({ ROWHOUSE_DATA: data });
  call = connect();
  expect(await names()).toEqual(['after', 'after']);
  expect((await call(undo, { params: { tableId }, headers } as never)).body).toMatchObject({
    status: 'fulfilled',
    step: 'pair',
  });
  expect(await names()).toEqual(['before', 'before']);
});
