// Buttons: how often they are pressed and by whom, what follows from it, and what does not write them.
import { setTimeout as sleep } from 'node:timers/promises';
import { activateAutomation, createAutomation } from '@rowhouse/contract/automation.ts';
import { getPress, pressButton, resetButton } from '@rowhouse/contract/button.ts';
import { convertField, createField, getField } from '@rowhouse/contract/field.ts';
import { listRecordHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { duplicateTable } from '@rowhouse/contract/table.ts';
import { buttonClickVoSchema } from '@teable/openapi';
import { expect, test } from 'vitest';
import { caller } from '../support/caller.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const plans = {
  plans: plansWith({ free: { buttonFieldEnable: true, automationEnable: true }, plus: { buttonFieldEnable: false } }),
};
const world = useWorld({}, plans);

const withButton = async (options: Record<string, unknown> = {}) => {
  const shop = await openWorkshop(world());
  const table = await shop.table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
      { name: 'Approve', type: 'button', options: { label: 'Approve', ...options } },
    ],
    records: [{ fields: { Name: 'a & b', Amount: 7 } }],
  });
  const fields = Object.fromEntries(table.fields.map(({ name, id }) => [name, id])) as Record<string, string>;
  const record = table.records[0] as { id: string };
  const params = { tableId: table.id, recordId: record.id, fieldId: fields['Approve'] as string };
  const cellOf = async (recordId = record.id): Promise<unknown> =>
    (await shop.owner.call(getRecord, { params: { tableId: table.id, recordId }, query: {} })).body.fields['Approve'];
  return { ...shop, table, fields, params, cellOf, press: () => shop.owner.call(pressButton, { params }) };
};

test('a press counts, and answers the record in the form that the client of Teable knows', async () => {
  const { press, params, fields, owner } = await withButton();
  const { status, body } = await press();
  expect(status).toBe(200);
  expect(buttonClickVoSchema.parse(body)).toBeDefined();
  expect(body).toMatchObject({ runId: '', tableId: params.tableId, fieldId: params.fieldId });
  expect(body.record).toMatchObject({ id: params.recordId, fields: { [params.fieldId]: { count: 1 } } });
  expect((await press()).body.record.fields[params.fieldId]).toEqual({ count: 2 });
  expect((await owner.call(getField, { params })).body).toMatchObject({
    type: 'button',
    cellValueType: 'string',
    dbFieldType: 'JSON',
    options: { label: 'Approve', color: 'teal' },
  });
  expect((await owner.call(pressButton, { params: { ...params, fieldId: fields['Name'] as string } })).status).toBe(
    400,
  );
  expect((await owner.call(pressButton, { params: { ...params, recordId: 'recAAAAAAAAAAAAAAAA' } })).status).toBe(404);
});

test('people who press at once never pass maxCount, and each of them counts', async () => {
  const { owner, params, cellOf, press } = await withButton({ maxCount: 3 });
  const answers = await Promise.all(Array.from({ length: 9 }, press));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409, 409]);
  expect(await cellOf()).toEqual({ count: 3 });
  expect((await press()).error?.message).toContain('3 times');
  // Without `resetCount` nobody sets it back.
  expect((await owner.call(resetButton, { params })).status).toBe(400);
  await owner.call(convertField, {
    params,
    body: { type: 'button', options: { label: 'Again', maxCount: 3, resetCount: true } },
  });
  expect(await cellOf()).toEqual({ count: 3 });
  expect((await owner.call(resetButton, { params })).body.fields).not.toHaveProperty(params.fieldId);
  expect((await press()).status).toBe(200);
});

test('readers press, unless the field says that only editors do; nobody else does', async () => {
  const { owner, baseId, params, cellOf } = await withButton({ resetCount: true });
  const reader = await member(world(), owner, baseId, 'viewer');
  const stranger = await openWorkshop(world());
  expect((await reader.call(pressButton, { params })).status).toBe(200);
  expect((await reader.call(resetButton, { params })).status).toBe(403);
  expect((await stranger.owner.call(pressButton, { params })).status).toBe(404);
  await owner.call(convertField, { params, body: { type: 'button', options: { mayPress: 'editors' } } });
  expect((await reader.call(pressButton, { params })).status).toBe(403);
  const editor = await member(world(), owner, baseId, 'editor');
  expect((await editor.call(pressButton, { params })).status).toBe(200);
  expect(await cellOf()).toEqual({ count: 2 });
});

