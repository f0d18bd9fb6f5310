// Deleted records can be brought back as they were: through the trash, and by undoing the request that deleted them.
import { removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { convertField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { listRecordHistory, listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecord,
  deleteRecords,
  getRecord,
  listRecords,
  updateRecord,
} from '@rowhouse/contract/record.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredHistory } from '../../server/domain/history/drop-expired-history.ts';
import { recountUsage } from '../../server/domain/plan/recount-usage.ts';
import { person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { ground, systemFields, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { maxRows: 200 } }) }, { isForCluster: true });
judgeStatements(world, true);
let shop: TestTable;
beforeAll(async () => {
  shop = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
});

type Cells = Record<string, unknown>;

const tableOf = async (fields: Parameters<typeof tableWith>[1]): Promise<TestTable> =>
  tableWith(await ground(world()), fields);
const create = async ({ call, tableId }: TestTable, ...rows: Cells[]): Promise<string[]> => {
  const made = await call(createRecords, {
    params: { tableId },
    body: { records: rows.map((fields) => ({ fields })) },
  });
  expect(made.status).toBe(201);
  return made.body.records.map(({ id }) => id);
};
/** Answers the operation. */
const remove = async ({ call, tableId }: TestTable, recordIds: string[]): Promise<string> => {
  const gone = await call(deleteRecords, { params: { tableId }, query: { recordIds } });
  expect(gone.status).toBe(200);
  return gone.headers.get('x-operation-id') as string;
};
const trash = async ({ call, tableId }: TestTable, cursor?: string) =>
  (
    await call(listTrashItems, {
      query: { resourceType: 'table', resourceId: tableId, ...(cursor === undefined ? {} : { cursor }) },
    })
  ).body;
const restore = ({ call }: Pick<TestTable, 'call'>, trashId: string) => call(restoreTrash, { params: { trashId } });
const restoreLatest = async (on: TestTable) => restore(on, (await trash(on)).trashItems[0]?.id as string);
const undo = ({ call, tableId }: TestTable, operationId: string, force?: boolean) =>
  call(restoreHistory, { params: { tableId }, body: { operationId, ...(force === undefined ? {} : { force }) } });
const read = async ({ call, tableId }: TestTable, recordId: string) =>
  (await call(getRecord, { params: { tableId, recordId }, query: {} })).body;
const cellsOf = async (on: TestTable, recordId: string): Promise<Cells> => (await read(on, recordId)).fields;
const all = async ({ call, tableId, viewId }: TestTable) =>
  (await call(listRecords, { params: { tableId }, query: { viewId } })).body.records;
const expectExact = async (): Promise<void> => expect(await recountUsage(world().db, { repair: false })).toEqual([]);

test('a record of every field type comes back from the trash as it was, with its history and its place', async () => {
  const on = await tableOf([...writableFields, ...systemFields]);
  const me = {
    id: on.owner.userId,
    title: on.owner.name,
    email: on.owner.email,
    avatarUrl: `/api/attachments/read/public/avatar/${on.owner.userId}`,
  };
  const cells = {
    Text: 'a "b" \\ ü 漢 \u2028 end',
    Long: 'one\ntwo',
    Number: 0.1 + 0.2,
    Rating: 3,
    Check: true,
    Date: '2024-02-29T12:34:56.789Z',
    Select: 'with "quotes"',
    Tags: ['blue, navy', 'red'],
    Person: me,
    People: [me],
  };
  const [first, second, third] = (await create(on, { Text: 'first' }, cells, { Text: 'third' })) as [
    string,
    string,
    string,
  ];
  await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId: second },
    body: { record: { fields: { Rating: 4 } } },
  });
  await on.call(moveRecords, {
    params: { tableId: on.tableId, viewId: on.viewId },
    body: { anchorId: first, position: 'before', recordIds: [second] },
  });
  const before = await all(on);
  expect(before.map(({ id }) => id)).toEqual([second, first, third]);
  const exact = (): Promise<unknown[]> =>
    world().db.query(
      sql`select to_jsonb(r) - '__version' as row from ${sql.id(on.baseId, 'Table')} r where __id = ${second}`,
    );
  const stored = await exact();
  const etag = (await on.call(getRecord, { params: { tableId: on.tableId, recordId: second }, query: {} })).headers.get(
    'etag',
  );

  await remove(on, [second]);
  expect((await on.call(getRecord, { params: { tableId: on.tableId, recordId: second }, query: {} })).status).toBe(404);
  const shown = await trash(on);
  expect(shown).toEqual({
    trashItems: [
      {
        id: expect.stringMatching(/^rtr[0-9A-Za-z]{17,}$/),
        resourceIds: [second],
        resourceType: 'record',
        deletedTime: expect.any(String),
        deletedBy: on.owner.userId,
      },
    ],
    userMap: { [on.owner.userId]: { id: on.owner.userId, name: on.owner.name, email: on.owner.email, avatar: null } },
    resourceMap: { [second]: { id: second, name: cells.Text } },
    nextCursor: null,
  });
  expect((await restore(on, shown.trashItems[0]?.id as string)).status).toBe(201);

  expect(await all(on)).toEqual(before);
  expect(await exact()).toEqual(stored);
  expect(
    (await on.call(getRecord, { params: { tableId: on.tableId, recordId: second }, query: {} })).headers.get('etag'),
  ).not.toBe(etag);
  expect((await trash(on)).trashItems).toEqual([]);
  const { historyList } = (
    await on.call(listRecordHistory, {
      params: { tableId: on.tableId, recordId: second },
      query: { includeCreated: true },
    })
  ).body;
  expect(
    historyList.filter(({ created }) => created !== true).map(({ before: { data }, after }) => [data, after.data]),
  ).toEqual([[3, 4]]);
  expect(historyList.filter(({ created }) => created === true)).toHaveLength(Object.keys(cells).length);
  expect(Number((await create(on, { Text: 'next' }).then(([id]) => read(on, id as string))).autoNumber)).toBe(4);
  await expectExact();
});

