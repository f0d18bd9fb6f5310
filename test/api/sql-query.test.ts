// SQL over the API: what a reader of the base reads, and nothing else, whatever the text tries.
import { deleteBase } from '@rowhouse/contract/base.ts';
import { createDbConnection, deleteDbConnection } from '@rowhouse/contract/connection.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { querySql } from '@rowhouse/contract/sql-query.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { caller } from '../support/caller.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  { plans: plansWith({ free: { maxNumDatabaseConnections: 5, advancedPermissionsEnable: true } }) },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
let other: Workshop;
let tableId: string;
beforeAll(async () => {
  [shop, other] = await Promise.all([openWorkshop(world()), openWorkshop(world())]);
  for (const one of [other, shop]) {
    const made = await one.table({
      name: 'Things',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Count', type: 'number' },
        { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
      ],
      records: [{ fields: { Name: one === shop ? 'mine' : 'theirs', Count: 3, Tags: ['a', 'b'] } }, { fields: {} }],
    } as never);
    tableId = made.id;
    must(await one.owner.call(createDbConnection, { params: { baseId: one.baseId } }));
  }
});

const ask = (text: string, who: Pick<Person, 'call'> = shop.owner, baseId = shop.baseId) =>
  who.call(querySql, { params: { baseId }, body: { sql: text } });

test('a query is answered with rows, in every process', async () => {
  expect(must(await ask('select "Name", "Count", "Tags" from "Things" where "Count" is not null;'))).toEqual({
    rows: [{ Name: 'mine', Count: 3, Tags: ['a', 'b'] }],
    hasMore: false,
  });
  const whole = `select count(*)::int as n from "${shop.baseId}"."Things" -- all of them`;
  expect(must(await ask(whole)).rows).toEqual([{ n: 2 }]);
  const next = await openWorld(world().databaseUrl);
  const there = { call: caller({ baseUrl: next.baseUrl, token: shop.owner.token }) };
  expect(must(await ask('select 1 as one', there)).rows).toEqual([{ one: 1 }]);
  await next.close();
  const many = must(await ask('select n from generate_series(1, 1001) n'));
  expect([many.rows.length, many.hasMore, many.rows.at(-1)]).toEqual([1_000, true, { n: 1_000 }]);
  expect(must(await ask('select n from generate_series(1, 1000) n')).hasMore).toBe(false);
});

test('nothing but the base can be read, and nothing written', async () => {
  const secret = `select * from rowhouse.users`;
  const attacks = [
    secret,
    `select * from "${other.baseId}"."Things"`,
    `select * from "${shop.baseId}".__operation`,
    `select set_config('role', 'none', true), query_to_xml('${secret}', true, false, '')`,
    `select query_to_xml('reset role; ${secret}', true, false, '')`,
    `select query_to_xml('delete from "Things"', true, false, '')`,
    `select 1; ${secret}`,
    `select 1) x, (${secret}`,
    `select 1) given) one; commit; ${secret}; --`,
    'delete from "Things" returning *',
    'with gone as (delete from "Things" returning *) select * from gone',
    'update "Things" set "Count" = 4',
    'select * from "Things" for update',
    'create table x ()',
    'commit',
    "select pg_read_file('/etc/passwd')",
    'select lo_create(0)',
    'copy "Things" to program \'id\'',
    'no sql',
    '',
  ];
  for (const attack of attacks) {
    const { status, error } = await ask(attack);
    expect([attack, status, error.code]).toEqual([attack, 400, 'validation_error']);
    expect(JSON.stringify(error)).not.toMatch(/theirs|@example\.com/);
  }
  const who = must(
    await ask(
      "select current_user::text as me, session_user::text as us, set_config('role', 'none', true) is not null as tried",
    ),
  );
  expect(who.rows[0]).toMatchObject({ me: `query_${shop.baseId}`, us: `query_${shop.baseId}` });
  expect(must(await ask('select "Name" from "Things" where "Count" = 3')).rows).toEqual([{ Name: 'mine' }]);
});

test('long answers, long queries and too many at once are refused', async () => {
  expect((await ask("select repeat('x', 2000000) as long")).error.message).toContain('1 MB');
  expect((await ask("select repeat('x', 900000) as long from generate_series(1, 20)")).error.message).toContain(
    '10 MB',
  );
  const slow = "select pg_sleep(30), set_config('statement_timeout', '0', false)";
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(slow)));
  expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([400, 429]);
  expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(3);
  expect(answers.find(({ status }) => status === 400)?.error.message).toContain('10 seconds');
});

test('who may ask: creators who see all of a base that is open', async () => {
  const { owner, baseId } = shop;
  const editor = await member(world(), owner, baseId, 'editor');
  expect((await ask('select 1', editor)).status).toBe(403);
  const creator = await member(world(), owner, baseId, 'creator');
  expect((await ask('select 1 as one', creator)).status).toBe(200);
  for (const lacking of ['record|read', 'user|email_read', 'base|query_data']) {
    const scopes = (['record|read', 'user|email_read', 'base|query_data'] as const).filter((one) => one !== lacking);
    const token = await owner.withToken({ hasFullAccess: true, scopes });
    expect((await ask('select 1 as one', token)).status).toBe(403);
  }
  await setMatrix(world(), baseId, [{ members: [{ userId: creator.userId }], tables: {} }]);
  expect((await ask('select 1 as one', creator)).status).toBe(403);
  await setMatrix(world(), baseId, [], { isOn: false });
  expect((await ask('select 1 as one', other.owner)).status).toBe(404);
});

test('it ends with the SQL access, the table and the base', async () => {
  const { owner, baseId } = shop;
  must(await owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: {} }] } }));
  must(await owner.call(deleteTable, { params: { baseId, tableId } }));
  expect((await ask('select * from "Things"')).status).toBe(400);
  must(await owner.call(deleteDbConnection, { params: { baseId } }));
  const roles = () =>
    world().db.query<{ name: string }>(
      sql`select rolname as name from pg_roles where rolname in (${`query_${baseId}`}, ${`reader_${baseId}`})`,
    );
  expect(await roles()).toEqual([]);
  expect((await ask('select 1 as one')).error).toMatchObject({
    status: 422,
    message: expect.stringContaining('connection'),
  });
  must(await owner.call(createDbConnection, { params: { baseId } }));
  expect(must(await ask('select 1 as one')).rows).toEqual([{ one: 1 }]);
  must(await owner.call(deleteBase, { params: { baseId } }));
  expect((await ask('select 1 as one')).status).toBe(404);
  expect(await roles()).toEqual([]);
});
