// The limit of rows: exact, and never passed, however many write at once.
import { duplicateRecord, createRecords, deleteRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable, deleteTable, deleteTablePermanently, duplicateTable } from '@rowhouse/contract/table.ts';
import { deleteBase, destroyBase, duplicateBase, moveBase } from '@rowhouse/contract/base.ts';
import { listTrash, listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { recountUsage } from '../../server/domain/plan/recount-usage.ts';
import { selectNumRows } from '../../server/domain/plan/quota.sql.ts';
import { plansWith } from '../support/plans.ts';
import { newBase, newSpace } from '../support/workspace.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { openWorld, useWorld, type World, caller } from '../support/world.ts';

const limit = 300;
const plans = plansWith({ free: { maxRows: limit } });
const world = useWorld({}, { plans });
let second: World;

beforeAll(async () => {
  second = await openWorld(world().databaseUrl, {}, { plans });
});
afterAll(() => second.close());

const textField = [{ name: 'Text', type: 'singleLineText' }];
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ fields: { Text: `row ${at}` } }));

const usage = (spaceId: string): Promise<number> => selectNumRows(world().db, spaceId);
const expectExact = async (): Promise<void> => expect(await recountUsage(world().db, { repair: false })).toEqual([]);

const create = ({ call, tableId }: TestTable, count: number) =>
  call(createRecords, { params: { tableId }, body: { records: rows(count) } });

test('a request that would pass the limit is refused whole, and says limit, usage and asked', async () => {
  const table = await tableWith(await ground(world()), textField);
  expect((await create(table, 290)).status).toBe(201);
  const refused = await create(table, 11);
  expect(refused.status).toBe(402);
  expect(refused.error).toMatchObject({ code: 'payment_required', data: { limit, usage: 290, asked: 11 } });
  expect(await usage(table.spaceId)).toBe(290);
  expect((await create(table, 10)).status).toBe(201);
  expect((await create(table, 1)).error.data).toEqual({ limit, usage: 300, asked: 1 });
  await expectExact();
});

test('at the limit, updates and deletes work, and a delete makes room', async () => {
  const table = await tableWith(await ground(world()), textField);
  const made = await create(table, limit);
  const ids = made.body.records.map(({ id }) => id);
  const [first, other, third] = ids as [string, string, string];
  const changed = await table.call(updateRecord, {
    params: { tableId: table.tableId, recordId: first },
    body: { record: { fields: { Text: 'new' } } },
  });
  expect(changed.status).toBe(200);
  expect((await table.call(duplicateRecord, { params: { tableId: table.tableId, recordId: first } })).status).toBe(402);
  expect(
    (await table.call(deleteRecords, { params: { tableId: table.tableId }, query: { recordIds: [other, third] } }))
      .status,
  ).toBe(200);
  expect(await usage(table.spaceId)).toBe(limit - 2);
  expect((await create(table, 3)).status).toBe(402);
  expect((await create(table, 2)).status).toBe(201);
  await expectExact();
});

test('creators and deleters at once leave the exact count', async () => {
  const table = await tableWith(await ground(world()), textField);
  const there = caller({ baseUrl: second.baseUrl, token: table.owner.token });
  await Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      const call = at % 2 === 0 ? table.call : there;
      for (let round = 0; round < 4; round += 1) {
        const made = await call(createRecords, {
          params: { tableId: table.tableId },
          body: { records: rows(10 + at) },
        });
        if (made.status !== 201) continue;
        const ids = made.body.records.map(({ id }) => id);
        // Twice the same at once: one of them deletes, the other finds nothing.
        const remove = () =>
          call(deleteRecords, { params: { tableId: table.tableId }, query: { recordIds: ids.slice(0, 9) } });
        const outcomes = await Promise.all([remove(), remove()]);
        expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 404]);
      }
    }),
  );
  await expectExact();
});

test('creators at the edge of the limit, over two processes, end exactly at it', async () => {
  const table = await tableWith(await ground(world()), textField);
  const there = caller({ baseUrl: second.baseUrl, token: table.owner.token });
  const room = 60;
  expect((await create(table, limit - room)).status).toBe(201);
  let [accepted, refused] = [0, 0];
  await Promise.all(
    Array.from({ length: 32 }, async (_, at) => {
      for (let round = 0; round < 3; round += 1) {
        const asked = 1 + ((at + round) % 2);
        const { status, error } = await create({ ...table, call: at % 2 === 0 ? table.call : there }, asked);
        if (status === 201) accepted += asked;
        else {
          refused += 1;
          expect(error).toMatchObject({ status: 402, code: 'payment_required', data: { limit, asked } });
        }
      }
    }),
  );
  // One that asks for two may find room for one: the ones fill it up.
  while ((await create(table, 1)).status === 201) accepted += 1;
  expect([accepted, await usage(table.spaceId)]).toEqual([room, limit]);
  expect(refused).toBeGreaterThan(0);
  await expectExact();
});

