import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import * as api from '@rowhouse/contract/table.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { bumpEpochs } from '../../server/catalog/access.sql.ts';
import { sql } from '../../server/db/sql.ts';
import { person } from '../support/people.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

const names = [
  '"',
  "'; drop table x; --",
  '🙂 emoji',
  'select',
  'Select',
  'SELECT',
  '名前',
  '  spaces  ',
  '__proto__',
  'constructor',
  'a\nb',
  '%s %d $1 ${x}',
  '\\',
  'x'.repeat(255),
];

describe('creating a table', () => {
  test('does not start over because something is taken away from somebody meanwhile', async () => {
    let isOver = false;
    const takeAway = async (): Promise<void> => {
      while (!isOver) {
        await bumpEpochs(world().db, [shop.spaceId]);
        await new Promise((passed) => setTimeout(passed, 20));
      }
    };
    const taking = takeAway();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => shop.owner.call(api.createTable, { params: { baseId: shop.baseId } })),
    );
    isOver = true;
    await taking;
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  });

  test('without a body makes the default fields, one grid view and three empty records', async () => {
    const made = await shop.owner.call(api.createTable, { params: { baseId: shop.baseId } });
    expect(made.status).toBe(201);
    expect(made.body.fields.map(({ name, type, isPrimary }) => [name, type, isPrimary])).toEqual([
      ['Name', 'singleLineText', true],
      ['Count', 'number', undefined],
      ['Status', 'singleSelect', undefined],
    ]);
    expect(made.body.fields[2]?.options.choices).toMatchObject([
      { name: 'light', color: 'grayBright' },
      { name: 'medium' },
      { name: 'heavy' },
    ]);
    expect(made.body.views.map(({ name, type }) => [name, type])).toEqual([['Grid view', 'grid']]);
    expect(made.body.fields.map(({ id }) => made.body.views[0]?.columnMeta[id])).toEqual([
      { order: 0 },
      { order: 1 },
      { order: 2 },
    ]);
    expect(made.body.records.map(({ fields }) => fields)).toEqual([{}, {}, {}]);
    expect(made.body.dbTableName).toMatch(new RegExp(`^${shop.baseId}\\.\\w+$`));
    expect(made.body.defaultViewId).toBe(made.body.views[0]?.id);
  });

  test('with fields, views and records makes all of them, in one request', async () => {
    const made = await shop.table({
      name: 'Orders',
      description: 'What people ordered',
      icon: '📦',
      fields: [
        { type: 'singleLineText', name: 'Title', unique: true, notNull: true },
        { type: 'number', name: 'Price' },
        { type: 'createdTime' },
      ],
      views: [{ type: 'grid', name: 'All' }, { type: 'form' }],
      records: [{ fields: { Title: 'Tea', Price: 3 } }, { fields: { Title: 'Cake' } }],
    });
    expect(made).toMatchObject({ name: 'Orders', description: 'What people ordered', icon: '📦' });
    expect(made.fields[0]).toMatchObject({ unique: true, notNull: true, isPrimary: true });
    expect(made.views.map(({ name }) => name)).toEqual(['All', 'Form view']);
    expect(made.records.map(({ fields }) => [fields.Title, fields.Price])).toEqual([
      ['Tea', 3],
      ['Cake', undefined],
    ]);
    const again = await shop.owner.call(createRecords, {
      params: { tableId: made.id },
      body: { records: [{ fields: { Title: 'Tea' } }] },
    });
    expect(again.status).toBe(400);
    const empty = await shop.owner.call(createRecords, {
      params: { tableId: made.id },
      body: { records: [{ fields: {} }] },
    });
    expect(empty.status).toBe(400);
  });

  test('makes no empty records when a field must not be empty', async () => {
    const made = await shop.table({ fields: [{ type: 'singleLineText', notNull: true }] });
    expect(made.records).toEqual([]);
  });

  test('is all or nothing: a wrong record leaves no table behind', async () => {
    const before = (await shop.owner.call(api.listTables, { params: { baseId: shop.baseId } })).body.length;
    const made = await shop.owner.call(api.createTable, {
      params: { baseId: shop.baseId },
      body: {
        name: 'Broken',
        fields: [{ type: 'number', name: 'N' }],
        records: [{ fields: { N: 1 } }, { fields: { N: 'x' } }],
      },
    });
    expect(made.status).toBe(400);
    expect(made.error.message).toContain('records[1].fields.N');
    expect((await shop.owner.call(api.listTables, { params: { baseId: shop.baseId } })).body.length).toBe(before);
    const left = await world().db.query(
      sql`select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${shop.baseId} and relname = 'Broken'`,
    );
    expect(left).toEqual([]);
  });

  test('takes any name as it is, and makes a sound one for the database', async () => {
    for (const name of names) {
      const made = await shop.table({
        name,
        fields: [
          { type: 'singleLineText', name },
          { type: 'number', name },
        ],
        views: [{ type: 'grid', name }],
        records: [{ fields: { [name]: 'x' } }],
      });
      expect(made.name).toBe(name);
      expect(made.dbTableName.split('.')[1]).toMatch(/^[A-Za-z]\w{0,62}$/);
      expect(made.fields.map((field) => field.name)).toEqual([name, `${name} 2`]);
      expect(made.views[0]?.name).toBe(name);
      expect(Object.entries(made.records[0]?.fields ?? {})).toEqual([[name, 'x']]);
    }
  });

  test.each([
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['an empty name', { name: '' }],
    ['a name with a zero byte', { name: 'a\0b' }],
    ['a name with half a character', { name: 'a\ud800' }],
    ['an icon that is no emoji', { icon: 'abc' }],
    ['an icon that is nearly one', { icon: `${'🦰'.repeat(49)}x` }],
    ['a database name that is the database’s own', { dbTableName: '__table' }],
    ['a database name with a dot', { dbTableName: 'a.b' }],
    ['an unknown type', { fields: [{ type: 'formula' }] }],
    ['a checkbox as the primary field', { fields: [{ type: 'checkbox' }] }],
    [
      'options that the type does not have',
      { fields: [{ type: 'number', options: { formatting: { type: 'roman' } } }] },
    ],
    [
      'two equal database names',
      {
        fields: [
          { type: 'number', dbFieldName: 'a' },
          { type: 'number', dbFieldName: 'a' },
        ],
      },
    ],
    ['a system column as database name', { fields: [{ type: 'number', dbFieldName: 'ctid' }] }],
    [
      'a view of an unknown field',
      { views: [{ type: 'grid', sort: { sortObjs: [{ fieldId: 'fldUnknown', order: 'asc' }] } }] },
    ],
    [
      'half a character deep in options',
      { fields: [{ type: 'number', options: { showAs: { a: [{ b: '\ud800' }] } } }] },
    ],
    ['a list instead of fields', { fields: 'x' }],
  ])('refuses %s with 400', async (_what, body) => {
    const made = await shop.owner.call(api.createTable, { params: { baseId: shop.baseId }, body: body as never });
    expect([made.status, made.error.code]).toEqual([400, 'validation_error']);
  });

  test('gives numbers to equal names, also when they are asked for at the same time', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => shop.table({ name: 'Twins', records: [] })));
    expect(made.map(({ name }) => name).sort()).toEqual(['Twins', 'Twins 2', 'Twins 3', 'Twins 4']);
    expect(new Set(made.map(({ dbTableName }) => dbTableName)).size).toBe(4);
  });

  test('is not disturbed by names that another table’s index or sequence could have', async () => {
    await shop.table({ name: 'foo', dbTableName: 'foo', records: [] });
    for (const dbTableName of ['foo_pkey', 'foo_seq', 'foo___auto_number_key', '_foo']) {
      expect((await shop.table({ dbTableName, records: [] })).dbTableName).toBe(`${shop.baseId}.${dbTableName}`);
    }
    // One that a node of a cluster gives to a sequence is nobody's, wherever it runs.
    const params = { baseId: shop.baseId };
    expect(
      (await shop.owner.call(api.createTable, { params, body: { dbTableName: 'foo___auto_number_seq' } })).status,
    ).toBe(400);
    const named = await shop.table({ name: 'foo___auto_number_seq', records: [] });
    expect([named.name, named.dbTableName]).toEqual([
      'foo___auto_number_seq',
      `${shop.baseId}.foo___auto_number_seq_2`,
    ]);
    expect(
      (
        await shop.owner.call(api.setDbTableName, {
          params: { ...params, tableId: named.id },
          body: { dbTableName: 'foo___auto_number_seq1' },
        })
      ).status,
    ).toBe(400);
  });
});

