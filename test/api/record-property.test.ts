// Random values of every type: valid ones come back as they went in, invalid ones are refused with the right
// cell named.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createRecords, getRecord, updateRecord } from '@rowhouse/contract/record.ts';
import { howMany } from '../support/cases.ts';
import { choices, ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
});

const runs = { numRuns: howMany(60, 20) };

/** Text that comes back as it went in: trimmed, without what PostgreSQL cannot hold. */
const storableText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .map((text) => text.replaceAll('\0', '').trim())
  .filter((text) => text !== '');
const date = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((value) => value.toISOString());

const me = () => ({
  id: table.owner.userId,
  title: table.owner.name,
  email: table.owner.email,
  avatarUrl: `/api/attachments/read/public/avatar/${table.owner.userId}`,
});

const valid = (): Record<string, fc.Arbitrary<unknown>> => ({
  Text: storableText.map((text) => text.replace(/[\r\n\t]+/g, ' ').trim()).filter((text) => text !== ''),
  Long: storableText,
  Number: fc
    .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
    .map((value) => (Object.is(value, -0) ? 0 : value)),
  Rating: fc.integer({ min: 1, max: 5 }),
  Check: fc.constant(true),
  Date: date,
  Select: fc.constantFrom(...choices),
  Tags: fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1 }),
  Person: fc.constant(me()),
  People: fc.constant([me()]),
});

const wrongFor = (name: string): fc.Arbitrary<unknown> => {
  const others: Record<string, (value: unknown) => boolean> = {
    Text: (value) => typeof value !== 'string',
    Long: (value) => typeof value !== 'string',
    Number: (value) => typeof value !== 'number',
    Rating: (value) => typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 5,
    Check: (value) => typeof value !== 'boolean',
    Date: (value) => typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value),
    Select: (value) => typeof value !== 'string' || (value.trim() !== '' && !choices.includes(value.trim())),
    Tags: (value) => !Array.isArray(value) || value.some((one) => !choices.includes(one as string)),
    Person: () => true,
    People: (value) => !Array.isArray(value) || value.length > 0,
  };
  return fc
    .jsonValue({ maxDepth: 2 })
    .filter((value) => value !== null && (others[name] as (value: unknown) => boolean)(value));
};

test('random valid values of every type come back the same, written by create and by update', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(valid(), { requiredKeys: [] }),
      fc.record(valid(), { requiredKeys: [] }),
      async (first, second) => {
        const made = await table.call(createRecords, {
          params: { tableId: table.tableId },
          body: { records: [{ fields: first }] },
        });
        expect(made.status, JSON.stringify(made.body)).toBe(201);
        expect(made.body.records[0]?.fields).toEqual(first);
        const params = { tableId: table.tableId, recordId: made.body.records[0]?.id as string };
        expect((await table.call(getRecord, { params })).body.fields).toEqual(first);
        const changed = await table.call(updateRecord, { params, body: { record: { fields: second } } });
        expect(changed.body.fields).toEqual({ ...first, ...second });
        expect((await table.call(getRecord, { params })).body.fields).toEqual({ ...first, ...second });
      },
    ),
    runs,
  );
});

test.each(['Text', 'Long', 'Number', 'Rating', 'Check', 'Date', 'Select', 'Tags', 'Person', 'People'])(
  'random values that do not fit %s are refused, naming the cell',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(wrongFor(name), async (value) => {
        const answer = await table.call(createRecords, {
          params: { tableId: table.tableId },
          body: { records: [{ fields: {} }, { fields: { [name]: value } }] },
        });
        expect(answer.status, JSON.stringify(answer.body)).toBe(400);
        expect(answer.error.data.errors).toEqual([
          expect.objectContaining({ index: 1, field: name, code: 'invalid_value' }),
        ]);
      }),
      { numRuns: howMany(25, 10) },
    );
  },
);

test('any JSON value at all is taken with typecast, and read back as answered', async () => {
  const keys = Object.keys(valid());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...keys.filter((key) => key !== 'Select' && key !== 'Tags')),
      fc.jsonValue({ maxDepth: 2 }),
      async (name, value) => {
        const made = await table.call(createRecords, {
          params: { tableId: table.tableId },
          body: { typecast: true, records: [{ fields: { [name]: value } }] },
        });
        expect(made.status, JSON.stringify(made.body)).toBe(201);
        const record = made.body.records[0];
        const read = await table.call(getRecord, {
          params: { tableId: table.tableId, recordId: record?.id as string },
        });
        expect(read.body.fields).toEqual(record?.fields);
      },
    ),
    runs,
  );
});
