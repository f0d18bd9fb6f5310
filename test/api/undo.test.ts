// Every operation can be undone by its id: changes of fields and views, new records, conversions. Undoing is an operation too.
import { request } from 'node:http';
import type { Socket } from 'node:net';
import {
  convertField,
  createField,
  deleteField,
  duplicateField,
  getField,
  listFields,
  updateField,
} from '@rowhouse/contract/field.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteSelectionStream } from '@rowhouse/contract/selection.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { redo as redoStep, undo as undoStep } from '@rowhouse/contract/undo-redo.ts';
import {
  createView,
  deleteView,
  describeView,
  listViews,
  lockView,
  makeViewPersonal,
  moveView,
  renameView,
  setViewColumns,
  setViewFilter,
  setViewGroup,
  setViewOptions,
  setViewSort,
} from '@rowhouse/contract/view.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredHistory } from '../../server/domain/history/drop-expired-history.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { member } from '../support/workspace.ts';
import { type Caller, useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });
let on: TestTable;
let path: { tableId: string; viewId: string };
const fieldPath = (name: string) => ({ tableId: on.tableId, fieldId: on.fieldIds[name] as string });
beforeAll(async () => {
  on = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: '7' }] } },
  ]);
  path = { tableId: on.tableId, viewId: on.viewId };
  await on.call(createRecords, {
    params: on,
    body: {
      records: [{ fields: { Name: 'a', Count: 1, State: 'open' } }, { fields: { Name: 'b', Count: 2, State: '7' } }],
    },
  });
  await on.call(setViewFilter, {
    params: path,
    body: {
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: on.fieldIds.State as string, operator: 'isNotEmpty', value: null }],
      },
    },
  });
});

const look = async () => ({
  fields: (await on.call(listFields, { params: on, query: {} })).body,
  views: (await on.call(listViews, { params: on })).body.map(
    ({ lastModifiedTime: _time, lastModifiedBy: _by, ...view }) => view,
  ),
  records: (await on.call(listRecords, { params: on, query: {} })).body.records.map(({ id, fields }) => ({
    id,
    fields,
  })),
});
const undo = (operationId: string | null, body: { force?: boolean } = {}, call: Caller = on.call) =>
  call(restoreHistory, { params: on, body: { operationId: operationId as string, ...body } });

type Made = { status: number; headers: Headers; error?: { message: string } };
const operationOf = ({ headers }: Made): string => headers.get('x-operation-id') as string;

