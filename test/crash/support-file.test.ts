// `rowhouse doctor --bundle`: what helps is in it, and nothing that people typed.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { credentialsIn, freePort, request, runProgram, serve, until, usedDataFolder } from '../support/program.ts';

const canary = 'canary7f3a';

test('the support file has versions, health, counts, what was slow and what failed, and no data or secrets', async () => {
  const data = usedDataFolder();
  const known = credentialsIn(data);
  const env = {
    ROWHOUSE_DATA: data,
    PORT: String(await freePort()),
    ROWHOUSE_SLOW_STATEMENT: '1',
    ROWHOUSE_SIGNUP: 'invited',
    ROWHOUSE_SECRET: `${canary}-secret-that-is-long-enough`,
    ROWHOUSE_METRICS_TOKEN: `${canary}-token-that-is-long-enough`,
    SMTP_FROM: `${canary} <${canary}@example.com>`,
    PUBLIC_URL: `http://${canary}.example.com`,
  };
  const server = { ...(await serve(env)), origin: `http://127.0.0.1:${env.PORT}` };
  const call = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> =>
    (await (await request(server.origin, known, method, path, body)).json()) as Record<string, unknown>;
  const field = await call('POST', `/table/${known.tableId}/field`, {
    name: `${canary} field`,
    type: 'singleSelect',
    options: { choices: [{ name: `${canary} choice` }] },
  });
  expect(field['id']).toBeDefined();
  await call('PATCH', `/base/${known.baseId}`, { name: `${canary} base` });
  await call('POST', `/table/${known.tableId}/record`, {
    fieldKeyType: 'name',
    records: [{ fields: { Name: `${canary} cell` } }],
  });
  await call('POST', `/table/${known.tableId}/view`, { name: `${canary} view`, type: 'grid' });
  // A fault of the server, whose text repeats what is in a table.
  const postgres = await startEmbedded(data);
  const client = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  await client.connect();
  await client.query(`create function rowhouse.fail() returns trigger language plpgsql as $$ begin raise exception '${canary} in an error' using errcode = 'XX001'; end $$;
                      create trigger fail before insert on rowhouse.views for each row execute function rowhouse.fail()`);
  const failed = await request(server.origin, known, 'POST', `/table/${known.tableId}/view`, {
    name: `${canary} fails`,
    type: 'grid',
  });
  expect(failed.status).toBe(500);
  const { requestId } = (await failed.json()) as { requestId: string };
  await client.query('drop trigger fail on rowhouse.views; drop function rowhouse.fail()');
  await client.end();

  const file = join(dirname(data), 'support.json');
  const doctor = runProgram(['doctor', '--bundle', file], env);
  await doctor.ended;
  expect(doctor.said()).toContain(`${file} holds no data and no secrets`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  for (const secret of [canary, known.token, known.password, known.email, data]) expect(text).not.toContain(secret);
  const told = JSON.parse(text) as Record<string, never>;
  expect(told).toMatchObject({
    rowhouse: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    machine: { node: process.versions.node },
    settings: {
      ROWHOUSE_SIGNUP: 'invited',
      ROWHOUSE_SLOW_STATEMENT: 1,
      SMTP_FROM: 'set',
      ROWHOUSE_SECRET: 'set',
      HOST: 'default',
    },
    database: { postgres: { settings: { fsync: 'on' } }, sizes: { bases: { bases: 1 } } },
    server: { health: { status: 'ok' }, ready: { status: 'ready' } },
  });
  const {
    findings,
    database,
    server: running,
  } = told as unknown as {
    findings: { label: string; subject: string }[];
    database: { migrations: { version: number }[]; kinds: { fields: { type: string }[] }; schema: number };
    server: {
      metrics: string[];
      recent: { slowStatements: { operation: string }[]; errors: Record<string, unknown>[] };
    };
  };
  expect(findings.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['database', 'schema', 'disk']));
  expect(database.migrations.at(-1)?.version).toBe(database.schema);
  expect(database.kinds.fields.map(({ type }) => type)).toContain('singleSelect');
  expect(running.metrics.length).toBeGreaterThan(50);
  expect(running.recent.slowStatements.length).toBeGreaterThan(0);
  expect(running.recent.errors).toEqual([
    expect.objectContaining({
      operation: 'createView',
      code: 'XX001',
      requestId,
      at: expect.arrayContaining([expect.stringContaining('.cjs:')]),
    }),
  ]);

  // The file of somebody else is left alone; without a server, and without a database, there is still one.
  const again = runProgram(['doctor', '--bundle', file], env);
  expect(await again.ended).toBe(1);
  expect(again.said()).toContain('exists already');
  expect(readFileSync(file, 'utf8')).toBe(text);
  server.kill('SIGTERM');
  await server.ended;
  await until('it is down', async () => (await fetch(`${server.origin}/health`).catch(() => undefined)) === undefined);
  const [quiet, away] = ['quiet.json', 'away.json'].map((name) => join(dirname(data), name)) as [string, string];
  await runProgram(['doctor', '--bundle', quiet], env).ended;
  expect(JSON.parse(readFileSync(quiet, 'utf8'))).toMatchObject({
    server: { failed: expect.any(String) },
    database: { schema: database.schema },
  });
  await runProgram(['doctor', '--bundle', away], {
    ...env,
    DATABASE_URL: `postgres://${canary}:${canary}@127.0.0.1:9/x`,
  }).ended;
  expect(JSON.parse(readFileSync(away, 'utf8'))).toMatchObject({ database: { failed: expect.any(String) } });
  for (const path of [quiet, away]) expect(readFileSync(path, 'utf8')).not.toContain(canary);
});