describe('a table', () => {
  test('is listed, read and changed', async () => {
    const { baseId, owner } = shop;
    const made = await shop.table({ name: 'Plain', records: [] });
    const params = { baseId, tableId: made.id };
    expect((await owner.call(api.renameTable, { params, body: { name: 'Twins' } })).status).toBe(200);
    expect((await owner.call(api.setTableIcon, { params, body: { icon: '🎉' } })).status).toBe(200);
    expect((await owner.call(api.describeTable, { params, body: { description: 'text' } })).status).toBe(200);
    expect((await owner.call(api.setDbTableName, { params, body: { dbTableName: 'plain_table' } })).status).toBe(200);
    const read = await owner.call(api.getTable, { params });
    expect(read.body).toMatchObject({
      name: 'Twins 5',
      icon: '🎉',
      description: 'text',
      dbTableName: `${baseId}.plain_table`,
    });
    expect(
      (
        await owner.call(createRecords, {
          params: { tableId: made.id },
          body: { records: [{ fields: { Name: 'still works' } }] },
        })
      ).status,
    ).toBe(201);
    expect((await owner.call(api.describeTable, { params, body: { description: null } })).status).toBe(200);
    expect((await owner.call(api.getTable, { params })).body.description).toBeUndefined();
    expect((await owner.call(api.setDbTableName, { params, body: { dbTableName: 'foo' } })).status).toBe(400);
    expect((await owner.call(api.getDefaultViewId, { params })).body).toEqual({ id: made.defaultViewId });
  });

  test('moves before and after others', async () => {
    const own = await openWorkshop(world());
    const made = [await own.table({ name: 'A' }), await own.table({ name: 'B' }), await own.table({ name: 'C' })];
    const list = async () =>
      (await own.owner.call(api.listTables, { params: { baseId: own.baseId } })).body.map(({ name }) => name).join('');
    const move = (from: number, anchor: number, position: 'before' | 'after') =>
      own.owner.call(api.moveTable, {
        params: { baseId: own.baseId, tableId: made[from]!.id },
        body: { anchorId: made[anchor]!.id, position },
      });
    await move(2, 0, 'before');
    expect(await list()).toBe('CAB');
    await move(0, 1, 'after');
    expect(await list()).toBe('CBA');
    await move(0, 0, 'after');
    expect(await list()).toBe('CBA');
    const wrong = await own.owner.call(api.moveTable, {
      params: { baseId: own.baseId, tableId: made[0]!.id },
      body: { anchorId: 'tblnone', position: 'after' },
    });
    expect(wrong.status).toBe(400);
  });

  test('is duplicated with fields, views, constraints and records under new ids', async () => {
    const { owner, baseId } = shop;
    const made = await shop.table({
      name: 'Original',
      fields: [
        { type: 'singleLineText', name: 'Title', unique: true },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
      ],
      records: [{ fields: { Title: 'one', Tags: ['a', 'b'] } }, { fields: { Title: 'two' } }],
    });
    const params = { baseId, tableId: made.id };
    const copy = await owner.call(api.duplicateTable, { params, body: { name: 'Original', includeRecords: true } });
    expect(copy.status).toBe(201);
    expect(copy.body.name).toBe('Original 2');
    expect(copy.body.fieldMap).toEqual(
      Object.fromEntries(made.fields.map((field, at) => [field.id, copy.body.fields[at]?.id])),
    );
    expect(Object.keys(copy.body.viewMap)).toEqual(made.views.map(({ id }) => id));
    expect(Object.keys(copy.body.views[0]?.columnMeta ?? {}).sort()).toEqual(
      copy.body.fields.map(({ id }) => id).sort(),
    );
    const { records } = (await owner.call(listRecords, { params: { tableId: copy.body.id } })).body;
    expect(records.map(({ fields }) => fields)).toEqual([{ Title: 'one', Tags: ['a', 'b'] }, { Title: 'two' }]);
    expect(records.map(({ id }) => id)).not.toEqual(made.records.map(({ id }) => id));
    expect(
      (
        await owner.call(createRecords, {
          params: { tableId: copy.body.id },
          body: { records: [{ fields: { Title: 'one' } }] },
        })
      ).status,
    ).toBe(400);
    const bare = await owner.call(api.duplicateTable, { params, body: { name: 'Bare', includeRecords: false } });
    expect((await owner.call(listRecords, { params: { tableId: bare.body.id } })).body.records).toEqual([]);
  });

  test('goes to the trash, and can be deleted for good from there', async () => {
    const { owner, baseId } = shop;
    const made = await shop.table({ name: 'Going', dbTableName: 'going' });
    const params = { baseId, tableId: made.id };
    expect((await owner.call(api.deleteTable, { params })).status).toBe(200);
    expect((await owner.call(api.getTable, { params })).status).toBe(404);
    expect((await owner.call(api.deleteTable, { params })).status).toBe(404);
    expect(
      (await owner.call(createRecords, { params: { tableId: made.id }, body: { records: [{ fields: {} }] } })).status,
    ).toBe(404);
    expect((await shop.table({ name: 'Going', records: [] })).name).toBe('Going');
    expect((await owner.call(api.deleteTablePermanently, { params })).status).toBe(200);
    expect((await owner.call(api.deleteTablePermanently, { params })).status).toBe(404);
    expect((await shop.table({ dbTableName: 'going', records: [] })).dbTableName).toBe(`${baseId}.going`);
  });
});

