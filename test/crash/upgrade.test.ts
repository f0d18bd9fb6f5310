// An upgrade cannot go wrong: a backup before it, a way back that works as it is printed, and a kill at any moment.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from '../../server/db/embedded.ts';
import { newestVersion } from '../../server/db/migrate.ts';
import { readFixtures } from '../../proof/upgrade/fixture.ts';
import { makeNewerProgram } from '../support/newer-program.ts';
import {
  addRecord,
  credentialsIn,
  newDataFolder,
  postgresPid,
  recordNames,
  request,
  runProgram,
  serve,
  until,
  usedDataFolder,
} from '../support/program.ts';

const newer = {} as { main: string; remove: () => void };
beforeAll(() => {
  Object.assign(
    newer,
    makeNewerProgram({
      '9998-first-of-two.sql': 'create table rowhouse.of_the_future (id int primary key);',
      '9999-second-of-two.sql': 'alter table rowhouse.users add column of_the_future int;',
    }),
  );
});
afterAll(() => newer.remove());

const backupsIn = (data: string): string[] => {
  try {
    return readdirSync(join(data, 'backups')).toSorted();
  } catch {
    return [];
  }
};

const onDatabase = async <T>(
  data: string,
  work: (client: pg.Client, postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> => {
  const postgres = await startEmbedded(data);
  const client = new pg.Client({ connectionString: postgres.urlOf('rowhouse') });
  await client.connect();
  try {
    return await work(client, postgres);
  } finally {
    await client.end();
    await postgres.stop();
  }
};

const levelOf = (data: string): Promise<number> =>
  onDatabase(
    data,
    async (client) =>
      (await client.query('select max(version)::int as level from rowhouse.migrations')).rows[0].level as number,
  );

const upgrade = async (data: string, env: Record<string, string> = {}): Promise<string> => {
  const program = runProgram(['migrate'], { ROWHOUSE_DATA: data, ...env }, newer.main);
  expect(await program.ended, program.output()).toBe(0);
  return program.said();
};

test('before the first migration of a new version there is a backup, and the older program goes back by what it prints', async () => {
  const data = usedDataFolder();
  const known = credentialsIn(data);
  const first = await serve({ ROWHOUSE_DATA: data });
  expect(await addRecord(first.origin, known, 'before the upgrade')).toBe(201);
  first.kill('SIGTERM');
  await first.ended;
  expect(backupsIn(data)).toEqual([]);

  const upgraded = await serve({ ROWHOUSE_DATA: data }, newer.main);
  const [backup = '', ...others] = backupsIn(data);
  expect(others).toEqual([]);
  expect(backup).toMatch(
    new RegExp(`^upgrade-[0-9a-f]{8}-${newestVersion()}\\.\\d+-to-9999\\.\\d+-\\d{8}T\\d{9}Z\\.backup$`),
  );
  const path = join(data, 'backups', backup);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(data, 'backups')).mode & 0o777).toBe(0o700);
  expect(upgraded.said()).toContain(`backed up to ${path}`);
  expect(upgraded.said()).toContain(`rowhouse restore ${JSON.stringify(path)}`);
  expect(await addRecord(upgraded.origin, known, 'after the upgrade')).toBe(201);
  upgraded.kill('SIGTERM');
  await upgraded.ended;

  // The second start of the new version has nothing to upgrade.
  const again = await serve({ ROWHOUSE_DATA: data }, newer.main);
  expect(again.said()).toBe(`Rowhouse is running at ${again.origin}\n`);
  again.kill('SIGTERM');
  await again.ended;
  expect(backupsIn(data)).toEqual([backup]);

  for (const args of [['serve'], ['migrate'], ['user', 'list']]) {
    const refused = runProgram(args, { ROWHOUSE_DATA: data, PORT: '0' });
    expect(await refused.ended).toBe(1);
    expect(refused.said().trim().split('\n')).toHaveLength(1);
    expect(refused.said()).toContain('the database is of version 9999');
    expect(refused.said()).toContain(`rowhouse restore ${JSON.stringify(path)}`);
  }
  const doctor = runProgram(['doctor'], { ROWHOUSE_DATA: data });
  expect(await doctor.ended).toBe(1);
  expect(doctor.said()).toContain(`rowhouse restore ${JSON.stringify(path)}`);
  expect(postgresPid(data)).toBeUndefined();
  expect(await levelOf(data)).toBe(9999);

  // As printed: the folder of PostgreSQL is moved away, the backup restored.
  renameSync(join(data, 'postgres'), join(data, 'postgres.newer'));
  const restored = runProgram(['restore', path], { ROWHOUSE_DATA: data });
  expect(await restored.ended, restored.output()).toBe(0);
  const back = await serve({ ROWHOUSE_DATA: data });
  const names = await recordNames(back.origin, known);
  expect(names).toContain('before the upgrade');
  expect(names).not.toContain('after the upgrade');
  expect(await addRecord(back.origin, known, 'after the way back')).toBe(201);
  back.kill('SIGTERM');
  await back.ended;

  // What was written since is in the backup of the next upgrade.
  await upgrade(data);
  expect(backupsIn(data)).toHaveLength(2);
  expect(
    execFileSync('tar', ['-xOf', join(data, 'backups', backupsIn(data).at(-1) as string), 'manifest.json']).toString(),
  ).toContain('"level"');
  const last = await serve({ ROWHOUSE_DATA: data }, newer.main);
  expect(await recordNames(last.origin, known)).toContain('after the way back');
});

