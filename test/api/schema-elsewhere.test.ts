// What another server process has changed about a table is known here at once, also where it decides about a refusal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertField, createField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { caller } from '../support/caller.ts';
import { ground, tableWith } from '../support/table.ts';
import { openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld();
let other: World;
beforeAll(async () => {
  other = await openWorld(world().databaseUrl);
});
afterAll(() => other.close());

test('a field that another process has made can be written, sorted by and asked for here', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const params = { tableId: table.tableId };
  const there = caller({ baseUrl: other.baseUrl, token: table.owner.token });
  const read = { params, query: { fieldKeyType: 'id' } };
  for (const name of ['One', 'Two', 'Three']) {
    // Remembered here, then changed there.
    expect((await table.call(listRecords, read)).status).toBe(200);
    const made = await there(createField, { params, body: { name, type: 'number' } });
    const fieldId = made.body.id;
    const wrote = await table.call(createRecords, { params, body: { records: [{ fields: { [name]: 1 } }] } });
    expect(wrote.status, JSON.stringify(wrote.body)).toBe(201);
    expect((await there(convertField, { params: { ...params, fieldId }, body: { type: 'singleLineText' } })).status).toBe(200);
    const text = await table.call(createRecords, { params, body: { records: [{ fields: { [name]: 'text' } }] } });
    expect(text.status, JSON.stringify(text.body)).toBe(201);
    await there(createField, { params, body: { name: `${name} more`, type: 'number' } });
    const sorted = await table.call(listRecords, { params, query: { orderBy: JSON.stringify([{ fieldId, order: 'asc' }]), projection: [`${name} more`] } });
    expect(sorted.status, JSON.stringify(sorted.body)).toBe(200);
  }
});

test('a record is written here after another process has made a number of a text that a formula joins', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }, { name: 'Extra', type: 'singleLineText' }]);
  const params = { tableId: table.tableId };
  const there = caller({ baseUrl: other.baseUrl, token: table.owner.token });
  const [name, extra] = [table.fieldIds['Name'], table.fieldIds['Extra']] as [string, string];
  expect((await table.call(createField, { params, body: { name: 'Both', type: 'formula', options: { expression: `{${extra}} & ": " & {${name}}` } } })).status).toBe(201);
  const made = await table.call(createRecords, { params, body: { records: [{ fields: { Name: 'a', Extra: '1' } }] } });
  const recordId = made.body.records[0]?.id as string;
  for (const [type, text] of [['number', '1: b'], ['singleLineText', '1.00: c'], ['number', '1: d']] as const) {
    expect((await there(convertField, { params: { ...params, fieldId: extra }, body: { type } })).status).toBe(200);
    const written = await table.call(updateRecord, { params: { ...params, recordId }, body: { record: { fields: { Name: text.at(-1) } } } });
    expect([written.status, written.body.fields?.['Both']], JSON.stringify(written.body)).toEqual([200, text]);
  }
});
