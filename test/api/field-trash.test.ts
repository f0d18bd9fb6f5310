// Deleted fields come back from the trash of their table, with their cells.
import { removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createField, deleteField, deleteFields, getField, listFields } from '@rowhouse/contract/field.ts';
import { listRecordHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { getView, setViewColumns } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredTrash } from '../../server/domain/trash/drop-table-trash.ts';
import { person } from '../support/people.ts';
import { ground, systemFields, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });
let shop: TestTable;
beforeAll(async () => {
  shop = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
});

const records = async ({ call, tableId }: TestTable) =>
  (await call(listRecords, { params: { tableId }, query: {} })).body.records;
const create = async ({ call, tableId }: TestTable, ...rows: Record<string, unknown>[]) => {
  const made = await call(createRecords, {
    params: { tableId },
    body: { records: rows.map((fields) => ({ fields })) },
  });
  expect(made.status).toBe(201);
  return made.body.records.map(({ id }) => id);
};
const remove = async ({ call, tableId, fieldIds }: TestTable, name: string): Promise<string> => {
  const fieldId = fieldIds[name] as string;
  expect((await call(deleteField, { params: { tableId, fieldId } })).status).toBe(200);
  return `tra${fieldId.slice(3)}`;
};
const trash = async ({ call, tableId }: Pick<TestTable, 'call' | 'tableId'>, cursor?: string) =>
  (
    await call(listTrashItems, {
      query: { resourceType: 'table', resourceId: tableId, ...(cursor === undefined ? {} : { cursor }) },
    })
  ).body;
const restore = ({ call }: Pick<TestTable, 'call'>, trashId: string) => call(restoreTrash, { params: { trashId } });
const columnsOf = async ({ baseId }: TestTable): Promise<string[]> =>
  (
    await world().db.query<{ name: string }>(
      sql`select column_name as name from information_schema.columns where table_schema = ${baseId} order by 1`,
    )
  ).map(({ name }) => name);

test('fields of every type come back with their cells, options, history and place in the views', async () => {
  const on = await tableWith(await ground(world()), [...writableFields, ...systemFields]);
  const me = {
    id: on.owner.userId,
    title: on.owner.name,
    email: on.owner.email,
    avatarUrl: `/api/attachments/read/public/avatar/${on.owner.userId}`,
  };
  const [first] = (await create(
    on,
    {
      Text: 'a',
      Long: 'one\ntwo',
      Number: 0.1,
      Rating: 3,
      Check: true,
      Date: '2024-02-29T12:34:56.789Z',
      Select: 'red',
      Tags: ['blue, navy', 'red'],
      Person: me,
      People: [me],
    },
    { Text: 'b' },
  )) as [string];
  await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId: first },
    body: { record: { fields: { Number: 0.2 } } },
  });
  await on.call(setViewColumns, {
    params: { tableId: on.tableId, viewId: on.viewId },
    body: [{ fieldId: on.fieldIds.Number as string, columnMeta: { width: 321, hidden: true } }],
  });
  const look = async () => ({
    records: await records(on),
    view: (await on.call(getView, { params: { tableId: on.tableId, viewId: on.viewId } })).body.columnMeta,
    fields: (await on.call(listFields, { params: { tableId: on.tableId }, query: {} })).body,
    history: (await on.call(listRecordHistory, { params: { tableId: on.tableId, recordId: first }, query: {} })).body,
  });
  const before = await look();
  const others = Object.entries(on.fieldIds).filter(([name]) => name !== 'Text');
  const gone = await on.call(deleteFields, {
    params: { tableId: on.tableId },
    query: { fieldIds: others.map(([, id]) => id) },
  });
  expect(gone.status).toBe(200);
  expect((await records(on)).map(({ fields }) => fields)).toEqual([{ Text: 'a' }, { Text: 'b' }]);
  const { trashItems, resourceMap } = await trash(on);
  expect(trashItems).toHaveLength(others.length);
  expect(trashItems[0]).toMatchObject({ resourceType: 'field', deletedBy: on.owner.userId });
  expect(resourceMap[on.fieldIds.Select as string]).toMatchObject({
    name: 'Select',
    type: 'singleSelect',
    isLookup: null,
    options: ['red', 'green', 'blue, navy', 'with "quotes"'],
  });
  for (const { id } of trashItems.toReversed()) expect((await restore(on, id)).status).toBe(201);
  expect(await look()).toEqual(before);
  expect((await trash(on)).trashItems).toEqual([]);
  // And it goes on: the cell is written, its history grows, and an old value comes back.
  await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId: first },
    body: { record: { fields: { Number: 0.3 } } },
  });
  const { historyList } = (
    await on.call(listRecordHistory, { params: { tableId: on.tableId, recordId: first }, query: {} })
  ).body;
  expect(historyList.map(({ before: { data }, after }) => [data, after.data])).toEqual([
    [0.2, 0.3],
    [0.1, 0.2],
  ]);
  expect(
    (
      await on.call(restoreHistory, {
        params: { tableId: on.tableId },
        body: { historyIds: [historyList[0]?.id as string] },
      })
    ).status,
  ).toBe(200);
});

