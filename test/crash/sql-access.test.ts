// SQL access to a base of the embedded PostgreSQL, from outside, with a real client.
import { networkInterfaces } from 'node:os';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createBase } from '@rowhouse/contract/base.ts';
import { createDbConnection, getDbConnection } from '@rowhouse/contract/connection.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import { caller } from '../support/caller.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { credentialsIn, freePort, runProgram, serve, usedDataFolder } from '../support/program.ts';

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === 'IPv4')?.address;

test('ROWHOUSE_SQL_PORT opens a base on loopback, and nothing but that base', async () => {
  const data = usedDataFolder();
  const port = await freePort();
  const first = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const spaceId = (known as unknown as { spaceId: string }).spaceId;
  const open = (origin: string) =>
    caller({ baseUrl: `${origin}/api`, token: known.token })(createDbConnection, { params: { baseId: known.baseId } });
  expect((await open(first.origin)).error).toMatchObject({
    status: 422,
    message: expect.stringContaining('ROWHOUSE_SQL_PORT'),
  });
  first.kill('SIGTERM');
  await first.ended;

  const second = await serve({ ROWHOUSE_DATA: data, ROWHOUSE_SQL_PORT: String(port) });
  const call = caller({ baseUrl: `${second.origin}/api`, token: known.token });
  const otherBase = (await call(createBase, { body: { spaceId, name: 'Other' } })).body.id;
  const other = (
    await call(createTable, { params: { baseId: otherBase }, body: { name: 'Other', records: [{ fields: {} }] } })
  ).body;
  const { dsn, url } = (await open(second.origin)).body;
  expect(dsn).toMatchObject({ host: '127.0.0.1', port });
  const client = await connect(url);
  const own = (await call(listTables, { params: { baseId: known.baseId } })).body[0]?.dbTableName.split('.')[1];
  expect((await client.query(`select * from "${known.baseId}"."${own}"`)).rows).toHaveLength(3);
  await client.query('set default_transaction_read_only = off');
  const [otherSchema, otherTable] = other.dbTableName.split('.') as [string, string];
  for (const statement of [
    `select * from "${otherSchema}"."${otherTable}"`,
    'select * from rowhouse.users',
    `update "${known.baseId}"."${own}" set __version = 1`,
    `insert into "${known.baseId}"."${own}" (__id, __created_by) values ('x', 'x')`,
    'create schema mine',
    'select pg_advisory_lock(1)',
    "copy (select 1) to '/tmp/x'",
  ]) {
    await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  for (const database of ['postgres', 'template1'])
    await expect(connect(url.replace(/\/rowhouse$/, `/${database}`)), database).rejects.toMatchObject({
      code: '42501',
    });
  expect((await client.query('show listen_addresses')).rows).toEqual([{ listen_addresses: '127.0.0.1' }]);
  if (outside !== undefined)
    await expect(connect(url.replace('127.0.0.1', outside))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await client.end();

  // Readers of many bases, each within its limit, leave connections to the server.
  const postgres = await startEmbedded(data);
  const superuser = await connect(postgres.urlOf('rowhouse'));
  await superuser.query("create role crowd login password 'crowd'; grant connect on database rowhouse to crowd");
  await superuser.end();
  const crowd: pg.Client[] = [];
  const crowdUrl = `postgres://crowd:crowd@127.0.0.1:${port}/rowhouse`;
  for (let isRoom = true; isRoom; )
    isRoom = await connect(crowdUrl).then(
      (one) => crowd.push(one) > 0,
      (error: Error & { code?: string }) => (expect(error.code).toBe('53300'), false),
    );
  expect(crowd.length).toBeGreaterThan(50);
  expect(crowd.length).toBeLessThan(100);
  expect(
    (await Promise.all(Array.from({ length: 30 }, () => call(listTables, { params: { baseId: known.baseId } })))).every(
      ({ status }) => status === 200,
    ),
  ).toBe(true);
  expect(await runProgram(['doctor'], { ROWHOUSE_DATA: data }).ended).toBe(0);
  await Promise.all(crowd.map((one) => one.end()));
  second.kill('SIGTERM');
  expect(await second.ended).toBe(0);

  const third = await serve({ ROWHOUSE_DATA: data });
  await expect(connect(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(
    (
      await caller({ baseUrl: `${third.origin}/api`, token: known.token })(getDbConnection, {
        params: { baseId: known.baseId },
      })
    ).status,
  ).toBe(422);
});
