// A kill in the middle of an undo. That nothing acknowledged is lost and the history stays a chain is what the proof of kills
// and the one of links show, in short within `npm test`.
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { credentialsIn, serve, until, usedDataFolder } from '../support/program.ts';
import { type Caller, caller } from '../support/world.ts';

test('killed in the middle of an undo, nothing of it is done, and the step can still be undone', async () => {
  const data = usedDataFolder();
  let server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const connect = (): Caller => caller({ baseUrl: `${server.origin}/api`, token: known.token });
  let call = connect();
  const made = await call(createTable, {
    params: { baseId: known.baseId },
    body: { name: 'Pairs', fields: [{ name: 'Name', type: 'singleLineText' }], records: [] },
  });
  const tableId = made.body.id;
  const created = await call(createRecords, {
    params: { tableId },
    body: { records: [{ fields: {} }, { fields: {} }] },
  });
  const ids = created.body.records.map((record) => record.id);

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
