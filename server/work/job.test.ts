import { expect, test } from 'vitest';
import { backOff } from './job.ts';

test('pauses double up to the longest, and are spread by a fifth', () => {
  const retry = { attempts: 9, first: 10, longest: 100 };
  expect([1, 2, 3, 4, 5, 60].map((attempt) => backOff(attempt, retry, () => 0.5))).toEqual([10, 20, 40, 80, 100, 100]);
  expect(backOff(1, retry, () => 0)).toBeCloseTo(8);
  expect(backOff(1, retry, () => 1)).toBeCloseTo(12);
});
