// Computed fields wherever fields go: backups, copies, exports, SQL access, bases of an older version.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteBase, destroyBase, duplicateBase } from '@rowhouse/contract/base.ts';
import { createDbConnection } from '@rowhouse/contract/connection.ts';
import { createField, deleteField, type Field, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable, listTables } from '@rowhouse/contract/table.ts';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { fieldJobs } from '../../server/domain/field/jobs.ts';
import { selectDbTableName } from '../../server/domain/sql-access/reader.sql.ts';
import { contentsOf } from '../support/contents.sql.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { makeOld, upgraded, versionOf } from '../support/old-base.sql.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { maxNumDatabaseConnections: 9 } }) });

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-formula-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const formula = (name: string, expression: string, options: object = {}) => ({
  name,
  type: 'formula',
  options: { expression, ...options },
});

/** Formulas of every kind of result and of every state. */
const filled = async (): Promise<TestTable> => {
  const table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Price', type: 'number' },
    { name: 'Gone', type: 'number' },
    formula('Twice', '{Price} * 2', { formatting: { type: 'currency', precision: 1, symbol: '€' } }),
    formula('Label', '{Name} & "=" & {Twice}'),
    formula('Large', '{Twice} > 5'),
    formula('Due', 'DATE_ADD("2024-01-01", {Price}, "day")'),
    formula('List', 'ARRAY_UNIQUE({Name}, "all")'),
    formula('Me', 'RECORD_ID()'),
    formula('Number', '"No. " & AUTO_NUMBER()'),
    formula('Fresh', 'NOW() > "2020-01-01"'),
    formula('Broken', '{Gone} + 1'),
  ]);
  expect(
    (
      await table.call(createRecords, {
        params: table,
        body: {
          records: [{ fields: { Name: 'Bolt', Price: 2 } }, { fields: { Name: '=1+1', Price: 3.5 } }, { fields: {} }],
        },
      })
    ).status,
  ).toBe(201);
  expect((await table.call(deleteField, { params: { ...table, fieldId: table.fieldIds.Gone as string } })).status).toBe(
    200,
  );
  return table;
};

const recordsOf = async ({ call }: Pick<TestTable, 'call'>, tableId: string) =>
  (await call(listRecords, { params: { tableId } })).body.records;

const right = (ids: readonly string[]) => [
  {
    Name: 'Bolt',
    Price: 2,
    Twice: 4,
    Label: 'Bolt=4',
    Large: false,
    Due: '2024-01-03T00:00:00.000Z',
    List: ['Bolt', 'all'],
    Me: ids[0],
    Number: 'No. 1',
    Fresh: true,
  },
  {
    Name: '=1+1',
    Price: 3.5,
    Twice: 7,
    Label: '=1+1=7',
    Large: true,
    Due: '2024-01-05T00:00:00.000Z',
    List: ['=1+1', 'all'],
    Me: ids[1],
    Number: 'No. 2',
    Fresh: true,
  },
  {
    Twice: 0,
    Label: '=0',
    Large: false,
    Due: '2024-01-01T00:00:00.000Z',
    List: ['all'],
    Me: ids[2],
    Number: 'No. 3',
    Fresh: true,
  },
];

/** All cells are right, and writing computes them. */
const demandRight = async (table: Pick<TestTable, 'call'>, tableId: string): Promise<void> => {
  const records = await recordsOf(table, tableId);
  expect(records.map(({ fields }) => fields)).toEqual(right(records.map(({ id }) => id)));
  const [first] = records;
  const write = (Price: number) =>
    table.call(updateRecord, {
      params: { tableId, recordId: first?.id as string },
      body: { record: { fields: { Price } } },
    });
  expect((await write(10)).body.fields).toMatchObject({
    Twice: 20,
    Label: 'Bolt=20',
    Large: true,
    Due: '2024-01-11T00:00:00.000Z',
  });
  expect((await write(2)).body.fields).toMatchObject({ Twice: 4 });
};

const fieldsOf = async ({ call }: Pick<TestTable, 'call'>, tableId: string): Promise<Field[]> =>
  (await call(listFields, { params: { tableId } })).body;

test('a backup holds them, and a restored base computes them', async () => {
  const table = await filled();
  const before = { fields: await fieldsOf(table, table.tableId), rows: (await contentsOf(world().databaseUrl)).rows };
  const path = join(folder, 'base.backup');
  await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  const session = await openSession(world().databaseUrl);
  await restoreBase(session, path, await openBackup(path), table.spaceId, world().services).finally(() =>
    session.client.end(),
  );
  expect(await fieldsOf(table, table.tableId)).toEqual(before.fields);
  const stored = `${table.baseId}.${await selectDbTableName(world().db, table.tableId)}`;
  expect((await contentsOf(world().databaseUrl)).rows[stored]).toBe(before.rows[stored] ?? 'missing');
  await demandRight(table, table.tableId);
});