test('changes of fields and views are undone and done again, each exactly', async () => {
  const state = on.fieldIds.State as string;
  const other = (await on.call(createView, { params: on, body: { type: 'grid', name: 'Other' } })).body.id;
  const changes: [string, () => Promise<Made>][] = [
    [
      'rename a field',
      () =>
        on.call(updateField, {
          params: fieldPath('Count'),
          body: { name: 'Amount', description: 'How many', dbFieldName: 'amount' },
        }),
    ],
    [
      'options of a field',
      () =>
        on.call(convertField, {
          params: fieldPath('Count'),
          body: { type: 'number', options: { formatting: { type: 'percent', precision: 1 } }, unique: true },
        }),
    ],
    [
      'a choice more',
      () =>
        on.call(convertField, {
          params: fieldPath('State'),
          body: { type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: '7' }, { name: 'new' }] } },
        }),
    ],
    [
      'a choice less',
      () =>
        on.call(convertField, {
          params: fieldPath('State'),
          body: { type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
        }),
    ],
    [
      'convert a field that views filter by',
      () => on.call(convertField, { params: fieldPath('State'), body: { type: 'number' } }),
    ],
    ['create a field', () => on.call(createField, { params: on, body: { type: 'date', name: 'Due' } })],
    [
      'duplicate a field',
      () => on.call(duplicateField, { params: fieldPath('State'), body: { name: 'Copy', viewId: on.viewId } }),
    ],
    ['delete a field that views filter by', () => on.call(deleteField, { params: fieldPath('State') })],
    ['rename a view', () => on.call(renameView, { params: path, body: { name: 'Renamed' } })],
    ['describe a view', () => on.call(describeView, { params: path, body: { description: 'About it' } })],
    ['filter', () => on.call(setViewFilter, { params: path, body: { filter: null } })],
    [
      'sort',
      () => on.call(setViewSort, { params: path, body: { sort: { sortObjs: [{ fieldId: state, order: 'desc' }] } } }),
    ],
    ['group', () => on.call(setViewGroup, { params: path, body: { group: [{ fieldId: state, order: 'asc' }] } })],
    [
      'hide and move columns',
      () =>
        on.call(setViewColumns, {
          params: path,
          body: [{ fieldId: state, columnMeta: { hidden: true, order: -5, width: 333 } }],
        }),
    ],
    ['options of a view', () => on.call(setViewOptions, { params: path, body: { options: { rowHeight: 'tall' } } })],
    [
      'move a view',
      () =>
        on.call(moveView, { params: { ...path, viewId: other }, body: { anchorId: on.viewId, position: 'before' } }),
    ],
    ['lock a view', () => on.call(lockView, { params: path, body: { isLocked: true } })],
    [
      'make a view personal',
      () => on.call(makeViewPersonal, { params: { ...path, viewId: other }, body: { isPersonal: true } }),
    ],
    ['create a view', () => on.call(createView, { params: on, body: { type: 'kanban', name: 'Board' } })],
    ['delete a view', () => on.call(deleteView, { params: { ...path, viewId: other } })],
  ];
  const before = await look();
  for (const [name, change] of changes) {
    const made = await change();
    expect([name, made.status, made.error?.message]).toEqual([name, expect.toBeOneOf([200, 201]), undefined]);
    const changed = await look();
    expect([name, changed]).not.toEqual([name, before]);
    const undone = await undo(operationOf(made));
    expect([name, undone.status, undone.error?.message]).toEqual([name, 200, undefined]);
    expect(undone.body).toMatchObject({ kind: 'schema', operationId: operationOf(undone) });
    expect([name, await look()]).toEqual([name, before]);
    const again = await undo(undone.body.operationId);
    expect([name, await look()]).toEqual([name, changed]);
    expect((await undo(again.body.operationId)).status).toBe(200);
  }
  expect(await look()).toEqual(before);
});

test('what was changed since is a conflict, and force overwrites it', async () => {
  const first = await on.call(renameView, { params: path, body: { name: 'One' } });
  await on.call(renameView, { params: path, body: { name: 'Two' } });
  const refused = await undo(operationOf(first));
  expect([refused.status, refused.error.data.conflicts[0]]).toEqual([
    409,
    { recordId: '', fieldId: '', reason: 'changed_since', message: 'The view "Two" has since been given another name' },
  ]);
  expect((await undo(operationOf(first), { force: true })).status).toBe(200);

  const before = await look();
  const params = fieldPath('State');
  const conversion = await on.call(convertField, { params, body: { type: 'number' } });
  const record = before.records[0] as { id: string };
  await on.call(updateRecord, {
    params: { tableId: on.tableId, recordId: record.id },
    body: { record: { fields: { State: 12 } } },
  });
  const later = await on.call(createRecords, {
    params: on,
    body: { records: [{ fields: { Name: 'late', State: 44 } }] },
  });
  const late = later.body.records[0]?.id as string;
  const inTheWay = await undo(operationOf(conversion));
  expect([inTheWay.status, inTheWay.error.data]).toMatchObject([
    409,
    { total: 1, conflicts: [{ recordId: record.id, fieldId: params.fieldId, reason: 'changed_since' }] },
  ]);
  const undone = await undo(operationOf(conversion), { force: true });
  expect(undone.status).toBe(200);
  const after = await look();
  // What was written since is carried over, with a choice of its own.
  expect(after.records).toEqual([...before.records, { id: late, fields: { Name: 'late', State: '44.00' } }]);
  // The conversion and its undoing are in the history, cell by cell.
  const { historyList } = (
    await on.call(listTableHistory, { params: on, query: { operationId: undone.body.operationId as string } })
  ).body;
  expect(historyList.map(({ recordId, before: was, after: is }) => [recordId, was.data, is.data])).toContainEqual([
    record.id,
    12,
    'open',
  ]);
  expect((await undo(operationOf(later))).status).toBe(200);
});