test('what is unique or required binds nobody while it is deleted, and again afterwards as far as it can', async () => {
  const on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Code', type: 'singleLineText', unique: true },
    { name: 'Need', type: 'number', notNull: true },
    { name: 'Must', type: 'number', notNull: true },
  ]);
  const [first] = (await create(on, { Name: 'a', Code: 'c1', Need: 1, Must: 1 })) as [string];
  const [code, need, must] = [await remove(on, 'Code'), await remove(on, 'Need'), await remove(on, 'Must')];
  expect((await restore(on, must)).status).toBe(201);
  const [second] = (await create(on, { Name: 'b', Must: 2 })) as [string];
  for (const id of [code, need]) expect((await restore(on, id)).status).toBe(201);
  const field = async (name: string) =>
    (await on.call(getField, { params: { tableId: on.tableId, fieldId: on.fieldIds[name] as string } })).body;
  expect(await field('Code')).toMatchObject({ unique: true });
  expect(await field('Must')).toMatchObject({ notNull: true });
  expect((await field('Need')).notNull).toBeUndefined();
  const write = (recordId: string, fields: Record<string, unknown>) =>
    on.call(updateRecord, { params: { tableId: on.tableId, recordId }, body: { record: { fields } } });
  expect((await write(second, { Code: 'c1' })).status).toBe(400);
  expect((await write(second, { Code: 'c2' })).status).toBe(200);
  expect((await write(first, { Must: null })).status).toBe(400);
  expect((await write(first, { Need: null })).status).toBe(200);
});

test('names that were taken meanwhile get a number, and the column another name', async () => {
  const on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  await create(on, { Name: 'a', Count: 1 });
  const id = await remove(on, 'Count');
  expect(
    (await on.call(createField, { params: { tableId: on.tableId }, body: { name: 'Count', type: 'singleLineText' } }))
      .body,
  ).toMatchObject({ name: 'Count', dbFieldName: 'Count' });
  expect((await restore(on, id)).status).toBe(201);
  expect((await records(on))[0]?.fields).toEqual({ Name: 'a', 'Count 2': 1 });
  expect((await restore(on, id)).status).toBe(404);
  // Again and again, also several of one name.
  await remove(on, 'Count');
  expect((await restore(on, id)).status).toBe(201);
  expect((await records(on))[0]?.fields).toEqual({ Name: 'a', 'Count 2': 1 });
});