test('a request that deleted several is undone as a whole, once, and can be repeated', async () => {
  const on = await tableOf([
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  const ids = await create(
    on,
    ...Array.from({ length: 20 }, (_, at) => ({ Name: `row ${at}`, ...(at % 2 === 0 ? { Count: at } : {}) })),
  );
  const before = await all(on);
  const some = ids.filter((_id, at) => at % 3 === 0);
  const operationId = await remove(on, some.toReversed());
  const done = await undo(on, operationId);
  expect(done.status).toBe(200);
  expect(done.body).toMatchObject({
    restored: some.length + some.filter((_id, at) => at % 2 === 0).length,
    skipped: [],
  });
  expect([...done.body.recordIds].sort()).toEqual([...some].sort());
  expect(await all(on)).toEqual(before);
  const again = await undo(on, operationId);
  expect(again.status).toBe(404);
  expect(again.error.message).toContain('not kept any more');
  expect((await undo(on, await remove(on, some))).status).toBe(200);
  expect(await all(on)).toEqual(before);
  // What was deleted is no change of cells.
  expect((await on.call(listTableHistory, { params: { tableId: on.tableId }, query: {} })).body.historyList).toEqual(
    [],
  );
  await expectExact();
});

test('of many who restore the same at once, one does', async () => {
  const on = await tableOf([{ name: 'Name', type: 'singleLineText' }]);
  const operationId = await remove(on, await create(on, { Name: 'a' }, { Name: 'b' }));
  const id = (await trash(on)).trashItems[0]?.id as string;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? restore(on, id).then(({ status }) => status) : undo(on, operationId).then(({ status }) => status),
    ),
  );
  expect(answers.filter((status) => status < 300)).toHaveLength(1);
  expect(answers.filter((status) => status === 404)).toHaveLength(11);
  expect(await all(on)).toHaveLength(2);
  await expectExact();
});

