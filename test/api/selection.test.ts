// Records that are selected in a view are deleted in one request, however many, and come back with one undo.
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import {
  type DeletionEvent,
  deleteRanges,
  deleteSelection,
  deleteSelectionStream,
  patchSelectionStream,
} from '@rowhouse/contract/selection.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { howMany } from '../support/cases.ts';
import { listen } from '../support/listen.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let on: TestTable;
let viewId: string;
beforeAll(async () => {
  on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  await on.call(createRecords, {
    params: on,
    body: { records: 'gbfaedc'.split('').map((Name, at) => ({ fields: { Name, Count: at } })) },
  });
  const filter = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: on.fieldIds.Name as string, operator: 'isNot' as const, value: 'd' }],
  };
  viewId = (
    await on.call(createView, {
      params: on,
      body: {
        type: 'grid',
        name: 'Sorted',
        sort: { sortObjs: [{ fieldId: on.fieldIds.Name as string, order: 'asc' }] },
        filter,
      },
    })
  ).body.id;
});

const names = async (): Promise<string> =>
  (await on.call(listRecords, { params: on, query: { viewId, take: 1_000 } })).body.records
    .map(({ fields }) => fields.Name)
    .join('');
const idsOf = async (): Promise<string[]> =>
  (await on.call(listRecords, { params: on, query: { viewId, take: 1_000 } })).body.records.map(({ id }) => id);
const undo = async ({ headers }: { headers: Headers }): Promise<void> => {
  const undone = await on.call(restoreHistory, {
    params: on,
    body: { operationId: headers.get('x-operation-id') as string },
  });
  expect([undone.status, undone.body.kind]).toEqual([200, 'records']);
};

test('rows of a view, the rows of cells, and whole columns: by the order and the filter of the view', async () => {
  const before = await idsOf();
  expect(await names()).toBe('abcefg');
  const cases = [
    ['rows', '[[0,1],[5,5]]', 'cef', [0, 1, 5]],
    [undefined, '[[1,3],[0,2]]', 'abfg', [2, 3]],
    ['columns', '[[0,0]]', '', [0, 1, 2, 3, 4, 5]],
    ['rows', '[[4,900]]', 'abce', [4, 5]],
  ] as const;
  for (const [type, ranges, left, rows] of cases) {
    const done = await on.call(deleteRanges, {
      params: on,
      query: { viewId, ranges, ...(type === undefined ? {} : { type }) },
    });
    expect([done.status, done.body.ids]).toEqual([200, rows.map((row) => before[row])]);
    expect(await names()).toBe(left);
    await undo(done);
    expect(await idsOf()).toEqual(before);
  }
  const nothing = await on.call(deleteRanges, { params: on, query: { viewId, type: 'rows', ranges: '[[99,100]]' } });
  expect([nothing.status, nothing.body, nothing.headers.get('x-operation-id')]).toEqual([200, { ids: [] }, null]);
  for (const ranges of ['[]', '[[0]]', '[[-1,2]]', '[["a",1]]', '{}', 'x', '[[0,0]]'])
    expect([ranges, (await on.call(deleteRanges, { params: on, query: { viewId, ranges } })).status]).toEqual([
      ranges,
      400,
    ]);
});

test('rows of collapsed groups do not count', async () => {
  const groupBy = JSON.stringify([{ fieldId: on.fieldIds.Name as string, order: 'asc' }]);
  const { extra } = (await on.call(listRecords, { params: on, query: { viewId, groupBy } })).body;
  const first = extra?.groupPoints?.find((point) => point.type === 0) as { id: string };
  const before = await idsOf();
  const done = await on.call(deleteRanges, {
    params: on,
    query: { viewId, groupBy, collapsedGroupIds: JSON.stringify([first.id]), type: 'rows', ranges: '[[0,0]]' },
  });
  expect([done.status, done.body.ids]).toEqual([200, [before[1]]]);
  await undo(done);
});

