// The server connects to its embedded PostgreSQL as a role that is no superuser, also on data of versions where it was one.
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createDbConnection, deleteDbConnection } from '@rowhouse/contract/connection.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { readFixtures } from '../../proof/upgrade/fixture.ts';
import { generousPlans } from '../../proof/ground.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { scramVerifier } from '../../server/db/scram.ts';
import { caller } from '../support/caller.ts';
import { onlyInProof } from '../support/cases.ts';
import {
  addRecord,
  credentialsIn,
  freePort,
  newDataFolder,
  postgresPid,
  runProgram,
  serve,
  until,
  usedDataFolder,
} from '../support/program.ts';

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

test('the server is no superuser and reaches no file, and the superuser is gone before it serves', async () => {
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  const postgres = await startEmbedded(data);
  const superuser = await connect(postgres.urlOf('rowhouse'));
  const { rows: sessions } = await superuser.query(
    "select distinct usename as name from pg_stat_activity where backend_type = 'client backend' and usename is not null and pid <> pg_backend_pid()",
  );
  expect(sessions).toEqual([{ name: 'rowhouse_server' }]);
  const { rows: roles } = await superuser.query(
    'select rolsuper, rolcreatedb, rolreplication, rolbypassrls, rolcreaterole from pg_roles where rolname = $1',
    ['rowhouse_server'],
  );
  expect(roles).toEqual([
    { rolsuper: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false, rolcreaterole: true },
  ]);
  expect(
    (
      await superuser.query(
        "select roleid::regrole::text as name from pg_auth_members where member = 'rowhouse_server'::regrole",
      )
    ).rows,
  ).toEqual([{ name: 'pg_use_reserved_connections' }]);
  const { rows: strange } = await superuser.query(
    "select relname from pg_class where oid >= 16384 and relnamespace::regnamespace::text not like 'pg_%' and relowner <> 'rowhouse_server'::regrole",
  );
  expect(strange).toEqual([]);
  await superuser.end();

  const client = await connect(postgres.urlOf('rowhouse', 'rowhouse_server'));
  for (const statement of [
    "select pg_read_file('postgresql.conf')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "copy (select 1) to program 'true'",
    "copy rowhouse.migrations from program 'true'",
    "copy rowhouse.migrations from '/etc/passwd'",
    "copy (select 1) to '/tmp/rowhouse-copied'",
    'select rolpassword from pg_authid',
    'alter role rowhouse_server superuser',
    'create role mine superuser',
    'grant pg_read_server_files to rowhouse_server',
    'grant pg_execute_server_program to rowhouse_server',
    "alter role rowhouse password 'x'",
    'set role rowhouse',
    'set session authorization rowhouse',
    "alter system set archive_command = 'true'",
    "create function public.f() returns int language c as 'libc', 'getpid'",
    'create extension file_fdw',
    'drop schema rowhouse_admin cascade',
    "create or replace function rowhouse_admin.reader_verifier(reader name) returns text language sql as 'select null'",
  ]) {
    await expect(client.query(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|0LP01|58P01|0A000)$/),
    });
  }
  expect(
    (
      await client.query(
        "select rowhouse_admin.reader_verifier('rowhouse') as a, rowhouse_admin.reader_verifier('rowhouse_server') as b",
      )
    ).rows,
  ).toEqual([{ a: null, b: null }]);
  await client.end();
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

/** As versions did it that were superuser. */
const formerReader = async (superuser: pg.Client, baseId: string, password: string): Promise<string> => {
  const name = `"reader_${baseId}"`;
  await superuser.query(
    `create role ${name} with login noinherit connection limit 10 password '${scramVerifier(password)}';
     grant ${name} to current_user;
     grant connect on database rowhouse to ${name};
     grant usage on schema "${baseId}" to ${name};
     grant select on all tables in schema "${baseId}" to ${name};
     insert into rowhouse.base_connections (base_id, role_name, created_by) select id, 'reader_' || id, created_by from rowhouse.bases where id = '${baseId}';
     do $$
       declare it regprocedure;
       begin
         for it in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^(pg_(try_)?advisory_|lo_|lowrite$|pg_logical_emit_message$)' loop
           execute format('revoke execute on function %s from public', it);
         end loop;
       end $$`,
  );
  return `reader_${baseId}`;
};

