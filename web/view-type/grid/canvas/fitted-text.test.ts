import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { fittedNumber, fittedText } from './fitted-text.ts';
import { contentWidth } from './measure-field.ts';

const widthOf = (text: string): number => text.length * 10;

test('a number that has no room is not shown in part, and text ends where it is cut', () => {
  expect([
    fittedNumber('1234.56', 70, widthOf),
    fittedNumber('1234.56', 69, widthOf),
    fittedNumber('1234.56', 5, widthOf),
  ]).toEqual(['1234.56', '######', '#']);
  expect([
    fittedText('2026-03-04', 100, widthOf),
    fittedText('2026-03-04', 99, widthOf),
    fittedText('ab cd', 40, widthOf),
    fittedText('abc', 0, widthOf),
  ]).toEqual(['2026-03-04', '2026-03-…', 'ab…', '…']);
});

test('a column is as wide as what stands in it', () => {
  const cell = (type: string, value: unknown, options = {}) =>
    contentWidth({ kind: 'field', recordId: 'rec1', field: { type, options } as Field, value }, widthOf);
  expect(cell('singleLineText', 'seven77')).toBe(72);
  expect(cell('longText', 'first\nsecond line')).toBe(52);
  expect(cell('singleLineText', undefined)).toBe(0);
  expect(cell('multipleSelect', ['ab', 'c'])).toBe(20 + 18 + 5 + 10 + 18);
  expect(cell('rating', 1, { max: 7 })).toBe(126);
});