test('new records are undone and done again, unless somebody else has worked on them', async () => {
  const before = await look();
  const made = await on.call(createRecords, {
    params: on,
    body: { records: [{ fields: { Name: 'x' } }, { fields: { Name: 'y' } }] },
  });
  const [x] = made.body.records.map(({ id }) => id) as [string, string];
  const gone = await undo(operationOf(made));
  expect([gone.status, gone.body.kind, gone.body.recordIds.length]).toEqual([200, 'records', 2]);
  expect(await look()).toEqual(before);
  const back = await undo(gone.body.operationId);
  expect((await look()).records).toHaveLength(before.records.length + 2);

  const editor = await member(world(), on.owner, on.spaceId, 'editor');
  await editor.call(updateRecord, {
    params: { tableId: on.tableId, recordId: x },
    body: { record: { fields: { Name: 'mine' } } },
  });
  const refused = await undo(back.body.operationId);
  expect([refused.status, refused.error.data.conflicts]).toEqual([
    409,
    [
      {
        recordId: x,
        fieldId: on.fieldIds.Name,
        reason: 'changed_since',
        message: 'Someone else has changed a record that this would delete',
      },
    ],
  ]);
  expect((await undo(back.body.operationId, { force: true })).status).toBe(200);
  expect(await look()).toEqual(before);
});

test('undoing needs the right to make the change', async () => {
  const editor = await member(world(), on.owner, on.spaceId, 'editor');
  const rename = await on.call(updateField, { params: fieldPath('Count'), body: { name: 'Number' } });
  expect((await undo(operationOf(rename), {}, editor.call)).status).toBe(403);
  const sort = await editor.call(setViewSort, { params: path, body: { sort: null } });
  // Nothing changed, so there is nothing to name.
  expect([sort.status, operationOf(sort)]).toEqual([200, null]);
  const lock = await on.call(lockView, { params: path, body: { isLocked: true } });
  expect((await undo(operationOf(lock), {}, editor.call)).status).toBe(403);
  expect((await undo(operationOf(lock))).status).toBe(200);
  // What somebody keeps to themselves is not given to others by an undo, but those who run the base may.
  const own = {
    ...path,
    viewId: (await on.call(createView, { params: on, body: { type: 'grid', name: 'Hers' } })).body.id,
  };
  const personal = await editor.call(makeViewPersonal, { params: own, body: { isPersonal: true } });
  const stranger = await member(world(), on.owner, on.spaceId, 'editor');
  expect((await undo(operationOf(personal), {}, stranger.call)).status).toBe(403);
  expect((await undo(operationOf(personal), {}, editor.call)).status).toBe(200);
  expect((await undo(operationOf(rename))).status).toBe(200);
});

test('a conversion can be undone as long as the history reaches back', async () => {
  const conversion = await on.call(convertField, { params: fieldPath('State'), body: { type: 'checkbox' } });
  await world().db.query(
    sql`update ${sql.id(on.baseId, '__operation')} set time = (select time - interval '4000 days') where public_id = ${operationOf(conversion)}`,
  );
  expect((await undo(operationOf(conversion))).status).toBe(404);
  expect(await dropExpiredHistory(world().services)).toBeGreaterThan(0);
  expect((await undo(operationOf(conversion))).status).toBe(404);
  expect((await on.call(getField, { params: fieldPath('State') })).body.type).toBe('checkbox');
});

