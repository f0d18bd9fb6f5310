import { expect, test } from 'vitest';
import { parseNumber } from './number.ts';

test.each([
  ['5', 5],
  ['1,234.5', 1_234.5],
  ['$5', 5],
  ['(3)', -3],
  ['12%', 0.12],
  ['1e3', 1_000],
  ['-1.5e-2', -0.015],
  ['.5', 0.5],
  ['5.', 5],
  ['-5', -5],
  ['- 5', -5],
  ['€ -5', -5],
  ['about 7 or 8', 7],
  ['a.b5', 5],
  ['1.2.3', 1.2],
  ['1 000', 1_000],
  ["1'000", 1_000],
  ['1_000', 1_000],
  ['x-3', -3],
  ['+4', 4],
  ['12,50', 12.5],
  ['0,125', 0.125],
  ['-1.234,50 €', -1_234.5],
  ['1 234,5', 1_234.5],
  ["1'234,5", 1_234.5],
  ['1.234.567', 1_234_567],
  ['1234,567', 1_234.567],
  ['12,5%', 0.125],
  ['1,234', 1_234],
  ['1.234', 1.234],
  ['1,234,567', 1_234_567],
  ['1,00,000', 100_000],
  ['', null],
  ['none', null],
  ['.', null],
  ['1e999', null],
])('%j is read as %j', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test('text without an end is read in one go', () => {
  const million = 1_000_000;
  expect(parseNumber('a'.repeat(million))).toBeNull();
  expect(parseNumber('a '.repeat(million))).toBeNull();
  expect(parseNumber(`${'1'.repeat(million)}x`)).toBeNull();
  expect(parseNumber(`1${' 111'.repeat(million / 4)}x`)).toBeNull();
  expect(parseNumber(`1${'.111'.repeat(million / 4)}x`)).toBeNull();
  expect(parseNumber(`${'('.repeat(million)}7`)).toBe(7);
});
