// Stopping, commands beside a running server, and a database that goes and comes back.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { serverRole } from '../../server/db/embedded-cluster.ts';
import { onlyInProof, withAllCases } from '../support/cases.ts';
import {
  addRecord,
  credentialsIn,
  freePort,
  newDataFolder,
  postgresPid,
  recordNames,
  request,
  runProgram,
  serve,
  until,
  usedDataFolder,
} from '../support/program.ts';

test('SIGTERM lets a running request finish, takes no new ones, stops PostgreSQL and exits with 0', async () => {
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const postgres = await startEmbedded(data);
  const blocker = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  blocker.on('error', () => undefined);
  await blocker.connect();
  const { rows } = await blocker.query<{ base: string; name: string }>(
    'select base_id as base, db_table_name as name from rowhouse.tables',
  );
  const { base, name } = rows[0] as { base: string; name: string };
  await blocker.query('begin');
  await blocker.query(`lock table "${base}"."${name}" in access exclusive mode`);
  const running = addRecord(server.origin, known, 'in flight');
  await until('the request waits in the database', async () => {
    // Without it, a transaction knows the connections that were there when it first asked, and no others.
    await blocker.query('select pg_stat_clear_snapshot()');
    return (
      (
        await blocker.query(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'rowhouse'",
        )
      ).rowCount !== 0
    );
  });
  server.kill('SIGTERM');
  server.kill('SIGINT');
  await until('new requests are refused', () =>
    request(server.origin, known, 'GET', '/auth/user').then(
      (answer) => answer.status === 503,
      () => true,
    ),
  );
  await blocker.query('commit');
  expect(await running).toBe(201);
  await blocker.end();
  expect(await server.ended).toBe(0);
  expect(postgresPid(data)).toBeUndefined();
  const again = await serve({ ROWHOUSE_DATA: data });
  expect(await recordNames(again.origin, known)).toContain('in flight');
});

test('commands work beside a running server, and without one they start PostgreSQL and stop it again', async () => {
  const data = usedDataFolder();
  const command = async (...args: string[]): Promise<string> => {
    const program = runProgram(args, { ROWHOUSE_DATA: data });
    const code = await program.ended;
    return `${code} ${program.said()}`;
  };
  expect(await command('user', 'create', 'one@example.org', '--admin', '--password', 'correct-horse-1')).toMatch(
    /^0 created usr\w+ one@example.org \(administrator\)/,
  );
  expect(postgresPid(data)).toBeUndefined();
  const server = await serve({ ROWHOUSE_DATA: data });
  const [, token] = /^0 (teable_\S+)/.exec(
    await command('token', 'create', 'one@example.org', '--name', 'test'),
  ) as unknown as [string, string];
  const me = (): Promise<Response> =>
    fetch(`${server.origin}/api/auth/user/me`, { headers: { authorization: `Bearer ${token}` } });
  expect((await me()).status).toBe(200);
  expect(await command('token', 'revoke', token.split('_')[1] as string)).toMatch(/^0 /);
  expect((await me()).status).toBe(401);
  expect(await command('user', 'reset-password', 'nobody@example.org')).toMatch(
    /^1 rowhouse: User nobody@example.org not found/,
  );
  if (withAllCases) {
    expect(await command('user', 'create', 'two@example.org')).toMatch(/^0 created [\s\S]*password: \w+/);
    expect(await command('user', 'list', '--json')).toContain('two@example.org');
    expect(await command('user', 'list', '--wrong')).toMatch(/^2 rowhouse: Unknown option/);
    expect(await command('doctor')).toMatch(/^0 ok/);
  }
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(postgresPid(data)).toBeUndefined();
});

onlyInProof(test)('two servers that start at once on one database migrate once and fill it once', async () => {
  const postgres = await startEmbedded(usedDataFolder(), { port: await freePort() });
  const folders = [newDataFolder(), newDataFolder()];
  const servers = await Promise.all(
    folders.map((folder) => serve({ DATABASE_URL: postgres.url, ROWHOUSE_DATA: folder })),
  );
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(
    'select (select count(*)::int from rowhouse.users) as users, (select count(*)::int from rowhouse.tables) as tables, (select count(*)::int from rowhouse.migrations) as migrations',
  );
  expect(rows[0]).toEqual({
    users: 1,
    tables: 1,
    migrations: readdirSync(new URL('../../server/db/migrations', import.meta.url)).length,
  });
  await client.end();
  const doctor = runProgram(['doctor'], { DATABASE_URL: postgres.url, ROWHOUSE_DATA: folders[0] as string });
  await doctor.ended;
  expect(doctor.said()).toContain('warn   database: the server connects as rowhouse, which is a superuser');
  for (const server of servers) server.kill('SIGTERM');
  expect(await Promise.all(servers.map((server) => server.ended))).toEqual([0, 0]);
  await postgres.stop();
});

test('SIGTERM does not wait for a mail server that says nothing, and the e-mail waits for the next start', async () => {
  const data = usedDataFolder();
  const postgres = await startEmbedded(data, { port: await freePort() });
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const smtp = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const server = await serve({
    DATABASE_URL: postgres.urlOf('rowhouse', serverRole),
    ROWHOUSE_DATA: data,
    SMTP_URL: smtp,
  });
  const client = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  await client.connect();
  // The address has to be verified: a code is sent there.
  const signUp = await fetch(`${server.origin}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct-horse-1' }),
  });
  expect(signUp.status).toBe(422);
  await until('the e-mail is under way', () => sockets.size > 0);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  // It was broken off, not given up: a try that had run out of time would count.
  const { rows } = await client.query("select state, attempt, cursor from rowhouse.jobs where kind = 'send-code'");
  expect(rows).toEqual([{ state: 'waiting', attempt: 0, cursor: null }]);
  await client.end();
  for (const socket of sockets) socket.destroy();
  silent.close();
  await postgres.stop();
});

test('while the database is lost requests get 503, and when it is back they are answered; ROWHOUSE_STOP_WAIT holds for a statement that does not end', async () => {
  const data = usedDataFolder();
  const port = await freePort();
  const postgres = await startEmbedded(data, { port });
  const server = await serve({
    DATABASE_URL: postgres.urlOf('rowhouse', serverRole),
    ROWHOUSE_DATA: data,
    ROWHOUSE_STOP_WAIT: '1',
  });
  const known = credentialsIn(data);
  await postgres.stop();
  const answer = await request(server.origin, known, 'GET', '/auth/user');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'database_connection_unavailable', status: 503 });
  expect((await fetch(`${server.origin}/health`)).status).toBe(200);
  expect((await fetch(`${server.origin}/health/ready`)).status).toBe(503);
  const back = await startEmbedded(data, { port });
  expect(await addRecord(server.origin, known, 'back')).toBe(201);

  const client = new pg.Client({ connectionString: back.urlOf('rowhouse') });
  await client.connect();
  // Work beside the requests gets into a statement that takes ten minutes.
  await client.query(
    "create function public.dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(600); return null; end'",
  );
  await client.query(
    'create trigger dawdle before delete on rowhouse.rate_points for each statement execute function public.dawdle()',
  );
  await until('it is at it', async () => {
    await client.query("update rowhouse.jobs set due_time = now() where kind = 'keep-plans' and state = 'waiting'");
    return (await client.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'")).rowCount !== 0;
  });
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await client.end();
  await back.stop();
});