test('fields that changed since: deleted ones are left out, others are cast, and without force what does not fit is told', async () => {
  const on = await tableOf([
    { name: 'Name', type: 'singleLineText' },
    { name: 'Gone', type: 'number' },
    { name: 'Amount', type: 'singleLineText' },
    { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    { name: 'Number', type: 'number' },
  ]);
  const field = (name: string) => ({ params: { tableId: on.tableId, fieldId: on.fieldIds[name] as string } });
  const ids = await create(
    on,
    { Name: 'x', Gone: 1, Amount: '12.5', Kind: 'b', Number: 7 },
    { Name: 'y', Amount: 'many' },
  );
  const operationId = await remove(on, ids);
  await on.call(deleteField, field('Gone'));
  expect((await on.call(convertField, { ...field('Amount'), body: { type: 'number' } })).status).toBe(200);
  expect(
    (
      await on.call(convertField, {
        ...field('Kind'),
        body: { type: 'singleSelect', options: { choices: [{ name: 'a' }] } },
      })
    ).status,
  ).toBe(200);
  expect((await on.call(convertField, { ...field('Number'), body: { type: 'singleLineText' } })).status).toBe(200);
  const refused = await undo(on, operationId);
  expect(refused.status).toBe(409);
  expect(
    (refused.error.data as { conflicts: { fieldId: string; recordId: string }[] }).conflicts
      .map(({ fieldId }) => fieldId)
      .sort(),
  ).toEqual([on.fieldIds.Amount, on.fieldIds.Amount, on.fieldIds.Kind, on.fieldIds.Number].sort());
  expect((await undo(on, operationId, true)).status).toBe(200);
  expect(await cellsOf(on, ids[0] as string)).toEqual({ Name: 'x', Amount: 12.5, Kind: 'b', Number: '7' });
  expect(await cellsOf(on, ids[1] as string)).toEqual({ Name: 'y' });
  await expectExact();
});

test('a value that has to be unique and is taken, or is required and missing, stands in the way and says so; nothing is lost', async () => {
  const on = await tableOf([
    { name: 'Name', type: 'singleLineText' },
    { name: 'Code', type: 'singleLineText', unique: true },
    { name: 'Need', type: 'number' },
  ]);
  const [id] = (await create(on, { Name: 'x', Code: 'c1' })) as [string];
  const operationId = await remove(on, [id]);
  const [other] = (await create(on, { Name: 'y', Code: 'c1', Need: 1 })) as [string];
  const taken = await restoreLatest(on);
  expect(taken.status).toBe(409);
  expect(taken.error.message).toContain('"Code" must be unique, and "c1" is there already');
  expect((await undo(on, operationId)).status).toBe(409);
  await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId: other },
    body: { record: { fields: { Code: 'c2' } } },
  });
  expect(
    (
      await on.call(convertField, {
        params: { tableId: on.tableId, fieldId: on.fieldIds.Need as string },
        body: { type: 'number', notNull: true },
      })
    ).status,
  ).toBe(200);
  const missing = await restoreLatest(on);
  expect(missing.status).toBe(409);
  expect(missing.error.message).toContain('"Need" must not be empty');
  expect(
    (
      await on.call(convertField, {
        params: { tableId: on.tableId, fieldId: on.fieldIds.Need as string },
        body: { type: 'number', notNull: true, options: { defaultValue: 5 } },
      })
    ).status,
  ).toBe(200);
  expect((await restoreLatest(on)).status).toBe(201);
  expect(await cellsOf(on, id)).toEqual({ Name: 'x', Code: 'c1', Need: 5 });
  await expectExact();
});

