// Undo takes back all of a change: also the records that a typecast made in other tables, and the choices that it added. What somebody has used since
// stays, and undo says so.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createAccessToken } from '@rowhouse/contract/access-token.ts';
import { convertField, createField, listFields } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { getJob, undoJob } from '@rowhouse/contract/job.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
  upsertRecords,
} from '@rowhouse/contract/record.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { redo, undo } from '@rowhouse/contract/undo-redo.ts';
import { createView, setViewColumns, setViewFilter } from '@rowhouse/contract/view.ts';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { titles } from '../support/links.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { type Ground, ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { caller, type Caller, useWorld } from '../support/world.ts';

const world = useWorld({}, {}, { isForCluster: true });
judgeStatements(world, true);
let base: Ground;
let colleague: Caller;
let orders: TestTable;
let customers: TestTable;
let params: { tableId: string };
let orderIds: string[];
const headers = { 'x-window-id': 'tab' };

beforeAll(async () => {
  base = await ground(world());
  colleague = (await member(world(), base.owner, base.spaceId, 'editor')).call;
});

beforeEach(async () => {
  customers = await tableWith(base, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Phone', type: 'singleLineText' },
  ]);
  orders = await tableWith(base, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
    { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }] } },
  ]);
  params = { tableId: orders.tableId };
  await base.call(createField, {
    params,
    body: { name: 'Customer', type: 'link', options: { relationship: 'manyOne', foreignTableId: customers.tableId } },
  });
  orderIds = (
    await base.call(createRecords, {
      params,
      body: { records: [{ fields: { Name: '1' } }, { fields: { Name: '2' } }] },
    })
  ).body.records.map(({ id }) => id);
});

const look = async () => ({
  orders: (await base.call(listRecords, { params, query: {} })).body.records.map(({ id, fields }) => [
    id,
    fields['State'] ?? null,
    fields['Tags'] ?? null,
    titles(fields['Customer']),
  ]),
  customers: (await base.call(listRecords, { params: customers, query: {} })).body.records.map(({ id, fields }) => [
    id,
    fields['Name'],
  ]),
  choices: (await base.call(listFields, { params })).body.flatMap(({ options }) =>
    ((options as { choices?: { id: string; name: string }[] } | undefined)?.choices ?? []).map(
      ({ id, name }) => `${id} ${name}`,
    ),
  ),
});
const go = async (way: typeof undo | typeof redo, call: Caller = base.call) =>
  (await call(way, { params, headers } as never)).body;

const ways: Record<string, () => Promise<{ status: number; headers: Headers }>> = {
  POST: () =>
    base.call(createRecords, {
      params,
      headers,
      body: {
        typecast: true,
        records: [
          { fields: { Name: 'x', State: 'new', Tags: 'b,c', Customer: 'Acme' } },
          { fields: { Customer: 'Best' } },
        ],
      },
    } as never),
  PATCH: () =>
    base.call(updateRecords, {
      params,
      headers,
      body: {
        typecast: true,
        records: [
          { id: orderIds[0] as string, fields: { State: 'new', Tags: 'b,c', Customer: 'Acme' } },
          { id: orderIds[1] as string, fields: { Customer: 'Best' } },
        ],
      },
    } as never),
  upsert: () =>
    base.call(upsertRecords, {
      params,
      headers,
      body: {
        typecast: true,
        matchFields: ['Name'],
        records: [
          { fields: { Name: '1', State: 'new', Customer: 'Acme' } },
          { fields: { Name: 'x', Tags: 'b,c', Customer: 'Best' } },
        ],
      },
    } as never),
  paste: () =>
    base.call(pasteIntoRanges, {
      params,
      headers,
      body: {
        viewId: orders.viewId,
        ranges: [
          [1, 1],
          [3, 1],
        ],
        content: [
          ['new', 'b', 'Acme'],
          ['open', 'c', 'Best'],
        ],
      },
    } as never),
};