test('undoing a create goes on when somebody deletes one of its records at the same moment', async () => {
  const made = await on.call(createRecords, {
    params: on,
    body: { records: [{ fields: { Name: 'x' } }, { fields: { Name: 'y' } }] },
  });
  const [first, second] = made.body.records.map(({ id }) => id) as [string, string];
  const blocker = await world().db.dedicated();
  const name = (
    await blocker.query<{ name: string }>('select db_table_name as name from rowhouse.tables where id = $1', [
      on.tableId,
    ])
  ).rows[0]?.name;
  // Not asked by the one who blocks: within a transaction PostgreSQL lists the connections that were there when it was first asked.
  const waiting = (): Promise<number> => countWaiting(world().db);
  await blocker.query('begin');
  await blocker.query(`select from "${on.baseId}"."${name}" where __id = $1 for update`, [first]);
  // Both wait for the record: the one that deletes it alone is first in the line.
  const removed = on.call(deleteRecord, { params: { ...on, recordId: first } });
  await expect.poll(waiting).toBe(1);
  const undone = undo(operationOf(made));
  await expect.poll(waiting).toBe(2);
  await blocker.query('rollback');
  await blocker.end();
  expect((await removed).status).toBe(200);
  expect(await undone).toMatchObject({ status: 200, body: { recordIds: [second] } });
});

test('a window undoes what it did: steps of several requests, moved records, one out of order, streams and what came from the trash', async () => {
  const own = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }]);
  const params = { tableId: own.tableId };
  const window = (step?: string) => ({
    'x-window-id': 'tab-1',
    ...(step === undefined ? {} : { 'x-window-step': step }),
  });
  const go = async (
    way: typeof undoStep | typeof redoStep,
    body?: { step?: string; skip?: string[]; force?: boolean },
  ) =>
    (await own.call(way, { params, ...(body === undefined ? {} : { body }), headers: window() } as never)).body as {
      status: string;
      changes?: object[];
      step?: string;
      errorMessage?: string;
    };
  const make = async (names: string[], step: string) =>
    (
      await own.call(createRecords, {
        params,
        body: { records: names.map((Name) => ({ fields: { Name } })) },
        headers: window(step),
      })
    ).body.records.map(({ id }) => id);
  const names = async () =>
    (await own.call(listRecords, { params, query: { viewId: own.viewId } })).body.records
      .map(({ fields }) => fields.Name ?? '')
      .join('');
  const rename = (recordId: string, Name: string, headers: Record<string, string>) =>
    own.call(updateRecord, { params: { ...params, recordId }, body: { record: { fields: { Name } } }, headers });

  const ids = [...(await make(['a', 'b', 'c'], 'made')), ...(await make(['d', 'e', 'f'], 'made'))];
  const moved = [ids[5], ids[0], ids[2]] as string[];
  await own.call(moveRecords, {
    params: { ...params, viewId: own.viewId },
    body: { recordIds: moved, anchorId: ids[3] as string, position: 'after' },
    headers: window('moved'),
  });
  expect(await names()).toBe('bdface');
  expect(await go(undoStep)).toEqual({ status: 'fulfilled', step: 'moved', changes: [{ kind: 'order', count: 3 }] });
  expect(await names()).toBe('abcdef');
  await go(redoStep);
  expect(await names()).toBe('bdface');
  await go(undoStep);
  expect(await go(undoStep)).toEqual({
    status: 'fulfilled',
    step: 'made',
    changes: [
      { kind: 'recordsDeleted', count: 3 },
      { kind: 'recordsDeleted', count: 3 },
    ],
  });
  expect([await names(), (await go(undoStep)).status]).toEqual(['', 'empty']);
  await go(redoStep);
  expect(await names()).toBe('abcdef');

  // A refused step stays, is passed over, and is undone by force; one is undone before those that came later.
  await rename(ids[0] as string, 'A', window('first'));
  await rename(ids[1] as string, 'B', window('second'));
  await rename(ids[1] as string, 'X', {});
  expect(await go(undoStep)).toMatchObject({
    status: 'failed',
    step: 'second',
    conflicts: [{ recordId: ids[1], reason: 'changed_since' }],
    total: 1,
  });
  expect(await go(undoStep, { skip: ['second'] })).toMatchObject({
    status: 'fulfilled',
    step: 'first',
    changes: [{ kind: 'cells', count: 1, recordIds: [ids[0]] }],
  });
  expect(await go(undoStep, { step: 'second', force: true })).toMatchObject({ status: 'fulfilled', step: 'second' });
  expect(await names()).toBe('abcdef');
  expect([(await go(redoStep)).step, (await go(redoStep)).step, await names()]).toEqual(['second', 'first', 'AXcdef']);

  // A comment is none. What is told in a stream is one, and what comes back from the trash.
  await own.call(createComment, {
    params: { ...params, recordId: ids[0] as string },
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }], quoteId: null } as never,
    headers: window(),
  });
  const deleted = await own.call(deleteSelectionStream, {
    params,
    body: { selection: { recordIds: ids.slice(0, 2) } },
    headers: window('gone'),
  });
  expect(deleted.body).toContain('"id":"done"');
  const [item] = (await own.call(listTrashItems, { query: { resourceType: 'table', resourceId: own.tableId } })).body
    .trashItems;
  await own.call(restoreTrash, { params: { trashId: (item as { id: string }).id }, headers: window('back') });
  expect(await names()).toBe('AXcdef');
  expect([(await go(undoStep)).step, await names()]).toEqual(['back', 'cdef']);
  await go(redoStep);
  await own.call(deleteRecord, { params: { ...params, recordId: ids[5] as string }, headers: window('last') });
  expect([(await go(undoStep, { step: 'last' })).changes, await names()]).toEqual([
    [{ kind: 'recordsRestored', count: 1 }],
    'AXcdef',
  ]);
  const view = (
    await own.call(renameView, { params: { ...params, viewId: own.viewId }, body: { name: 'Mine' }, headers: window() })
  ).status;
  expect([view, (await go(undoStep)).changes]).toEqual([
    200,
    [{ kind: 'schema', count: 0, views: [expect.any(String)] }],
  ]);
});

