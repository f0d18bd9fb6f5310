import fc from 'fast-check';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { arrayLiteral, jsonArrayLiteral } from './array.ts';
import { binaryArray, type BinaryType } from './binary-array.ts';

test('any list of texts, numbers and booleans arrives in PostgreSQL as it is', async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const text = fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('NULL', 'null', '', ' ', '{', '}', ',', '"', '\\', '\\n', '\n\t\r\b\f\u0001', '\\"', "'"),
    )
    .map((value) => value.replaceAll('\0', '').toWellFormed());
  const plain = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '',
      ' ',
      '{',
      '"',
      '\\',
      '\n\t\u0001\u007f',
      'x'.repeat(127),
      'x'.repeat(128),
      'x'.repeat(255),
      'x'.repeat(40_000),
    ),
  );
  const arrives = async (array: unknown, values: unknown[], type: string): Promise<void> => {
    const { rows } = await client.query(`select $1::${type}[] as got`, [array]);
    expect(rows[0].got).toEqual(values);
  };
  const round = async (values: unknown[], type: BinaryType | 'boolean'): Promise<void> => {
    await arrives(arrayLiteral(values as string[]), values, type);
    const binary = type === 'boolean' ? undefined : binaryArray(type, values);
    if (binary !== undefined) await arrives(binary, values, type);
  };
  await fc.assert(fc.asyncProperty(fc.array(fc.option(text)), (values) => round(values, 'text')));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0))),
      (values) => round(values, 'double precision'),
    ),
  );
  await fc.assert(fc.asyncProperty(fc.array(fc.option(fc.boolean())), (values) => round(values, 'boolean')));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(plain), { minLength: 1 }), async (values) => {
      expect(Buffer.isBuffer(binaryArray('text', values))).toBe(true);
      await round(values, 'text');
    }),
  );
  const times = fc.date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(times), { minLength: 1 }), async (values) => {
      const array = binaryArray(
        'timestamptz',
        values.map((value) => value?.toISOString() ?? null),
      );
      expect(Buffer.isBuffer(array)).toBe(true);
      await arrives(array, values, 'timestamptz');
    }),
  );
  const storable = fc.jsonValue().map(
    (value) =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll('\\u0000', '')
          .toWellFormed()
          .replace(/\\ud[89a-f][0-9a-f]{2}/gi, ''),
      ) as unknown,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(storable), async (values) => {
      const { rows } = await client.query('select $1::jsonb[] as got', [jsonArrayLiteral(values)]);
      expect(rows[0].got).toEqual(values);
      // A null of the list is no item, as it is in a column of empty cells.
      const items = values.filter((value) => value !== null);
      const binary = binaryArray('jsonb', items);
      if (binary !== undefined) await arrives(binary, items, 'jsonb');
    }),
  );
  await client.end();
});

test('what has no quick form is left to the text: other characters, other times, and values of another type', () => {
  expect(['é', '€', '😀', '\ud800'].map((text) => binaryArray('text', ['a', text]))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([
    binaryArray('text', []),
    binaryArray('text', [1]),
    binaryArray('double precision', ['1']),
    binaryArray('double precision', [Number.NaN]),
    binaryArray('timestamptz', ['2024-13-01T00:00:00.000Z']),
    binaryArray('timestamptz', ['2024-01-01']),
  ]).toEqual(Array.from({ length: 6 }));
});
