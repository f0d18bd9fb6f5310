import { sql } from '../../db/sql.ts';
import { expect, test } from 'vitest';
import { type KeyValues, readCursor, writeCursor } from './cursor.ts';
import type { SortKey } from './sort-key.sql.ts';

const key = (type: SortKey['type'], more: Partial<SortKey> = {}): SortKey => ({
  name: 'x',
  expression: sql`x`,
  order: 'asc',
  type,
  canBeNull: false,
  indexable: true,
  ...more,
});

const fits = (type: SortKey['type'], value: string): boolean => {
  try {
    return readCursor([key(type)], writeCursor([key(type)], [value]))[0] === value;
  } catch {
    return false;
  }
};

test('what was written is read again', () => {
  const keys = [
    key('text', { canBeNull: true }),
    key('double precision'),
    key('timestamptz'),
    key('integer[]'),
    key('bigint'),
  ];
  const values: KeyValues = [null, '-1.5e-07', '2024-02-29T23:59:59.123456+00:00', '{1,NULL}', '42'];
  expect(readCursor(keys, writeCursor(keys, values))).toEqual(values);
});

test('a cursor of other keys, another direction or another number of values is refused', () => {
  const cursor = writeCursor([key('text')], ['a']);
  expect(() => readCursor([key('text', { order: 'desc' })], cursor)).toThrow(/another order/);
  expect(() => readCursor([key('text', { name: 'y' })], cursor)).toThrow(/another order/);
  expect(() => readCursor([key('text')], writeCursor([key('text')], ['a', 'b']))).toThrow(/not a cursor/);
  expect(() => readCursor([key('text')], writeCursor([key('text')], [null]))).toThrow(/not a cursor/);
});

test('values that PostgreSQL would stumble over are refused', () => {
  for (const value of ['1e999', '1e-999', '0x10', 'NaN', '', '1;'])
    expect(fits('double precision', value), value).toBe(false);
  for (const value of [
    '2024-02-30T00:00:00+00:00',
    '2024-01-01T24:00:00+00:00',
    '0000-01-01T00:00:00+00:00',
    '2024-01-01T00:00:00',
    'infinity',
  ])
    expect(fits('timestamptz', value), value).toBe(false);
  for (const value of ['99999999999999999999', '1.5', '']) expect(fits('bigint', value), value).toBe(false);
  for (const value of ['{1', '{1,}', '{99999999999}']) expect(fits('integer[]', value), value).toBe(false);
  expect(fits('text', 'a\u0000')).toBe(false);
  expect(fits('boolean', 'yes')).toBe(false);
});
