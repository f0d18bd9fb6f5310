// The file of a base may come from elsewhere: each kind of row in it is checked as if the API had been sent it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommentBlock, createComment } from '@rowhouse/contract/comment.ts';
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createView, deleteView, setViewFilter, setViewGroup, setViewSort } from '@rowhouse/contract/view.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { ground, type Ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { caller, createDatabase, openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld();
const folder = mkdtempSync(join(tmpdir(), 'rowhouse-tampered-'));
let elsewhere: World;
let target: Ground;
let drop: () => Promise<void>;
let table: TestTable;
let client: pg.Client;
let ids: Record<'table' | 'text' | 'number' | 'select' | 'view' | 'deletedField' | 'deletedView', string>;

const goodComment: CommentBlock[] = [{ type: 'p', children: [{ type: 'a', url: 'https://example.com', title: 'x' }] }];

const kinds = ['tables', 'fields', 'views', 'deleted_fields', 'deleted_views'];

beforeAll(async () => {
  const other = await createDatabase();
  drop = other.drop;
  elsewhere = await openWorld(other.url);
  target = await ground(elsewhere);
  table = await tableWith(await ground(world()), writableFields);
  const { call, fieldIds } = table;
  const [text, number, select] = ['Text', 'Number', 'Select'].map((name) => fieldIds[name] as string) as [
    string,
    string,
    string,
  ];
  const rating = (await call(createField, { params: table, body: { name: 'Stars', type: 'number' } })).body.id;
  const view = (await call(createView, { params: table, body: { name: 'Arranged', type: 'grid' } })).body.id;
  const params = { ...table, viewId: view };
  const filter = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: number, operator: 'isGreater' as const, value: 1 }],
  };
  for (const outcome of [
    await call(setViewFilter, { params, body: { filter } }),
    await call(setViewSort, { params, body: { sort: { sortObjs: [{ fieldId: number, order: 'desc' }] } } }),
    await call(setViewGroup, { params, body: { group: [{ fieldId: select, order: 'asc' }] } }),
  ]) {
    expect(outcome.status).toBe(200);
  }
  const gone = (
    await call(createView, {
      params: table,
      body: { name: 'Gone', type: 'grid', sort: { sortObjs: [{ fieldId: rating, order: 'asc' }] } },
    })
  ).body.id;
  await call(deleteView, { params: { ...table, viewId: gone } });
  await call(deleteField, { params: { ...table, fieldId: rating } });
  const { records } = (await call(createRecords, { params: table, body: { records: [{ fields: {} }] } })).body;
  expect(
    (
      await call(createComment, {
        params: { tableId: table.tableId, recordId: records[0]?.id as string },
        body: { content: goodComment },
      })
    ).status,
  ).toBe(201);
  ids = { table: table.tableId, text, number, select, view, deletedField: rating, deletedView: gone };
  client = new pg.Client({ connectionString: world().databaseUrl });
  await client.connect();
  for (const kind of kinds) await client.query(`create table saved_${kind} as table rowhouse.${kind}`);
});
afterAll(async () => {
  await client.end();
  await elsewhere.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const backUp = async (): Promise<string> => {
  const file = join(folder, `${(files += 1)}.backup`);
  await writeBackup(world().databaseUrl, file, { baseId: table.baseId });
  return file;
};

const restore = async (file: string): Promise<void> => {
  const session = await openSession(elsewhere.databaseUrl);
  await restoreBase(session, file, await openBackup(file), target.spaceId, elsewhere.services).finally(() =>
    session.client.end(),
  );
};

/** The file of a base in which one column of one row was changed. */
const tampered = async (kind: string, column: string, id: string, value: unknown): Promise<string> => {
  await client.query(`update rowhouse.${kind} set ${column} = $1 where id = $2`, [value, id]);
  try {
    return await backUp();
  } finally {
    await client.query(`update rowhouse.${kind} t set ${column} = s.${column} from saved_${kind} s where s.id = t.id`);
  }
};

type Case = [what: string, kind: string, column: string, of: keyof typeof ids, value: (of: typeof ids) => unknown];

const evil = "asc, (select pg_read_file('/etc/passwd'))";
const cases: Case[] = [
  ['a table that is one of the server’s own', 'tables', 'db_table_name', 'table', () => '__operation'],
  ['a table without a name', 'tables', 'name', 'table', () => ''],
  ['a column that is one of the server’s own', 'fields', 'db_field_name', 'text', () => '__created_by'],
  ['a column whose name is SQL', 'fields', 'db_field_name', 'text', () => 'x" from rowhouse.users --'],
  ['a type that there is not', 'fields', 'type', 'text', () => 'sql'],
  ['a type that is not that of the column', 'fields', 'type', 'text', () => 'checkbox'],
  ['a table without a primary field', 'fields', 'is_primary', 'text', () => false],
  [
    'options that are SQL',
    'fields',
    'options',
    'number',
    () => JSON.stringify({ formatting: { type: 'decimal', precision: '0)::text || version() --' } }),
  ],
  [
    'choices that are none',
    'fields',
    'options',
    'select',
    () => JSON.stringify({ choices: [{ id: 1, name: { x: 1 } }] }),
  ],
  [
    'a filter with an operator that is SQL',
    'views',
    'filter',
    'view',
    ({ number }) =>
      JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: number, operator: '= 1 or true --', value: 1 }] }),
  ],
  [
    'a filter on a field of another table',
    'views',
    'filter',
    'view',
    () =>
      JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: 'fldXXXXXXXXXXXXXXXX', operator: 'is', value: 1 }] }),
  ],
  [
    'a sort with an order that is SQL',
    'views',
    'sort',
    'view',
    ({ number }) => JSON.stringify({ sortObjs: [{ fieldId: number, order: evil }] }),
  ],
  [
    'a group with an order that is SQL',
    'views',
    'group_by',
    'view',
    ({ select }) => JSON.stringify([{ fieldId: select, order: evil }]),
  ],
  [
    'columns of fields that there are not',
    'views',
    'column_meta',
    'view',
    () => JSON.stringify({ fldXXXXXXXXXXXXXXXX: {} }),
  ],
  ['options that views do not have', 'views', 'options', 'view', () => JSON.stringify({ sql: 'select 1' })],
  ['an order by hand without its column', 'views', 'has_order', 'view', () => true],
  [
    'a field in the trash whose options are SQL',
    'deleted_fields',
    'field',
    'deletedField',
    ({ deletedField }) =>
      JSON.stringify({
        id: deletedField,
        name: 'Stars',
        description: null,
        type: 'number',
        options: { formatting: { type: 'decimal', precision: '0)' } },
        dbFieldName: 'Stars',
        isPrimary: false,
        notNull: false,
        isUnique: false,
        position: 9,
        version: 1,
      }),
  ],
  [
    'a view in the trash with an order that is SQL',
    'deleted_views',
    'view',
    'deletedView',
    ({ number }) =>
      JSON.stringify({
        name: 'Gone',
        description: null,
        type: 'grid',
        options: {},
        filter: null,
        sort: { sortObjs: [{ fieldId: number, order: evil }] },
        group: null,
        columnMeta: {},
        position: 1,
        isLocked: false,
        hasOrder: false,
      }),
  ],
];

