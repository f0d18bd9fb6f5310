// A write is one statement, whatever the number of records.
import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { judge, readFacts, readInParts } from '../support/citus-form.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

// Room for the rows of a thousand such requests in every slot of the quota, and one second that never ends: what the
// limits of a plan cost now and then is not the subject here.
const world = useWorld(
  {},
  { plans: plansWith({ free: { maxRows: 100_000_000 } }), now: () => new Date('2030-01-01T00:00:00.000Z') },
);
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(
    await ground(world()),
    writableFields.filter((field) => field.type !== 'user'),
  );
});

/**
 * Statements that one call costs, once everything that is remembered has been remembered. What the server does by the
 * side (noting when tokens were used) may fall into one of the calls, but not into all of them.
 */
const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  await work();
  const costs: number[] = [];
  for (let call = 0; call < 3; call += 1) {
    const before = world().db.counters.statements;
    await work();
    costs.push(world().db.counters.statements - before);
  }
  return Math.min(...costs);
};

const fields = { Text: 'a', Number: 1, Check: true, Date: '2024-01-01T00:00:00.000Z', Select: 'red', Tags: ['red'] };
const create = (count: number, headers = {}) =>
  table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: Array.from({ length: count }, () => ({ fields })) },
    headers,
  } as never);

test('creating takes one statement, for one record and for a thousand', async () => {
  expect(await statementsOf(() => create(1))).toBe(1);
  expect(await statementsOf(() => create(1_000))).toBe(1);
  // The step to undo is written with the change.
  expect(await statementsOf(() => create(1, { 'x-window-id': 'tab', 'x-window-step': 'one' }))).toBe(1);
});

test('updating with history takes one statement, for one record and for a thousand', async () => {
  const ids = (await create(1_000)).body.records.map((record) => record.id);
  let round = 0;
  const update = (count: number) => () => {
    round += 1;
    return table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: { records: ids.slice(0, count).map((id) => ({ id, fields: { Text: `t${round}`, Number: round } })) },
    });
  };
  expect(await statementsOf(update(1))).toBe(1);
  expect(await statementsOf(update(1_000))).toBe(1);
});

test('listing takes one statement, deleting another one for the audit log', async () => {
  // On a cluster the access epoch is asked for afterwards (ADR 76).
  expect(
    await statementsOf(() => table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } })),
  ).toBe(inject('cluster') === null ? 1 : 2);
  const batches = await Promise.all(Array.from({ length: 4 }, () => create(100)));
  expect(
    await statementsOf(() =>
      table.call(deleteRecords, {
        params: { tableId: table.tableId },
        query: { recordIds: batches.pop()?.body.records.map((record) => record.id) ?? [] },
      }),
    ),
  ).toBe(2);
});

test.skipIf(!inject('isEmbedded'))('forms that Citus refuses are recognised, as in the tests of records', async () => {
  const client = new pg.Client({ connectionString: world().databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const facts = await readFacts(client);
    const [operations, tables] = [`"${table.baseId}"."__operation"`, `"${table.baseId}"."__table"`];
    const judged = (text: string) => judge(client, text, facts);
    expect(await judged(`update ${operations} set time = clock_timestamp() where id = $1`)).toEqual([
      'the volatile function clock_timestamp in an update',
    ]);
    expect(await judged(`update ${operations} set actor = to_json(kind)::text`)).toEqual([
      'the stable function to_json of a column in an update',
    ]);
    expect(
      await judged(
        `update ${operations} o set actor = n.v from (select id, to_json(kind)::text as v from ${operations}) n where n.id = o.id`,
      ),
    ).toEqual(['the stable function to_json of a column in an update']);
    expect(
      await judged(`select (select u.name from rowhouse.users u where u.id = o.actor) from ${operations} o`),
    ).toEqual(['a subquery on a table of schema rowhouse that names a row of the query around it']);
    expect(await judged(`select u.name from ${operations} o join rowhouse.users u on u.id = o.actor`)).toEqual([
      'a table of a base joined with one of schema rowhouse',
    ]);
    expect(await judged(`insert into ${tables} (id) select to_json(kind)::text from ${operations}`)).toEqual([
      'an insert from one table of a base into another with a stable function and nothing volatile in it',
    ]);
    expect(await judged(`insert into ${tables} (id) select kind from ${operations}`)).toEqual([]);
    expect(
      await judged(`select kind from ${operations} o where exists (select from ${tables} t where t.id = o.table_id)`),
    ).toEqual(['a subquery on a table of a base without a column']);
    expect(
      await judged(
        `insert into ${operations} as o (kind) values ('x') returning (select t.id from ${tables} t where t.id = o.table_id)`,
      ),
    ).toEqual(['a table of a base in a subquery behind "returning"']);
    expect(
      await judged(
        `with locked as materialized (select id from ${tables} for update) select set_config('lock_timeout', '5s', true) from locked`,
      ),
    ).toEqual(['a setting that the node alone would have']);
    const numbered = (over: string) => `select kind, row_number() over (${over}) as n from ${operations}`;
    expect(await judged(`insert into ${tables} (id, version) ${numbered('partition by kind order by id')}`)).toEqual([
      'an insert of rows of a base that a window divides, not in a subquery of its own',
    ]);
    expect(await judged(`insert into ${tables} (id, version) ${numbered('order by id')}`)).toEqual([]);
    expect(
      await judged(
        `insert into ${tables} (id, version) select s.kind, s.n from (${numbered('partition by kind order by id')}) s`,
      ),
    ).toEqual([]);
    const inParts = (text: string) => judge(client, text, facts, readInParts);
    const seen = `with seen as materialized (select id from ${operations})`;
    expect(
      await inParts(`${seen} select t.version, (select count(*) from rowhouse.epochs) from ${tables} t, seen`),
    ).toEqual(['several looks at a base beside a table of schema rowhouse, each of which would see another moment']);
    expect(await inParts(`${seen} select t.version from ${tables} t, seen`)).toEqual([]);
    expect(await inParts(`${seen} select (select count(*) from rowhouse.epochs) from seen`)).toEqual([]);
    expect(await judged(`update ${operations} set actor = (select to_json(kind)::text)`)).toEqual([]);
    expect(
      await judged(
        `update ${operations} set time = statement_timestamp() where (select max(epoch) from rowhouse.epochs) = $1`,
      ),
    ).toEqual([]);
  } finally {
    await client.end();
  }
});
