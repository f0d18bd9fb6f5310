// What another server process has changed about a table is known here at once, also where it decides about a refusal.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { convertField, createField } from '@rowhouse/contract/field.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords, updateRecord, upsertRecords } from '@rowhouse/contract/record.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { caller } from '../support/caller.ts';
import { titles } from '../support/links.ts';
import { listen } from '../support/listen.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { openWorld, useSharedWorld, type World } from '../support/world.ts';

const world = useSharedWorld();
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
    expect(
      (await there(convertField, { params: { ...params, fieldId }, body: { type: 'singleLineText' } })).status,
    ).toBe(200);
    const text = await table.call(createRecords, { params, body: { records: [{ fields: { [name]: 'text' } }] } });
    expect(text.status, JSON.stringify(text.body)).toBe(201);
    await there(createField, { params, body: { name: `${name} more`, type: 'number' } });
    const sorted = await table.call(listRecords, {
      params,
      query: { orderBy: JSON.stringify([{ fieldId, order: 'asc' }]), projection: [`${name} more`] },
    });
    expect(sorted.status, JSON.stringify(sorted.body)).toBe(200);
  }
});

test('a record is written here after another process has made a number of a text that a formula joins', async () => {
  const table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Extra', type: 'singleLineText' },
  ]);
  const params = { tableId: table.tableId };
  const there = caller({ baseUrl: other.baseUrl, token: table.owner.token });
  const [name, extra] = [table.fieldIds['Name'], table.fieldIds['Extra']] as [string, string];
  expect(
    (
      await table.call(createField, {
        params,
        body: { name: 'Both', type: 'formula', options: { expression: `{${extra}} & ": " & {${name}}` } },
      })
    ).status,
  ).toBe(201);
  const made = await table.call(createRecords, { params, body: { records: [{ fields: { Name: 'a', Extra: '1' } }] } });
  const recordId = made.body.records[0]?.id as string;
  for (const [type, text] of [
    ['number', '1: b'],
    ['singleLineText', '1.00: c'],
    ['number', '1: d'],
  ] as const) {
    expect((await there(convertField, { params: { ...params, fieldId: extra }, body: { type } })).status).toBe(200);
    const written = await table.call(updateRecord, {
      params: { ...params, recordId },
      body: { record: { fields: { Name: text.at(-1) } } },
    });
    expect([written.status, written.body.fields?.['Both']], JSON.stringify(written.body)).toEqual([200, text]);
  }
});

