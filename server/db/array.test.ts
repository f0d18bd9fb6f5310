import fc from 'fast-check';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { arrayLiteral, jsonArrayLiteral } from './array.ts';

test('any list of texts, numbers and booleans arrives in PostgreSQL as it is', async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('NULL', 'null', '', ' ', '{', '}', ',', '"', '\\', '\\n', '\n\t\r\b\f\u0001', '\\"', "'")).map((value) => value.replaceAll('\0', '').toWellFormed());
  const round = async (values: unknown[], type: string): Promise<void> => {
    const { rows } = await client.query(`select $1::${type}[] as got`, [arrayLiteral(values as string[])]);
    expect(rows[0].got).toEqual(values);
  };
  await fc.assert(fc.asyncProperty(fc.array(fc.option(text)), (values) => round(values, 'text')));
  await fc.assert(fc.asyncProperty(fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0))), (values) => round(values, 'double precision')));
  await fc.assert(fc.asyncProperty(fc.array(fc.option(fc.boolean())), (values) => round(values, 'boolean')));
  const storable = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '').toWellFormed().replace(/\\ud[89a-f][0-9a-f]{2}/gi, '')) as unknown);
  await fc.assert(
    fc.asyncProperty(fc.array(storable), async (values) => {
      const { rows } = await client.query('select $1::jsonb[] as got', [jsonArrayLiteral(values)]);
      expect(rows[0].got).toEqual(values);
    }),
  );
  await client.end();
});
