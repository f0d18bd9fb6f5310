import { expect, test } from 'vitest';
import { changeOf, sparkline } from './trend.ts';

test('the change is that of the last period against the one before', () => {
  expect(changeOf([1, 100, 125])).toEqual({ by: 25, share: 25 });
  expect(changeOf([-50, -75])).toEqual({ by: -25, share: -50 });
  expect(changeOf([0, 5])).toEqual({ by: 5, share: undefined });
  expect(changeOf([5])).toBeUndefined();
  expect(changeOf([5, null])).toBeUndefined();
});

test('the line goes from the left to the right, from the lowest to the highest, past what is missing', () => {
  expect(sparkline([0, null, 10], 100, 44)).toBe('M0 42 L100 2');
  expect(sparkline([3, 3], 100, 44)).toBe('M0 22 L100 22');
  expect(sparkline([3], 100, 44)).toBeUndefined();
});