test('a data folder of each released version is backed up before it is upgraded, and the backup restores', async () => {
  const fixtures = readFixtures();
  expect(fixtures.length).toBeGreaterThan(0);
  for (const { name, unpack } of fixtures) {
    const data = newDataFolder();
    unpack(data);
    const migrated = runProgram(['migrate'], { ROWHOUSE_DATA: data });
    expect(await migrated.ended, `${name}: ${migrated.output()}`).toBe(0);
    const [backup = '', ...others] = backupsIn(data);
    expect(others).toEqual([]);
    renameSync(join(data, 'postgres'), join(data, 'postgres.newer'));
    const restored = runProgram(['restore', join(data, 'backups', backup)], { ROWHOUSE_DATA: data });
    expect(await restored.ended, `${name}: ${restored.output()}`).toBe(0);
    expect(await levelOf(data)).toBe(newestVersion());
  }
});

test('kill -9 in the middle of the backup, then in the middle of the migrations: one whole backup of before, and the upgrade ends', async () => {
  const data = usedDataFolder();
  const known = credentialsIn(data);
  await onDatabase(data, async (client) => {
    // A backup never waits for a lock: it tries again, with its file begun.
    await client.query('begin; lock table rowhouse.users in access exclusive mode');
    const first = runProgram(['serve'], { ROWHOUSE_DATA: data, PORT: '0' }, newer.main);
    await until('the backup has begun', () => backupsIn(data).some((name) => name.endsWith('.part')));
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    expect(backupsIn(data).every((name) => name.endsWith('.part'))).toBe(true);
    await client.query('rollback');

    // The backup reads beside this lock, the second migration waits for it.
    await client.query('begin; lock table rowhouse.users in access share mode');
    const second = runProgram(['serve'], { ROWHOUSE_DATA: data, PORT: '0' }, newer.main);
    await until('the second migration waits', async () => {
      const { rows } = await client.query(
        "select from pg_locks where not granted and relation = 'rowhouse.users'::regclass",
      );
      return rows.length > 0;
    });
    second.kill('SIGKILL');
    expect(await second.ended).toBe('SIGKILL');
    await client.query('rollback');
    await until('its connections are gone', async () => {
      const { rows } = await client.query("select from pg_locks where relation = 'rowhouse.users'::regclass");
      return rows.length === 0;
    });
    expect((await client.query('select max(version)::int as level from rowhouse.migrations')).rows[0].level).toBe(9998);
  });
  const [backup = '', ...others] = backupsIn(data);
  expect(others).toEqual([]);

  // Half way, the older program refuses it too, and names the backup of the beginning.
  const refused = runProgram(['serve'], { ROWHOUSE_DATA: data, PORT: '0' });
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toContain('the database is of version 9998');
  expect(refused.said()).toContain(backup);

  const third = await serve({ ROWHOUSE_DATA: data }, newer.main);
  expect(third.said()).toContain('an upgrade that was interrupted goes on');
  expect(backupsIn(data)).toEqual([backup]);
  expect(await recordNames(third.origin, known)).toHaveLength(3);
  expect(await runProgram(['restore', join(data, 'backups', backup), '--check'], {}).ended).toBe(0);
});

