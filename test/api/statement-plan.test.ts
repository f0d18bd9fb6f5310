// What a request reads does not grow with the table: neither right after a burst of writes, when PostgreSQL has no statistics
// yet, nor at any other time.
import { listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { listViews, setViewFilter, setViewGroup, setViewSort } from '@rowhouse/contract/view.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '../../server/db/db.ts';
import { compile, type Sql, Statement } from '../../server/db/sql.ts';
import { loadTable } from '../../server/catalog/table.ts';
import { syncViewIndexes } from '../../server/domain/record/view-index/keep-view-indexes.ts';
import { person } from '../support/people.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { createDatabase, openWorld, type World } from '../support/world.ts';

interface Sent {
  text: string;
  values: readonly unknown[];
}

let sent: Sent[] = [];

/** The database of the server, with everything that is sent to it written down. */
const heard = (db: Db): Db =>
  new Proxy(db, {
    get(target, name) {
      if (name === 'at') return (...given: Parameters<Db['at']>) => heard(target.at(...given));
      if (name === 'query') {
        return (statement: Sql | Statement, options: object) => {
          sent.push(statement instanceof Statement ? statement : compile(statement));
          return target.query(statement, options);
        };
      }
      return Reflect.get(target, name) as unknown;
    },
  });

let world: World;
let drop: () => Promise<void>;
let client: pg.Client;
let table: TestTable;
let recordIds: string[];
let rareAuthor: string;

const operations = 5_000;
const perOperation = 10;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  world = await openWorld(database.url, {}, { db: heard(openDb(database.url, { oneConnection: true })) });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  table = await tableWith(await ground(world), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'A', type: 'number' },
    { name: 'B', type: 'longText' },
  ]);
  recordIds = (
    await table.call(createRecords, {
      params: table,
      body: { records: Array.from({ length: 5 }, () => ({ fields: {} })) },
    })
  ).body.records.map(({ id }) => id);
  const history = `"${table.baseId}"."__history_${table.tableId}"`;
  for (const name of [history, `"${table.baseId}".__operation`])
    await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  await table.call(updateRecords, {
    params: table,
    body: { records: recordIds.map((id) => ({ id, fields: { Name: 'x', A: 1, B: 'x' } })) },
  });
  rareAuthor = (await person(world)).userId;
  // All of it on five records, of which an estimate without statistics knows nothing.
  await client.query(
    `insert into "${table.baseId}".__operation (public_id, table_id, kind, actor, record_ids, time)
     select 'opr' || lpad(n::text, 16, '0'), $1, 'update', case when n <= 3 then $2 else $3 end, '{}', now() + n * interval '1 ms' from generate_series(1, ${operations}) n`,
    [table.tableId, rareAuthor, table.owner.userId],
  );
  await client.query(
    `insert into ${history} (op_id, seq, record_id, meta_id, before, after)
     select o.id, s, ($2::text[])[1 + (o.id + s) % 5], v.low + (o.id + s) % 3, '1', '2'
     from "${table.baseId}".__operation o, generate_series(1, ${perOperation}) s, (select min(id) as low from "${table.baseId}".__field_version where table_id = $1) v
     where o.public_id like 'opr000%' order by o.id, s`,
    [table.tableId, recordIds],
  );
});

afterAll(async () => {
  await client.end();
  await world.close();
  await drop();
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows that a statement reads from these relations, and the most that it sorts at once. What it writes is taken back. */
const explain = async (
  { text, values }: Sent,
  relations = /^__(history|operation)/,
): Promise<{ read: number; sorted: number; text: string }> => {
  await client.query('begin');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `explain (analyze, timing off, format json) ${text}`,
    values: [...values],
  });
  await client.query('rollback');
  const [{ Plan }] = (rows[0] as (typeof rows)[0])['QUERY PLAN'];
  const nodes = nodesOf(Plan);
  const read = nodes
    .filter((node) => relations.test(node['Relation Name'] ?? ''))
    .reduce(
      (sum, node) =>
        sum +
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'],
      0,
    );
  const sorted = Math.max(
    0,
    ...nodes
      .filter((node) => node['Node Type'] === 'Sort')
      .map((node) => Math.max(...(node.Plans ?? []).map((input) => input['Actual Rows']))),
  );
  return { read, sorted, text: JSON.stringify(Plan, null, 1) };
};

type Ask = () => Promise<{ status: number; body: { historyList: unknown[] } }>;
const ofTable =
  (query: object): Ask =>
  () =>
    table.call(listTableHistory, { params: table, query: query as never });
const ofRecord =
  (query: object): Ask =>
  () =>
    table.call(listRecordHistory, { params: { ...table, recordId: recordIds[2] as string }, query: query as never });
