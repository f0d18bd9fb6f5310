// A statement ends when it has taken too long, and when nobody waits for it any more.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { updateField } from '@rowhouse/contract/field.ts';
import { poolsOf } from '../../server/cli/pools.ts';
import { openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { lockSchema } from '../../server/catalog/table.sql.ts';
import { whileLocked } from '../support/lock.ts';
import { ground, tableWith } from '../support/table.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld();

test('a statement that takes longer than its limit is stopped with 408, and the connection serves on', async () => {
  const db = openDb(world().databaseUrl, { max: 1, statementTime: 1 });
  await expect(db.query(sql`select pg_sleep(60)`)).rejects.toMatchObject({ code: 'request_timeout', status: 408 });
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await db.close();
});

test('a change of the schema has a limit of its own, for its transaction alone', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const db = openDb(world().databaseUrl, { max: 1, statementTime: 5, longStatementTime: 77 });
  const limit = sql`select current_setting('statement_timeout') as limit`;
  const within = await db.transaction(async (tx) => {
    await lockSchema(tx, table.baseId, table.tableId);
    return tx.query(limit);
  });
  expect([within, await db.query(limit)]).toEqual([[{ limit: '77s' }], [{ limit: '5s' }]]);
  await db.close();
});

const runningOn = async (tableId: string): Promise<number> =>
  (
    await world().db.query<{ count: number }>(
      sql`select count(*) as count from pg_stat_activity where datname = current_database() and state = 'active' and query like ${`%${tableId}%`} and pid <> pg_backend_pid()`,
    )
  )[0]?.count ?? 0;

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Begins a request and hangs up once the database works on it. */
const hangUp = async (
  method: string,
  url: string,
  token: string,
  body: unknown,
  isUnderWay: () => Promise<boolean>,
): Promise<void> => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent = request(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  });
  sent.on('error', () => undefined);
  sent.end(text);
  await until(isUnderWay);
  sent.destroy();
};

test('what runs for a client that hangs up is cancelled, reads and writes, and nothing of it is written', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'before' } }] },
  });
  const id = made.body.records[0]?.id as string;
  await whileLocked(world(), table, async () => {
    const isUnderWay = async (): Promise<boolean> => (await runningOn(table.baseId)) > 0;
    for (const [method, path, body] of [
      ['GET', `/table/${table.tableId}/record`, undefined],
      ['PATCH', `/table/${table.tableId}/record/${id}`, { record: { fields: { Name: 'after' } } }],
    ] as const) {
      await hangUp(method, world().baseUrl + path, table.owner.token, body, isUnderWay);
      // The lock is still held: only cancelling ends them.
      await until(async () => !(await isUnderWay()));
    }
  });
  const { body } = await table.call(listRecords, { params: { tableId: table.tableId } });
  expect(body.records.map(({ name }) => name)).toEqual(['before']);
});

test('creates that go together are not cancelled by the one of them who hangs up', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const other = await openWorld(world().databaseUrl);
  try {
    const url = `${other.baseUrl}/table/${table.tableId}/record`;
    const create = (name: string) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ records: [{ fields: { Name: name } }] }),
      });
    await create('warm');
    let answers: Promise<Response[]> | undefined;
    await whileLocked(world(), table, async () => {
      await hangUp(
        'POST',
        url,
        table.owner.token,
        { records: [{ fields: { Name: 'gone' } }] },
        async () => (await runningOn(table.baseId)) > 0,
      );
      answers = Promise.all(Array.from({ length: 6 }, (_, at) => create(`n${at}`)));
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    expect(new Set((await (answers as Promise<Response[]>)).map(({ status }) => status))).toEqual(new Set([201]));
  } finally {
    await other.close();
  }
});

test('statements of requests and of streams have the short limit, those of jobs the long one, as the settings say', async () => {
  const told: Record<string, unknown> = {};
  for (const [name, options] of Object.entries(
    poolsOf({ databaseConnections: 2, statementTimeout: 7, longStatementTimeout: 70, temporaryMegabytes: 4_096 }),
  )) {
    const db = openDb(world().databaseUrl, options);
    told[name] = (
      await db.query(
        sql`select current_setting('statement_timeout') as usual, current_setting('rowhouse.long_statement_timeout') as long`,
      )
    )[0];
    await db.close();
  }
  expect(told).toEqual({
    requests: { usual: '7s', long: '70s' },
    relay: { usual: '7s', long: '70s' },
    work: { usual: '70s', long: '70s' },
  });
});

test('the settings reach the connections of requests', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const other = await openWorld(
    world().databaseUrl,
    {},
    { db: openDb(world().databaseUrl, { statementTime: 1, oneConnection: true }) },
  );
  try {
    await whileLocked(world(), table, async () => {
      const answer = await fetch(`${other.baseUrl}/table/${table.tableId}/record`, {
        headers: { authorization: `Bearer ${table.owner.token}` },
      });
      expect(answer.status).toBe(408);
      expect(((await answer.json()) as { message: string }).message).toContain('took too long');
    });
    // A change of the schema waits longer: it gives up by its own limit on locks, with another answer.
    expect(
      (
        await table.call(updateField, {
          params: { tableId: table.tableId, fieldId: table.fieldIds.Name as string },
          body: { name: 'Title' },
        })
      ).status,
    ).toBe(200);
  } finally {
    await other.close();
  }
});
