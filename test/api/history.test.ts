import { beforeAll, describe, expect, test } from 'vitest';
import { convertField, deleteField } from '@rowhouse/contract/field.ts';
import { listRecordHistory, listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, getRecord, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { member } from '../support/workspace.ts';
import { ground, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
});

const fresh = () =>
  tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] } },
  ]);
const create = async (on: TestTable, fields: Record<string, unknown>): Promise<string> =>
  (await on.call(createRecords, { params: { tableId: on.tableId }, body: { records: [{ fields }] } })).body.records[0]
    ?.id as string;
const update = async (on: TestTable, recordId: string, fields: Record<string, unknown>): Promise<string> => {
  const answer = await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId },
    body: { record: { fields } },
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('x-operation-id') as string;
};
const historyOf = async (on: TestTable, query: Record<string, unknown> = {}) =>
  (await on.call(listTableHistory, { params: { tableId: on.tableId }, query })).body;

describe('entries', () => {
  test('a change of every field type is one entry with what was before and after', async () => {
    const me = {
      id: table.owner.userId,
      title: table.owner.name,
      email: table.owner.email,
      avatarUrl: `/api/attachments/read/public/avatar/${table.owner.userId}`,
    };
    const id = await create(table, {
      Text: 'a',
      Number: 1,
      Select: 'red',
      Tags: ['red'],
      Date: '2024-01-01T00:00:00.000Z',
    });
    const operationId = await update(table, id, {
      Text: 'b',
      Long: 'x',
      Number: 2,
      Rating: 5,
      Check: true,
      Date: '2024-01-02T00:00:00.000Z',
      Select: 'green',
      Tags: ['green', 'red'],
      Person: me,
      People: [me],
    });
    const { historyList, userMap, nextCursor } = await historyOf(table, { operationId });
    expect(nextCursor).toBeNull();
    expect(userMap).toEqual({
      [table.owner.userId]: { id: table.owner.userId, name: table.owner.name, email: table.owner.email, avatar: null },
    });
    const byField = new Map(historyList.map((entry) => [entry.fieldId, entry]));
    expect(byField.size).toBe(writableFields.length);
    const pair = (name: string) => {
      const entry = byField.get(table.fieldIds[name] as string);
      return [entry?.before.data, entry?.after.data];
    };
    expect(pair('Text')).toEqual(['a', 'b']);
    expect(pair('Long')).toEqual([null, 'x']);
    expect(pair('Number')).toEqual([1, 2]);
    expect(pair('Check')).toEqual([null, true]);
    expect(pair('Date')).toEqual(['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z']);
    expect(pair('Tags')).toEqual([['red'], ['green', 'red']]);
    expect(pair('Person')).toEqual([null, me]);
    const select = byField.get(table.fieldIds.Select as string);
    expect(select).toMatchObject({
      tableId: table.tableId,
      recordId: id,
      createdBy: table.owner.userId,
      operationId,
      before: {
        data: 'red',
        meta: {
          name: 'Select',
          type: 'singleSelect',
          cellValueType: 'string',
          options: { choices: [{ name: 'red' }] },
        },
      },
      after: { data: 'green', meta: { options: { choices: [{ name: 'green' }] } } },
    });
    expect(select?.id).toMatch(/^rhi[0-9A-Za-z]{24}$/);
  });

  test('creating, a change that changes nothing, and reading add nothing', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a', Count: 1 });
    expect((await historyOf(on)).historyList).toEqual([]);
    await update(on, id, { Name: 'a', Count: 1 });
    await update(on, id, {});
    expect((await historyOf(on)).historyList).toEqual([]);
  });

  test('of a bulk update only cells that really changed are written, all with one operation', async () => {
    const on = await fresh();
    const ids = [await create(on, { Name: 'a', Count: 1 }), await create(on, { Name: 'b', Count: 2 })] as const;
    const answer = await on.call(updateRecords, {
      params: { tableId: on.tableId },
      body: {
        records: [
          { id: ids[0], fields: { Name: 'a', Count: 10 } },
          { id: ids[1], fields: { Name: 'B' } },
        ],
      },
    });
    const { historyList } = await historyOf(on);
    expect(historyList.map((entry) => [entry.recordId, entry.before.data, entry.after.data]).sort()).toEqual(
      [
        [ids[0], 1, 10],
        [ids[1], 'b', 'B'],
      ].sort(),
    );
    expect(new Set(historyList.map((entry) => entry.operationId))).toEqual(
      new Set([answer.headers.get('x-operation-id')]),
    );
  });

  test('the name of the field is kept as it was at the time', async () => {
    const on = await fresh();
    const id = await create(on, { Count: 1 });
    await update(on, id, { Count: 2 });
    await on.call(convertField, {
      params: { tableId: on.tableId, fieldId: on.fieldIds.Count as string },
      body: { type: 'number', name: 'Amount' } as never,
    });
    const { historyList } = await historyOf(on);
    expect(historyList.at(-1)?.after.meta.name).toBe('Count');
  });

  test('a field conversion writes the cells that it changed, with the old field before and the new after', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'n', Count: 1.5 });
    await create(on, { Name: 'empty' });
    const converted = await on.call(convertField, {
      params: { tableId: on.tableId, fieldId: on.fieldIds.Count as string },
      body: { type: 'singleLineText' } as never,
    });
    expect(converted.status).toBe(200);
    const { historyList } = await historyOf(on);
    expect(historyList).toHaveLength(1);
    expect(historyList[0]).toMatchObject({
      recordId: id,
      before: { data: 1.5, meta: { type: 'number' } },
      after: { data: '1.50', meta: { type: 'singleLineText' } },
    });
  });

  test('cells keep every character, also those that the answer of the database is divided by', async () => {
    const on = await fresh();
    const texts = ['a\u001fb', '\u001e', '!5\u001f', 'null', '', '"\\\u001f\u001e'];
    const id = await create(on, { Name: texts[0] });
    for (const text of texts.slice(1)) await update(on, id, { Name: text, Count: text.length });
    const { historyList } = await historyOf(on, { take: 100 });
    const cell = (text: string | undefined): string | null => text || null;
    const names = historyList.filter(({ fieldId }) => fieldId === on.fieldIds.Name);
    expect(names.map(({ before, after }) => [before.data, after.data])).toEqual(
      texts
        .slice(1)
        .map((text, at) => [cell(texts[at]), cell(text)])
        .toReversed(),
    );
    expect(historyList).toHaveLength(2 * names.length);
  });

  test('it stays when the record is deleted', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a' });
    await update(on, id, { Name: 'b' });
    await on.call(deleteRecord, { params: { tableId: on.tableId, recordId: id } });
    expect((await historyOf(on, { recordIds: [id] })).historyList).toHaveLength(1);
    expect(
      (await on.call(listRecordHistory, { params: { tableId: on.tableId, recordId: id } })).body.historyList,
    ).toHaveLength(1);
  });

  test('the history of one record ends with its creation when asked for', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'first', Count: 5 });
    await update(on, id, { Name: 'second', Kind: 'a' });
    const params = { tableId: on.tableId, recordId: id };
    expect((await on.call(listRecordHistory, { params })).body.historyList.some((entry) => entry.created)).toBe(false);
    const { historyList } = (await on.call(listRecordHistory, { params, query: { includeCreated: true } })).body;
    const created = historyList.filter((entry) => entry.created);
    expect(created.map((entry) => [entry.before.data, entry.after.data])).toEqual([
      [null, 'first'],
      [null, 5],
    ]);
    expect(historyList.slice(-2)).toEqual(created);
  });
});

