import { expect, test } from 'vitest';
import { compile, sql } from './sql.ts';

test('nothing but a whole number is written into a statement as one', () => {
  expect(compile(sql`limit ${sql.integer(7)}`)).toEqual({ text: 'limit 7', values: [] });
  for (const value of [
    '7',
    '0) from x',
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    [7],
    { valueOf: () => 7 },
  ])
    expect(() => sql.integer(value)).toThrow('a whole number');
});