const time = async (n: number): Promise<string> =>
  (
    await client.query<{ time: Date }>(`select time from "${table.baseId}".__operation where public_id = $1`, [
      `opr${String(n).padStart(16, '0')}`,
    ])
  ).rows[0]?.time.toISOString() as string;
const deep = async (ask: (query: object) => Ask, take: number): Promise<string> =>
  ((await ask({ take })()).body as unknown as { nextCursor: string }).nextCursor;

const pages: Record<string, () => Promise<Ask> | Ask> = {
  'of the table': () => ofTable({}),
  'of the table, further down': async () => ofTable({ cursor: await deep(ofTable, 1_000) }),
  'of one record': () => ofRecord({}),
  'of one record, further down': async () => ofRecord({ cursor: await deep(ofRecord, 1_000) }),
  'of several records': () => ofTable({ recordIds: recordIds.slice(0, 3) }),
  'of a field': () => ofTable({ fieldIds: [table.fieldIds.A] }),
  'of a field of a record': () => ofRecord({ fieldIds: [table.fieldIds.A] }),
  'of an author': () => ofTable({ createdByIds: [table.owner.userId] }),
  'of an author who did little, long ago': () => ofTable({ createdByIds: [rareAuthor] }),
  'of an author, of a field': () => ofTable({ createdByIds: [table.owner.userId], fieldIds: [table.fieldIds.A] }),
  'of an author, of a record': () => ofRecord({ createdByIds: [table.owner.userId] }),
  'of an operation': () => ofTable({ operationId: 'opr0000000000002500' }),
  'of a period': async () => ofTable({ startDate: await time(2_000), endDate: await time(2_500) }),
  'of a period, of a record': async () => ofRecord({ startDate: await time(2_000), endDate: await time(2_500) }),
  'of a period, of an author': async () =>
    ofTable({ startDate: await time(2_000), endDate: await time(2_500), createdByIds: [table.owner.userId] }),
};

describe('a page of history right after a burst of writes', () => {
  test.each(Object.keys(pages))('%s: two statements at most, which read little more than they show', async (name) => {
    const ask = await (pages[name] as () => Promise<Ask> | Ask)();
    expect((await ask()).status).toBe(200);
    sent = [];
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.historyList.length).toBe(name === 'of an operation' ? perOperation : 20);
    expect(sent.length, sent.map(({ text }) => text.slice(0, 80)).join('\n')).toBeLessThanOrEqual(2);
    const page = sent.find(({ text }) => text.includes('__history_')) as Sent;
    const { read, sorted, text } = await explain(page);
    expect(read, text).toBeLessThan(1_000);
    expect(sorted, text).toBeLessThan(300);
  });
});

test('a create in a view that groups reads the groups of its own records, of however many the table has', async () => {
  const large = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Kind', type: 'number' },
  ]);
  const [view] = (await large.call(listViews, { params: large })).body;
  const made = await large.call(setViewGroup, {
    params: { ...large, viewId: view?.id as string },
    body: { group: [{ fieldId: large.fieldIds.Kind as string, order: 'asc' }] },
  });
  expect(made.status).toBe(200);
  const name = (
    await client.query<{ name: string }>('select db_table_name as name from rowhouse.tables where id = $1', [
      large.tableId,
    ])
  ).rows[0]?.name as string;
  const {
    rows: [kind],
  } = await client.query<{ name: string }>(`select db_field_name as name from rowhouse.fields where id = $1`, [
    large.fieldIds.Kind,
  ]);
  await client.query(
    `insert into "${large.baseId}"."${name}" (__id, "${kind?.name}", __created_by) select 'rec' || lpad(n::text, 16, '0'), n % 50, $1 from generate_series(1, 20000) n`,
    [large.owner.userId],
  );
  const create = () =>
    large.call(createRecords, { params: large, body: { records: [{ fields: { Kind: 7 } }, { fields: { Kind: 8 } }] } });
  await create();
  sent = [];
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(body.extra?.groupPoints).toMatchObject([
    { type: 0, value: 7 },
    { type: 0, value: 8 },
  ]);
  const statements = sent.filter(({ text }) => text.includes(`"${name}"`));
  expect(statements.length).toBeGreaterThanOrEqual(2);
  for (const statement of statements.filter(({ text }) => !text.includes('insert into'))) {
    const { read, text } = await explain(statement, new RegExp(`^${name}$`));
    expect(read, text).toBeLessThanOrEqual(2);
  }
});