describe('a linked table that has changed elsewhere', () => {
  let orders: TestTable;
  let customers: TestTable;
  let params: { tableId: string };
  let linkId: string;
  let recordId: string;
  beforeAll(async () => {
    const base = await ground(world());
    customers = await tableWith(base, [{ name: 'Name', type: 'singleLineText' }]);
    orders = await tableWith(base, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
    ]);
    params = { tableId: orders.tableId };
    const made = await orders.call(createField, {
      params,
      body: { name: 'Customer', type: 'link', options: { relationship: 'manyOne', foreignTableId: customers.tableId } },
    });
    linkId = made.body.id;
    recordId = (await orders.call(createRecords, { params, body: { records: [{ fields: { Name: 'first' } }] } })).body
      .records[0]?.id as string;
  });

  /** Both are remembered here as they are now. */
  const remember = async (): Promise<void> => {
    for (const { tableId } of [orders, customers]) {
      expect(
        (
          await orders.call(createRecords, {
            params: { tableId },
            body: { typecast: true, records: [{ fields: { Name: 'seen' } }] },
          })
        ).status,
      ).toBe(201);
    }
  };

  const importFile = async (name: string): Promise<{ status: number; body: unknown }> => {
    const text = `Name,State,Customer\nimported,state ${name},customer ${name}\n`;
    const { body: signed } = await orders.call(createFileSignature, {
      body: { contentType: 'text/csv', contentLength: text.length, type: 5 },
    });
    await fetch(signed.url, { method: 'PUT', body: text, headers: { 'content-type': 'text/csv' } });
    const { presignedUrl } = (
      await orders.call(notifyFile, { params: { token: signed.token }, query: { filename: 'a.csv' } })
    ).body;
    const insertConfig = {
      sourceWorkSheetKey: 'Import Table',
      excludeFirstRow: true,
      sourceColumnMap: { [orders.fieldIds['Name'] as string]: 0, [orders.fieldIds['State'] as string]: 1, [linkId]: 2 },
    };
    const begun = await orders.call(importRecords, {
      params: { baseId: orders.baseId, tableId: orders.tableId },
      body: { attachmentUrl: presignedUrl, fileType: 'csv', insertConfig },
    });
    return vi.waitFor(
      async () => {
        const { body: job } = await orders.call(getJob, { params: { jobId: begun.headers.get('x-job-id') as string } });
        if (job.state === 'waiting' || job.state === 'running') throw new Error(JSON.stringify(job));
        return { status: job.state === 'done' ? 200 : 500, body: job };
      },
      { timeout: 50_000, interval: 20 },
    );
  };

  const ways: Record<string, (name: string) => Promise<{ status: number; body: unknown }>> = {
    POST: (name) =>
      orders.call(createRecords, {
        params,
        body: { typecast: true, records: [{ fields: { State: `state ${name}`, Customer: `customer ${name}` } }] },
      }),
    PATCH: (name) =>
      orders.call(updateRecord, {
        params: { ...params, recordId },
        body: { typecast: true, record: { fields: { State: `state ${name}`, Customer: `customer ${name}` } } },
      }),
    paste: (name) =>
      orders.call(pasteIntoRanges, {
        params,
        body: {
          viewId: orders.viewId,
          ranges: [
            [1, 0],
            [2, 0],
          ],
          content: [[`state ${name}`, `customer ${name}`]],
        },
      }),
    upsert: (name) =>
      orders.call(upsertRecords, {
        params,
        body: {
          typecast: true,
          matchFields: ['Name'],
          records: [{ fields: { Name: name, State: `state ${name}`, Customer: `customer ${name}` } }],
        },
      }),
    import: importFile,
  };

  test.each(Object.keys(ways))(
    'typecast makes a choice and a linked record by %s, whatever was remembered of the linked table',
    async (way) => {
      const ask = ways[way] as (name: string) => Promise<{ status: number; body: unknown }>;
      const there = caller({ baseUrl: other.baseUrl, token: orders.owner.token });
      const changes: Record<string, () => Promise<{ status: number }>> = {
        'both new in one request': async () => ({ status: 200 }),
        'a choice before': () =>
          orders.call(createRecords, {
            params,
            body: { typecast: true, records: [{ fields: { State: `${way} before` } }] },
          }),
        'a field elsewhere': () =>
          there(createField, { params: { tableId: customers.tableId }, body: { name: `${way} more`, type: 'number' } }),
        'a formula elsewhere': () =>
          there(createField, {
            params: { tableId: customers.tableId },
            body: {
              name: `${way} formula`,
              type: 'formula',
              options: { expression: `{${customers.fieldIds['Name']}} & "!"` },
            },
          }),
      };
      for (const [what, change] of Object.entries(changes)) {
        await remember();
        expect((await change()).status).toBeOneOf([200, 201]);
        const name = `${way} ${what}`;
        const wrote = await ask(name);
        expect([what, wrote.status], JSON.stringify(wrote.body)).toEqual([what, expect.toBeOneOf([200, 201])]);
        const shown = (await orders.call(listRecords, { params, query: { take: 1_000 } })).body.records.map(
          ({ fields }) => [fields['State'], titles(fields['Customer'])],
        );
        expect(shown).toContainEqual([`state ${name}`, `customer ${name}`]);
      }
    },
  );
});

test('events here carry the value of the first formula of a table, which another process has added', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Name', type: 'singleLineText' }]);
  const params = { tableId: table.tableId };
  const made = await table.call(createRecords, { params, body: { records: [{ fields: { Name: 'a' } }] } });
  const recordId = made.body.records[0]?.id as string;
  const write = (name: string) =>
    table.call(updateRecord, { params: { ...params, recordId }, body: { record: { fields: { Name: name } } } });
  const ears = [
    await listen(`${other.baseUrl}/table/${table.tableId}/events?values=true`, { token: table.owner.token }),
    await listen(`${other.baseUrl}/table/${table.tableId}/events`, { token: table.owner.token }),
  ];
  try {
    // Remembered there, then changed here.
    await write('b');
    for (const ear of ears) await ear.until(({ name }) => name === 'records.updated');
    const there = caller({ baseUrl: other.baseUrl, token: table.owner.token });
    expect((await there(createRecords, { params, body: { records: [{ fields: { Name: 'seen' } }] } })).status).toBe(
      201,
    );
    const formula = await table.call(createField, {
      params,
      body: { name: 'Loud', type: 'formula', options: { expression: `{${table.fieldIds['Name']}} & "!"` } },
    });
    const operation = (await write('c')).headers.get('x-operation-id') as string;
    const [valued, plain] = await Promise.all(
      ears.map((ear) => ear.until(({ name, data }) => name === 'records.updated' && data.operationId === operation)),
    );
    expect(valued?.data.records[0].fields).toMatchObject({ [formula.body.id]: 'c!' });
    expect(plain?.data.fieldIds ?? [formula.body.id]).toContain(formula.body.id);
  } finally {
    for (const ear of ears) ear.close();
  }
});
