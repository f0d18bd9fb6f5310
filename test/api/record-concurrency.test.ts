// Many writers at once on the same records: no deadlock, no lost update, and the history is a chain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, getRecord, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { howMany } from '../support/cases.ts';
import { chainFaults } from '../support/chain.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const names = ['a', 'b', 'c', 'd'];
const makeTable = async (records: number): Promise<{ table: TestTable; ids: string[] }> => {
  const table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Kind', type: 'singleSelect', options: { choices: names.map((name) => ({ name })) } },
    { name: 'Tags', type: 'multipleSelect', options: { choices: names.map((name) => ({ name })) } },
  ]);
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: Array.from({ length: records }, (_, at) => ({ fields: { Name: `r${at}` } })) },
  });
  return { table, ids: made.body.records.map((record) => record.id) };
};

test('32 clients update overlapping records: every answer is 200 and nothing is lost', async () => {
  const { table, ids } = await makeTable(6);
  const client = async (client: number): Promise<void> => {
    for (let round = 0; round < howMany(12, 4); round += 1) {
      const chosen = [...ids].sort(() => Math.random() - 0.5).slice(0, 1 + ((client + round) % 4));
      const answer = await table.call(updateRecords, {
        params: { tableId: table.tableId },
        body: {
          records: chosen.map((id) => ({ id, fields: { Count: client * 100 + round, Kind: names[round % 4] } })),
        },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, at) => client(at)));
  expect(await chainFaults(table)).toEqual([]);
});

test('increments under If-Match are never lost', async () => {
  const { table, ids } = await makeTable(1);
  const params = { tableId: table.tableId, recordId: ids[0] as string };
  let done = 0;
  const increment = async (): Promise<void> => {
    for (;;) {
      const read = await table.call(getRecord, { params });
      const next = ((read.body.fields.Count as number | undefined) ?? 0) + 1;
      const written = await table.call(updateRecord, {
        params,
        body: { record: { fields: { Count: next } } },
        headers: { 'if-match': read.headers.get('etag') as string },
      });
      if (written.status === 200) break;
      expect(written.status).toBe(412);
    }
    done += 1;
  };
  await Promise.all(Array.from({ length: 16 }, increment));
  const read = await table.call(getRecord, { params });
  expect(done).toBe(16);
  expect(read.body.fields.Count).toBe(16);
});

test('autoNumber is unique when many create at once', async () => {
  const { table } = await makeTable(0);
  const answers = await Promise.all(
    Array.from({ length: 32 }, () =>
      table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: {} }, { fields: {} }, { fields: {} }] },
      }),
    ),
  );
  const numbers = answers.flatMap((answer) => answer.body.records.map((record) => record.autoNumber));
  expect(new Set(numbers).size).toBe(96);
});

test('random updates, restores and field conversions by 32 clients leave an unbroken chain', async () => {
  const { table, ids } = await makeTable(8);
  const seed = fc.sample(fc.integer({ min: 1 }), 1)[0] as number;
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  // A restore may find that cells have changed since; giving up on a deadlock or a storm is no answer.
  const expected: Record<number, string> = { 409: 'stand in the way' };
  const judged = ({ status, error }: { status: number; error: { message: string } | undefined }): string =>
    status === 200 || error?.message.includes(expected[status] ?? '\0') === true
      ? 'fine'
      : `${status} ${error?.message}`;
  const operations: string[] = [];
  const kinds = ['number', 'singleLineText', 'longText'];
  const step = async (): Promise<string> => {
    const dice = random(20);
    if (dice === 0) {
      return judged(
        await table.call(convertField, {
          params: { tableId: table.tableId, fieldId: table.fieldIds.Count as string },
          body: { type: kinds[random(3)] } as never,
        }),
      );
    }
    if (dice <= 3 && operations.length > 0) {
      return judged(
        await table.call(restoreHistory, {
          params: { tableId: table.tableId },
          body: { operationId: operations[random(operations.length)] as string, force: random(2) === 0 },
        }),
      );
    }
    const records = [...new Set(Array.from({ length: 1 + random(4) }, () => ids[random(ids.length)] as string))].map(
      (id) => ({
        id,
        fields: {
          Name: `n${random(5)}`,
          ...(random(2) === 0 ? { Count: random(5) } : {}),
          ...(random(3) === 0 ? { Tags: [names[random(4)]] } : {}),
        },
      }),
    );
    const answer = await table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: { records, typecast: true },
    });
    operations.push(answer.headers.get('x-operation-id') as string);
    return judged(answer);
  };
  const outcomes: string[] = [];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let round = 0; round < howMany(20, 6); round += 1) outcomes.push(await step());
    }),
  );
  expect([...new Set(outcomes)], `seed ${seed}`).toEqual(['fine']);
  expect(await chainFaults(table), `seed ${seed}`).toEqual([]);
});
