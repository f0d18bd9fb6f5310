import { expect, test } from 'vitest';
import { selectionSummary } from './selection-summary.ts';

test('numbers are added up, everything that is filled is counted', () => {
  expect(selectionSummary({ values: [1, 2.5, undefined, 'a', 0.1 + 0.2], isWhole: true }, 5)).toBe(
    'Sum 3.8 · Average 1.26666666667 · Count 4',
  );
  expect(selectionSummary({ values: ['a', null], isWhole: true }, 2)).toBe('Count 1');
  expect(selectionSummary({ values: [1], isWhole: false }, 12_000)).toBe('12,000 cells selected');
  expect(selectionSummary({ values: [1], isWhole: true }, 1)).toBeUndefined();
});