describe('finding', () => {
  test('pages neither repeat nor miss while new changes arrive', async () => {
    const on = await fresh();
    const id = await create(on, { Count: 0 });
    for (let count = 1; count <= 25; count += 1) await update(on, id, { Count: count });
    const seen: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await historyOf(on, { take: 4, ...(cursor ? { cursor } : {}) });
      seen.push(...page.historyList.map((entry) => entry.after.data));
      cursor = page.nextCursor;
      await update(on, id, { Name: `between ${seen.length}` });
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
  });

  test('by record, field, author, operation and time', async () => {
    const on = await fresh();
    const editor = await member(world(), on.owner, on.spaceId, 'editor');
    const [one, two] = [await create(on, { Name: 'one' }), await create(on, { Name: 'two' })];
    await update(on, one, { Name: 'ONE', Count: 1 });
    const middle = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 5));
    const operationId = (
      await editor.call(updateRecord, {
        params: { tableId: on.tableId, recordId: two },
        body: { record: { fields: { Name: 'TWO' } } },
      })
    ).headers.get('x-operation-id');
    const afters = async (query: Record<string, unknown>) =>
      (await historyOf(on, query)).historyList.map((entry) => entry.after.data).sort();
    expect(await afters({ recordIds: [one] })).toEqual([1, 'ONE']);
    expect(await afters({ fieldIds: [on.fieldIds.Name] })).toEqual(['ONE', 'TWO']);
    expect(await afters({ fieldIds: on.fieldIds.Name })).toEqual(['ONE', 'TWO']);
    expect(await afters({ createdByIds: [editor.userId] })).toEqual(['TWO']);
    expect(await afters({ operationId })).toEqual(['TWO']);
    expect(await afters({ startDate: middle })).toEqual(['TWO']);
    expect(await afters({ endDate: middle })).toEqual([1, 'ONE']);
    expect(await afters({ startDate: '2020-01-01', endDate: '2020-01-02' })).toEqual([]);
  });

  test('both ends of a time range are among it, to the millisecond that is shown', async () => {
    const on = await fresh();
    const id = await create(on, { Count: 0 });
    for (let count = 1; count <= 5; count += 1) {
      await update(on, id, { Count: count });
      await new Promise((done) => setTimeout(done, 3));
    }
    const entries = (await historyOf(on)).historyList;
    for (const { createdTime, after } of entries) {
      expect(
        (await historyOf(on, { startDate: createdTime, endDate: createdTime })).historyList.map(
          (entry) => entry.after.data,
        ),
      ).toEqual([after.data]);
    }
    const [newest, oldest] = [entries[0]?.createdTime, entries.at(-1)?.createdTime];
    expect((await historyOf(on, { startDate: oldest, endDate: newest })).historyList).toHaveLength(5);
    // Without an offset it is UTC, wherever the server stands.
    expect(
      (await historyOf(on, { startDate: oldest?.slice(0, -1), endDate: newest?.slice(0, -1) })).historyList,
    ).toHaveLength(5);
    const { createdTime } = (await on.call(getRecord, { params: { tableId: on.tableId, recordId: id } })).body;
    const created = await on.call(listRecordHistory, {
      params: { tableId: on.tableId, recordId: id },
      query: { includeCreated: true, startDate: createdTime, endDate: createdTime },
    });
    expect(created.body.historyList).toMatchObject([{ created: true, after: { data: 0 } }]);
  });

  test('a bad date and a damaged or foreign cursor are refused', async () => {
    const on = await fresh();
    const other = await fresh();
    for (const side of [on, other]) {
      const id = await create(side, { Count: 0 });
      for (let count = 1; count <= 3; count += 1) await update(side, id, { Count: count });
    }
    const foreign = (await historyOf(other, { take: 1 })).nextCursor as string;
    for (const query of [
      { startDate: 'yesterday' },
      { endDate: 'x' },
      { startDate: '1' },
      { endDate: '2024-02-30' },
      { endDate: '2024-13-01T00:00:00Z' },
      { cursor: 'rhi' },
      { cursor: foreign },
      { cursor: `${foreign.slice(0, -1)}~` },
      { take: 0 },
      { take: 1_001 },
    ]) {
      const answer = await on.call(listTableHistory, { params: { tableId: on.tableId }, query: query as never });
      expect(answer.status, JSON.stringify(query)).toBe(400);
    }
  });

  test('the table needs the right to its history, a record only the right to read it', async () => {
    const on = await fresh();
    const viewer = await member(world(), on.owner, on.spaceId, 'viewer');
    const id = await create(on, { Name: 'a' });
    expect((await viewer.call(listTableHistory, { params: { tableId: on.tableId } })).status).toBe(403);
    expect((await viewer.call(listRecordHistory, { params: { tableId: on.tableId, recordId: id } })).status).toBe(200);
  });
});