test('an address is filled with the cells, escaped, and cannot be led elsewhere by them', async () => {
  const { owner, params, fields, press, table } = await withButton();
  const set = (url: string) =>
    owner.call(convertField, { params, body: { type: 'button', options: { action: 'openLink', url } } });
  for (const url of [`javascript:{${fields['Name']}}`, `{${fields['Name']}}`, `https://{${fields['Name']}}/x`, 'x'])
    expect((await set(url)).status, url).toBe(400);
  expect((await set('https://example.com/{fldAAAAAAAAAAAAAAAA}')).error?.message).toContain('fldAAAAAAAAAAAAAAAA');
  expect((await set(`https://example.com/{${fields['Amount']}}?q={${fields['Name']}}`)).status).toBe(200);
  expect((await press()).body).toMatchObject({ url: 'https://example.com/7?q=a%20%26%20b', runId: '' });
  const copy = (
    await owner.call(duplicateTable, {
      params: { baseId: table.dbTableName.split('.')[0] as string, tableId: table.id },
      body: { name: 'Copy', includeRecords: true },
    })
  ).body;
  const [record] = (await owner.call(listRecords, { params: { tableId: copy.id }, query: {} })).body.records;
  const copied = copy.fields.find(({ name }) => name === 'Approve')?.id as string;
  await owner.call(updateRecords, {
    params: { tableId: copy.id },
    body: { records: [{ id: record?.id as string, fields: { Amount: 8 } }] },
  });
  expect(
    (await owner.call(pressButton, { params: { tableId: copy.id, recordId: record?.id as string, fieldId: copied } }))
      .body.url,
  ).toBe('https://example.com/8?q=a%20%26%20b');
});

test('a press stands in the history, formulas follow it, and no other write changes a count', async () => {
  const { owner, params, press, cellOf, table } = await withButton();
  const formula = await owner.call(createField, {
    params: { tableId: table.id },
    body: { name: 'Done', type: 'formula', options: { expression: '{Approve} > 0' } },
  });
  expect(formula.status, JSON.stringify(formula.error)).toBe(201);
  const { body } = await press();
  expect(body.record.fields[formula.body.id]).toBe(true);
  const { historyList } = (await owner.call(listRecordHistory, { params, query: {} })).body;
  expect(historyList[0]).toMatchObject({ fieldId: params.fieldId, after: { data: { count: 1 } } });
  const write = (value: unknown, typecast: boolean) =>
    owner.call(updateRecords, {
      params: { tableId: table.id },
      body: { typecast, records: [{ id: params.recordId, fields: { Approve: value } }] },
    });
  expect((await write({ count: 5 }, false)).status).toBe(400);
  await write({ count: 5 }, true);
  expect(await cellOf()).toEqual({ count: 1 });
  const made = await owner.call(createRecords, {
    params: { tableId: table.id },
    body: { typecast: true, records: [{ fields: { Name: 'b', Approve: 'x' } }] },
  });
  expect(made.body.records[0]?.fields).not.toHaveProperty('Approve');
  const twin = await owner.call(duplicateRecord, { params } as never);
  expect(await cellOf(twin.body.records[0]?.id)).toBeUndefined();
});

test('a count survives the trash and an undone conversion', async () => {
  const { owner, params, press, cellOf, table } = await withButton();
  await press();
  await press();
  const params1 = { tableId: table.id };
  const removed = await owner.call(deleteRecords, { params: params1, query: { recordIds: [params.recordId] } });
  const back = await owner.call(restoreHistory, {
    params: params1,
    body: { operationId: removed.headers.get('x-operation-id') as string },
  });
  expect(back.status, JSON.stringify(back.error)).toBeLessThan(300);
  expect(await cellOf()).toEqual({ count: 2 });
  const converted = await owner.call(convertField, { params, body: { type: 'number' } });
  expect(await cellOf()).toBeUndefined();
  await owner.call(restoreHistory, {
    params: params1,
    body: { operationId: converted.headers.get('x-operation-id') as string },
  });
  expect((await owner.call(getField, { params })).body.type).toBe('button');
  expect(await cellOf()).toEqual({ count: 2 });
  await owner.call(convertField, { params, body: { type: 'singleLineText' } });
  await owner.call(convertField, { params, body: { type: 'button' } });
  expect(await cellOf()).toBeUndefined();
  expect((await press()).body.record.fields[params.fieldId]).toEqual({ count: 1 });
});

test('filters ask whether it was pressed; it is neither looked up nor required', async () => {
  const { owner, params, press, table } = await withButton();
  await owner.call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: { Name: 'b' } }] } });
  await press();
  const found = async (operator: string): Promise<unknown> =>
    (
      await owner.call(listRecords, {
        params: { tableId: table.id },
        query: {
          filter: JSON.stringify({
            conjunction: 'and',
            filterSet: [{ fieldId: params.fieldId, operator, value: null }],
          }),
        } as never,
      })
    ).body.records.map(({ fields }) => fields['Name']);
  expect(await found('isNotEmpty')).toEqual(['a & b']);
  expect(await found('isEmpty')).toEqual(['b']);
  const bad = await owner.call(createField, {
    params: { tableId: table.id },
    body: { name: 'Must', type: 'button', notNull: true },
  });
  expect(bad.status).toBe(400);
});

