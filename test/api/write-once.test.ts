// A write happens once: what is acknowledged is what is there, whatever changes beside it.
import { beforeAll, expect, test } from 'vitest';
import { createField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { setViewGroup } from '@rowhouse/contract/view.ts';
import { moveRecords, sortManually } from '@rowhouse/contract/view-order.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { howMany } from '../support/cases.ts';
import { compile, type Sql, sql, Statement } from '../../server/db/sql.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { openWorld, useWorld } from '../support/world.ts';
import { changedDb } from '../support/changed-db.ts';

const world = useWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
});

const inTable = ({ tableId }: TestTable) => ({ params: { tableId } });
const countIn = async (on: TestTable): Promise<number> => (await on.call(getRowCount, inTable(on))).body.rowCount;
const versionOf = async (on: TestTable): Promise<number> =>
  (
    await world().db.query<{ version: number }>(
      sql`select version from ${sql.id(on.baseId, '__table')} where id = ${on.tableId}`,
    )
  )[0]?.version as number;

test('as many records as were acknowledged, while the field that the first view groups by is renamed and deleted', async () => {
  const own = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  let isOver = false;
  let acknowledged = 0;
  const statuses = new Set<number>();
  const creator = async (): Promise<void> => {
    while (!isOver) {
      const { status, body } = await own.call(createRecords, {
        ...inTable(own),
        body: { records: [{ fields: { Name: 'a' } }, { fields: { Name: 'b' } }] },
      });
      statuses.add(status);
      if (status === 201) acknowledged += body.records.length;
    }
  };
  const meddler = async (): Promise<void> => {
    for (let round = 0; round < howMany(12, 5); round += 1) {
      const { body: field } = await own.call(createField, {
        ...inTable(own),
        body: { name: `Kind ${round}`, type: 'singleLineText' },
      });
      await own.call(setViewGroup, {
        params: { ...inTable(own).params, viewId: own.viewId },
        body: { group: [{ fieldId: field.id, order: 'asc' }] },
      });
      await own.call(updateField, {
        params: { ...inTable(own).params, fieldId: field.id },
        body: { dbFieldName: `kind_${round}`, name: `Sort ${round}` },
      });
      await own.call(deleteField, { params: { ...inTable(own).params, fieldId: field.id } });
    }
    isOver = true;
  };
  await Promise.all([meddler(), creator(), creator(), creator(), creator()]);
  expect([...statuses]).toEqual([201]);
  expect(await countIn(own)).toBe(acknowledged);
});

test('a failure to read for the answer is not told as a failure of the write', async () => {
  const own = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  await own.call(setViewGroup, {
    params: { ...inTable(own).params, viewId: own.viewId },
    body: { group: [{ fieldId: own.fieldIds.Name as string, order: 'asc' }] },
  });
  // A database in which grouping fails, and nothing else does.
  const db = openDb(world().databaseUrl, { oneConnection: true });
  const textOf = (statement: Sql | Statement): string =>
    (statement instanceof Statement ? statement : compile(statement)).text;
  const failing: Db = changedDb(db, {
    at: () => failing,
    shared: db,
    query: (statement, options) =>
      /group by "?k0_0/.test(textOf(statement))
        ? Promise.reject(new Error('no groups today'))
        : db.query(statement, options),
  });
  const notes: string[] = [];
  const backgroundErrors = { ...world().services.backgroundErrors, note: (work: string) => void notes.push(work) };
  const other = await openWorld(world().databaseUrl, {}, { db: failing, backgroundErrors });
  try {
    const before = await countIn(own);
    const answer = await fetch(`${other.baseUrl}/table/${own.tableId}/record`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ records: [{ fields: { Name: 'x' } }] }),
    });
    expect(answer.status).toBe(201);
    expect(((await answer.json()) as { extra: unknown }).extra).toEqual({ groupPoints: [] });
    expect(notes).toEqual(['reading for an answer']);
    expect(await countIn(own)).toBe(before + 1);
  } finally {
    await other.close();
  }
});

test('keyed creates on a table that is not in memory are all answered, however few connections there are', async () => {
  const own = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const other = await openWorld(
    world().databaseUrl,
    {},
    { db: openDb(world().databaseUrl, { max: 4, patience: 30_000, oneConnection: true }) },
  );
  try {
    const create = (key: string) =>
      fetch(`${other.baseUrl}/table/${own.tableId}/record`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${own.owner.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ records: [{ fields: { Name: key } }] }),
      });
    for (let round = 0; round < 3; round += 1) {
      // Another process changes the schema: what is remembered here is old.
      await own.call(createField, { ...inTable(own), body: { name: `Extra ${round}`, type: 'number' } });
      const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => create(`k ${round} ${at}`)));
      expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
    }
    expect(await countIn(own)).toBe(192);
  } finally {
    await other.close();
  }
});

test('a key answers its first answer also when the field it named is gone, and nothing to those who lost access', async () => {
  const own = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Gone', type: 'number' },
  ]);
  const create = () =>
    own.call(createRecords, {
      ...inTable(own),
      body: { records: [{ fields: { Gone: 1 } }] },
      headers: { 'idempotency-key': 'gone' },
    });
  const first = await create();
  await own.call(deleteField, { params: { ...inTable(own).params, fieldId: own.fieldIds.Gone as string } });
  expect((await create()).body).toEqual(first.body);
  await own.call(deleteTable, { params: { baseId: own.baseId, tableId: own.tableId } });
  expect((await create()).status).toBe(404);
});