test('a restored base whose formulas were being filled is filled by the instance it came to', async () => {
  const table = await filled();
  const name = (await selectDbTableName(world().db, table.tableId)) as string;
  await world().db.query(
    sql`update rowhouse.fields set computed = computed || '{"state":"settling","run":"jobElsewhere"}' where id = ${table.fieldIds.Twice as string}`,
  );
  await world().db.query(sql`update ${sql.id(table.baseId, name)} set "Twice" = null`);
  const path = join(folder, 'settling.backup');
  await writeBackup(world().databaseUrl, path, { baseId: table.baseId });
  await table.call(deleteBase, { params: table });
  await table.call(destroyBase, { params: table });
  const session = await openSession(world().databaseUrl);
  await restoreBase(session, path, await openBackup(path), table.spaceId, world().services).finally(() =>
    session.client.end(),
  );
  expect((await recordsOf(table, table.tableId)).map(({ fields }) => fields.Twice)).toEqual([4, 7, 0]);
  await fieldJobs.find((job) => job.name === 'find-unfilled-formulas')?.run(world().services, {} as never);
  await jobsDone(world().db);
  expect(await fieldsOf(table, table.tableId)).not.toContainEqual(expect.objectContaining({ isPending: true }));
  expect(
    await world().db.query(sql`select "Twice" as twice from ${sql.id(table.baseId, name)} order by __auto_number`),
  ).toEqual([{ twice: 4 }, { twice: 7 }, { twice: 0 }]);
  await demandRight(table, table.tableId);
});

test('copies of the base and of the table name their own fields and compute them', async () => {
  const table = await filled();
  const copied = await table.call(duplicateBase, {
    body: { fromBaseId: table.baseId, spaceId: table.spaceId, withRecords: true },
  });
  expect(copied.status).toBe(201);
  const [inCopy] = (await table.call(listTables, { params: { baseId: copied.body.id } })).body;
  const twin = await table.call(duplicateTable, { params: table, body: { name: 'Twin', includeRecords: true } });
  expect(twin.status).toBe(201);
  const originals = new Set(Object.values(table.fieldIds));
  for (const tableId of [inCopy?.id as string, twin.body.id]) {
    const fields = await fieldsOf(table, tableId);
    const named = (name: string): Field => fields.find((field) => field.name === name) as Field;
    expect(named('Label').options.expression).toBe(`{${named('Name').id}} & "=" & {${named('Twice').id}}`);
    expect(fields.filter(({ hasError }) => hasError).map(({ name }) => name)).toEqual(['Broken']);
    expect(
      fields.filter(
        ({ name, options }) =>
          name !== 'Broken' && [...originals].some((id) => String(options.expression).includes(id)),
      ),
    ).toEqual([]);
    await demandRight(table, tableId);
  }
  const empty = await table.call(duplicateBase, {
    body: { fromBaseId: table.baseId, spaceId: table.spaceId, withRecords: false },
  });
  const [bare] = (await table.call(listTables, { params: { baseId: empty.body.id } })).body;
  const made = await table.call(createRecords, {
    params: { tableId: bare?.id as string },
    body: { records: [{ fields: { Name: 'x', Price: 1 } }] },
  });
  expect(made.body.records[0]?.fields).toMatchObject({ Label: 'x=2', Number: 'No. 1' });
});

test('an export shows them as people see them, and a text that looks like a formula of a spreadsheet is none', async () => {
  const table = await filled();
  const answer = await fetch(`${world().baseUrl}/export/${table.tableId}`, {
    headers: { authorization: `Bearer ${table.owner.token}` },
  });
  const [head, ...rows] = (await answer.text()).replace(/^\uFEFF/, '').split('\r\n');
  const ids = (await recordsOf(table, table.tableId)).map(({ id }) => id);
  expect(head).toBe('Name,Price,Twice,Label,Large,Due,List,Me,Number,Fresh,Broken');
  expect(rows).toEqual([
    `Bolt,2.00,€4.0,Bolt=4,false,2024-01-03,"Bolt, all",${ids[0]},No. 1,true,`,
    `'=1+1,3.50,€7.0,'=1+1=7,true,2024-01-05,"'=1+1, all",${ids[1]},No. 2,true,`,
    `,,€0.0,'=0,false,2024-01-01,all,${ids[2]},No. 3,true,`,
  ]);
});

