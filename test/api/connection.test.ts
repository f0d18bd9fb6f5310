// SQL access to a base, tried with a real client.
import { deleteBase, moveBase } from '@rowhouse/contract/base.ts';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { createDbConnection, deleteDbConnection, getDbConnection } from '@rowhouse/contract/connection.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import * as teable from '@teable/openapi';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { fencedNames } from '../../server/db/embedded-handover.ts';
import { endOffenders, selectDbTableName } from '../../server/domain/sql-access/reader.sql.ts';
import { endHeavyReaders, endHoarders } from '../../server/domain/sql-access/watch-readers.ts';
import { plansWith } from '../support/plans.ts';
import { isLookedAt } from '../support/reader-functions.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { maxNumDatabaseConnections: 2 } }) });
const textField = [{ name: 'Text', type: 'singleLineText' }];

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const nameOf = async ({ baseId, tableId }: TestTable): Promise<string> =>
  `"${baseId}"."${await selectDbTableName(world().db, tableId)}"`;

const filled = async (): Promise<TestTable> => {
  const table = await tableWith(await ground(world()), textField);
  await table.call(createRecords, { params: table, body: { records: [{ fields: { Text: 'hello' } }] } });
  return table;
};

test('a reader reads the tables of its base, also those made later, and nothing else', async () => {
  const table = await filled();
  const other = await filled();
  const made = await table.call(createDbConnection, { params: table });
  const client = await connect(made.body.url);
  expect((await client.query(`select "Text" from ${await nameOf(table)}`)).rows).toEqual([{ Text: 'hello' }]);
  const later = await tableWith(table, textField);
  expect((await client.query(`select * from ${await nameOf(later)}`)).rows).toEqual([]);

  await client.query('set default_transaction_read_only = off');
  for (const statement of [
    `select * from ${await nameOf(other)}`,
    'select * from rowhouse.users',
    'select * from rowhouse.access_tokens',
    `select * from "${table.baseId}".__operation`,
    `select * from "${table.baseId}"."__history_${table.tableId}"`,
    `insert into ${await nameOf(table)} (__id, __created_by) values ('x', 'x')`,
    `update ${await nameOf(table)} set "Text" = 'x'`,
    `delete from ${await nameOf(table)}`,
    `truncate ${await nameOf(table)}`,
    `create table "${table.baseId}".mine (id int)`,
    'create table public.mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'create role mine',
    "select pg_read_file('postgresql.conf')",
    // Elsewhere they are not ours to forbid.
    ...(inject('isEmbedded')
      ? [
          'select pg_advisory_lock(1)',
          'select pg_try_advisory_xact_lock_shared(1, 2)',
          "select lo_from_bytea(0, 'x')",
          'select lo_create(0)',
          "select pg_logical_emit_message(false, 'x', 'y')",
          "select pg_logical_emit_message(true, 'x', 'y'::bytea, true)",
          'select txid_current()',
          'select pg_current_xact_id()',
          'select pg_export_snapshot()',
          'set role rowhouse',
          'set role rowhouse_server',
          'set session authorization rowhouse',
        ]
      : []),
    'set temp_file_limit = -1',
    `select * from ${await nameOf(table)} for update`,
    'select rolpassword from pg_authid',
    "copy (select 1) to program 'true'",
  ]) {
    await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  await client.end();
});

test('every function that a reader may call was looked at, and a new version of PostgreSQL brings none unseen', async () => {
  const table = await filled();
  const client = await connect((await table.call(createDbConnection, { params: table })).body.url);
  // Without those of extensions that an operator has added, which are the operator's.
  const { rows } = await client.query<{ name: string; isVolatile: boolean }>(
    `select distinct p.proname as name, p.provolatile = 'v' as "isVolatile" from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.provolatile <> 'i' and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
       and not exists (select from pg_depend d join pg_extension e on e.oid = d.refobjid where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e' and e.extname <> 'plpgsql')`,
  );
  const fenced = new RegExp(fencedNames);
  const callable = rows.filter(({ name }) => inject('isEmbedded') || !fenced.test(name));
  const unseen = callable.filter(({ name, isVolatile }) => fenced.test(name) || !isLookedAt(name, isVolatile));
  expect(unseen).toEqual([]);
  expect(callable.length).toBeGreaterThan(300);
  // What older versions have besides.
  for (const call of ["pg_read_file_old('PG_VERSION', 0, 1)", 'pg_rotate_logfile_old()'])
    if (callable.some(({ name }) => call.startsWith(`${name}(`)))
      await expect(client.query(`select ${call}`), call).rejects.toMatchObject({ code: '42501' });
  await client.end();
});

test('readers who fill the queue of notifications for all are ended', async () => {
  const table = await filled();
  const { url } = (await table.call(createDbConnection, { params: table })).body;
  const [listener, flooder] = [await connect(url), await connect(url)];
  // In a transaction it takes nothing from the queue, which therefore keeps everything.
  for (const statement of ['listen flood', 'begin', 'select 1']) await listener.query(statement);
  await flooder.query("select pg_notify('flood', rpad(n::text, 7900, 'x')) from generate_series(1, 200) n");
  const ends = [listener, flooder].map((client) => new Promise((resolve) => client.once('end', resolve)));
  expect(await endHoarders(world().db)).toBe(0);
  // Of a queue for 8 GB by default.
  expect(await endHoarders(world().db, 1e-5)).toBeGreaterThanOrEqual(2);
  await Promise.all(ends);
});

test('a reader sees neither the statements nor the passwords of others', async () => {
  const table = await filled();
  const client = await connect((await table.call(createDbConnection, { params: table })).body.url);
  const { rows } = await client.query(
    "select count(*)::int as n from pg_stat_activity where usename <> current_user and query not in ('', '<insufficient privilege>')",
  );
  expect(rows).toEqual([{ n: 0 }]);
  const { rows: others } = await client.query(
    "select table_schema as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_name not in ('citus_tables', 'citus_schemas')",
  );
  expect(others).toEqual([{ name: table.baseId }]);
  await client.end();
});

test('a table in the trash is out of reach until it is restored', async () => {
  const table = await filled();
  const client = await connect((await table.call(createDbConnection, { params: table })).body.url);
  const query = `select 1 from ${await nameOf(table)}`;
  await table.call(deleteTable, { params: table });
  await expect(client.query(query)).rejects.toMatchObject({ code: '42501' });
  const trash = await table.call(listTrashItems, { query: { resourceId: table.baseId, resourceType: 'base' } });
  await table.call(restoreTrash, { params: { trashId: trash.body.trashItems[0]?.id as string } });
  expect((await client.query(query)).rowCount).toBe(1);
  await client.end();
});

test('a new password ends the old one, and a closed access is closed', async () => {
  const table = await filled();
  expect((await table.call(getDbConnection, { params: table })).body).toBeNull();
  const first = (await table.call(createDbConnection, { params: table })).body;
  const second = (await table.call(createDbConnection, { params: table })).body;
  await expect(connect(first.url)).rejects.toMatchObject({ code: '28P01' });
  const client = await connect(second.url);
  const shown = (await table.call(getDbConnection, { params: table })).body;
  expect(shown).toMatchObject({ dsn: { user: first.dsn.user }, connection: { max: 10, current: 1 } });
  expect(JSON.stringify(shown)).not.toContain(second.dsn.pass);
  expect((await table.call(deleteDbConnection, { params: table })).status).toBe(200);
  await expect(client.query(`select 1 from ${await nameOf(table)}`)).rejects.toThrow();
  await expect(connect(second.url)).rejects.toThrow();
  expect((await table.call(deleteDbConnection, { params: table })).status).toBe(404);
  await client.end().catch(() => undefined);
});

test('open bases count against the plan, also when several are opened at once', async () => {
  const { owner, call, spaceId } = await ground(world());
  const bases = await Promise.all([1, 2, 3, 4].map(() => newBase(owner, spaceId)));
  const outcomes = await Promise.all(bases.map((baseId) => call(createDbConnection, { params: { baseId } })));
  expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 201, 402, 402]);
  expect(outcomes.find(({ status }) => status === 402)?.error.data).toEqual({ limit: 2, usage: 2, asked: 1 });
  expect((await call(getBilling, { params: { spaceId } })).body.plan.usage.numDatabaseConnections).toBe(2);
});