test('moving records is no change of the schema, but the first time in a view, and is told as a change of records', async () => {
  const own = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const { body } = await own.call(createRecords, {
    ...inTable(own),
    body: { records: ['a', 'b', 'c'].map((Name) => ({ fields: { Name } })) },
  });
  const [a, b, c] = body.records.map(({ id }) => id) as [string, string, string];
  const move = (recordIds: string[], anchorId: string) =>
    own.call(moveRecords, {
      params: { ...inTable(own).params, viewId: own.viewId },
      body: { recordIds, anchorId, position: 'before' },
    });
  expect((await move([c], a)).status).toBe(200);
  const version = await versionOf(own);
  expect((await move([b], c)).status).toBe(200);
  expect(await versionOf(own)).toBe(version);
  const listed = await own.call(listRecords, { ...inTable(own), query: { viewId: own.viewId } });
  expect(listed.body.records.map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  const [last] = await world().db.query<{ kind: string; ids: string[] }>(
    sql`select kind, record_ids as ids from ${sql.id(own.baseId, '__operation')} order by id desc limit 1`,
  );
  expect(last).toEqual({ kind: 'update', ids: [b] });
  const missing = await move(['recNOBODY', a], c);
  expect(missing.status).toBe(404);
  expect((await move([a, a], c)).error?.message).toContain('appears twice');
});

test('sorting by hand, moving, bulk updates and deletes of the same records do not deadlock', async () => {
  const own = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  const made = await own.call(createRecords, {
    ...inTable(own),
    body: { records: Array.from({ length: 400 }, (_, at) => ({ fields: { Name: `n${at}`, Count: at } })) },
  });
  const ids = made.body.records.map(({ id }) => id);
  const view = { ...inTable(own).params, viewId: own.viewId };
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const some = (count: number): string[] => [
    ...new Set(Array.from({ length: count }, () => ids[random(ids.length - 50)] as string)),
  ];
  const outcomes: string[] = [];
  const note = ({ status, error }: { status: number; error: { message: string } | undefined }): void =>
    void (status < 300 || outcomes.push(`${status} ${error?.message}`));
  const steps: (() => Promise<void>)[] = [
    async () =>
      note(
        await own.call(sortManually, {
          params: view,
          body: { sortObjs: [{ fieldId: own.fieldIds.Count as string, order: random(2) === 0 ? 'asc' : 'desc' }] },
        }),
      ),
    async () =>
      note(
        await own.call(updateRecords, {
          ...inTable(own),
          body: { records: some(200).map((id) => ({ id, fields: { Count: random(1_000) } })) },
        }),
      ),
    async () =>
      note(
        await own.call(updateRecords, {
          ...inTable(own),
          body: {
            records: some(50)
              .reverse()
              .map((id) => ({ id, fields: { Name: `m${random(9)}` } })),
          },
        }),
      ),
    async () =>
      note(
        await own.call(moveRecords, {
          params: view,
          body: { recordIds: some(20), anchorId: ids[ids.length - 1] as string, position: 'before' },
        }),
      ),
    async () =>
      note(await own.call(deleteRecords, { ...inTable(own), query: { recordIds: ids.splice(ids.length - 3, 2) } })),
  ];
  await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      for (let round = 0; round < howMany(12, 6); round += 1)
        if (at % 5 !== 4 || round < 5) await (steps[at % 5] as () => Promise<void>)();
    }),
  );
  expect(outcomes).toEqual([]);
});

test('a record that is gone is named, also when the request adds a choice', async () => {
  const own = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Kind', type: 'singleSelect' },
  ]);
  const { status, error } = await own.call(updateRecords, {
    ...inTable(own),
    body: { records: [{ id: 'recNOBODY', fields: { Kind: 'new' } }], typecast: true },
  });
  expect([status, error?.message]).toEqual([404, 'Record recNOBODY not found']);
});

test('an empty list is refused where records would be', async () => {
  const own = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const create = () => own.call(createRecords, { ...inTable(own), body: { records: [] } });
  const update = () => own.call(updateRecords, { ...inTable(own), body: { records: [] } });
  expect([(await create()).status, (await update()).status]).toEqual([201, 200]);
  await own.call(deleteTable, { params: { baseId: own.baseId, tableId: own.tableId } });
  expect([(await create()).status, (await update()).status]).toEqual([404, 404]);
  // Once more, by a process that remembers having let the caller in.
  expect([(await create()).status, (await update()).status]).toEqual([404, 404]);
});

test('a table that is not in memory is read once for all who ask for it at once', async () => {
  const own = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const { catalog } = world().services;
  const db = openDb(world().databaseUrl, { max: 2 });
  try {
    const read = async (askers: number): Promise<number> => {
      catalog.forget(own.tableId);
      const before = db.counters.statements;
      const found = await Promise.all(Array.from({ length: askers }, () => catalog.get(db, own.baseId, own.tableId)));
      expect(new Set(found).size).toBe(1);
      return db.counters.statements - before;
    };
    const alone = await read(1);
    expect(alone).toBeGreaterThan(0);
    expect(await read(50)).toBe(alone);
  } finally {
    await db.close();
  }
});

test('asking for a second connection inside of a transaction is an error wherever tests run, and is none outside of one', async () => {
  const { db } = world();
  await expect(db.transaction(() => db.query(sql`select 1`))).rejects.toThrow(
    'a second connection was asked for inside of a transaction',
  );
  await expect(db.transaction(() => db.transaction(async () => 1))).rejects.toThrow('a second connection');
  expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});