test('a press starts its automation in its own transaction, and the one who pressed reads the outcome', async () => {
  const { owner, baseId, fields, params, cellOf, table } = await withButton({ maxCount: 1 });
  const made = await owner.call(createAutomation, {
    params: { baseId },
    body: {
      name: 'Approve',
      trigger: { type: 'buttonPressed', tableId: table.id, fieldIds: [params.fieldId] },
      steps: [
        {
          type: 'updateRecord',
          id: 'step1',
          tableId: table.id,
          recordId: { formula: '{trigger.recordId}' },
          fields: { [fields['Amount'] as string]: 42 },
        },
      ],
    },
  });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  const on = await owner.call(activateAutomation, { params: { baseId, automationId: made.body.id } });
  expect(on.status, JSON.stringify(on.error)).toBe(200);
  const reader = await member(world(), owner, baseId, 'viewer');
  const { body } = await reader.call(pressButton, { params });
  expect(body.runId).not.toBe('');
  const look = (by: typeof reader) => by.call(getPress, { params: { ...params, runId: body.runId } });
  while (['waiting', 'running'].includes((await look(reader)).body.state)) await sleep(50);
  expect((await look(reader)).body).toEqual({ state: 'success' });
  expect((await look(owner)).status).toBe(404);
  const read = await owner.call(getRecord, { params, query: {} });
  expect(read.body.fields).toMatchObject({ Amount: 42, Approve: { count: 1 } });
  // What is refused starts nothing.
  expect((await reader.call(pressButton, { params })).status).toBe(409);
  expect(await cellOf()).toEqual({ count: 1 });
});

test('a press that is sent again with its key counts once, whichever server it reaches, and starts one run', async () => {
  const { owner, baseId, params, cellOf, table } = await withButton({ maxCount: 2 });
  const made = await owner.call(createAutomation, {
    params: { baseId },
    body: {
      name: 'Note',
      trigger: { type: 'buttonPressed', tableId: table.id, fieldIds: null },
      steps: [{ type: 'createRecord', id: 'step1', tableId: table.id, fields: { Name: { template: 'pressed' } } }],
    },
  });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  await owner.call(activateAutomation, { params: { baseId, automationId: made.body.id } });
  const other = await openWorld(world().databaseUrl, {}, plans);
  try {
    const reader = await member(world(), owner, baseId, 'viewer');
    const there = caller({ baseUrl: other.baseUrl, token: reader.token });
    const headers = { 'Idempotency-Key': 'once' };
    const sent = await Promise.all(
      [reader.call, there, reader.call, there].map((call) => call(pressButton, { params, headers })),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(sent.map(({ body }) => body.runId)).size).toBe(1);
    expect(sent.filter((one) => one.headers.get('idempotency-replayed') === 'true')).toHaveLength(3);
    expect(await cellOf()).toEqual({ count: 1 });
    const look = { params: { ...params, runId: sent[0]?.body.runId as string } };
    while (['waiting', 'running'].includes((await there(getPress, look)).body.state)) await sleep(50);
    const names = async () =>
      (await owner.call(listRecords, { params, query: {} })).body.records.filter(
        ({ fields }) => fields['Name'] === 'pressed',
      ).length;
    expect(await names()).toBe(1);
    // The key is that of one press: of another record, or with another token, it is another one or refused.
    const [second] = (
      await owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'second' } }] } as never })
    ).body.records as unknown as [{ id: string }];
    expect((await there(pressButton, { params: { ...params, recordId: second.id }, headers })).status).toBe(409);
    expect((await owner.call(pressButton, { params, headers })).body.record.fields[params.fieldId]).toEqual({
      count: 2,
    });
    // Pressed as often as it may be: the first press is still answered as what it was, with the count of today.
    const again = await reader.call(pressButton, { params, headers });
    expect([again.status, again.body.record.fields[params.fieldId]]).toEqual([200, { count: 2 }]);
    expect((await reader.call(pressButton, { params, headers: { 'Idempotency-Key': 'two' } })).status).toBe(409);
    // What was refused left no key behind.
    await owner.call(deleteRecords, { params, query: { recordIds: [params.recordId] } });
    expect((await there(pressButton, { params, headers })).status).toBe(404);
  } finally {
    await other.close();
  }
});

test('tokens press with the right to read records of that base, and nothing less', async () => {
  const { owner, baseId, params, cellOf } = await withButton();
  const tokens = [
    await owner.withToken({ scopes: ['record|read'], baseIds: [baseId] }),
    await owner.withToken({ scopes: ['record|update', 'record|create', 'table|read'], baseIds: [baseId] }),
    await owner.withToken({ hasFullAccess: false, scopes: ['record|read'], baseIds: [(await withButton()).baseId] }),
  ];
  const statuses = [];
  for (const { call } of tokens) statuses.push((await call(pressButton, { params })).status);
  expect(statuses).toEqual([200, 403, 403]);
  expect(await cellOf()).toEqual({ count: 1 });
});