test('of many who restore it at once, one does; records and fields are listed together, by time', async () => {
  const on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'One', type: 'number' },
    { name: 'Two', type: 'number' },
  ]);
  const ids = await create(on, ...Array.from({ length: 60 }, (_, at) => ({ Name: `${at}`, One: at })));
  const kinds: string[] = [];
  for (const [at, id] of ids.entries()) {
    if (at === 20) kinds.unshift(await remove(on, 'One'));
    await on.call(deleteRecords, { params: { tableId: on.tableId }, query: { recordIds: [id] } });
    kinds.unshift(id);
    if (at === 40) kinds.unshift(await remove(on, 'Two'));
  }
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Awaited<ReturnType<typeof trash>> = await trash(on, cursor ?? undefined);
    seen.push(
      ...page.trashItems.map(({ id, resourceType, resourceIds }) =>
        resourceType === 'field' ? id : (resourceIds?.[0] as string),
      ),
    );
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(kinds);
  const field = `tra${(on.fieldIds.One as string).slice(3)}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => restore(on, field)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(404)]);
});

test('records that go and come while a field is in the trash keep its cell', async () => {
  const on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'x' }] } },
    { name: 'ID', type: 'autoNumber' },
    { name: 'Who', type: 'user' },
  ]);
  const kim = await member(world(), on.owner, on.baseId, 'editor');
  const [before, during] = (await create(
    on,
    { Name: 'a', Count: 1, Kind: 'x', Who: { id: kim.userId } },
    { Name: 'b', Count: 2, Kind: 'x', Who: { id: kim.userId } },
    { Name: 'c', Count: 3 },
  )) as [string, string];
  const all = await records(on);
  const deletion = async (id: string): Promise<string> =>
    (await on.call(deleteRecords, { params: { tableId: on.tableId }, query: { recordIds: [id] } })).headers.get(
      'x-operation-id',
    ) as string;
  const undo = async (operationId: string): Promise<number> =>
    (await on.call(restoreHistory, { params: { tableId: on.tableId }, body: { operationId } })).status;
  const first = await deletion(before);
  const fields = [await remove(on, 'Count'), await remove(on, 'Kind'), await remove(on, 'ID'), await remove(on, 'Who')];
  await on.call(removeBaseCollaborator, {
    params: { baseId: on.baseId },
    query: { principalId: kim.userId, principalType: 'user' },
  });
  const second = await deletion(during);
  expect(await undo(first)).toBe(200);
  expect((await records(on)).map(({ fields: cells }) => cells)).toEqual([{ Name: 'a' }, { Name: 'c' }]);
  expect(await undo(await deletion(before))).toBe(200);
  for (const id of fields) expect((await restore(on, id)).status).toBe(201);
  expect(await undo(second)).toBe(200);
  expect(await records(on)).toEqual(all);
});

test('they are dropped when the trash is emptied, and when the plan keeps them no longer', async () => {
  const on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'One', type: 'number' },
    { name: 'Two', type: 'number' },
    { name: 'ID', type: 'autoNumber' },
  ]);
  const one = await remove(on, 'One');
  await remove(on, 'ID');
  expect(await columnsOf(on)).toContain(`__deleted_${on.fieldIds.One}`);
  expect((await on.call(resetTrashItems, { query: { resourceType: 'table', resourceId: on.tableId } })).status).toBe(
    200,
  );
  expect((await columnsOf(on)).filter((name) => name.startsWith('__deleted'))).toEqual([]);
  expect((await restore(on, one)).status).toBe(404);
  const two = await remove(on, 'Two');
  const moveBack = (days: number): Promise<unknown> =>
    world().db.query(
      sql`update rowhouse.deleted_fields set deleted_time = deleted_time - ${days} * interval '1 day' where table_id = ${on.tableId}`,
    );
  await moveBack(91);
  await dropExpiredTrash(world().services);
  expect((await trash(on)).trashItems).toEqual([]);
  expect((await restore(on, two)).status).toBe(404);
  expect(await columnsOf(on)).toContain(`__deleted_${on.fieldIds.Two}`);
  await moveBack(7);
  await dropExpiredTrash(world().services);
  expect((await columnsOf(on)).filter((name) => name.startsWith('__deleted'))).toEqual([]);
  expect((await create(on, { Name: 'goes on' })).length).toBe(1);
});

test('anyone who may create fields restores them; others are told what they lack, strangers nothing', async () => {
  const [kept] = (await create(shop, { Name: 'a', Count: 7 })) as [string];
  const id = await remove(shop, 'Count');
  const [stranger, editor, creator] = [
    await person(world()),
    await member(world(), shop.owner, shop.baseId, 'editor'),
    await member(world(), shop.owner, shop.baseId, 'creator'),
  ];
  expect((await restore(stranger, id)).status).toBe(404);
  const refused = await restore(editor, id);
  expect(refused.status).toBe(403);
  expect(refused.error.message).toContain('field|create');
  expect((await trash({ call: editor.call, tableId: shop.tableId })).trashItems).toHaveLength(1);
  expect((await restore(creator, id)).status).toBe(201);
  expect((await records(shop)).find((record) => record.id === kept)?.fields).toEqual({ Name: 'a', Count: 7 });
});