test('a base that leaves is closed: to the trash, to another space, or with its space', async () => {
  const table = await filled();
  const url = async (): Promise<string> => (await table.call(createDbConnection, { params: table })).body.url;
  const moved = await url();
  await table.call(moveBase, { params: table, body: { spaceId: await newSpace(table.owner) } });
  await expect(connect(moved)).rejects.toThrow();
  const trashed = await url();
  await table.call(deleteBase, { params: table });
  await expect(connect(trashed)).rejects.toThrow();
  const another = await filled();
  const withSpace = (await another.call(createDbConnection, { params: another })).body.url;
  await another.call(deleteSpace, { params: another });
  await expect(connect(withSpace)).rejects.toThrow();
});

test('a reader can ask for more memory, and is ended when it has taken too much of it', {
  skip: process.platform !== 'linux' || !inject('isEmbedded'),
}, async () => {
  const limit = 64 * 1_048_576;
  const reader = async (table: TestTable): Promise<pg.Client> =>
    connect((await table.call(createDbConnection, { params: table })).body.url);
  const greedy = await reader(await filled());
  const modest = await reader(await filled());
  // PostgreSQL asks nobody for this: see docs/guide/sql-access.md.
  for (const client of [greedy, modest]) await client.query("set work_mem = '1GB'");
  const gathering = (rows: number): string =>
    `with x as materialized (select repeat(g::text, 2000) from generate_series(1, ${rows}) g) select count(*), pg_sleep(${rows > 1_000 ? 50 : 0}) from x`;
  const ended = expect(greedy.query(gathering(20_000))).rejects.toMatchObject({ code: '57P01' });
  await modest.query(gathering(100));
  await expect.poll(() => endHeavyReaders(world().db, limit), { timeout: 40_000 }).toBe(1);
  await ended;
  expect((await modest.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  await modest.end();
});

test('a reader that keeps a snapshot for long is ended, though each of its statements is short', async () => {
  const table = await filled();
  const client = await connect((await table.call(createDbConnection, { params: table })).body.url);
  await client.query('set idle_in_transaction_session_timeout = 0');
  await client.query('begin isolation level repeatable read');
  await client.query('select 1');
  const cut = new Promise((resolve) => client.once('end', resolve));
  await endOffenders(world().db);
  await client.query('select 1');
  await endOffenders(world().db, { statementSeconds: 120, transactionSeconds: 0 });
  await cut;
});

test('with a database user that is no superuser, readers work and can be ended', async () => {
  const server = inject('postgresUrl');
  const name = `test_plain_${randomText(8).toLowerCase()}`;
  const operator = await connect(server);
  await operator.query(`create role ${name} login createrole password 'plain-password-1'`);
  await operator.query(`grant ${name} to current_user`);
  await operator.query(`create database ${name} owner ${name}`);
  const url = new URL(server);
  Object.assign(url, { username: name, password: 'plain-password-1', pathname: `/${name}` });
  const migrating = await connect(url.href);
  await migrate(migrating);
  await migrating.end();
  const plain = await openWorld(url.href, { databaseUrl: url.href });
  try {
    const table = await tableWith(await ground(plain), textField);
    const made = await table.call(createDbConnection, { params: table });
    expect(made.status).toBe(201);
    const client = await connect(made.body.url);
    expect(
      (await client.query(`select * from "${table.baseId}"."${await selectDbTableName(plain.db, table.tableId)}"`))
        .rows,
    ).toEqual([]);
    await expect(client.query('select * from rowhouse.users')).rejects.toMatchObject({ code: '42501' });
    // What cannot be forbidden here is ended.
    await client.query('select pg_advisory_lock(1)');
    const cut = new Promise((resolve) => client.once('end', resolve));
    await endOffenders(plain.db);
    await cut;
    await connect(made.body.url);
    expect((await table.call(deleteDbConnection, { params: table })).status).toBe(200);
  } finally {
    await plain.close();
    await operator.query(`drop database ${name} with (force)`);
    await operator.query(`drop role ${name}`);
    await operator.end();
  }
});

test('it is for owners, and the official client of Teable can do it', async () => {
  const { owner, baseId, spaceId } = await ground(world());
  const creator = await member(world(), owner, spaceId, 'creator');
  for (const endpoint of [createDbConnection, getDbConnection, deleteDbConnection]) {
    expect((await creator.call(endpoint, { params: { baseId } })).status).toBe(403);
  }
  teable.configApi({ endpoint: world().origin, token: owner.token });
  expect(teable.dbConnectionVoSchema.parse((await teable.createDbConnection(baseId)).data).dsn.user).toBe(
    `reader_${baseId}`,
  );
  teable.dbConnectionVoSchema.parse((await teable.getDbConnection(baseId)).data);
  expect((await teable.deleteDbConnection(baseId)).status).toBe(200);
});