test('a change and its step are there together, or neither is, when the one who made it leaves before the answer', async () => {
  const own = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const view = { tableId: own.tableId, viewId: own.viewId };
  const nameOf = async () => (await own.call(listViews, { params: own })).body[0]?.name;
  const headers = { 'x-window-id': 'tab-2' };
  const before = await nameOf();
  await own.call(renameView, { params: view, body: { name: 'First' }, headers });
  const holder = await world().db.dedicated();
  /** Sent by somebody who leaves while the server writes the operation. */
  const leave = async (method: string, path: string, body: object): Promise<void> => {
    await holder.query('begin');
    await holder.query(`lock table "${own.baseId}".__operation in exclusive mode`);
    const sent = request(`${world().baseUrl}/table/${own.tableId}${path}`, {
      method,
      agent: false,
      headers: { ...headers, authorization: `Bearer ${own.owner.token}`, 'content-type': 'application/json' },
    });
    sent.on('error', () => undefined).end(JSON.stringify(body));
    await expect.poll(() => countWaiting(world().db, '%__operation%')).toBe(1);
    const { localPort } = sent.socket as Socket;
    sent.destroy();
    await expect.poll(() => world().isConnected({ localPort } as Socket)).toBe(false);
    await holder.query('rollback');
    await expect.poll(() => countWaiting(world().db, '%__operation%')).toBe(0);
  };
  const go = async () => (await own.call(undoStep, { params: own, headers } as never)).body.status;
  await leave('PUT', `/view/${own.viewId}/name`, { name: 'Second' });
  if ((await nameOf()) === 'Second') expect([await go(), await nameOf()]).toEqual(['fulfilled', 'First']);
  expect(await nameOf()).toBe('First');
  // Anyone who leaves while they undo finds the step where it was, or done.
  await leave('POST', '/undo-redo/undo', {});
  if ((await nameOf()) === 'First') expect(await go()).toBe('fulfilled');
  expect(await nameOf()).toBe(before);
  expect(await go()).toBe('empty');
  await holder.end();
});