test('a person who has left the base stays in the cell that comes back, and defaults do not fill what was empty', async () => {
  const on = await tableOf([
    { name: 'Name', type: 'singleLineText' },
    { name: 'Who', type: 'user' },
    { name: 'Later', type: 'number' },
  ]);
  const kim = await member(world(), on.owner, on.baseId, 'editor');
  const [id] = (await create(on, { Name: 'x', Who: { id: kim.userId } })) as [string];
  const before = await read(on, id);
  await remove(on, [id]);
  expect(
    (
      await on.call(removeBaseCollaborator, {
        params: { baseId: on.baseId },
        query: { principalId: kim.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(200);
  await on.call(updateField, {
    params: { tableId: on.tableId, fieldId: on.fieldIds.Later as string },
    body: { options: { defaultValue: 9 } } as never,
  });
  expect((await restoreLatest(on)).status).toBe(201);
  expect(await read(on, id)).toEqual(before);
});

test('without room in the plan nothing comes back and nothing is lost', async () => {
  const on = await tableOf([{ name: 'Name', type: 'singleLineText' }]);
  const ids = await create(on, ...Array.from({ length: 200 }, (_, at) => ({ Name: `${at}` })));
  await remove(on, ids.slice(0, 50));
  const [extra] = await create(on, { Name: 'extra' });
  const full = await restoreLatest(on);
  expect(full.status).toBe(402);
  expect(full.error.data).toEqual({ limit: 200, usage: 151, asked: 50 });
  await remove(on, [extra as string]);
  const { trashItems } = await trash(on);
  expect(trashItems.map(({ resourceIds }) => resourceIds?.length)).toEqual([1, 50]);
  expect((await restore(on, trashItems[1]?.id as string)).status).toBe(201);
  expect((await all(on)).length).toBe(100);
  await expectExact();
});

test('the trash is paged, latest first, and is emptied for good', async () => {
  const on = await tableOf([{ name: 'Name', type: 'singleLineText' }]);
  const other = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }]);
  const ids = await create(on, ...Array.from({ length: 60 }, (_, at) => ({ Name: `${at}` })));
  await remove(other, await create(other, { Name: 'there' }));
  for (const id of ids) await on.call(deleteRecord, { params: { tableId: on.tableId, recordId: id } });
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Awaited<ReturnType<typeof trash>> = await trash(on, cursor ?? undefined);
    seen.push(...page.trashItems.flatMap(({ resourceIds }) => resourceIds ?? []));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(ids.toReversed());
  const cursorOf = (text: string) =>
    on.call(listTrashItems, { query: { resourceType: 'table', resourceId: on.tableId, cursor: text } });
  expect((await cursorOf('nonsense')).status).toBe(400);
  expect((await cursorOf((await trash(other)).trashItems[0]?.id as string)).status).toBe(400);
  const { id } = (await trash(on)).trashItems[0] as { id: string };
  expect((await on.call(resetTrashItems, { query: { resourceType: 'table', resourceId: on.tableId } })).status).toBe(
    200,
  );
  expect((await trash(on)).trashItems).toEqual([]);
  expect((await restore(on, id)).status).toBe(404);
  expect((await trash(other)).trashItems).toHaveLength(1);
});

test('records are kept for as long as the history is', async () => {
  const on = await tableOf([{ name: 'Name', type: 'singleLineText' }]);
  const moveBack = (days: number): Promise<unknown> =>
    world().db.query(
      sql`update ${sql.id(on.baseId, '__operation')} set time = (select time - ${days} * interval '1 day') where table_id = ${on.tableId}`,
    );
  const kept = async (): Promise<number> =>
    (
      await world().db.query<{ count: number }>(
        sql`select count(*) as count from ${sql.id(on.baseId, `__history_${on.tableId}`)}`,
      )
    )[0]?.count as number;
  const operationId = await remove(on, await create(on, { Name: 'a' }, { Name: 'b' }));
  const { id } = (await trash(on)).trashItems[0] as { id: string };
  await moveBack(91);
  expect((await trash(on)).trashItems).toEqual([]);
  expect((await restore(on, id)).status).toBe(404);
  expect((await undo(on, operationId)).status).toBe(404);
  await dropExpiredHistory(world().services);
  expect(await kept()).toBe(2);
  await moveBack(7);
  await dropExpiredHistory(world().services);
  expect(await kept()).toBe(0);
});

test('it is for editors of the table, and an id that is none is not found', async () => {
  const [recordId] = (await create(shop, { Name: 'a' })) as [string];
  const operationId = await remove(shop, [recordId]);
  const { id } = (await trash(shop)).trashItems[0] as { id: string };
  const list = (who: Pick<TestTable, 'call'>) =>
    who.call(listTrashItems, { query: { resourceType: 'table', resourceId: shop.tableId } });
  const stranger = await person(world());
  const viewer = await member(world(), shop.owner, shop.baseId, 'viewer');
  const editor = await member(world(), shop.owner, shop.baseId, 'editor');
  for (const [who, status] of [
    [stranger, 404],
    [viewer, 403],
  ] as const) {
    expect((await list(who)).status).toBe(status);
    expect((await restore(who, id)).status).toBe(status);
    expect((await undo({ ...shop, call: who.call }, operationId)).status).toBe(status);
  }
  expect(
    (await editor.call(resetTrashItems, { query: { resourceType: 'table', resourceId: shop.tableId } })).status,
  ).toBe(403);
  const other = await tableWith(shop, [{ name: 'Name', type: 'singleLineText' }]);
  expect((await undo(other, operationId)).status).toBe(404);
  for (const none of [
    `rtr${'0'.repeat(16)}1`,
    'rtr',
    `${id}zzzzzzzzz`,
    id.replace(/.$/, 'zz'),
    `rtr${other.tableId.slice(3)}${id.slice(19)}`,
    `rtr${shop.tableId.slice(3)}zzzzzzzzzz`,
  ]) {
    expect((await restore(editor, none)).status).toBe(404);
  }
  expect((await list(editor)).body.trashItems).toHaveLength(1);
  expect((await restore(editor, id)).status).toBe(201);
  expect(await cellsOf(shop, recordId)).toEqual({ Name: 'a' });
});

test('a token that may change records but not create any does not bring them back', async () => {
  const { call } = await shop.owner.withToken({
    scopes: ['record|update', 'record|read', 'table|read'],
    spaceIds: [shop.spaceId],
  });
  const operationId = await remove(shop, await create(shop, { Name: 'b' }));
  const refused = await undo({ ...shop, call }, operationId);
  expect(refused.status).toBe(403);
  expect(refused.error.message).toContain('record|create');
});
