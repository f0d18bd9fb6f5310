import { expect, test } from 'vitest';
import { decimalSignOf, withDecimalPoint } from './number-text.ts';

test('a column says which sign stands before the fraction', () => {
  expect(decimalSignOf(['1.000', '1.000,50', '€ 3'])).toBe(',');
  expect(decimalSignOf(['12,5', '7'])).toBe(',');
  expect(decimalSignOf(['1.234.567'])).toBe(',');
  expect(decimalSignOf(['1,000', '1,000.50'])).toBe('.');
  expect(decimalSignOf(['0.125', '12.34'])).toBe('.');
  expect(decimalSignOf(['1.000', '1,000'])).toBeUndefined();
  expect(decimalSignOf(['1,5', '1.5'])).toBeUndefined();
  expect(decimalSignOf(['about 1,5 metres', 'x'.repeat(100_000)])).toBeUndefined();
});

test('its numbers are read by it', () => {
  const read = (...texts: string[]): string[] => texts.map((text) => withDecimalPoint(text, decimalSignOf(texts)));
  expect(read('1.000', '1.000,50', '-2.500 €', '7', '1 200,5')).toEqual(['1000', '1000.50', '-2500 €', '7', '1200.5']);
  expect(read('1,000', '1,000.50')).toEqual(['1,000', '1,000.50']);
  // What is no such number stays as it is.
  expect(read('1,5', '1.2.3', 'n/a')).toEqual(['1.5', '1.2.3', 'n/a']);
});