test.each(cases)('%s: refused, and nothing of the file is left', async (_what, kind, column, of, value) => {
  const file = await tampered(kind, column, ids[of], value(ids));
  await expect(restore(file)).rejects.toThrow(/is not what Rowhouse makes/);
  expect(await elsewhere.db.query(sql`select from pg_namespace where nspname = ${table.baseId}`)).toEqual([]);
});

const evilComments: [what: string, content: object[]][] = [
  ['an address that could act', [{ type: 'p', children: [{ type: 'a', url: 'javascript:alert(1)', title: 'x' }] }]],
  ['an image that is somewhere else', [{ type: 'img', path: '../../etc/passwd' }]],
  ['something that comments do not hold', [{ type: 'script', value: 'alert(1)' }]],
];

test.each(evilComments)('a comment with %s: refused, and nothing of the file is left', async (_what, content) => {
  await client.query(`update "${table.baseId}".__comment set content = $1`, [JSON.stringify(content)]);
  const file = await backUp();
  await client.query(`update "${table.baseId}".__comment set content = $1`, [JSON.stringify(goodComment)]);
  await expect(restore(file)).rejects.toThrow(/comment com\w+ is not what Rowhouse makes/);
  expect(await elsewhere.db.query(sql`select from pg_namespace where nspname = ${table.baseId}`)).toEqual([]);
});

test('the file as it was made is restored, and works', async () => {
  await restore(await backUp());
  const call = caller({ baseUrl: elsewhere.baseUrl, token: target.owner.token });
  expect((await call(listRecords, { params: table, query: { viewId: ids.view } })).status).toBe(200);
});