test.each(Object.keys(ways))(
  '%s: undo takes back the linked records and the choices that it made, redo brings the same ones back',
  async (way) => {
    const before = await look();
    const made = await (ways[way] as () => Promise<{ status: number; headers: Headers }>)();
    expect(made.status).toBeOneOf([200, 201]);
    const after = await look();
    expect(after.customers.map(([, name]) => name)).toEqual(['Acme', 'Best']);
    expect(after.choices).toHaveLength(5);
    const effects = JSON.parse(made.headers.get('x-side-effects') as string) as {
      records: Record<string, number>;
      choices: Record<string, number>;
    };
    expect(effects).toEqual({
      records: { [customers.tableId]: 2 },
      choices: { [orders.fieldIds['State'] as string]: 1, [orders.fieldIds['Tags'] as string]: 2 },
    });
    for (let round = 0; round < (way === 'PATCH' ? 2 : 1); round += 1) {
      const undone = await go(undo);
      expect(undone).toMatchObject({ status: 'fulfilled' });
      expect(undone.left).toBeUndefined();
      expect(
        undone.sideEffects?.filter(({ kind }) => kind === 'recordsDeleted').reduce((sum, { count }) => sum + count, 0),
      ).toBe(2);
      expect(await look()).toEqual(before);
      const redone = await go(redo);
      expect(redone).toMatchObject({ status: 'fulfilled' });
      expect(await look()).toEqual(after);
    }
  },
);

test('undo by the id of the operation takes them back as well', async () => {
  const before = await look();
  const made = await (ways['PATCH'] as () => Promise<{ headers: Headers }>)();
  const undone = await base.call(restoreHistory, {
    params,
    body: { operationId: made.headers.get('x-operation-id') as string },
  });
  expect([undone.status, undone.body.sideEffects]).toEqual([
    200,
    [
      { kind: 'recordsDeleted', count: 2, tableId: customers.tableId, table: expect.any(String) },
      {
        kind: 'choicesRemoved',
        count: 1,
        tableId: orders.tableId,
        table: expect.any(String),
        fieldId: orders.fieldIds['State'],
        field: 'State',
      },
      {
        kind: 'choicesRemoved',
        count: 2,
        tableId: orders.tableId,
        table: expect.any(String),
        fieldId: orders.fieldIds['Tags'],
        field: 'Tags',
      },
    ],
  ]);
  expect(await look()).toEqual(before);
});

test('what somebody has used since stays, and undo says why', async () => {
  const state = orders.fieldIds['State'] as string;
  await base.call(updateRecords, {
    params,
    headers,
    body: {
      typecast: true,
      records: [
        { id: orderIds[0] as string, fields: { State: 'held', Tags: ['t1', 't2'], Customer: 'Edited' } },
        { id: orderIds[1] as string, fields: { Customer: 'Linked' } },
      ],
    },
  } as never);
  const more = await base.call(createRecords, {
    params,
    headers: { 'x-window-id': 'other' },
    body: { typecast: true, records: [{ fields: { Name: 'other' } }] },
  } as never);
  const [edited, linked] = (await look()).customers.map(([id]) => id as string) as [string, string];
  expect(
    (
      await colleague(updateRecord, {
        params: { tableId: customers.tableId, recordId: edited },
        body: { record: { fields: { Phone: '1' } } },
      })
    ).status,
  ).toBe(200);
  expect(
    (
      await colleague(updateRecord, {
        params: { ...params, recordId: more.body.records[0]?.id as string },
        body: { record: { fields: { Customer: { id: linked }, Tags: ['t2'] } } },
      })
    ).status,
  ).toBe(200);
  await base.call(setViewFilter, {
    params: { ...params, viewId: orders.viewId },
    body: { filter: { conjunction: 'and', filterSet: [{ fieldId: state, operator: 'isNot', value: 'held' }] } },
  });
  const undone = await go(undo);
  expect(undone.status, JSON.stringify(undone)).toBe('fulfilled');
  expect(
    undone.left?.map(({ kind, reason, message }) => [kind, reason, message.replace(/Table \d+/, 'Table')]),
  ).toEqual([
    ['record', 'linked', 'A record of "Table" stays: another record links to it'],
    ['record', 'changed_since', 'A record of "Table" stays: it has been changed since'],
    ['choice', 'used', 'The choice "held" of "State" stays: it is used elsewhere'],
    ['choice', 'used', 'The choice "t2" of "Tags" stays: it is used elsewhere'],
  ]);
  expect(undone.leftTotal).toBe(4);
  const { customers: left, choices } = await look();
  expect([left.map(([, name]) => name), choices.map((one) => one.split(' ')[1])]).toEqual([
    ['Edited', 'Linked'],
    ['open', 'held', 'a', 't2'],
  ]);
  // Nobody's links are lost, and the change can be done again.
  expect((await go(redo)).status).toBe('fulfilled');
  const redone = await base.call(listRecords, { params, query: { ignoreViewQuery: true } as never });
  expect(redone.body.records.map(({ fields }) => titles(fields['Customer']))).toEqual(['Edited', 'Linked', 'Linked']);
});

