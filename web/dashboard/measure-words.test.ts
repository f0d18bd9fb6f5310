import { expect, test } from 'vitest';
import { compact, measureName, nameOf, textOf } from './measure-words.ts';

const amount = { name: 'Amount' };

test('long numbers are cut to what an axis has room for', () => {
  expect([0, 7.25, 950, 9_999, 12_500, 1_234_567, -45_000_000].map(compact)).toEqual([
    '0',
    '7.25',
    '950',
    '9,999',
    '12.5K',
    '1.23M',
    '-45M',
  ]);
});

test('values are written with their unit and decimals, and percents of a number as percents', () => {
  const of = (words: object) => textOf({ label: '', statistic: 'sum', ...words });
  const euros = of({ prefix: '€', decimals: 2 });
  expect([euros.text(12_500), euros.short(-12_500)]).toEqual(['€12,500.00', '-€12.5K']);
  const weight = of({ suffix: ' kg', decimals: 1 });
  expect([weight.text(-1_234), weight.short(1_234_000)]).toEqual(['-1,234.0 kg', '1.23M kg']);
  expect([of({}).text(1_200), of({ isPercent: true }).text(0.255)]).toEqual(['1,200', '26%']);
});

test('a measure is called by what it counts, or as somebody has called it', () => {
  expect(measureName({ statistic: 'count' }, undefined)).toBe('Records');
  expect(measureName({ statistic: 'sum' }, amount)).toBe('Sum of Amount');
  expect(measureName({ statistic: 'sum', label: 'Revenue' }, amount)).toBe('Revenue');
  expect(nameOf({ label: '', statistic: 'average', fieldName: 'Amount' })).toBe('Average of Amount');
});