test('readers by SQL find what the record determines in its column; what is computed at read is empty there', async () => {
  const table = await filled();
  const { url } = (await table.call(createDbConnection, { params: table })).body;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select "Twice", "Label", "Large", "Due", "List", "Number", "Fresh", "Broken" from "${table.baseId}"."${await selectDbTableName(world().db, table.tableId)}" order by __auto_number limit 1`,
  );
  expect(rows).toEqual([
    {
      Twice: 4,
      Label: 'Bolt=4',
      Large: false,
      Due: new Date('2024-01-03T00:00:00Z'),
      List: ['Bolt', 'all'],
      Number: null,
      Fresh: null,
      Broken: null,
    },
  ]);
  await client.end();
});

test('a base of an older version is upgraded with them, and takes new ones', async () => {
  const table = await filled();
  await makeOld(world().db, table.baseId);
  world().services.catalog.forget(table.tableId);
  await demandRight(table, table.tableId);
  const made = await table.call(createField, { params: table, body: formula('Later', '{Label} & "!"') as never });
  expect(made.status).toBe(201);
  expect((await recordsOf(table, table.tableId)).map(({ fields }) => fields.Later)).toEqual([
    'Bolt=4!',
    '=1+1=7!',
    '=0!',
  ]);
  expect(await versionOf(world().db, table.baseId)).toEqual(upgraded);
});

test('links and what is looked up through them come to a base of an older version, are exported, read by SQL and backed up', async () => {
  const table = await filled();
  const { call, tableId, baseId } = table;
  // Made before there were links.
  await makeOld(world().db, baseId);
  world().services.catalog.forget(tableId);
  const [bolt, odd] = (await recordsOf(table, tableId)).map(({ id }) => id) as [string, string];
  const orders = (
    await call(createTable, {
      params: table,
      body: {
        name: 'Orders',
        fields: [
          { name: 'No', type: 'singleLineText' },
          { name: 'Pieces', type: 'number' },
        ],
        records: [{ fields: { No: 'One', Pieces: 3 } }, { fields: { No: 'Two', Pieces: 4 } }],
      },
    })
  ).body;
  const add = async (to: string, body: object): Promise<Field> => {
    const made = await call(createField, { params: { tableId: to }, body: body as never });
    expect([made.status, made.error?.message]).toEqual([201, undefined]);
    return made.body;
  };
  const part = await add(orders.id, {
    name: 'Part',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: tableId },
  });
  const also = await add(orders.id, {
    name: 'Also',
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true },
  });
  await add(orders.id, {
    name: 'Price',
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: tableId, linkFieldId: part.id, lookupFieldId: table.fieldIds.Price },
  });
  await add(orders.id, {
    name: 'Labels',
    type: 'formula',
    isLookup: true,
    lookupOptions: { foreignTableId: tableId, linkFieldId: also.id, lookupFieldId: table.fieldIds.Label },
  });
  await add(tableId, {
    name: 'Pieces',
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: {
      foreignTableId: orders.id,
      linkFieldId: part.options.symmetricFieldId,
      lookupFieldId: orders.fields[1]?.id,
    },
  });
  const [one, two] = orders.records.map(({ id }) => id) as [string, string];
  const write = (recordId: string, fields: object) =>
    call(updateRecord, { params: { tableId: orders.id, recordId }, body: { record: { fields: fields as never } } });
  expect((await write(one, { Part: { id: bolt }, Also: [{ id: odd }, { id: bolt }] })).body.fields).toMatchObject({
    Price: 2,
    Labels: ['=1+1=7', 'Bolt=4'],
  });
  expect((await write(two, { Part: { id: bolt } })).status).toBe(200);

  const exported = await fetch(`${world().baseUrl}/export/${orders.id}`, {
    headers: { authorization: `Bearer ${table.owner.token}` },
  });
  expect((await exported.text()).replace(/^\uFEFF/, '').split('\r\n')).toEqual([
    'No,Pieces,Part,Also,Price,Labels',
    `One,3.00,Bolt,"'=1+1, Bolt",2.00,"'=1+1=7, Bolt=4"`,
    'Two,4.00,Bolt,,2.00,',
  ]);

  const { url } = (await call(createDbConnection, { params: table })).body;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = await selectDbTableName(world().db, orders.id);
  const { rows } = await client.query(
    `select "Part", "${part.options.foreignKeyName}" as key, "Price" from "${baseId}"."${name}" where "No" = 'One'`,
  );
  expect(rows).toEqual([{ Part: { id: bolt, title: 'Bolt' }, key: bolt, Price: 2 }]);
  const [schema, pairs] = String(also.options.fkHostTableName).split('.');
  const joined = await client.query(
    `select "${also.options.foreignKeyName}" as id from "${schema}"."${pairs}" where "${also.options.selfKeyName}" = $1 order by "__at_${also.id}"`,
    [one],
  );
  expect(joined.rows).toEqual([{ id: odd }, { id: bolt }]);
  await client.end();

  expect((await write(two, { Pieces: 5 })).status).toBe(200);
  const sums = async (): Promise<unknown[]> =>
    (await recordsOf(table, tableId)).map(({ fields }) => fields.Pieces ?? null);
  expect(await sums()).toEqual([8, null, null]);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);

  const path = join(folder, 'links.backup');
  await writeBackup(world().databaseUrl, path, { baseId });
  await call(deleteBase, { params: table });
  await call(destroyBase, { params: table });
  const session = await openSession(world().databaseUrl);
  await restoreBase(session, path, await openBackup(path), table.spaceId, world().services).finally(() =>
    session.client.end(),
  );
  expect((await write(one, { Also: [{ id: bolt }], Pieces: 4 })).body.fields).toMatchObject({
    Part: { id: bolt, title: 'Bolt' },
    Labels: ['Bolt=4'],
  });
  expect(await sums()).toEqual([9, null, null]);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
});
