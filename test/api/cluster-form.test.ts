// The form that writes have on a Citus cluster, run and judged on any PostgreSQL: what an insert reads of other parts of its statement may not be sent to every node,
// or nothing could be written anywhere while one of them is away.
import pg from 'pg';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createComment, createSubscription } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { listRecordHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, listRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  caughtOnTheWay,
  judge,
  readFacts,
  readInParts,
  refusedBy,
  sentToAll,
  windowsBehindInserts,
} from '../support/citus-form.ts';
import { listen } from '../support/listen.ts';
import { person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { caller, createDatabase, type LocalWorld, openWorld } from '../support/world.ts';

const ofBase = /"bse[0-9A-Za-z]{16}"\."/;

let database: Awaited<ReturnType<typeof createDatabase>>;
let world: LocalWorld;
const heard = new Set<string>();
/** Transactions that have asked the node of a base something, and what they waited for at the gate of the base afterwards. */
const distributed = new WeakSet<pg.Client>();
const lateAtTheGate: string[] = [];
const { query } = pg.Client.prototype;

beforeAll(async () => {
  database = await createDatabase();
  pg.Client.prototype.query = function listening(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: unknown } | undefined];
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text === 'string') {
      if (/^(begin|commit|rollback)\b/.test(text)) distributed.delete(this);
      if (text.includes('pg_advisory_xact_lock') && text.includes('links of bse') && distributed.has(this))
        lateAtTheGate.push(text);
      if (ofBase.test(text)) {
        heard.add(text);
        distributed.add(this);
      }
    }
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  world = await openWorld(database.url, {}, {}, { isForCluster: true });
});

afterAll(async () => {
  pg.Client.prototype.query = query;
  await world.close();
  await database.drop();
});

