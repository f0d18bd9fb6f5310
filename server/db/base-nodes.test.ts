// The node is the same PostgreSQL behind a relay: it can be told from the coordinator by the process that answers, and be taken away.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { urlAt } from './base-nodes.ts';
import { type Db, type DbOptions, one, openDb } from './db.ts';
import { sql } from './sql.ts';

let coordinator: URL;

beforeAll(async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const { rows } = await client.query("select current_setting('port') as port");
  await client.end();
  coordinator = new URL(inject('postgresUrl'));
  // Where a socket is used, the port is open beside it.
  if (coordinator.searchParams.has('host')) {
    coordinator.search = '';
    coordinator.hostname = '127.0.0.1';
    coordinator.port = rows[0].port;
  }
});

const opened: { close(): unknown }[] = [];
afterAll(async () => {
  for (const one of opened.toReversed()) await one.close();
});

const relayTo = async ({ hostname, port }: URL): Promise<{ port: number; end(): void }> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  opened.push({ close: end });
  return { port: (server.address() as AddressInfo).port, end };
};

const open = (locate: NonNullable<DbOptions['locate']>): Db => {
  const db = openDb(coordinator.href, { max: 1, locate });
  opened.push(db);
  return db;
};

const whoami = sql`select pg_backend_pid() as pid`;
const pidOf = async (db: Db, base?: string): Promise<number> =>
  (await one<{ pid: number }>(db, whoami, base === undefined ? {} : { base })).pid;

/** A database whose base `there` is known to be on the node. */
const withNode = async (): Promise<{ db: Db; own: number; node: Awaited<ReturnType<typeof relayTo>> }> => {
  const node = await relayTo(coordinator);
  const db = open(async (baseId) => (baseId === 'there' ? { host: '127.0.0.1', port: node.port } : null));
  const own = await pidOf(db);
  await expect.poll(() => pidOf(db, 'there')).not.toBe(own);
  return { db, own, node };
};

test('a read of a base is asked of its node, everything else of the coordinator', async () => {
  const { db, own } = await withNode();
  expect(await pidOf(db)).toBe(own);
  expect(await pidOf(db, 'elsewhere')).toBe(own);
  expect(await pidOf(db, 'elsewhere')).toBe(own);
  expect(await db.transaction(async (tx) => (await one<{ pid: number }>(tx, whoami, { base: 'there' })).pid)).toBe(own);
  expect(await pidOf(db, 'there')).not.toBe(own);
});

test('when the node is lost the coordinator is asked, and so is what comes after', async () => {
  const { db, own, node } = await withNode();
  node.end();
  expect(await pidOf(db, 'there')).toBe(own);
  expect(await pidOf(db, 'there')).toBe(own);
});

test('what the node does not know is asked of the coordinator; what the statement itself does wrong is not', async () => {
  const { db, own } = await withNode();
  await db.query(sql`create temp table here_alone as select 1 as one`);
  expect(await db.query(sql`select one from here_alone`, { base: 'there' })).toEqual([{ one: 1 }]);
  const before = db.counters.statements;
  await expect(db.query(sql`select 1 / (random() * 0)::int`, { base: 'there' })).rejects.toThrow('division by zero');
  expect(db.counters.statements).toBe(before + 1);
  expect(await pidOf(db, 'there')).not.toBe(own);
});

test('no read waits for an address that leads nowhere, or for who cannot say where a base is', async () => {
  const db = open(async (baseId) => {
    if (baseId === 'unknown') throw new Error('nobody knows');
    // Of the addresses for documentation: nothing answers there, not even with a refusal.
    return { host: '192.0.2.1', port: 5_432 };
  });
  const own = await pidOf(db);
  for (let count = 0; count < 5; count += 1)
    expect([await pidOf(db, 'there'), await pidOf(db, 'unknown')]).toEqual([own, own]);
});

test('the address of the coordinator is replaced where its URL has one', () => {
  const node = { host: 'node1', port: 5_433 };
  expect(urlAt('postgres://me:secret@coordinator/data?sslmode=require', node)).toBe(
    'postgres://me:secret@node1:5433/data?sslmode=require',
  );
  expect(urlAt('postgres://me@coordinator:6000/data', { host: '::1', port: 5_433 })).toBe(
    'postgres://me@[::1]:5433/data',
  );
  expect(urlAt('postgres://me@/data?host=/var/run', node)).toBeUndefined();
  expect(urlAt('postgres://me@one,two/data', node)).toBeUndefined();
  expect(urlAt('host=coordinator dbname=data', node)).toBeUndefined();
});
