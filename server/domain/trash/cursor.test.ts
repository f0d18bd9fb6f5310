import { ApiError } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

test('a cursor is read as it was written', () => {
  const position = { micros: '1770000000123456', id: 'bse0123456789abcdef' };
  expect(readCursor(writeCursor(position))).toEqual(position);
});

test('no cursor is the beginning', () => {
  expect(readCursor(undefined)).toBeNull();
  expect(readCursor('')).toBeNull();
});

test.each(['x', '1_', '_bse1', '1_a;b', '99999999999999999999_bse1', '-1_a'])('%s is refused', (text) => {
  expect(() => readCursor(text)).toThrow(ApiError);
});