test('the trash does not count, and what does not fit back is refused', async () => {
  const table = await tableWith(await ground(world()), textField);
  await create(table, 200);
  await table.call(deleteTable, { params: table });
  expect(await usage(table.spaceId)).toBe(0);
  const other = await tableWith(table, textField);
  await create(other, 200);
  const trash = await table.call(listTrashItems, { query: { resourceId: table.baseId, resourceType: 'base' } });
  const trashId = trash.body.trashItems[0]?.id as string;
  expect((await table.call(restoreTrash, { params: { trashId } })).error).toMatchObject({
    status: 402,
    data: { limit, usage: 200, asked: 200 },
  });
  await other.call(deleteTable, { params: other });
  await other.call(deleteTablePermanently, { params: other });
  expect((await table.call(restoreTrash, { params: { trashId } })).status).toBe(201);
  expect(await usage(table.spaceId)).toBe(200);
  await expectExact();
});

test('a base takes its records along: to the trash and back, to another space, and away', async () => {
  const table = await tableWith(await ground(world()), textField);
  await create(table, 200);
  await table.call(deleteBase, { params: table });
  expect(await usage(table.spaceId)).toBe(0);
  const trash = await table.call(listTrash, { query: { resourceType: 'base' } });
  await table.call(restoreTrash, { params: { trashId: trash.body.trashItems[0]?.id as string } });
  expect(await usage(table.spaceId)).toBe(200);

  const otherSpace = await newSpace(table.owner);
  const full = await tableWith(
    { ...table, spaceId: otherSpace, baseId: await newBase(table.owner, otherSpace) },
    textField,
  );
  await create(full, 150);
  expect((await table.call(moveBase, { params: table, body: { spaceId: otherSpace } })).status).toBe(402);
  expect(await usage(table.spaceId)).toBe(200);
  await full.call(deleteTable, { params: full });
  expect((await table.call(moveBase, { params: table, body: { spaceId: otherSpace } })).status).toBe(200);
  expect([await usage(table.spaceId), await usage(otherSpace)]).toEqual([0, 200]);
  expect((await create(table, 101)).status).toBe(402);
  expect((await create(table, 100)).status).toBe(201);
  await table.call(deleteBase, { params: table });
  expect((await table.call(destroyBase, { params: table })).status).toBe(200);
  expect(await usage(otherSpace)).toBe(0);
  await expectExact();
});

test('copies of tables and bases count, and need room', async () => {
  const table = await tableWith(await ground(world()), textField);
  await create(table, 120);
  const copy = () => table.call(duplicateTable, { params: table, body: { name: 'Copy', includeRecords: true } });
  expect((await copy()).status).toBe(201);
  expect(await usage(table.spaceId)).toBe(240);
  expect((await copy()).error).toMatchObject({ status: 402, data: { limit, usage: 240, asked: 120 } });
  const otherSpace = await newSpace(table.owner);
  const whole = () =>
    table.call(duplicateBase, { body: { fromBaseId: table.baseId, spaceId: otherSpace, withRecords: true } });
  expect((await whole()).status).toBe(201);
  expect((await whole()).status).toBe(402);
  expect(await usage(otherSpace)).toBe(240);
  await expectExact();
});

test('tables that come and go while others write leave the exact count', async () => {
  const table = await tableWith(await ground(world()), textField);
  const there = caller({ baseUrl: second.baseUrl, token: table.owner.token });
  const otherSpace = await newSpace(table.owner);
  const writing = Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 10; round += 1) {
        const { status } = await there(createRecords, {
          params: { tableId: table.tableId },
          body: { records: rows(2) },
        });
        expect([201, 404]).toContain(status);
      }
    }),
  );
  for (let round = 0; round < 4; round += 1) {
    expect(
      (await table.call(moveBase, { params: table, body: { spaceId: round % 2 === 0 ? otherSpace : table.spaceId } }))
        .status,
    ).toBe(200);
    expect((await table.call(deleteTable, { params: table })).status).toBe(200);
    const trash = await table.call(listTrashItems, { query: { resourceId: table.baseId, resourceType: 'base' } });
    expect(
      (await table.call(restoreTrash, { params: { trashId: trash.body.trashItems[0]?.id as string } })).status,
    ).toBe(201);
  }
  await writing;
  await expectExact();
});

test('doctor finds a count that is off, and repairs it', async () => {
  const table = await tableWith(await ground(world()), textField);
  await create(table, 20);
  await world().db.query(
    sql`update rowhouse.row_quota set used = used + 7 where slot = 3 and space_id = ${table.spaceId}`,
  );
  expect(await recountUsage(world().db, { repair: true })).toEqual([{ spaceId: table.spaceId, counted: 20, used: 27 }]);
  await expectExact();
  expect((await create(table, 280)).status).toBe(201);
  expect((await create(table, 1)).status).toBe(402);
});

test('a new table with records counts, and is not made when they do not fit', async () => {
  const { call, baseId, spaceId } = await ground(world());
  const make = () =>
    call(createTable, { params: { baseId }, body: { fields: textField as never, records: rows(200) } });
  expect((await make()).status).toBe(201);
  expect((await make()).status).toBe(402);
  expect(await usage(spaceId)).toBe(200);
  await expectExact();
});
