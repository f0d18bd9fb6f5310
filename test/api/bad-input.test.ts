// What the fuzzing of the proof found, once each.
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { howMany } from '../support/cases.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const loud: string[] = [];
const world = useWorld({ logLevel: 'warn' }, { logStream: { write: (line) => void loud.push(line) } });
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
});

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world().baseUrl}/table/${table.tableId}${path}`, {
    method,
    headers: { authorization: `Bearer ${table.owner.token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });

const count = async (): Promise<number> =>
  (await table.call(listRecords, { params: { tableId: table.tableId } })).body.records.length;

test('a cell that is nested without end is refused, and nothing is written', async () => {
  const before = await count();
  for (const field of ['Name', 'Count']) {
    for (const typecast of [true, false]) {
      for (const levels of [30, 20_000, 500_000]) {
        const answer = await send(
          'POST',
          '/record',
          `{"typecast":${typecast},"records":[{"fields":{"${field}":${deep(levels)}}}]}`,
        );
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          code: 'validation_error',
          status: 400,
          message: expect.stringMatching(/^Validation error: /),
          requestId: answer.headers.get('x-request-id'),
        });
      }
    }
  }
  // So many that even reading them would keep everybody else waiting.
  const million = await send('POST', '/record', `{"records":[{"fields":{"Name":${deep(1_000_000)}}}]}`);
  expect(await million.json()).toMatchObject({
    status: 400,
    message: 'Validation error: the body is nested more than 500 levels deep',
  });
  const once = await send('POST', '/record', `{"records":[{"fields":{"Name":${deep(100_000)}}}]}`, {
    'idempotency-key': 'deep',
  });
  expect(once.status).toBe(400);
  expect(await count()).toBe(before);
  // It is the fault of anyone who sent it, and nothing for anyone who reads the log.
  expect(loud).toEqual([]);
});

test('a filter, sort or group that names something nested without end is refused', async () => {
  const levels = deep(9_000);
  const condition = `{"conjunction":"and","filterSet":[{"fieldId":${levels},"operator":"is","value":1}]}`;
  for (const query of [
    `filter=${encodeURIComponent(condition)}`,
    `orderBy=${encodeURIComponent(`[{"fieldId":${levels},"order":"asc"}]`)}`,
    `groupBy=${encodeURIComponent(`[{"fieldId":${levels},"order":"asc"}]`)}`,
  ]) {
    expect((await send('GET', `/record?${query}`)).status).toBe(400);
  }
  const view = (await (await send('GET', '/view')).json()) as { id: string }[];
  expect((await send('PUT', `/view/${view[0]?.id}/filter`, `{"filter":${condition}}`)).status).toBe(400);
  expect(
    (await send('PUT', `/view/${view[0]?.id}/sort`, `{"sort":{"sortObjs":[{"fieldId":${levels},"order":"asc"}]}}`))
      .status,
  ).toBe(400);
});

test('the history of a record is read while fields come and go', async () => {
  const { tableId } = table;
  const made = await table.call(createRecords, {
    params: { tableId },
    body: { records: [{ fields: { Name: 'a', Count: 1 } }] },
  });
  const recordId = made.body.records[0]?.id as string;
  let isOver = false;
  const change = async (): Promise<void> => {
    for (let turn = 0; turn < howMany(25, 10); turn += 1) {
      const field = await table.call(createField, { params: { tableId }, body: { type: 'number' } });
      await table.call(deleteField, { params: { tableId, fieldId: field.body.id } });
    }
    isOver = true;
  };
  const statuses = new Set<number>();
  const read = async (): Promise<void> => {
    while (!isOver)
      statuses.add(
        (await table.call(listRecordHistory, { params: { tableId, recordId }, query: { includeCreated: true } }))
          .status,
      );
  };
  await Promise.all([change(), read(), read(), read()]);
  expect([...statuses]).toEqual([200]);
});