test('a choice stays that a deleted record has, which comes back as it was', async () => {
  const made = await base.call(createRecords, {
    params,
    headers,
    body: { typecast: true, records: [{ fields: { Name: 'x', State: 'new', Tags: 'b,c' } }] },
  } as never);
  expect(made.status).toBe(201);
  const cells = { State: 'new', Tags: ['c'] };
  await colleague(updateRecord, {
    params: { ...params, recordId: orderIds[0] as string },
    body: { record: { fields: cells } },
  });
  const deleted = await colleague(deleteRecord, { params: { ...params, recordId: orderIds[0] as string } });
  const undone = await go(undo);
  expect([undone.status, undone.left?.map(({ message }) => message)]).toEqual([
    'fulfilled',
    ['The choice "new" of "State" stays: it is used elsewhere', 'The choice "c" of "Tags" stays: it is used elsewhere'],
  ]);
  expect((await look()).choices.map((one) => one.split(' ')[1])).toEqual(['open', 'new', 'a', 'c']);
  const back = await colleague(restoreHistory, {
    params,
    body: { operationId: deleted.headers.get('x-operation-id') as string },
  });
  expect(back.status, JSON.stringify(back.body)).toBe(200);
  const read = await base.call(getRecord, { params: { ...params, recordId: orderIds[0] as string } });
  expect(read.body.fields).toMatchObject(cells);
});

test('a record with a comment stays; one that was deleted since, or whose table is in the trash, is no reason to refuse', async () => {
  const make = (names: string[]) =>
    base.call(updateRecords, {
      params,
      headers,
      body: {
        typecast: true,
        records: names.map((Customer, at) => ({ id: orderIds[at] as string, fields: { Customer } })),
      },
    } as never);
  await make(['Talked about', 'Gone']);
  const [talked, gone] = (await look()).customers.map(([id]) => id as string) as [string, string];
  await colleague(createComment, {
    params: { tableId: customers.tableId, recordId: talked },
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }], quoteId: null } as never,
  });
  await base.call(deleteRecord, { params: { tableId: customers.tableId, recordId: gone } });
  const undone = await go(undo);
  // The deletion took the link away, so the cell is not as the change left it.
  expect(undone).toMatchObject({ status: 'failed' });
  const forced = (await base.call(undo, { params, headers, body: { force: true } } as never)).body;
  expect([forced.status, forced.left?.map(({ reason }) => reason)]).toEqual(['fulfilled', ['commented']]);
  await make(['In the trash', 'In the trash']);
  expect((await base.call(deleteTable, { params: { baseId: base.baseId, tableId: customers.tableId } })).status).toBe(
    200,
  );
  const last = (await base.call(undo, { params, headers, body: { force: true } } as never)).body;
  expect(last.status, JSON.stringify(last)).toBe('fulfilled');
});

test('a token that may not delete records leaves them, and says so; one that may not create makes none', async () => {
  const tokenWith = async (scopes: string[]): Promise<Caller> => {
    const made = await base.call(createAccessToken, {
      body: {
        name: scopes.join(),
        scopes: scopes as never,
        expiredTime: new Date(Date.now() + 86_400_000).toISOString(),
        spaceIds: [base.spaceId],
      } as never,
    });
    return caller({ baseUrl: world().baseUrl, token: made.body.token as string });
  };
  const writer = await tokenWith(['table|read', 'record|read', 'record|update', 'record|create']);
  const make = (call: Caller) =>
    call(updateRecord, {
      params: { ...params, recordId: orderIds[0] as string },
      headers,
      body: { typecast: true, record: { fields: { Customer: 'Acme', State: 'new' } } },
    } as never);
  expect((await make(writer)).status).toBe(200);
  const undone = await go(undo, writer);
  expect([
    undone.status,
    undone.left?.map(({ reason }) => reason),
    undone.sideEffects?.map(({ kind }) => kind),
  ]).toEqual(['fulfilled', ['not_allowed'], ['choicesRemoved']]);
  expect((await look()).customers.map(([, name]) => name)).toEqual(['Acme']);
  const before = await look();
  const updater = await tokenWith(['table|read', 'record|read', 'record|update']);
  await updater(updateRecord, {
    params: { ...params, recordId: orderIds[1] as string },
    headers,
    body: { typecast: true, record: { fields: { Customer: 'Nobody' } } },
  } as never);
  expect(await look()).toEqual(before);
});