test('a word that many records have is found among the first of them, and one that few have in the whole table', async () => {
  const large = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const name = (
    await client.query<{ name: string }>('select db_table_name as name from rowhouse.tables where id = $1', [
      large.tableId,
    ])
  ).rows[0]?.name as string;
  await client.query(
    `insert into "${large.baseId}"."${name}" (__id, "Name", __created_by) select 'rec' || lpad(n::text, 16, '0'), case when n % 10 = 0 then 'the Harbour ' else 'a meadow ' end || n, $1 from generate_series(1, 20000) n`,
    [large.owner.userId],
  );
  await client.query(`analyze "${large.baseId}"."${name}"`);
  const contains = (value: string) => ({
    filter: JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: large.fieldIds.Name, operator: 'contains', value }],
    }),
    fieldKeyType: 'id' as const,
  });
  const asked = async (query: object) => {
    const ask = () => large.call(listRecords, { params: large, query: { take: 20, ...query } as never });
    await ask();
    sent = [];
    const { body } = await ask();
    const page = sent.find(({ text }) => text.includes(`"${name}"`)) as Sent;
    return {
      ...(await explain(page, new RegExp(`^${name}$`))),
      found: body.records.map((record) => record.name),
      hasMore: body.extra?.nextCursor != null,
    };
  };
  for (const query of [contains('harbour'), { search: ['harbour', '', 'true'] }]) {
    const common = await asked(query);
    expect(common.read, common.text).toBeLessThan(300);
    expect([common.found, common.hasMore]).toEqual([
      Array.from({ length: 20 }, (_, at) => `the Harbour ${(at + 1) * 10}`),
      true,
    ]);
  }
  expect(await asked(contains('meadow 19999'))).toMatchObject({ found: ['a meadow 19999'], hasMore: false });
  // As many as a page has, and one more.
  expect(await asked({ ...contains('meadow 1999'), take: 10 })).toMatchObject({
    found: ['a meadow 1999', ...Array.from({ length: 9 }, (_, at) => `a meadow 1999${at + 1}`)],
    hasMore: false,
  });
  expect(await asked({ ...contains('meadow 1999'), take: 9 })).toMatchObject({
    found: ['a meadow 1999', ...Array.from({ length: 8 }, (_, at) => `a meadow 1999${at + 1}`)],
    hasMore: true,
  });
});

test('a view that sorts or filters by a formula reads by its index, as by one of a number', async () => {
  const large = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Twice', type: 'formula', options: { expression: '{Count} * 2' } },
    { name: 'Odd', type: 'formula', options: { expression: 'AUTO_NUMBER() % 2' } },
  ]);
  for (let at = 0; at < 6; at += 1) {
    const records = Array.from({ length: 1_000 }, (_, n) => ({
      fields: { Count: ((at * 1_000 + n) * 7_919) % 6_000 },
    }));
    expect((await large.call(createRecords, { params: large, body: { records } })).status).toBe(201);
  }
  const name = (
    await client.query<{ name: string }>('select db_table_name as name from rowhouse.tables where id = $1', [
      large.tableId,
    ])
  ).rows[0]?.name as string;
  const indexes = async (): Promise<number> =>
    (
      await client.query(
        "select from pg_indexes where schemaname = $1 and tablename = $2 and indexname like '\\_\\_view\\_%'",
        [large.baseId, name],
      )
    ).rows.length;
  const viewed = async (
    fieldName: string,
    part: 'sort' | 'filter',
  ): Promise<{ read: number; text: string; found: unknown[] }> => {
    const fieldId = large.fieldIds[fieldName] as string;
    const params = { ...large, viewId: large.viewId };
    await large.call(setViewSort, {
      params,
      body: { sort: part === 'sort' ? { sortObjs: [{ fieldId, order: 'desc' }] } : null },
    });
    await large.call(setViewFilter, {
      params,
      body: {
        filter:
          part === 'filter' ? { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 1_234 }] } : null,
      },
    });
    const db = openDb(world.databaseUrl);
    await syncViewIndexes(db, await loadTable(db, large.baseId, large.tableId));
    await db.close();
    await client.query(`analyze "${large.baseId}"."${name}"`);
    const ask = () => large.call(listRecords, { params: large, query: { viewId: large.viewId, take: 20 } });
    await ask();
    sent = [];
    const { body } = await ask();
    const page = sent.find(({ text }) => text.includes(`"${name}"`)) as Sent;
    return {
      ...(await explain(page, new RegExp(`^${name}$`))),
      found: body.records.map(({ fields }) => fields[fieldName]),
    };
  };
  for (const fieldName of ['Count', 'Twice']) {
    const sorted = await viewed(fieldName, 'sort');
    expect(await indexes()).toBe(1);
    expect(sorted.read, sorted.text).toBeLessThan(50);
    expect(sorted.found[0]).toBe(fieldName === 'Count' ? 5_999 : 11_998);
    const filtered = await viewed(fieldName, 'filter');
    expect(await indexes()).toBe(1);
    expect(filtered.read, filtered.text).toBeLessThan(50);
    expect(filtered.found).toEqual([1_234]);
  }
  // What is computed at read has no index: all of the table is looked at.
  expect((await viewed('Odd', 'sort')).found[0]).toBe(1);
  expect(await indexes()).toBe(0);
});
