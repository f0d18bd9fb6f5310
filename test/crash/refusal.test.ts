// Starts that cannot be: one clear line, exit code 1, and nothing is harmed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { onlyInProof, withAllCases } from '../support/cases.ts';
import {
  addRecord,
  credentialsIn,
  freePort,
  newDataFolder,
  postgresPid,
  preparedData,
  runProgram,
  serve,
  usedDataFolder,
} from '../support/program.ts';
import { copyFolder } from '../support/scratch.ts';

const refused = async (env: Record<string, string>, args = ['serve']): Promise<string> => {
  const program = runProgram(args, { PORT: '0', ...env });
  expect(await program.ended).toBe(1);
  const lines = program.said().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] as string;
};

test('of two servers that start at once on a fresh data folder one serves', async () => {
  const data = newDataFolder();
  const starts = await Promise.allSettled([serve({ ROWHOUSE_DATA: data }), serve({ ROWHOUSE_DATA: data })]);
  const up = starts.filter((start) => start.status === 'fulfilled');
  expect(up).toHaveLength(1);
  expect(String((starts.find((start) => start.status === 'rejected') as PromiseRejectedResult).reason)).toContain(
    'is already served',
  );
  expect(
    await addRecord((up[0] as PromiseFulfilledResult<{ origin: string }>).value.origin, credentialsIn(data), 'one'),
  ).toBe(201);
});

test('a port in use is named before anything is started', async () => {
  const data = newDataFolder();
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((listening) => other.listen(port, '127.0.0.1', listening));
  try {
    expect(await refused({ ROWHOUSE_DATA: data, PORT: String(port) })).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(postgresPid(data)).toBeUndefined();
  } finally {
    other.close();
  }
});

test('a data folder that cannot be written is named', async () => {
  const data = newDataFolder();
  writeFileSync(data, 'a file stands where the folder should be');
  expect(await refused({ ROWHOUSE_DATA: data })).toMatch(/^rowhouse: the data folder .* cannot be written/);
  if (withAllCases)
    expect(await refused({ ROWHOUSE_DATA: join(data, 'below') })).toMatch(
      /^rowhouse: the data folder .* cannot be written/,
    );
});

test('a folder that holds something else than a PostgreSQL is left alone', async () => {
  const data = newDataFolder();
  mkdirSync(join(data, 'postgres'), { recursive: true });
  writeFileSync(join(data, 'postgres/notes.txt'), 'mine');
  expect(await refused({ ROWHOUSE_DATA: data })).toMatch(/is not the folder of a PostgreSQL|belongs to root/);
});

test('data of a newer PostgreSQL is refused untouched', async () => {
  const data = usedDataFolder();
  writeFileSync(join(data, 'postgres/PG_VERSION'), '99\n');
  expect(await refused({ ROWHOUSE_DATA: data })).toMatch(
    /is of PostgreSQL 99, this Rowhouse brings PostgreSQL \d+: start a newer Rowhouse/,
  );
});

test('data of a newer Rowhouse is refused untouched, and PostgreSQL is stopped again', async () => {
  const data = usedDataFolder();
  const postgres = await startEmbedded(data);
  const client = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  await client.connect();
  await client.query("insert into rowhouse.migrations (version, name) values (9999, 'from the future')");
  await client.end();
  await postgres.stop();
  expect(await refused({ ROWHOUSE_DATA: data })).toContain('the database is of version 9999');
  expect(postgresPid(data)).toBeUndefined();
  if (!withAllCases) return;
  const doctor = runProgram(['doctor'], { ROWHOUSE_DATA: data });
  expect(await doctor.ended).toBe(1);
  expect(doctor.said()).toContain('WRONG  schema: version 9999');
});

test('a wrong setting is named', async () => {
  expect(await refused({ PORT: 'many', ROWHOUSE_DATA: newDataFolder() })).toBe(
    'rowhouse: PORT must be a whole number from 0 to 65535 (it is "many")',
  );
});

test('a database that is not there is waited for, and then named', async () => {
  const program = runProgram(['serve'], {
    DATABASE_URL: `postgres://x:secret@127.0.0.1:${await freePort()}/x`,
    DATABASE_WAIT: '1',
    PORT: '0',
    ROWHOUSE_DATA: newDataFolder(),
  });
  expect(await program.ended).toBe(1);
  const lines = program.said().trim().split('\n');
  expect(lines[0]).toContain('cannot be reached');
  expect(lines[0]).toContain('trying for 1 s');
  expect(lines[1]).toContain('tried for 1 s');
  expect(lines).toHaveLength(2);
  expect(program.said()).not.toContain('secret');
});

onlyInProof(test)('a data folder whose path is too long for a socket works over loopback', async () => {
  const data = join(dirname(newDataFolder()), 'x'.repeat(120), 'data');
  mkdirSync(dirname(data), { mode: 0o755 });
  copyFolder(preparedData(), data);
  const server = await serve({ ROWHOUSE_DATA: data });
  expect(await addRecord(server.origin, credentialsIn(data), 'far away')).toBe(201);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(postgresPid(data)).toBeUndefined();
});

test('a second server, a backup of nothing, a damaged one, and a restore over an instance are refused, and nothing is made or harmed', async () => {
  const nowhere = newDataFolder();
  const file = join(dirname(nowhere), 'instance.backup');
  expect(await refused({ ROWHOUSE_DATA: nowhere }, ['backup', file])).toContain(`there is no instance in ${nowhere}`);
  writeFileSync(file, 'no backup');
  expect(await refused({ ROWHOUSE_DATA: nowhere }, ['restore', file])).toContain('is damaged or no backup of Rowhouse');
  expect(existsSync(nowhere)).toBe(false);
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data });
  expect(await refused({ ROWHOUSE_DATA: data })).toContain(
    `is already served by another Rowhouse (process ${server.pid})`,
  );
  expect(await refused({ ROWHOUSE_DATA: data }, ['backup', file])).toContain('exists already');
  const good = `${file}.good`;
  expect(await runProgram(['backup', good], { ROWHOUSE_DATA: data }).ended).toBe(0);
  if (withAllCases)
    expect(await refused({ ROWHOUSE_DATA: data }, ['restore', good])).toContain(
      'is already served by another Rowhouse',
    );
  server.kill('SIGTERM');
  await server.ended;
  expect(await refused({ ROWHOUSE_DATA: data }, ['restore', good])).toContain('this instance is in use');
  expect(await addRecord((await serve({ ROWHOUSE_DATA: data })).origin, credentialsIn(data), 'still here')).toBe(201);
});
