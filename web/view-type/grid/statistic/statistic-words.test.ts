import { expect, test } from 'vitest';
import { statisticText } from './statistic-words.ts';

const price = { type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: '€' } } } as const;

test('sums look like the field, shares and counts do not', () => {
  expect(statisticText(price, 'sum', 1234.5)).toBe('€1,234.50');
  expect(statisticText(price, 'filled', 12345)).toBe('12,345');
  expect(statisticText(price, 'percentFilled', 33.3333)).toBe('33.3%');
  expect(statisticText({ type: 'rating', options: {} }, 'average', 3.14159)).toBe('3.14');
  expect(statisticText({ type: 'date', options: {} }, 'earliestDate', '2024-05-06T00:00:00.000Z')).toBe('2024-05-06');
  expect(statisticText(price, 'average', null)).toBe('–');
});