test('a change whose answer fails behind its commit is a step all the same', async () => {
  const before = await look();
  const forget = vi.spyOn(world().services.catalog, 'forget').mockImplementationOnce(() => {
    throw new Error('a fault behind the commit');
  });
  const failed = await base.call(updateRecord, {
    params: { ...params, recordId: orderIds[0] as string },
    headers,
    body: { typecast: true, record: { fields: { State: 'new' } } },
  } as never);
  expect(failed.status).toBe(500);
  forget.mockRestore();
  expect((await look()).orders[0]?.[1]).toBe('new');
  // An undo that fails behind its commit is done.
  const { work } = world().services;
  const wake = vi.spyOn(work, 'wake').mockImplementationOnce(() => {
    throw new Error('a fault behind the commit of the undo');
  });
  expect((await go(undo)).status).toBe('fulfilled');
  wake.mockRestore();
  expect(await look()).toEqual(before);
  expect((await go(undo)).status).toBe('empty');
});

test('changes that are written together have a step each', async () => {
  const before = await look();
  const steps = Array.from({ length: 12 }, (_item, at) => `step-${at}`);
  const name = (at: number) => ({ fields: { Name: `n${at}` } });
  const made = await Promise.all(
    steps.map((step, at) => {
      const sent = { params, headers: { ...headers, 'x-window-step': step } };
      return at % 2 === 0
        ? base.call(createRecords, { ...sent, body: { records: [name(at)] } } as never)
        : base.call(updateRecord, {
            ...sent,
            params: { ...params, recordId: orderIds[0] as string },
            body: { record: { fields: { Tags: null } } },
          } as never);
    }),
  );
  expect(made.map(({ status }) => status)).toEqual(steps.map((_step, at) => (at % 2 === 0 ? 201 : 200)));
  const undone = [];
  for (const step of steps)
    undone.push((await base.call(undo, { params, headers, body: { step } } as never)).body.status);
  expect(undone).toEqual(steps.map(() => 'fulfilled'));
  expect((await look()).orders).toEqual(before.orders);
});

