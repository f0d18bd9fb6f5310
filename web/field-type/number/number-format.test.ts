import { expect, test } from 'vitest';
import { editNumber, formatNumber, parseNumber, withThousands } from './number-format.ts';

const decimal = { type: 'decimal', precision: 2 } as const;
const percent = { type: 'percent', precision: 1 } as const;
const currency = { type: 'currency', precision: 2, symbol: '€' } as const;

test('numbers are shown as their field says', () => {
  expect(formatNumber(1234.5, decimal)).toBe('1,234.50');
  expect(formatNumber(-1234567, { type: 'decimal', precision: 0 })).toBe('-1,234,567');
  expect(formatNumber(1e21, decimal)).toBe('1e+21');
  expect(formatNumber(0.256, percent)).toBe('25.6%');
  expect(formatNumber(-1234.5, currency)).toBe('-€1,234.50');
});

test('what is typed becomes a number, or is refused', () => {
  expect(parseNumber('1,234.5', decimal)).toBe(1234.5);
  expect(parseNumber('€5', currency)).toBe(5);
  expect(parseNumber('(3)', decimal)).toBe(-3);
  expect(parseNumber('1e3', decimal)).toBe(1000);
  expect(parseNumber(' ', decimal)).toBeNull();
  expect(parseNumber('many', decimal)).toBeUndefined();
  expect(parseNumber('1.2.3', decimal)).toBeUndefined();
});

test('a comma before the fraction is read as one: a cell would be a hundred times as much', () => {
  const readings = {
    '12,50': 12.5,
    '0,125': 0.125,
    '-1.234,50 €': -1234.5,
    '1 234,5': 1234.5,
    '1.234.567': 1_234_567,
    '1,234': 1234,
    '1,234,567.5': 1_234_567.5,
    '1.234': 1.234,
    '€ -5': -5,
    '$-5': -5,
    '1 000': 1000,
    "1'000": 1000,
  };
  expect(Object.keys(readings).map((text) => parseNumber(text, decimal))).toEqual(Object.values(readings));
  expect(parseNumber('12,5', percent)).toBe(0.125);
  expect(
    ['1,2,3', '1,23.5', '12,', ',5', '1,2345,678', '1,234.5,6', '5€50'].map((text) => parseNumber(text, decimal)),
  ).toEqual(Array.from({ length: 7 }));
});

test('a percent is typed as people write it, and comes back the same', () => {
  expect(parseNumber('25.6', percent)).toBe(0.256);
  expect(editNumber(0.07, percent)).toBe('7');
  expect(parseNumber('12%', decimal)).toBe(0.12);
});

test('thousands are set apart, before the point only', () => {
  expect([0, 999, 1_000, 1_234_567, -1_234.5678, 1_000.25].map(withThousands)).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
    '-1,234.5678',
    '1,000.25',
  ]);
});