test('of two starts at once one backs up; a backup that fails upgrades nothing; 0 makes none; as many are kept as the setting says', async () => {
  const data = usedDataFolder();
  // What stands in the way of the folder.
  writeFileSync(join(data, 'backups'), '');
  const failed = runProgram(['migrate'], { ROWHOUSE_DATA: data }, newer.main);
  expect(await failed.ended).toBe(1);
  expect(failed.said()).toContain('nothing was upgraded, since the backup before it failed');
  expect(failed.said()).toContain('ROWHOUSE_UPGRADE_BACKUPS=0');
  expect(await levelOf(data)).toBe(newestVersion());
  rmSync(join(data, 'backups'));

  const without = newDataFolder();
  mkdirSync(join(without, '..'), { recursive: true });
  execFileSync('cp', ['-a', data, without]);
  expect(await upgrade(without, { ROWHOUSE_UPGRADE_BACKUPS: '0' })).not.toContain('backed up');
  expect(backupsIn(without)).toEqual([]);

  // Backups of before, of this instance and of another one, and what is none.
  const instance = await onDatabase(
    data,
    async (client) => (await client.query('select id from rowhouse.instance')).rows[0].id.slice(0, 8) as string,
  );
  const old = (year: number, of = instance): string => `upgrade-${of}-1.1-to-2.1-${year}0101T000000000Z.backup`;
  mkdirSync(join(data, 'backups'));
  for (const name of [old(2020), old(2021), old(2019, '00000000'), 'mine.backup'])
    writeFileSync(join(data, 'backups', name), '');
  const both = [upgrade(data), upgrade(data)];
  const said = (await Promise.all(both)).join('');
  expect(said.match(/backed up to/g)).toHaveLength(1);
  const left = backupsIn(data);
  expect(left).toHaveLength(4);
  expect(left).toEqual(expect.arrayContaining([old(2021), old(2019, '00000000'), 'mine.backup']));
});

test('with a PostgreSQL of its operator the backup is in the data folder too, restores into an empty database, and names of another database do not count', async () => {
  const [data, own] = [usedDataFolder(), newDataFolder()];
  await onDatabase(data, async (client, postgres) => {
    const env = { DATABASE_URL: postgres.urlOf('rowhouse'), ROWHOUSE_DATA: own };
    const upgraded = runProgram(['migrate'], env, newer.main);
    expect(await upgraded.ended, upgraded.output()).toBe(0);
    const [backup = '', ...others] = backupsIn(own);
    expect(others).toEqual([]);
    const path = join(own, 'backups', backup);
    const refused = runProgram(['serve'], { ...env, PORT: '0' });
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toContain(
      `stop it, set DATABASE_URL to an empty database, and with the older Rowhouse: rowhouse restore ${JSON.stringify(path)}`,
    );
    await client.query('create database empty');
    const back = { ...env, DATABASE_URL: postgres.urlOf('empty') };
    const restored = runProgram(['restore', path], back);
    expect(await restored.ended, restored.output()).toBe(0);
    const server = await serve(back);
    expect(await recordNames(server.origin, credentialsIn(data))).toHaveLength(3);
    server.kill('SIGTERM');
    await server.ended;
    // A backup of another database is no way back for this one.
    renameSync(path, join(own, 'backups', backup.replace(/^upgrade-[0-9a-f]{8}/, 'upgrade-00000000')));
    const alone = runProgram(['serve'], { ...env, PORT: '0' });
    expect(await alone.ended).toBe(1);
    expect(alone.said()).toContain('start a newer Rowhouse');
    expect(alone.said()).not.toContain('restore');
  });
});

test('a process of the older version serves while the newer one backs up and migrates, and no request fails', async () => {
  const data = usedDataFolder();
  const known = credentialsIn(data);
  await onDatabase(data, async (_client, postgres) => {
    const env = { DATABASE_URL: postgres.urlOf('rowhouse'), ROWHOUSE_DATA: data, LOG_LEVEL: 'warn' };
    const older = await serve(env);
    // Behind a balancer: who asks goes to one of those that are ready.
    let ready = [older.origin];
    let isOver = false;
    const written: string[] = [];
    const failed: string[] = [];
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; !isOver; at += 1) {
        const name = `${writer}-${at}`;
        const origin = ready[at % ready.length] as string;
        const status = await addRecord(origin, known, name).catch(String);
        if (status === 201) written.push(name);
        else failed.push(`${name} at ${origin}: ${status}`);
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    await until('the older one has written', () => written.length > 50);
    const upgraded = await serve(env, newer.main);
    expect(upgraded.said()).toContain('backed up to');
    ready = [older.origin, upgraded.origin];
    const both = written.length;
    await until('both have written', () => written.length > both + 100);
    ready = [upgraded.origin];
    older.kill('SIGTERM');
    expect(await older.ended).toBe(0);
    const alone = written.length;
    await until('the newer one has written alone', () => written.length > alone + 50);
    isOver = true;
    await Promise.all(writers);
    expect(failed).toEqual([]);
    // What was acknowledged is there, once.
    const answer = await request(upgraded.origin, known, 'GET', `/table/${known.tableId}/aggregation/row-count`);
    expect(await answer.json()).toEqual({ rowCount: written.length + 3 });
    upgraded.kill('SIGTERM');
    await upgraded.ended;
  });
});