test('records by name, and all of a view but some', async () => {
  const before = await idsOf();
  const some = await on.call(deleteSelection, {
    params: on,
    body: { viewId, selection: { excludeRecordIds: before.slice(0, 2) } },
  });
  expect([some.body.ids, await names()]).toEqual([before.slice(2), 'ab']);
  await undo(some);
  const named = await on.call(deleteSelection, {
    params: on,
    body: { selection: { recordIds: [before[1] as string, before[1] as string, before[3] as string] } },
  });
  expect([named.body.ids.length, await names()]).toEqual([2, 'acfg']);
  await undo(named);
  const filter = JSON.stringify({
    conjunction: 'and',
    filterSet: [{ fieldId: 'Count', operator: 'isGreater', value: 4 }],
  });
  const narrowed = await on.call(deleteSelection, { params: on, body: { viewId, filter, selection: {} } });
  expect([narrowed.body.ids.length, await names()]).toEqual([1, 'abefg']);
  await undo(narrowed);
  expect(await idsOf()).toEqual(before);
  expect(
    (
      await on.call(deleteSelection, {
        params: on,
        body: { selection: { recordIds: [before[0] as string, 'recNobody'] } },
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await on.call(deleteSelection, {
        params: on,
        body: { selection: { recordIds: before, excludeRecordIds: before } },
      })
    ).status,
  ).toBe(400);
  expect(await idsOf()).toEqual(before);
});

const eventsOf = ({ body }: { body: unknown }): DeletionEvent[] =>
  String(body)
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice('data: '.length)) as DeletionEvent);

/** More than one statement deletes. */
const many = howMany(20_000, 8_000);
const byName = 6_000;

test('thousands of records are one request and one operation that tells how far it is, and come back with one undo', async () => {
  const large = await tableWith(on, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Done', type: 'checkbox' },
  ]);
  for (let at = 0; at < many / 2_000; at += 1) {
    const made = await large.call(createRecords, {
      params: large,
      body: {
        records: Array.from({ length: 2_000 }, (_, row) => ({
          fields: { Name: `Record ${at * 2_000 + row}`, Count: row, Done: row % 2 === 0 },
        })),
      },
    });
    expect(made.status).toBe(201);
  }
  const state = async () =>
    (
      await world().db.query<{ digest: string; count: number }>(
        sql`select md5(string_agg(r::text, '|' order by __auto_number)) as digest, count(*)::int as count from (select __id, __auto_number, __created_time, "Name", "Count", "Done" from ${sql.id(large.baseId, 'Table_2')}) r`,
      )
    )[0];
  const before = await state();
  expect(before?.count).toBe(many);
  const ear = await listen(`${world().baseUrl}/table/${large.tableId}/events`, { token: large.owner.token });
  const answer = await large.call(deleteSelectionStream, {
    params: large,
    body: { viewId: large.viewId, selection: {} },
  });
  const events = eventsOf(answer);
  const end = events.at(-1);
  if (end?.id !== 'done') throw new Error(`it ended with ${JSON.stringify(end)}`);
  expect([answer.status, answer.headers.get('content-type'), end.data.ids.length]).toEqual([
    200,
    'text/event-stream',
    many,
  ]);
  const told = events.flatMap((event) => (event.id === 'progress' ? [event.processedCount] : []));
  expect([told.length > 1, told]).toEqual([true, told.toSorted((a, b) => a - b)]);
  expect((await large.call(getRowCount, { params: large, query: {} })).body.rowCount).toBe(0);
  // The answer begins before anything is deleted; those who listen hear of it all the same.
  expect((await ear.until(({ name }) => name === 'records.deleted')).data.operationId).toBe(end.operationId);
  ear.close();
  const undone = await large.call(restoreHistory, { params: large, body: { operationId: end.operationId as string } });
  expect([undone.status, undone.body.recordIds.length]).toEqual([200, many]);
  expect(await state()).toEqual(before);

  // By name it is as many; of one that is not there nothing is deleted, and what was counted as given back is not.
  const ids = (
    await world().db.query<{ id: string }>(
      sql`select __id as id from ${sql.id(large.baseId, 'Table_2')} order by __id desc limit ${byName}`,
    )
  ).map(({ id }) => id);
  const used = async () =>
    (await world().db.query<{ used: number }>(sql`select sum(used)::int as used from rowhouse.row_quota`))[0]?.used;
  const usedBefore = await used();
  const missing = await large.call(deleteSelectionStream, {
    params: large,
    body: { selection: { recordIds: [...ids, 'recNobody'] } },
  });
  expect([missing.status, await state(), await used()]).toEqual([400, before, usedBefore]);
  const named = eventsOf(
    // By the method that clients of Teable use.
    await large.call(patchSelectionStream, { params: large, body: { selection: { recordIds: ids } } }),
  ).at(-1);
  expect([named?.id, (await state())?.count, (await used()) as number]).toEqual([
    'done',
    many - byName,
    (usedBefore as number) - byName,
  ]);
});