describe('access to tables', () => {
  test('strangers see nothing, viewers read, and only creators change', async () => {
    const { baseId, owner } = shop;
    const made = await shop.table({ records: [] });
    const params = { baseId, tableId: made.id };
    const stranger = await person(world());
    expect((await stranger.call(api.getTable, { params })).status).toBe(404);
    expect((await stranger.call(api.createTable, { params: { baseId } })).status).toBe(404);
    expect((await caller({ baseUrl: world().baseUrl })(api.getTable, { params })).status).toBe(401);
    await world().db.query(
      sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, role) values ('base', ${baseId}, ${stranger.userId}, 'viewer')`,
    );
    expect((await stranger.call(api.getTable, { params })).status).toBe(200);
    expect((await stranger.call(api.renameTable, { params, body: { name: 'x' } })).status).toBe(403);
    const may = (await stranger.call(api.getTablePermission, { params })).body;
    expect([
      may.table['table|read'],
      may.table['table|update'],
      may.record['record|read'],
      may.field['field|create'],
      may.view['view|read'],
    ]).toEqual([true, false, true, false, true]);
    const mine = (await owner.call(api.getTablePermission, { params })).body;
    expect(Object.values({ ...mine.table, ...mine.view, ...mine.record, ...mine.field })).not.toContain(false);
  });

  test('a table is not found under another base', async () => {
    const other = await openWorkshop(world());
    const made = await shop.table({ records: [] });
    const { call } = shop.owner;
    await world().db.query(
      sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, role) values ('base', ${other.baseId}, ${shop.owner.userId}, 'creator')`,
    );
    const params = { baseId: other.baseId, tableId: made.id };
    expect((await call(api.getTable, { params })).status).toBe(404);
    expect((await call(api.renameTable, { params, body: { name: 'x' } })).status).toBe(404);
    expect((await call(api.deleteTablePermanently, { params })).status).toBe(404);
    expect((await call(api.getTablePermission, { params })).status).toBe(404);
  });
});
