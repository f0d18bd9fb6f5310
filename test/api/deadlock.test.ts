// What PostgreSQL takes back because two transactions wait for each other is run again, and happens once.
import { changePassword, getUserMe, signIn, signUp } from '@rowhouse/contract/auth.ts';
import { changeSpaceCredit } from '@rowhouse/contract/billing.ts';
import { convertField, createField, deleteField } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecords,
  duplicateRecord,
  listRecords,
  updateRecord,
  updateRecords,
  upsertRecords,
} from '@rowhouse/contract/record.ts';
import { clearRanges, deleteSelection, pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { createTable, duplicateTable, renameTable } from '@rowhouse/contract/table.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { moveRecords, sortManually } from '@rowhouse/contract/view-order.ts';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { hashSecret } from '../../server/endpoint/credential.ts';
import { caller } from '../support/caller.ts';
import { cases } from '../support/cases.ts';
import { application, codeFor, redeem, tryToken } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { connectTo, placementOf } from '../support/placement.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const message = 'Another request changed the same data at the same time; try again';
let admin: pg.Client;
let own: TestTable;
let ids: string[];

const inTable = () => ({ params: { tableId: own.tableId } });
const inView = () => ({ params: { tableId: own.tableId, viewId: own.viewId } });
const records = async (): Promise<Record<string, unknown>[]> =>
  (await own.call(listRecords, { ...inTable(), query: { viewId: own.viewId } })).body.records.map(
    ({ fields }) => fields,
  );
const operations = async (): Promise<number> =>
  (await admin.query(`select from "${own.baseId}".__operation`)).rowCount as number;
const entries = async (): Promise<number> =>
  (await own.call(listTableHistory, { ...inTable(), query: { take: 100 } })).body.historyList.length;

beforeAll(async () => {
  admin = await world().db.dedicated();
});
afterAll(() => admin.end());

const connections: pg.Client[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.end();
});

beforeEach(async () => {
  own = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  const made = await own.call(createRecords, {
    ...inTable(),
    body: { records: ['a', 'b', 'c', 'd'].map((Name) => ({ fields: { Name, Count: 1 } })) },
  });
  ids = made.body.records.map(({ id }) => id).toSorted();
});

/** The tries of whatever writes an operation in the base of the table are counted, and the first of them taken back by PostgreSQL. */
const takenBack = async (first: number, state: string): Promise<{ tries: () => Promise<number> }> => {
  const schema = `"${own.baseId}"`;
  const place = await placementOf(world().databaseUrl, own.baseId, '__operation');
  const there = await connectTo(place);
  connections.push(there);
  await there.query(`create sequence ${schema}.tries`);
  await there.query(`create function ${schema}.take_back() returns trigger language plpgsql as
    $$ begin if nextval('${schema}.tries') <= ${first} then raise exception using errcode = '${state}', message = 'deadlock detected'; end if; return null; end $$`);
  await there.query(
    `create trigger take_back before insert on ${place.table} for each statement execute function ${schema}.take_back()`,
  );
  return {
    tries: async () =>
      Number(
        (
          await there.query<{ tries: string }>(
            `select case when is_called then last_value else 0 end as tries from ${schema}.tries`,
          )
        ).rows[0]?.tries,
      ),
  };
};