describe('restoring', () => {
  const restore = (on: TestTable, body: object) =>
    on.call(restoreHistory, { params: { tableId: on.tableId }, body: body as never });
  const read = async (on: TestTable, recordId: string) =>
    (await on.call(getRecord, { params: { tableId: on.tableId, recordId } })).body.fields;

  test('one call undoes everything that a request did, and can itself be undone', async () => {
    const on = await fresh();
    const ids = [await create(on, { Name: 'a', Count: 1 }), await create(on, { Name: 'b' })] as const;
    const changed = await on.call(updateRecords, {
      params: { tableId: on.tableId },
      body: { records: ids.map((id) => ({ id, fields: { Name: 'x', Count: 9 } })) },
    });
    const undone = await restore(on, { operationId: changed.headers.get('x-operation-id') });
    expect(undone.status).toBe(200);
    expect(undone.body).toMatchObject({ restored: 4, skipped: [] });
    expect([...undone.body.recordIds].sort()).toEqual([...ids].sort());
    expect(await read(on, ids[0])).toEqual({ Name: 'a', Count: 1 });
    expect(await read(on, ids[1])).toEqual({ Name: 'b' });
    const redone = await restore(on, { operationId: undone.body.operationId });
    expect(redone.status).toBe(200);
    expect(await read(on, ids[1])).toEqual({ Name: 'x', Count: 9 });
  });

  test('single entries, and several of one cell together', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'v0' });
    await update(on, id, { Name: 'v1' });
    await update(on, id, { Name: 'v2' });
    const [newest, older] = (await historyOf(on)).historyList;
    expect((await restore(on, { historyIds: [older?.id] })).status).toBe(409);
    expect((await restore(on, { historyIds: [older?.id, newest?.id] })).body).toMatchObject({ restored: 1 });
    expect(await read(on, id)).toEqual({ Name: 'v0' });
  });

  test('a record as it was at a moment', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'v0', Count: 0 });
    await update(on, id, { Name: 'v1' });
    await new Promise((done) => setTimeout(done, 5));
    const at = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 5));
    await update(on, id, { Name: 'v2', Count: 2 });
    await update(on, id, { Name: 'v3', Kind: 'a' });
    expect((await restore(on, { recordId: id, at })).body).toMatchObject({ restored: 3 });
    expect(await read(on, id)).toEqual({ Name: 'v1', Count: 0 });
  });

  test('a cell that has changed since is a conflict: nothing is written, unless forced', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a', Count: 1 });
    const operationId = await update(on, id, { Name: 'b', Count: 2 });
    await update(on, id, { Count: 3 });
    const refused = await restore(on, { operationId });
    expect(refused.status).toBe(409);
    expect(refused.error.data).toMatchObject({
      total: 1,
      conflicts: [{ recordId: id, fieldId: on.fieldIds.Count, reason: 'changed_since' }],
    });
    expect(await read(on, id)).toEqual({ Name: 'b', Count: 3 });
    expect((await restore(on, { operationId, force: true })).status).toBe(200);
    expect(await read(on, id)).toEqual({ Name: 'a', Count: 1 });
  });

  test('deleted fields and records, and values that do not fit any more, are reported the same way', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a', Count: 1, Kind: 'a' });
    const gone = await create(on, { Name: 'g' });
    const changed = await on.call(updateRecords, {
      params: { tableId: on.tableId },
      body: {
        records: [
          { id, fields: { Name: 'b', Count: 2, Kind: 'b' } },
          { id: gone, fields: { Name: 'h' } },
        ],
      },
    });
    const operationId = changed.headers.get('x-operation-id');
    await on.call(deleteField, { params: { tableId: on.tableId, fieldId: on.fieldIds.Count as string } });
    await on.call(deleteRecord, { params: { tableId: on.tableId, recordId: gone } });
    await on.call(convertField, {
      params: { tableId: on.tableId, fieldId: on.fieldIds.Kind as string },
      body: { type: 'singleSelect', options: { choices: [{ name: 'b' }], preventAutoNewOptions: true } } as never,
    });
    const refused = await restore(on, { operationId });
    expect(refused.status).toBe(409);
    expect(refused.error.data.conflicts.map((one: { reason: string }) => one.reason).sort()).toEqual([
      'does_not_fit',
      'field_deleted',
      'record_deleted',
    ]);
    const forced = await restore(on, { operationId, force: true });
    expect(forced.status).toBe(200);
    expect(forced.body.skipped.map((one) => one.reason).sort()).toEqual(['field_deleted', 'record_deleted']);
    expect(await read(on, id)).toEqual({ Name: 'a' });
  });

  test('unknown entries and operations are 404; not exactly one way of choosing is 400', async () => {
    const on = await fresh();
    expect((await restore(on, { historyIds: ['rhiNothing'] })).status).toBe(404);
    expect((await restore(on, { operationId: 'oprNothing' })).status).toBe(404);
    expect((await restore(on, {})).status).toBe(400);
    expect((await restore(on, { operationId: 'a', historyIds: ['b'] })).status).toBe(400);
    expect((await restore(on, { recordId: 'rec' })).status).toBe(400);
    expect((await restore(on, { historyIds: [] })).status).toBe(400);
    expect((await restore(on, { recordId: 'rec', at: 'yesterday' })).status).toBe(400);
  });

  test('an unknown record is 404, and so are entries and operations of another table', async () => {
    const [on, other] = [await fresh(), await fresh()];
    const at = new Date(Date.now() - 1_000).toISOString();
    expect((await restore(on, { recordId: 'recNothing0000000000', at })).status).toBe(404);
    const id = await create(other, { Name: 'a' });
    const operationId = await update(other, id, { Name: 'b' });
    const [entry] = (await historyOf(other)).historyList;
    expect((await restore(on, { recordId: id, at })).status).toBe(404);
    expect((await restore(on, { operationId })).status).toBe(404);
    expect((await restore(on, { historyIds: [entry?.id] })).status).toBe(404);
    expect(
      (await restore(on, { historyIds: [(entry?.id as string).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))] }))
        .status,
    ).toBe(404);
    expect(await read(other, id)).toEqual({ Name: 'b' });
  });

  test('a request that changed no cell restores nothing, and is no fault; one that never was is 404', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a' });
    const same = await on.call(updateRecord, {
      params: { tableId: on.tableId, recordId: id },
      body: { record: { fields: { Name: 'a' } } },
    });
    const { status, body } = await restore(on, { operationId: same.headers.get('x-operation-id') });
    expect({ status, body }).toEqual({
      status: 200,
      body: { kind: 'cells', operationId: null, restored: 0, recordIds: [], skipped: [] },
    });
    expect((await restore(on, { operationId: 'oprNothing' })).status).toBe(404);
    expect(await read(on, id)).toEqual({ Name: 'a' });
  });

  test('what is as it was already needs no writing', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'a' });
    const operationId = await update(on, id, { Name: 'b' });
    await update(on, id, { Name: 'a' });
    expect((await restore(on, { operationId, force: true })).body).toEqual({
      kind: 'cells',
      operationId: null,
      restored: 0,
      recordIds: [],
      skipped: [],
    });
    expect((await restore(on, { recordId: id, at: new Date(Date.now() + 1_000).toISOString() })).body).toMatchObject({
      restored: 0,
    });
  });

  test('the moment at which an entry was made has what it made', async () => {
    const on = await fresh();
    const id = await create(on, { Name: 'v0' });
    for (const name of ['v1', 'v2', 'v3']) {
      await update(on, id, { Name: name });
      await new Promise((done) => setTimeout(done, 3));
    }
    const [, second] = (await historyOf(on)).historyList;
    await restore(on, { recordId: id, at: second?.createdTime });
    expect(await read(on, id)).toEqual({ Name: 'v2' });
  });
});
