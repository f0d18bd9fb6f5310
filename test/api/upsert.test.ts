// POST /table/{tableId}/record/upsert
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords, upsertRecords } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { openWorld, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;

beforeAll(async () => {
  table = (await ground(world())) as TestTable;
});

const fresh = (): Promise<TestTable> =>
  tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Year', type: 'number' },
    { name: 'Day', type: 'date' },
    { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
    { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }] } },
    { name: 'Note', type: 'longText' },
    { name: 'Must', type: 'number', options: { defaultValue: 7 }, notNull: true },
  ]);

type Fields = Record<string, unknown>;

const upsert = (on: TestTable, matchFields: string[], records: Fields[], more: object = {}) =>
  on.call(upsertRecords, {
    params: on,
    body: { matchFields, records: records.map((fields) => ({ fields })), ...more },
  });

const names = (records: readonly { fields: Fields }[]): unknown[] => records.map(({ fields }) => fields['Name']);

const all = async (on: TestTable): Promise<{ id: string; fields: Fields }[]> =>
  (await on.call(listRecords, { params: on, query: { take: 2_000 } })).body.records;

test('creates what is missing, changes what differs, leaves the rest alone, and each can be undone', async () => {
  const on = await fresh();
  const first = await upsert(
    on,
    ['Name'],
    [
      { Name: 'a', Note: '1' },
      { Name: 'b', Note: '1' },
      { Name: 'c', Note: '1' },
    ],
  );
  expect([first.status, names(first.body.created), first.body.updated, first.body.unchanged]).toEqual([
    200,
    ['a', 'b', 'c'],
    [],
    [],
  ]);
  expect(first.body.created[0]?.fields).toEqual({ Name: 'a', Note: '1', Must: 7 });
  const second = await upsert(
    on,
    ['Name'],
    [{ Name: 'd', Note: '2' }, { Name: 'b', Note: '2' }, { Name: 'a', Note: '1' }, { Name: 'c' }],
  );
  expect([names(second.body.created), names(second.body.updated), names(second.body.unchanged)]).toEqual([
    ['d'],
    ['b'],
    ['a', 'c'],
  ]);
  expect((await all(on)).map(({ fields }) => [fields['Name'], fields['Note']])).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', '1'],
    ['d', '2'],
  ]);
  expect(second.headers.get('x-operation-id')).toBe(second.body.operationIds.join(', '));
  expect(second.body.operationIds).toHaveLength(2);
  for (const operationId of second.body.operationIds)
    expect((await on.call(restoreHistory, { params: on, body: { operationId } })).status).toBe(200);
  expect((await all(on)).map(({ fields }) => [fields['Name'], fields['Note']])).toEqual([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ]);
  const nothing = await upsert(on, ['Name'], [{ Name: 'a', Note: '1' }]);
  expect([names(nothing.body.unchanged), nothing.body.operationIds]).toEqual([['a'], []]);
  // A cell is cleared by null, and left by its absence.
  await upsert(on, ['Name'], [{ Name: 'a', Note: null }]);
  expect((await all(on))[0]?.fields).not.toHaveProperty('Note');
});

test('matches by several fields, of every kind, as they are stored', async () => {
  const on = await fresh();
  const record = { Name: ' x ', Year: 2024, Day: '2024-02-29T12:00:00.000Z', State: 'open', Tags: ['a'] };
  await upsert(on, ['Name', 'Year', 'Day', 'State'], [record]);
  const again = await upsert(
    on,
    ['Name', 'Year', 'Day', 'State'],
    [
      { ...record, Name: 'x', Day: '2024-02-29T13:00:00.000+01:00' },
      { ...record, Year: 2025 },
      { ...record, Name: 'X' },
    ],
  );
  expect([again.body.unchanged.length, again.body.created.length]).toEqual([1, 2]);
  // With typecast, and choices that are new.
  const cast = await upsert(
    on,
    ['Name', 'Year'],
    [
      { Name: 'x', Year: '2024', State: 'done', Tags: 'a,b' },
      { Name: 'new', Year: '1', State: 'later' },
    ],
    { typecast: true },
  );
  expect([cast.status, cast.body.updated[0]?.fields['Tags'], cast.body.created[0]?.fields['State']]).toEqual([
    200,
    ['a', 'b'],
    'later',
  ]);
  const byId = await upsert(
    on,
    [on.fieldIds['Name'] as string],
    [{ [on.fieldIds['Name'] as string]: 'new', [on.fieldIds['Note'] as string]: 'by id' }],
    { fieldKeyType: 'id' },
  );
  expect(byId.body.updated[0]?.fields[on.fieldIds['Note'] as string]).toBe('by id');
});