describe.skipIf(inject('cluster') !== null)('a deadlock that PostgreSQL has found', () => {
  type Row = [table: string, key: string, id: unknown];

  /** The request locks the three one after the other: it gets the first, and then each of the two waits for the other. The other has waited long enough not to be the one that looks for a deadlock. */
  const atRows = async <T>([first, second, third]: [Row, Row, Row], send: () => Promise<T>): Promise<T> => {
    const [holder, other] = [await world().db.dedicated(), await world().db.dedicated()];
    const lock = (client: pg.Client, [table, key, id]: Row) =>
      client.query(`select from ${table} where ${key} = $1 for update`, [id]);
    const waiting = async (): Promise<number> =>
      (
        await admin.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount as number;
    const deadlocks = async (): Promise<number> =>
      Number(
        (
          await admin.query<{ count: string }>(
            'select deadlocks as count from pg_stat_database where datname = current_database()',
          )
        ).rows[0]?.count,
      );
    const before = await deadlocks();
    await holder.query('begin');
    await lock(holder, second);
    await other.query('begin');
    await lock(other, third);
    const pid = (await other.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid as number;
    const answer = send();
    await expect.poll(waiting).toBe(1);
    const closing = lock(other, first);
    await expect
      .poll(
        async () =>
          (
            await admin.query(
              "select from pg_locks where pid = $1 and waitstart < clock_timestamp() - 1.5 * current_setting('deadlock_timeout')::interval",
              [pid],
            )
          ).rowCount,
      )
      .toBe(1);
    await holder.query('rollback');
    await closing;
    await other.query('rollback');
    await Promise.all([holder.end(), other.end()]);
    const answered = await answer;
    // What was begun again may meet the sessions that are about to end: it is taken back once more then.
    await expect.poll(deadlocks).toBeGreaterThan(before);
    return answered;
  };

  /** Records are locked in the order of their ids. */
  const intoDeadlock = async <T>(
    on: Pick<TestTable, 'tableId' | 'baseId'>,
    recordIds: readonly string[],
    send: () => Promise<T>,
  ): Promise<T> => {
    const found = await admin.query<{ name: string }>(
      'select db_table_name as name from rowhouse.tables where id = $1',
      [on.tableId],
    );
    return atRows(
      recordIds.slice(0, 3).map((id): Row => [`"${on.baseId}"."${found.rows[0]?.name}"`, '__id', id]) as [
        Row,
        Row,
        Row,
      ],
      send,
    );
  };

  test('a password is changed once, and all sessions end', async () => {
    const { userId, email, password, cookie, withSession } = own.owner;
    const session = (await cookie()).replace('auth_session=', '');
    await admin.query('insert into rowhouse.epochs (id, epoch) values ($1, 1) on conflict do nothing', [userId]);
    const here = await withSession();
    const locks: [Row, Row, Row] = [
      ['rowhouse.users', 'id', userId],
      ['rowhouse.sessions', 'hash', hashSecret(session)],
      ['rowhouse.epochs', 'id', userId],
    ];
    const changed = await atRows(locks, () =>
      here(changePassword, { body: { password, newPassword: 'another horse 2' } }),
    );
    expect([changed.status, (await here(getUserMe, {})).status]).toEqual([200, 401]);
    expect(
      (
        await admin.query("select from rowhouse.audit_log where action = 'user.passwordChanged' and actor_id = $1", [
          userId,
        ])
      ).rowCount,
    ).toBe(1);
    const visitor = caller({ baseUrl: world().baseUrl });
    expect([
      (await visitor(signIn, { body: { email, password } })).status,
      (await visitor(signIn, { body: { email, password: 'another horse 2' } })).status,
    ]).toEqual([400, 200]);
  });

  test('an update of several records is written once', async () => {
    const before = await operations();
    const { status, headers } = await intoDeadlock(own, ids, () =>
      own.call(updateRecords, { ...inTable(), body: { records: ids.map((id) => ({ id, fields: { Count: 2 } })) } }),
    );
    expect([status, headers.get('x-operation-id')]).toEqual([200, expect.stringMatching(/^opr/)]);
    expect((await records()).map(({ Count }) => Count)).toEqual([2, 2, 2, 2]);
    expect([await operations(), await entries()]).toEqual([before + 1, 4]);
  });

  test('a create that links records, sent with a key, is written once, and the key answers the same again', async () => {
    const linking = await tableWith(own, [{ name: 'Name', type: 'singleLineText' }]);
    const { body: link } = await own.call(createField, {
      params: { tableId: linking.tableId },
      body: { type: 'link', name: 'Link', options: { relationship: 'manyMany', foreignTableId: own.tableId } },
    });
    const body = { fieldKeyType: 'id' as const, records: [{ fields: { [link.id]: ids.map((id) => ({ id })) } }] };
    const send = () =>
      own.call(createRecords, { params: { tableId: linking.tableId }, body, headers: { 'idempotency-key': 'once' } });
    const before = await operations();
    const first = await intoDeadlock(own, ids, send);
    expect(first.status).toBe(201);
    // One in each of the tables.
    expect(await operations()).toBe(before + 2);
    const second = await send();
    expect([second.status, second.body]).toEqual([201, first.body]);
    const listed = await own.call(listRecords, { params: { tableId: linking.tableId }, query: {} });
    expect(listed.body.records.map(({ id }) => id)).toEqual([first.body.records[0]?.id]);
    expect(
      (await records()).map(
        (fields) =>
          (fields[Object.keys(fields).find((name) => !['Name', 'Count'].includes(name)) as string] as unknown[]).length,
      ),
    ).toEqual([1, 1, 1, 1]);
  });

  test('a deletion of several records is done once', async () => {
    const before = await operations();
    const deleted = await intoDeadlock(own, ids, () =>
      own.call(deleteRecords, { ...inTable(), query: { recordIds: ids } }),
    );
    expect([deleted.status, await operations(), await records()]).toEqual([200, before + 1, []]);
    expect(
      (
        await own.call(restoreHistory, {
          ...inTable(),
          body: { operationId: deleted.headers.get('x-operation-id') as string },
        })
      ).body,
    ).toMatchObject({ kind: 'records', recordIds: { length: 4 } });
  });
});

describe('what was taken back twice is done once', () => {
  const window = { 'x-window-id': 'tab-1' };
  /** The first use of an order, and the cells of a converted field, are operations of their own. */
  const writes: {
    what: string;
    operations: number;
    prepare?: () => Promise<unknown>;
    send: (prepared: unknown) => Promise<{ status: number; body?: unknown }>;
    check: (body: unknown) => Promise<unknown>;
  }[] = [
    {
      what: 'a create',
      operations: 1,
      send: () => own.call(createRecords, { ...inTable(), body: { records: [{ fields: { Name: 'e' } }] } }),
      check: async () => expect(await records()).toHaveLength(5),
    },
    {
      what: 'a create with a key',
      operations: 1,
      send: () =>
        own.call(createRecords, {
          ...inTable(),
          body: { records: [{ fields: { Name: 'e' } }] },
          headers: { 'idempotency-key': randomUUID() },
        }),
      check: async () => expect(await records()).toHaveLength(5),
    },
    {
      what: 'a duplicate',
      operations: 2,
      send: () =>
        own.call(duplicateRecord, {
          params: { ...own, recordId: ids[0] as string },
          body: { viewId: own.viewId, anchorId: ids[0] as string, position: 'after' },
        }),
      check: async () => expect(await records()).toHaveLength(5),
    },
    {
      what: 'an update',
      operations: 1,
      send: () =>
        own.call(updateRecord, {
          params: { ...own, recordId: ids[0] as string },
          body: { record: { fields: { Count: 2 } } },
        }),
      check: async () => expect(await entries()).toBe(1),
    },
    {
      what: 'an upsert',
      operations: 2,
      send: () =>
        own.call(upsertRecords, {
          ...inTable(),
          body: { matchFields: ['Name'], records: [{ fields: { Name: 'a', Count: 2 } }, { fields: { Name: 'z' } }] },
        }),
      check: async () => expect([await entries(), (await records()).length]).toEqual([1, 5]),
    },
    {
      what: 'a paste',
      operations: 1,
      send: () =>
        own.call(pasteIntoRanges, {
          ...inTable(),
          body: {
            viewId: own.viewId,
            ranges: [
              [0, 0],
              [0, 0],
            ],
            content: 'x\ny',
          },
        }),
      check: async () => expect(await entries()).toBe(2),
    },
    {
      what: 'clearing cells',
      operations: 1,
      send: () =>
        own.call(clearRanges, {
          ...inTable(),
          body: {
            viewId: own.viewId,
            ranges: [
              [0, 0],
              [0, 1],
            ],
          },
        }),
      check: async () => expect(await entries()).toBe(2),
    },
    {
      what: 'a deletion',
      operations: 1,
      send: () => own.call(deleteRecords, { ...inTable(), query: { recordIds: ids.slice(1) } }),
      check: async () => expect(await records()).toHaveLength(1),
    },
    {
      what: 'a deletion of all',
      operations: 1,
      send: () => own.call(deleteSelection, { ...inTable(), body: { selection: {} } }),
      check: async () => expect(await records()).toHaveLength(0),
    },
    {
      what: 'records moved by hand',
      operations: 2,
      send: () =>
        own.call(moveRecords, {
          ...inView(),
          body: { recordIds: [ids[3] as string], anchorId: ids[0] as string, position: 'before' },
        }),
      check: async () => expect(await records()).toHaveLength(4),
    },
    {
      what: 'a view sorted by hand',
      operations: 2,
      send: () =>
        own.call(sortManually, {
          ...inView(),
          body: { sortObjs: [{ fieldId: own.fieldIds.Name as string, order: 'desc' }] },
        }),
      check: async () => expect((await records()).map(({ Name }) => Name).join('')).toBe('dcba'),
    },
    {
      what: 'a restored deletion',
      operations: 1,
      prepare: async () =>
        (await own.call(deleteRecords, { ...inTable(), query: { recordIds: ids } })).headers.get('x-operation-id'),
      send: (operationId) => own.call(restoreHistory, { ...inTable(), body: { operationId: operationId as string } }),
      check: async () => expect(await records()).toHaveLength(4),
    },
    {
      what: 'a restored cell',
      operations: 1,
      prepare: async () =>
        (
          await own.call(updateRecord, {
            params: { ...own, recordId: ids[0] as string },
            body: { record: { fields: { Count: 2 } } },
          })
        ).headers.get('x-operation-id'),
      send: (operationId) => own.call(restoreHistory, { ...inTable(), body: { operationId: operationId as string } }),
      check: async () =>
        expect([await entries(), (await records()).map(({ Count }) => Count)]).toEqual([2, [1, 1, 1, 1]]),
    },
    {
      what: 'an undone step of two changes',
      operations: 2,
      prepare: async () => {
        for (const Count of [2, 3])
          await own.call(updateRecord, {
            params: { ...own, recordId: ids[0] as string },
            body: { record: { fields: { Count } } },
            headers: { ...window, 'x-window-step': 'one' },
          });
      },
      send: () => own.call(undo, { ...inTable(), headers: window } as never),
      check: async (body) =>
        expect([
          (body as { status: string }).status,
          await entries(),
          (await records()).map(({ Count }) => Count),
        ]).toEqual(['fulfilled', 4, [1, 1, 1, 1]]),
    },
    {
      what: 'a new field',
      operations: 1,
      send: () => own.call(createField, { ...inTable(), body: { type: 'number', name: 'New' } }),
      check: async () => undefined,
    },
    {
      what: 'a converted field',
      operations: 2,
      send: () =>
        own.call(convertField, {
          params: { ...own, fieldId: own.fieldIds.Count as string },
          body: { type: 'singleLineText' },
        }),
      check: async () => expect((await records()).map(({ Count }) => Count)).toEqual(['1.00', '1.00', '1.00', '1.00']),
    },
    {
      what: 'a deleted field',
      operations: 1,
      send: () => own.call(deleteField, { params: { ...own, fieldId: own.fieldIds.Count as string } }),
      check: async () => expect(Object.keys((await records())[0] as object)).toEqual(['Name']),
    },
    {
      what: 'a new view',
      operations: 1,
      send: () => own.call(createView, { ...inTable(), body: { type: 'grid', name: 'Other' } }),
      check: async () => undefined,
    },
    {
      what: 'a renamed table',
      operations: 2,
      send: () => own.call(renameTable, { params: own, body: { name: 'Other' } }),
      check: async () => undefined,
    },
    {
      what: 'a new table',
      operations: 2,
      send: () => own.call(createTable, { params: own, body: { name: 'New', records: [{ fields: {} }] } }),
      check: async () => undefined,
    },
    {
      what: 'a copied table',
      operations: 2,
      send: () => own.call(duplicateTable, { params: own, body: { name: 'Copy', includeRecords: true } }),
      check: async () => undefined,
    },
    {
      what: 'a form',
      operations: 1,
      prepare: async () => (await own.call(createView, { ...inTable(), body: { type: 'form', name: 'Form' } })).body.id,
      send: (viewId) =>
        own.call(submitForm, {
          ...inTable(),
          body: { viewId: viewId as string, fields: { [own.fieldIds.Name as string]: 'f' } },
        }),
      check: async () => expect(await records()).toHaveLength(5),
    },
  ];

  // One of each way to write: at once, with a key, through the trash, by hand, as a step, of fields, of tables.
  const oneOfEach = [
    'a create with a key',
    'an update',
    'an upsert',
    'a deletion',
    'records moved by hand',
    'a restored deletion',
    'an undone step of two changes',
    'a converted field',
    'a new table',
  ];

  test.each(
    cases(
      writes,
      writes.filter(({ what }) => oneOfEach.includes(what)),
    ).map((write) => [write.what, write] as const),
  )('%s', async (_what, { prepare, send, check, operations: expected }) => {
    const prepared = await prepare?.();
    const before = await operations();
    const { tries } = await takenBack(2, '40P01');
    const { status, body } = await send(prepared);
    expect(status).toBeLessThan(300);
    expect([await tries(), await operations()]).toEqual([2 + expected, before + expected]);
    await check(body);
  });

  test('creates that go together, each of them', async () => {
    const { tries } = await takenBack(1, '40P01');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        own.call(createRecords, { ...inTable(), body: { records: [{ fields: { Name: `n${at}` } }] } }),
      ),
    );
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
    expect(await records()).toHaveLength(16);
    expect(await tries()).toBeGreaterThan(1);
  });
});

