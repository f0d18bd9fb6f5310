// Backups: what comes back is what was there, down to the last row; what is damaged or has no room is refused.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { deleteBase, destroyBase } from '@rowhouse/contract/base.ts';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import { convertField, createField, deleteField } from '@rowhouse/contract/field.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { createView, setViewSort } from '@rowhouse/contract/view.ts';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../../server/db/session.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { restoreInstance } from '../../server/domain/backup/restore-instance.ts';
import { baseRows } from '../../server/domain/backup/snapshot.sql.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { type Contents, contentsOf } from '../support/contents.sql.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { createDatabase, useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { maxRows: 1_000, maxNumDatabaseConnections: 9 } }) });

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}.backup`);

const difficult = [
  'plain',
  '',
  'tab\there',
  'line\nline\r',
  'back\\slash \\N \\.',
  '"quotes" \'and\'',
  'ünïcödé 🙂',
  '\\.\n\\.\n',
];

/** A table with some of everything that a base can hold. */
const filled = async (): Promise<TestTable> => {
  const table = await tableWith(await ground(world()), [
    ...writableFields,
    { name: 'Key', type: 'singleLineText', unique: true },
  ]);
  const { call } = table;
  const made = await call(createRecords, {
    params: table,
    body: {
      records: difficult.map((text, at) => ({
        fields: {
          Text: text,
          Long: text,
          Number: at === 0 ? 0.1 + 0.2 : 10 ** (at * 40),
          Check: true,
          Date: '2024-02-29T23:59:59.999Z',
          Select: 'blue, navy',
          Tags: ['red', 'with "quotes"'],
          Person: { id: table.owner.userId, title: 'Olive Owner' },
          Key: `key ${at}`,
        },
      })),
    },
  });
  expect(made.status).toBe(201);
  const [first, second] = made.body.records;
  await call(updateRecord, {
    params: { ...table, recordId: first?.id as string },
    body: { record: { fields: { Text: 'changed' } } },
  });
  await call(deleteRecord, { params: { ...table, recordId: second?.id as string } });
  const view = await call(createView, { params: table, body: { name: 'Sorted', type: 'grid' } });
  await call(setViewSort, {
    params: { ...table, viewId: view.body.id },
    body: { sort: { sortObjs: [{ fieldId: table.fieldIds['Number'] as string, order: 'desc' }] } },
  });
  await call(listRecords, { params: table, query: { viewId: view.body.id } });
  await call(convertField, {
    params: { ...table, fieldId: table.fieldIds['Long'] as string },
    body: { type: 'singleLineText' },
  });
  await call(deleteField, { params: { ...table, fieldId: table.fieldIds['Rating'] as string } });
  const trashed = await tableWith(table, [{ name: 'Text', type: 'singleLineText' }]);
  await call(deleteTable, { params: trashed });
  return table;
};

const restoreInto = async (url: string, path: string): Promise<string[]> => {
  const said: string[] = [];
  const session = await openSession(url);
  await restoreInstance(session, path, await openBackup(path), {
    isEmbedded: false,
    say: (line) => said.push(line),
  }).finally(() => session.client.end());
  return said;
};

const restoreBaseInto = async (spaceId: string, path: string): Promise<void> => {
  const session = await openSession(world().databaseUrl);
  await restoreBase(session, path, await openBackup(path), spaceId, world().services).finally(() =>
    session.client.end(),
  );
};

/** One that nothing was written beside: the feed follows its operations a moment later. */
const backUpAtRest = async (): Promise<
  Awaited<ReturnType<typeof writeBackup>> & { path: string; contents: Contents }
> => {
  for (;;) {
    await jobsDone(world().db);
    const contents = await contentsOf(world().databaseUrl);
    const path = newFile();
    const written = await writeBackup(world().databaseUrl, path);
    if (isDeepStrictEqual(await contentsOf(world().databaseUrl), contents)) return { ...written, path, contents };
  }
};

test('an instance comes back with every row, table, index and sequence', async () => {
  await filled();
  const closed = await filled();
  expect((await closed.call(createDbConnection, { params: closed })).status).toBe(201);
  const { path, manifest, contents: before } = await backUpAtRest();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  const target = await createDatabase();
  const said = await restoreInto(target.url, path);
  // The role of the reader belongs to the PostgreSQL that both databases are in.
  expect(said).toEqual([
    `SQL access to base ${closed.baseId} is closed: this PostgreSQL has a role of that name already`,
  ]);
  const after = await contentsOf(target.url);
  const { 'rowhouse.base_connections': connections, ...rows } = after.rows;
  expect(connections).toMatch(/^0 /);
  expect({ ...after, rows }).toEqual({
    ...before,
    rows: Object.fromEntries(Object.entries(before.rows).filter(([name]) => name !== 'rowhouse.base_connections')),
  });
  expect(manifest.tables.find(({ name }) => name === 'users')?.rows).toBeGreaterThan(0);
  await target.drop();
});

test('a backup that is cut off or changed anywhere is refused before anything is written', async () => {
  await filled();
  const path = newFile();
  await writeBackup(world().databaseUrl, path);
  const whole = readFileSync(path);
  const sealed = whole.length - 1_024;
  const refused = async (bytes: Buffer): Promise<void> => {
    const copy = newFile();
    writeFileSync(copy, bytes);
    await expect(openBackup(copy)).rejects.toThrow(/is damaged or no backup of Rowhouse/);
  };
  for (const length of [0, 1, 511, 512, 513, Math.floor(whole.length / 2), sealed - 1, sealed - 512])
    await refused(whole.subarray(0, length));
  for (let tries = 0; tries < 60; tries += 1) {
    const changed = Buffer.from(whole);
    const at = Math.floor(Math.random() * (sealed - 512 + 64));
    changed[at] = (changed[at] as number) ^ (1 << Math.floor(Math.random() * 8));
    await refused(changed);
  }
});

test('a backup is not written over a file, and one that fails leaves nothing', async () => {
  const path = newFile();
  writeFileSync(path, 'precious');
  await expect(writeBackup(world().databaseUrl, path)).rejects.toThrow(/exists already/);
  expect(readFileSync(path, 'utf8')).toBe('precious');
  const none = newFile();
  await expect(writeBackup(world().databaseUrl, none, { baseId: 'bse0000000000000000' })).rejects.toThrow(
    /bse0000000000000000/,
  );
  expect(readdirSync(folder).filter((name) => name.startsWith(none.slice(folder.length + 1)))).toEqual([]);
});

/** The feed of a base follows its operations a moment later, whatever else is done. */
const withoutFeed = (contents: unknown): unknown =>
  JSON.parse(JSON.stringify(contents, (key, value: unknown) => (/\.__feed(_entry)?$/.test(key) ? undefined : value)));

test('an instance that is in use is left alone', async () => {
  await filled();
  const { path, contents: before } = await backUpAtRest();
  await expect(restoreInto(world().databaseUrl, path)).rejects.toThrow(/in use/);
  expect(withoutFeed(await contentsOf(world().databaseUrl))).toEqual(withoutFeed(before));
});

test('a restore that fails on its way leaves the database as it was', async () => {
  await filled();
  const path = newFile();
  await writeBackup(world().databaseUrl, path);
  const target = await createDatabase();
  const before = await contentsOf(target.url);
  const manifest = await openBackup(path);
  const broken = {
    ...manifest,
    tables: manifest.tables.map((table, at) =>
      at === manifest.tables.length - 1 ? { ...table, rows: table.rows + 1 } : table,
    ),
  };
  const session = await openSession(target.url);
  await expect(restoreInstance(session, path, broken, { isEmbedded: false, say: () => undefined })).rejects.toThrow(
    /manifest\.json says/,
  );
  await session.client.end();
  expect(await contentsOf(target.url)).toEqual(before);
  await target.drop();
});

test('a base comes back into a space with its ids, its records and its history', async () => {
  const table = await filled();
  const { call } = table;
  const path = newFile();
  const look = async (): Promise<unknown> => [
    (await call(listRecords, { params: table })).body,
    (await call(listTableHistory, { params: table, query: { take: 100 } })).body,
    (await call(getBilling, { params: table })).body,
  ];
  const before = await look();
  const { structure, rows } = await contentsOf(world().databaseUrl);
  const { manifest } = await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  expect(manifest.kind).toBe('base');
  await expect(restoreBaseInto(table.spaceId, path)).rejects.toThrow(`base ${table.baseId} exists here already`);
  await call(deleteBase, { params: table });
  await expect(restoreBaseInto(table.spaceId, path)).rejects.toThrow(/exists here already/);
  expect((await call(destroyBase, { params: table })).status).toBe(200);
  await restoreBaseInto(table.spaceId, path);
  expect(await look()).toEqual(before);
  const after = await contentsOf(world().databaseUrl);
  expect(after.structure).toEqual(structure);
  const untouched = (all: Record<string, string>): unknown =>
    Object.entries(all).filter(
      ([name]) => name.startsWith(table.baseId) && !name.endsWith('.__table') && !name.includes('__feed'),
    );
  expect(untouched(after.rows)).toEqual(untouched(rows));
  const created = await call(createRecords, { params: table, body: { records: [{ fields: { Text: 'new' } }] } });
  expect(created.status).toBe(201);
});

test('a base is restored only where its records have room, and nothing is left of a try', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const add = (on: TestTable, count: number) =>
    on.call(createRecords, { params: on, body: { records: Array.from({ length: count }, () => ({ fields: {} })) } });
  await add(table, 600);
  const path = newFile();
  await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  const full = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  await add(full, 500);
  await expect(restoreBaseInto(full.spaceId, path)).rejects.toThrow(/allows 1000 records/);
  await expect(restoreBaseInto('spc0000000000000000', path)).rejects.toThrow(/spc0000000000000000/);
  const { rows } = await contentsOf(world().databaseUrl);
  expect(Object.keys(rows).filter((name) => name.startsWith(table.baseId))).toEqual([]);
  await restoreBaseInto(table.spaceId, path);
  expect((await table.call(getBilling, { params: table })).body.plan.usage.numRows).toBe(600);
});

test('the file of a base cannot reach beyond the base', async () => {
  const table = await filled();
  const path = newFile();
  await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  const manifest = await openBackup(path);
  const tampered = (change: (copy: any) => void): Promise<void> => {
    const copy = structuredClone(manifest);
    change(copy);
    return openSession(world().databaseUrl).then((session) =>
      restoreBase(session, path, copy, table.spaceId, world().services).finally(() => session.client.end()),
    );
  };
  await expect(tampered((copy) => (copy.tables[0].name = 'users'))).rejects.toThrow(/not the backup of one base/);
  await expect(tampered((copy) => (copy.tables.at(-1).schema = 'rowhouse'))).rejects.toThrow(
    /not the backup of one base/,
  );
  await expect(tampered((copy) => (copy.sequences[0].schema = 'rowhouse'))).rejects.toThrow(
    /not the backup of one base/,
  );
  await expect(
    tampered(
      (copy) =>
        (copy.bases[0].tables[0].indexes = [
          { name: 'x', isUnique: false, method: 'btree (id); drop schema rowhouse cascade' },
        ]),
    ),
  ).rejects.toThrow(/of a known form/);
  await expect(
    tampered(
      (copy) =>
        (copy.bases[0].tables[0].indexes = [
          { name: 'x', isUnique: false, method: "btree ((pg_read_file('PG_VERSION')))" },
        ]),
    ),
  ).rejects.toThrow(/IMMUTABLE/);
});

test('options that the API would refuse are refused in the file of a base, and become no part of a statement', async () => {
  const table = await filled();
  const file = newFile();
  const precision = "0)::text || (select string_agg(name, ',') from pg_ls_dir('.') name";
  const session = await openSession(world().databaseUrl);
  await session.client.query(
    "update rowhouse.fields set options = jsonb_set(options, '{formatting,precision}', to_jsonb($1::text)) where id = $2",
    [precision, table.fieldIds['Number']],
  );
  await session.client.query(`update "${table.baseId}".__table set version = version + 1 where id = $1`, [
    table.tableId,
  ]);
  await session.client.end();
  const shown = await table.call(listRecords, { params: table, query: { cellFormat: 'text' } });
  expect([shown.status, JSON.stringify(shown.body)]).toEqual([500, expect.not.stringContaining('PG_VERSION')]);
  await writeBackup(world().databaseUrl, file, { baseId: table.baseId });
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  await expect(restoreBaseInto(table.spaceId, file)).rejects.toThrow(
    /field fld\w+ of type number is not what Rowhouse makes/,
  );
});

test('anyone who changes a table that is being copied gives up before others wait long behind', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  const holder = new pg.Client({ connectionString: world().databaseUrl });
  await holder.connect();
  const [{ name }] = (
    await holder.query('select db_table_name as name from rowhouse.tables where id = $1', [table.tableId])
  ).rows as [{ name: string }];
  await holder.query('begin');
  await holder.query(`lock table "${table.baseId}"."${name}" in access share mode`);
  const change = table.call(createField, { params: table, body: { name: 'More', type: 'number' } });
  const write = (): Promise<{ status: number }> =>
    table.call(createRecords, { params: table, body: { records: [{ fields: { Text: 'meanwhile' } }] } });
  const writes = await Promise.all(Array.from({ length: 10 }, write));
  expect(writes.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  const refused = await change;
  expect([refused.status, refused.error.code, refused.headers.get('retry-after')]).toEqual([409, 'conflict', '5']);
  await holder.query('rollback');
  await holder.end();
  expect((await table.call(createField, { params: table, body: { name: 'More', type: 'number' } })).status).toBe(201);
});

test('whatever the system knows of a base is in its backup, or stays behind on purpose', async () => {
  const client = new pg.Client({ connectionString: world().databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "select distinct table_name as name from information_schema.columns where table_schema = 'rowhouse' and column_name in ('base_id', 'table_id', 'field_id', 'view_id', 'resource_id')",
  );
  await client.end();
  // What people keep for themselves is theirs, and not the base's. Nothing becomes public by being restored.
  // What works by itself does not begin to in a copy.
  const staysBehind = [
    'automation_months',
    'automation_minutes',
    'automation_runs',
    'automation_steps',
    'automation_versions',
    'automations',
    'base_connections',
    'base_shares',
    'collaborators',
    'deleted_shares',
    'file_arrivals',
    'followers',
    'idempotency_keys',
    'invitations',
    'jobs',
    'query_indexes',
    'matrices',
    'matrix_admins',
    'matrix_grants',
    'matrix_roles',
    'own_queries',
    'pins',
    'presence',
    'share_answers',
    'share_visitors',
    'shares',
    'templates',
    'visits',
    'webhook_deliveries',
    'webhooks',
  ];
  const unknown = rows
    .map(({ name }) => name as string)
    .filter((name) => !staysBehind.includes(name) && !baseRows('bse0000000000000000').some((own) => own.name === name));
  expect(unknown).toEqual([]);
});

test('a base of any form that the program makes can be described', async () => {
  // A new kind of column, key or index in a base has to be known to backups too.
  const table = await filled();
  const client = new pg.Client({ connectionString: world().databaseUrl });
  await client.connect();
  await client.query(`create function "${table.baseId}".strange() returns int language sql as 'select 1'`);
  await expect(writeBackup(world().databaseUrl, newFile())).rejects.toThrow(
    /function .*strange is not of Rowhouse's making/,
  );
  await client.query(`drop function "${table.baseId}".strange()`);
  await client.end();
});
