// Bases have versions of their own: one that an older Rowhouse left is upgraded when it is first used, once and whole.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deleteBase, destroyBase, duplicateBase } from '@rowhouse/contract/base.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createApp, createServices } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { baseSteps, newestBaseVersion } from '../../server/db/base-migrations/steps.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { demandNewest } from '../../server/db/upgrade-base.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { caller, type Caller } from '../support/caller.ts';
import { rowhouse } from '../support/command.ts';
import { contentsOf } from '../support/contents.sql.ts';
import { makeOld, old, upgraded, versionOf } from '../support/old-base.sql.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { createDatabase, openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld();

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-base-version-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const oldTable = async (): Promise<TestTable> => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, { params: table, body: { records: [{ fields: { Name: 'a' } }] } });
  await table.call(updateRecord, {
    params: { ...table, recordId: made.body.records[0]?.id as string },
    body: { record: { fields: { Name: 'b' } } },
  });
  await makeOld(world().db, table.baseId);
  return table;
};

const programs: World[] = [];
afterAll(() => Promise.all(programs.map((program) => program.close())));

/** A newer program that starts on what the older one left: it remembers nothing of it. */
const newProgram = async (): Promise<World> => {
  const program = await openWorld(world().databaseUrl);
  programs.push(program);
  return program;
};

const callerAt = ({ baseUrl }: World, { owner }: TestTable): Caller => caller({ baseUrl, token: owner.token });

const waitingOn = async (db: Db, statement: string): Promise<number> => {
  for (;;) {
    const rows = await db.query<{ pid: number }>(
      sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and query like ${statement} and datname = current_database()`,
    );
    if (rows[0] !== undefined) return rows[0].pid;
  }
};

test('steps are numbered without gaps, in the order of their files', () => {
  const files = readdirSync(join(dirname(fileURLToPath(import.meta.url)), '../../server/db/base-migrations')).filter(
    (file) => /^\d/.test(file),
  );
  const named = files
    .toSorted()
    .map((file) => file.slice(5, -3).replace(/-(.)/g, (_whole, letter: string) => letter.toUpperCase()));
  // In the bundle two functions of the same name get a number.
  expect(baseSteps.map((step) => step.name.replace(/\$\d+$/, ''))).toEqual(named);
  expect(files.toSorted().map((file) => Number(file.slice(0, 4)))).toEqual(baseSteps.map((_step, at) => at + 1));
});

test('a base that was upgraded is made like a new one', async () => {
  const table = await oldTable();
  const fresh = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  expect((await callerAt(await newProgram(), table)(listRecords, { params: table })).status).toBe(200);
  const { structure } = await contentsOf(world().databaseUrl);
  const own = ({ baseId }: TestTable): unknown =>
    (structure[baseId] as { name: string }[]).filter(
      ({ name }) => name.startsWith('__') && !name.startsWith('__history_'),
    );
  expect(own(table)).toEqual(own(fresh));
});

test('sixteen first requests through two processes upgrade it once, and all are answered', async () => {
  const table = await oldTable();
  const [one, other] = [callerAt(await newProgram(), table), callerAt(await newProgram(), table)];
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_none, at) => {
      const call = at % 2 === 0 ? one : other;
      if (at % 4 < 2) return (await call(listRecords, { params: table })).status;
      return at < 8
        ? (await call(createRecords, { params: table, body: { records: [{ fields: { Name: `n${at}` } }] } })).status
        : (await call(listTableHistory, { params: table })).status;
    }),
  );
  expect(answers.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(await versionOf(world().db, table.baseId)).toEqual(upgraded);
  expect((await one(listRecords, { params: table })).body.records).toHaveLength(
    1 + answers.filter((status) => status === 201).length,
  );
});

test('strangers do not set off an upgrade', async () => {
  const table = await oldTable();
  const stranger = await ground(world());
  expect((await stranger.call(listRecords, { params: table })).status).toBe(404);
  expect(await versionOf(world().db, table.baseId)).toEqual(old);
});

test('a base that only the body or the trash names is upgraded too', async () => {
  const table = await oldTable();
  const copy = await table.call(duplicateBase, {
    body: { fromBaseId: table.baseId, spaceId: table.spaceId, withRecords: true },
  });
  expect(copy.status).toBe(201);
  expect([await versionOf(world().db, table.baseId), await versionOf(world().db, copy.body.id)]).toEqual([
    upgraded,
    upgraded,
  ]);

  await table.call(deleteTable, { params: table });
  const items = await table.call(listTrashItems, { query: { resourceId: table.baseId, resourceType: 'base' } });
  await makeOld(world().db, table.baseId);
  expect((await table.call(restoreTrash, { params: { trashId: items.body.trashItems[0]?.id as string } })).status).toBe(
    201,
  );
  expect(await versionOf(world().db, table.baseId)).toEqual(upgraded);
});

test('one that dies in the middle leaves the base as it was, and the next request upgrades it', async () => {
  const table = await oldTable();
  const { db } = world();
  const before = await contentsOf(world().databaseUrl);
  // Stops the upgrade after its step and before its commit.
  await db.query(
    sql`create function rowhouse.wait_for_test() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(4711); return new; end'`,
  );
  await db.query(
    sql`create trigger wait_for_test before update of schema_version on rowhouse.bases for each row execute function rowhouse.wait_for_test()`,
  );
  const holder = await db.dedicated();
  await holder.query('select pg_advisory_lock(4711)');
  const call = callerAt(await newProgram(), table);
  const request = call(listRecords, { params: table });
  const pid = await waitingOn(db, 'update rowhouse.bases set schema_version%');
  await db.query(sql`select pg_terminate_backend(${pid}::int)`);
  expect((await request).status).toBe(503);
  await db.query(sql`drop trigger wait_for_test on rowhouse.bases`);
  await db.query(sql`drop function rowhouse.wait_for_test()`);
  await holder.end();
  expect(await versionOf(db, table.baseId)).toEqual(old);
  const after = await contentsOf(world().databaseUrl);
  expect([after.structure, after.rows[`${table.baseId}.__operation`]]).toEqual([
    before.structure,
    before.rows[`${table.baseId}.__operation`],
  ]);
  expect((await call(listRecords, { params: table })).status).toBe(200);
  expect(await versionOf(db, table.baseId)).toEqual(upgraded);
});