const owners = `select pg_get_userbyid(relowner) as owner, count(*)::int as n from pg_class c join pg_namespace s on s.oid = c.relnamespace
  where c.oid >= 16384 and s.nspname not like 'pg\\_%' group by 1 order by 1`;

onlyInProof(test)('data of a superuser is handed over with all that is in it, also after a kill', async () => {
  const fixture = readFixtures()[0] as ReturnType<typeof readFixtures>[number];
  const data = newDataFolder();
  fixture.unpack(data);
  const known = credentialsIn(data);
  const { baseId } = known;
  const port = await freePort();
  const env = { ROWHOUSE_DATA: data, ROWHOUSE_SQL_PORT: String(port), ROWHOUSE_PLANS: generousPlans(join(data, '..')) };
  const postgres = await startEmbedded(data, { alsoPort: port });
  const superuser = await connect(postgres.urlOf('rowhouse'));
  const password = 'reader of a former version';
  const readerUrl = `postgres://${await formerReader(superuser, baseId, password)}:${encodeURIComponent(password)}@127.0.0.1:${port}/rowhouse`;
  const before = (await superuser.query<{ owner: string; n: number }>(owners)).rows;
  expect(before).toEqual([{ owner: 'rowhouse', n: expect.any(Number) }]);

  // Somebody is at work with one of the tables.
  await superuser.query('begin');
  await superuser.query('lock table rowhouse.users in access share mode');
  const killed = runProgram(['serve'], { ...env, PORT: '0' });
  await until(
    'it waits for the table',
    async () =>
      (await superuser.query("select from pg_locks where not granted and mode = 'AccessExclusiveLock'")).rowCount === 1,
  );
  killed.kill('SIGKILL');
  await killed.ended;
  await superuser.query('commit');
  expect(
    (
      await superuser.query(
        "select from pg_tables where schemaname = 'rowhouse' and tablename = 'users' and tableowner = 'rowhouse'",
      )
    ).rowCount,
  ).toBe(1);

  const server = await serve(env);
  const after = (await superuser.query<{ owner: string; n: number }>(owners)).rows;
  expect(after.map(({ owner }) => owner)).toEqual(['rowhouse_server']);
  const { rows: left } = await superuser.query(
    "select proname as name from pg_proc where oid >= 16384 and proowner = 'rowhouse'::regrole union all select nspname from pg_namespace where oid >= 16384 and nspowner = 'rowhouse'::regrole order by 1",
  );
  expect(left).toEqual([{ name: 'reader_verifier' }, { name: 'rowhouse_admin' }]);
  await superuser.end();

  const call = caller({ baseUrl: `${server.origin}/api`, token: known.token });
  const tables = (await call(listTables, { params: { baseId } })).body;
  expect(tables.length).toBeGreaterThan(0);
  const [schema, name] = (tables[0]?.dbTableName ?? '').split('.') as [string, string];
  const reader = await connect(readerUrl);
  expect((await reader.query(`select from "${schema}"."${name}"`)).rowCount).toBeGreaterThan(0);
  await expect(reader.query('select pg_advisory_lock(1)')).rejects.toMatchObject({ code: '42501' });
  const cut = new Promise((resolve) => reader.once('end', resolve));
  const changed = await call(createDbConnection, { params: { baseId } });
  expect(changed.status).toBe(201);
  await expect(connect(readerUrl)).rejects.toMatchObject({ code: '28P01' });
  expect((await call(deleteDbConnection, { params: { baseId } })).status).toBe(200);
  await cut;
  expect(await addRecord(server.origin, known, 'of the newer version')).toBe(201);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(postgresPid(data)).toBeUndefined();
  const doctor = runProgram(['doctor'], env);
  expect(await doctor.ended).toBe(0);
  expect(doctor.said()).toContain('connects as rowhouse_server, which is no superuser');
  expect(doctor.said()).toContain('temporary files of statements are limited');
});