test('says what is wrong and where, and writes nothing then', async () => {
  const on = await fresh();
  await on.call(createRecords, {
    params: on,
    body: { records: [{ fields: { Name: 'twin' } }, { fields: { Name: 'twin' } }] },
  });
  const before = await all(on);
  const refused = async (matchFields: string[], records: Fields[]) => {
    const { status, error } = await upsert(on, matchFields, records);
    return [status, error.message];
  };
  expect(await refused(['Name'], [{ Name: 'n' }, { Name: 'twin', Note: 'x' }])).toEqual([
    409,
    expect.stringContaining('records[1] matches several records'),
  ]);
  expect(await refused(['Name'], [{ Name: 'a' }, { Name: 'b' }, { Name: ' a' }])).toEqual([
    400,
    expect.stringContaining('the same record as records[0]'),
  ]);
  expect(await refused(['Name'], [{ Name: 'a' }, { Note: 'x' }])).toEqual([
    400,
    expect.stringContaining('records[1].fields.Name'),
  ]);
  expect(await refused(['Name'], [{ Name: 'a' }, { Name: '' }])).toEqual([
    400,
    expect.stringContaining('records[1].fields.Name'),
  ]);
  expect(await refused(['Tags'], [{ Tags: ['a'] }])).toEqual([400, expect.stringContaining('matchFields[0]')]);
  expect(await refused(['Nothing'], [{ Name: 'a' }])).toEqual([404, expect.stringContaining('Nothing')]);
  expect(await refused(['Name'], [{ Name: 'a' }, { Name: 'b', Year: 'x' }])).toEqual([
    400,
    expect.stringContaining('records[1].fields.Year'),
  ]);
  expect(await refused(['Name', 'Name'], [{ Name: 'a' }])).toEqual([400, expect.stringContaining('twice')]);
  expect((await upsert(on, ['Name'], [])).status).toBe(200);
  expect(await all(on)).toEqual(before);
});

test('records that were read are sent back whole: computed cells count when they are as they were', async () => {
  const on = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Note', type: 'singleLineText' },
    { name: 'Twice', type: 'formula', options: { expression: '{Name} & {Name}' } },
  ]);
  await upsert(on, ['Name'], [{ Name: 'a' }, { Name: 'b' }]);
  const both = await upsert(
    on,
    ['Name'],
    [
      { Name: 'a', Twice: 'aa' },
      { Name: 'b', Note: 'new', Twice: 'bb' },
    ],
  );
  expect([both.status, names(both.body.unchanged), names(both.body.updated)]).toEqual([200, ['a'], ['b']]);
  for (const [fields, more] of [
    [{ Name: 'a', Twice: 'other' }, {}],
    [{ Name: 'b', Note: 'x', Twice: 'other' }, {}],
    [{ Name: 'new', Twice: 'newnew' }, {}],
  ] as const) {
    const { status, error } = await upsert(on, ['Name'], [fields], more);
    expect([status, error.message]).toEqual([400, expect.stringContaining('records[0].fields.Twice')]);
  }
  expect((await upsert(on, ['Name'], [{ Name: 'a', Twice: 'other' }], { typecast: true })).status).toBe(200);
});

test('however many do it at once, in several processes, each record is there once', async () => {
  const on = await fresh();
  const other = await openWorld(world().databaseUrl);
  try {
    const send = async (at: number): Promise<number> => {
      const answer = await fetch(`${(at % 2 === 0 ? world() : other).baseUrl}/table/${on.tableId}/record/upsert`, {
        method: 'POST',
        headers: { authorization: `Bearer ${on.owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          matchFields: ['Name'],
          typecast: true,
          records: Array.from({ length: 10 }, (_, n) => ({
            fields: { Name: `k${(at + n) % 15}`, Note: String(at), State: `s${n}` },
          })),
        }),
      });
      const { created = [] } = (await answer.json()) as { created?: unknown[] };
      expect(answer.status).toBe(200);
      return created.length;
    };
    const created = await Promise.all(Array.from({ length: 24 }, (_, at) => send(at)));
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(15);
    expect(new Set(names(await all(on))).size).toBe(15);
    expect(await all(on)).toHaveLength(15);
  } finally {
    await other.close();
  }
});