test('writes do what they do elsewhere, and what they write is sent to the node of the base alone', async () => {
  const owner = await person(world);
  const baseId = await newBase(owner, await newSpace(owner));
  const newTable = async (fields: object[]) =>
    (
      await owner.call(createTable, {
        params: { baseId },
        body: { fields: [{ name: 'Name', type: 'singleLineText' }, ...fields] as never, records: [] },
      })
    ).body;
  const { id: tableId, defaultViewId: viewId } = await newTable([
    { name: 'Count', type: 'number' },
    { name: 'Twice', type: 'formula', options: { expression: '{Count} * 2' } },
    { name: 'List', type: 'formula', options: { expression: 'ARRAY_UNIQUE({Name}, {Count})' } },
  ]);
  const { id: otherId } = await newTable([]);
  const linked = await owner.call(createField, {
    params: { tableId: otherId },
    body: { name: 'Link', type: 'link', options: { relationship: 'manyOne', foreignTableId: tableId } } as never,
  });
  expect(linked.status).toBe(201);
  const ear = await listen(`${world.baseUrl}/table/${tableId}/events`, { token: owner.token });
  const made = await owner.call(createRecords, {
    params: { tableId },
    body: { records: ['a', 'b', 'c'].map((Name, at) => ({ fields: { Name, Count: at } })) },
  });
  expect(
    made.body.records.map(({ name, autoNumber, fields }) => [name, autoNumber, fields['Twice'], fields['List']]),
  ).toEqual([
    ['a', 1, 0, ['a', '0']],
    ['b', 2, 2, ['b', '1']],
    ['c', 3, 4, ['c', '2']],
  ]);
  const [a, b, c] = made.body.records.map(({ id }) => id) as [string, string, string];
  const one = await owner.call(createRecords, {
    params: { tableId: otherId },
    body: { records: [{ fields: { Name: 'x', Link: { id: a } } }] },
  });
  expect(one.status).toBe(201);
  const changed = await owner.call(updateRecord, {
    params: { tableId, recordId: a },
    body: { record: { fields: { Name: 'a2', Count: 5 } } },
  });
  expect(changed.body.fields).toMatchObject({ Name: 'a2', Twice: 10, List: ['a2', '5'] });
  // Those that arrive while others are under way go together in one statement.
  const together = await Promise.all(
    [a, b, c, a, b, c].map((recordId, at) =>
      owner.call(updateRecord, { params: { tableId, recordId }, body: { record: { fields: { Count: 10 + at } } } }),
    ),
  );
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(
    (
      await owner.call(updateRecords, {
        params: { tableId },
        body: {
          records: [
            { id: a, fields: { Count: 1 } },
            { id: b, fields: { Count: 2 } },
          ],
        },
      })
    ).status,
  ).toBe(200);
  expect(
    (
      await owner.call(moveRecords, {
        params: { tableId, viewId: viewId as string },
        body: { anchorId: a, position: 'before', recordIds: [c] },
      })
    ).status,
  ).toBe(200);
  expect(
    (
      await owner.call(createComment, {
        params: { tableId, recordId: a },
        body: { content: [{ type: 'p', children: [{ type: 'span', value: 'Well done' }] }] as never },
      })
    ).status,
  ).toBe(201);
  expect((await owner.call(createSubscription, { params: { tableId, recordId: a } })).status).toBe(201);
  const history = await owner.call(listRecordHistory, { params: { tableId, recordId: a }, query: {} });
  expect(history.body.historyList.map(({ before, after }) => [before.data, after.data])).toEqual(
    expect.arrayContaining([
      ['a', 'a2'],
      [0, 5],
    ]),
  );
  const gone = await owner.call(deleteRecords, { params: { tableId }, query: { recordIds: [b, c] } as never });
  expect(gone.status).toBe(200);
  const back = await owner.call(restoreHistory, {
    params: { tableId },
    body: { operationId: gone.headers.get('x-operation-id') as string },
  });
  expect(back.status).toBe(200);
  const there = await owner.call(listRecords, { params: { tableId } });
  expect(there.body.records.map(({ name, autoNumber }) => [name, autoNumber]).toSorted()).toEqual([
    ['a2', 1],
    ['b', 2],
    ['c', 3],
  ]);
  expect(
    (await owner.call(listRecords, { params: { tableId: otherId } })).body.records[0]?.fields['Link'],
  ).toMatchObject({ id: a, title: 'a2' });

  await ear.until(({ data }) => data.operationId === back.headers.get('x-operation-id'));
  ear.close();
  expect([...heard].filter((text) => text.includes('"."__feed_entry" where seq >'))).not.toEqual([]);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('begin');
    const facts = await readFacts(client);
    const found: string[] = [];
    let judged = 0;
    for (const text of heard) {
      const faults = await judge(client, text, facts, (tree, known) =>
        [sentToAll, caughtOnTheWay, readInParts, refusedBy, windowsBehindInserts].flatMap((rule) => rule(tree, known)),
      );
      if (/ins_rows|op_rows|his_rows|kept_rows/.test(text) && faults !== undefined) judged += 1;
      if (faults !== undefined && faults.length > 0) found.push(`${faults.join('; ')}:\n${text}`);
    }
    expect(found).toEqual([]);
    // Both inserts are of a base, and the second numbers what it reads of the first.
    const spoilt = (rows: string): string =>
      `with ${rows} insert into "${baseId}"."__history_${tableId}" (op_id, seq, record_id, meta_id) select id, at, 'rec', 1 from numbered`;
    const op = `op as (insert into "${baseId}"."__operation" (public_id, table_id, kind) values ('a', 'b', 'c') returning id)`;
    const numbers = 'select op.id, row_number() over () as at from op';
    const inside = spoilt(op).replace('from numbered', `from (${numbers}) numbered`);
    const before = spoilt(`${op}, numbered as materialized (${numbers})`);
    expect(await judge(client, inside, facts, windowsBehindInserts)).toHaveLength(1);
    expect(await judge(client, before, facts, windowsBehindInserts)).toEqual([]);
    // Citus takes those that wait there without having asked a node for one transaction, and sees a deadlock as soon as another waits among them.
    expect(lateAtTheGate).toEqual([]);
    expect(judged).toBeGreaterThan(5);
    const counting = [...heard].filter((text) => text.includes('update rowhouse.row_quota') && ofBase.test(text));
    expect(counting.length).toBeGreaterThan(2);
    expect(counting.filter((text) => !text.includes('phases as ('))).toEqual([]);
  } finally {
    await client.query('rollback');
    await client.end();
  }
});

test('a list is refused to those whom another process has taken the right, although the statement does not look at it', async () => {
  const owner = await person(world);
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const { id: tableId } = (
    await owner.call(createTable, {
      params: { baseId },
      body: { fields: [{ name: 'Name', type: 'singleLineText' }], records: [] },
    })
  ).body;
  const guest = await member(world, owner, spaceId, 'editor');
  heard.clear();
  const list = () => guest.call(listRecords, { params: { tableId } });
  expect((await list()).status).toBe(200);
  expect([...heard].filter((text) => text.includes('null::bigint as epoch'))).not.toEqual([]);
  const other = await openWorld(database.url);
  try {
    const elsewhere = caller({ baseUrl: other.baseUrl, token: owner.token });
    expect(
      (
        await elsewhere(removeSpaceCollaborator, {
          params: { spaceId },
          query: { principalId: guest.userId, principalType: 'user' },
        })
      ).status,
    ).toBe(200);
  } finally {
    await other.close();
  }
  expect((await list()).status).toBe(404);
});