test.each(['40P01', '40001'])(
  'what is taken back every time (%s) is refused after five tries, and nothing of it is there',
  async (state) => {
    const { tries } = await takenBack(1_000, state);
    const before = await operations();
    const refused = await own.call(updateRecords, {
      ...inTable(),
      body: { records: ids.map((id) => ({ id, fields: { Count: 2 } })) },
    });
    expect([refused.status, refused.error.code, refused.error.message]).toEqual([409, 'conflict', message]);
    expect([await tries(), await operations(), await entries()]).toEqual([5, before, 0]);
    expect((await records()).map(({ Count }) => Count)).toEqual([1, 1, 1, 1]);
    const unnamed = await own.call(createField, { ...inTable(), body: { type: 'number', name: 'New' } });
    expect([unnamed.status, unnamed.error.message, await tries()]).toEqual([409, message, 10]);
  },
);

test('a write whose connection was lost is not run again: nobody knows whether it was committed', async () => {
  const { tries } = await takenBack(1_000, '57P01');
  const lost = await own.call(updateRecords, {
    ...inTable(),
    body: { records: ids.map((id) => ({ id, fields: { Count: 2 } })) },
  });
  expect([lost.status, await tries()]).toEqual([503, 1]);
});

describe.skipIf(inject('cluster') !== null)('what is written about accounts is run again, too', () => {
  const refuseTwice = async (table: string): Promise<() => Promise<number>> => {
    const name = `tries_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`create sequence rowhouse.${name}`);
    await admin.query(`create function rowhouse.${name}() returns trigger language plpgsql as
      $$ begin if nextval('rowhouse.${name}') <= 2 then raise exception using errcode = '40P01', message = 'deadlock detected'; end if; return null; end $$`);
    await admin.query(
      `create trigger ${name} before insert on ${table} for each statement execute function rowhouse.${name}()`,
    );
    return async () => {
      const { rows } = await admin.query<{ last: string }>(`select last_value as last from rowhouse.${name}`);
      await admin.query(`drop trigger ${name} on ${table}`);
      return Number(rows[0]?.last);
    };
  };
  const count = async (table: string, key: string, id: string): Promise<number> =>
    (await admin.query(`select from ${table} where ${key} = $1`, [id])).rowCount as number;

  test('signing in', async () => {
    const { userId, email, password } = await person(world());
    const tries = await refuseTwice('rowhouse.sessions');
    const { status, headers } = await caller({ baseUrl: world().baseUrl })(signIn, { body: { email, password } });
    expect([status, await tries(), await count('rowhouse.sessions', 'user_id', userId)]).toEqual([200, 3, 1]);
    const cookie = (headers.get('set-cookie') as string).split(';')[0] as string;
    expect((await caller({ baseUrl: world().baseUrl, headers: { cookie } })(getUserMe, {})).body.id).toBe(userId);
  });

  test('signing up', async () => {
    const tries = await refuseTwice('rowhouse.sessions');
    const email = `${randomUUID()}@example.com`;
    const { status, body } = await caller({ baseUrl: world().baseUrl })(signUp, {
      body: { email, password: 'correct horse 1' },
    });
    expect([
      status,
      await tries(),
      await count('rowhouse.users', 'email', email),
      await count('rowhouse.sessions', 'user_id', body.id),
    ]).toEqual([201, 3, 1, 1]);
  });

  test('redeeming the code of an application, which is good once', async () => {
    const user = await person(world());
    const app = await application(user);
    const code = await codeFor(world(), user, app);
    const tries = await refuseTwice('rowhouse.access_tokens');
    const { status, body } = await redeem(world(), app, code);
    expect([status, await tries(), await count('rowhouse.access_tokens', 'client_id', app.clientId)]).toEqual([
      200, 3, 1,
    ]);
    expect(await tryToken(world(), body.access_token)).toBe(200);
    expect((await redeem(world(), app, code)).status).toBe(400);
  });

  test('using credit', async () => {
    const operator = await person(world(), { admin: true });
    const { spaceId } = own;
    const change = (kind: 'grant' | 'use', amount: number) =>
      operator.call(changeSpaceCredit, { params: { spaceId }, body: { kind, amount, reason: 'test' } });
    const { body: before } = await change('grant', 10);
    const tries = await refuseTwice('rowhouse.credit_entries');
    const { status, body } = await change('use', 4);
    expect([status, await tries(), before.leftAmount - body.leftAmount]).toEqual([201, 3, 4]);
  });
});