test('"rowhouse migrate" upgrades all, and says which it could not', async () => {
  const tables = [await oldTable(), await oldTable(), await oldTable()] as const;
  const { db } = world();
  const doctor = await rowhouse(world().databaseUrl, 'doctor');
  expect(doctor.out).toMatch(/bases: \d+ of an older version/);
  const holder = await db.dedicated();
  await holder.query('begin');
  await holder.query(`lock table "${tables[1].baseId}".__operation in access share mode`);
  const ran = await rowhouse(world().databaseUrl, 'migrate');
  await holder.query('rollback');
  await holder.end();
  expect(ran.err).toContain(tables[1].baseId);
  expect(ran.code).toBe(1);
  expect(await Promise.all(tables.map(({ baseId }) => versionOf(db, baseId)))).toEqual([upgraded, old, upgraded]);
  const again = await rowhouse(world().databaseUrl, 'migrate');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('upgraded 1 base')]);
  expect((await rowhouse(world().databaseUrl, 'migrate')).out).not.toContain('upgraded');
});

test('a start costs as many statements with ten thousand old bases as with none', async () => {
  const database = await createDatabase();
  const start = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    let statements = 0;
    const { query } = client;
    client.query = ((...given: Parameters<typeof query>) => {
      statements += 1;
      return query.apply(client, given);
    }) as unknown as typeof query;
    await migrate(client).finally(() => client.end());
    const db = openDb(database.url);
    const app = createApp(createServices(db, readConfig({ LOG_LEVEL: 'silent' })));
    await app.ready();
    await app.close();
    await db.close();
    return statements + db.counters.statements;
  };
  const without = await start();
  const db = openDb(database.url, { max: 1 });
  await db.query(
    sql`insert into rowhouse.spaces (id, name, created_by) values ('spc0000000000000000', 'Space', 'usr0000000000000000')`,
  );
  await db.query(
    sql`insert into rowhouse.bases (id, space_id, name, position, created_by) select 'bse' || lpad(n::text, 16, '0'), 'spc0000000000000000', 'Base', n, 'usr0000000000000000' from generate_series(1, 10000) n`,
  );
  expect(await start()).toBe(without);
  expect(await db.query(sql`select count(*)::int as count from rowhouse.bases where schema_version = 1`)).toEqual([
    { count: 10_000 },
  ]);
  await db.query(
    sql`update rowhouse.bases set schema_version = ${newestBaseVersion + 1} where id = 'bse0000000000000001'`,
  );
  await db.close();
  await expect(start()).rejects.toThrow(/start a newer Rowhouse/);
  await database.drop();
});

test('a base of the newest version is not asked about, one of a newer version is left alone', async () => {
  const { db } = world();
  const before = db.counters.statements;
  await demandNewest(db, 'bse0000000000000000', newestBaseVersion);
  await demandNewest(db, 'bse0000000000000000', newestBaseVersion + 1);
  expect(db.counters.statements).toBe(before);
});

test('the backup of an old base is restored by being upgraded', async () => {
  const table = await oldTable();
  const path = join(folder, 'old.backup');
  const { manifest } = await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  expect(manifest.bases[0]?.schemaVersion).toBe(1);
  expect(existsSync(path)).toBe(true);
  const look = async (): Promise<unknown> => {
    const call = callerAt(await newProgram(), table);
    return [(await call(listRecords, { params: table })).body, (await call(listTableHistory, { params: table })).body];
  };
  const before = await look();
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  const restore = async (change: (read: typeof manifest) => void): Promise<void> => {
    const read = await openBackup(path);
    change(read);
    const session = await openSession(world().databaseUrl);
    await restoreBase(session, path, read, table.spaceId, world().services).finally(() => session.client.end());
  };
  await expect(
    restore((read) => ((read.bases[0] as { schemaVersion: number }).schemaVersion = newestBaseVersion + 1)),
  ).rejects.toThrow(/with a newer Rowhouse/);
  await expect(restore((read) => (read.level = 9_999))).rejects.toThrow(/with a newer Rowhouse/);
  // As a Rowhouse before there were versions wrote it, with a database of an older version.
  await restore((read) => {
    read.format = 1;
    read.level = 11;
    delete read.bases[0]?.schemaVersion;
  });
  expect(await versionOf(world().db, table.baseId)).toEqual(upgraded);
  expect(await look()).toEqual(before);
});