test('an answer to a form is undone with what it made, and an import with what all of its rows made', async () => {
  const fields = (await base.call(listFields, { params })).body;
  const idOf = (name: string): string => fields.find((field) => field.name === name)?.id as string;
  const { id: viewId } = (await base.call(createView, { params, body: { type: 'form', name: 'Form' } })).body;
  await base.call(setViewColumns, {
    params: { ...params, viewId },
    body: fields.map(({ id }) => ({ fieldId: id, columnMeta: { visible: true } })),
  });
  const before = await look();
  const answered = await base.call(submitForm, {
    params,
    headers,
    body: { viewId, typecast: true, fields: { [idOf('Customer')]: 'Acme', [idOf('State')]: 'new' } },
  } as never);
  expect([answered.status, (await look()).customers.length]).toEqual([201, 1]);
  expect((await go(undo)).status).toBe('fulfilled');
  expect(await look()).toEqual(before);

  const text = 'Name,State,Customer\ni1,imported,Acme\ni2,open,Best\n';
  const { body: signed } = await base.call(createFileSignature, {
    body: { contentType: 'text/csv', contentLength: text.length, type: 5 },
  });
  await fetch(signed.url, { method: 'PUT', body: text, headers: { 'content-type': 'text/csv' } });
  const { presignedUrl } = (
    await base.call(notifyFile, { params: { token: signed.token }, query: { filename: 'a.csv' } })
  ).body;
  const begun = await base.call(importRecords, {
    params: { baseId: base.baseId, tableId: orders.tableId },
    body: {
      attachmentUrl: presignedUrl,
      fileType: 'csv',
      insertConfig: {
        sourceWorkSheetKey: 'Import Table',
        excludeFirstRow: true,
        sourceColumnMap: { [idOf('Name')]: 0, [idOf('State')]: 1, [idOf('Customer')]: 2 },
      },
    },
  });
  const ended = (jobId: string) =>
    vi.waitFor(
      async () => {
        const { body: job } = await base.call(getJob, { params: { jobId } });
        if (job.state === 'waiting' || job.state === 'running') throw new Error(JSON.stringify(job));
        return job;
      },
      { timeout: 50_000, interval: 20 },
    );
  const jobId = begun.headers.get('x-job-id') as string;
  expect((await ended(jobId)).state).toBe('done');
  const [, best] = (await look()).customers.map(([id]) => id as string);
  await colleague(updateRecord, {
    params: { tableId: customers.tableId, recordId: best as string },
    body: { record: { fields: { Phone: '2' } } },
  });
  const { body: undoing } = await base.call(undoJob, { params: { jobId }, body: {} });
  expect((await ended(undoing.id)).result).toMatchObject({
    records: 2,
    sideEffects: [
      { kind: 'recordsDeleted', count: 1 },
      { kind: 'choicesRemoved', count: 1 },
    ],
    left: [{ kind: 'record', id: best, reason: 'changed_since' }],
    leftTotal: 1,
  });
  expect(await look()).toEqual({ ...before, customers: [[best, 'Best']] });
});

test('a token without record|create brings back no records that an undo took away', async () => {
  await ways['PATCH']?.();
  await go(undo);
  const before = await look();
  expect(before.customers).toEqual([]);
  const narrow = await base.owner.withToken({
    hasFullAccess: true,
    scopes: ['record|read', 'record|update', 'table|read'],
  });
  expect(await go(redo, narrow.call)).toMatchObject({
    status: 'failed',
    errorMessage: expect.stringContaining('record|create'),
  });
  expect(await look()).toEqual(before);
  expect(await go(redo)).toMatchObject({ status: 'fulfilled' });
  expect((await look()).customers).toHaveLength(2);
});

test('a text that becomes a link, with the records that it lacks, is undone and done again as one step', async () => {
  const field = (await base.call(createField, { params, body: { name: 'Client', type: 'singleLineText' } })).body;
  const cells = async () =>
    (await base.call(listRecords, { params, query: { cellFormat: 'text' } })).body.records.map(
      ({ fields }) => fields['Client'],
    );
  const names = async () =>
    (await base.call(listRecords, { params: { tableId: customers.tableId }, query: {} })).body.records.map(
      ({ fields }) => fields['Name'],
    );
  await base.call(createRecords, {
    params: { tableId: customers.tableId },
    body: { records: [{ fields: { Name: 'Acme' } }] },
  });
  await base.call(updateRecords, {
    params,
    body: { records: orderIds.map((id, at) => ({ id, fields: { Client: ['Acme', 'Beta'][at] } })) },
  });
  const inStep = { ...headers, 'x-window-step': 'link' };
  await base.call(convertField, {
    params: { ...params, fieldId: field.id },
    body: { type: 'link', options: { relationship: 'manyOne', foreignTableId: customers.tableId } },
    headers: inStep,
  });
  await base.call(updateRecords, {
    params,
    body: { records: [{ id: orderIds[1] as string, fields: { Client: 'Beta' } }], typecast: true },
    headers: inStep,
  });
  expect([await cells(), await names()]).toEqual([
    ['Acme', 'Beta'],
    ['Acme', 'Beta'],
  ]);
  expect((await base.call(undo, { params, body: { step: 'link' }, headers })).body.status).toBe('fulfilled');
  expect([await cells(), await names()]).toEqual([['Acme', 'Beta'], ['Acme']]);
  expect((await base.call(redo, { params, body: { step: 'link' }, headers })).body.status).toBe('fulfilled');
  expect([await cells(), await names()]).toEqual([
    ['Acme', 'Beta'],
    ['Acme', 'Beta'],
  ]);
});
