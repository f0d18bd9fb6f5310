import { expect, test } from 'vitest';
import { allOf, anyOf, type RecordCondition } from './condition.ts';

const on = (fieldId: string): RecordCondition => ({
  filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 'x' }] },
});

test('conditions are put together without what changes nothing', () => {
  const [a, b] = [on('a'), on('b')];
  expect([anyOf([]), allOf([]), anyOf([false]), allOf([true])]).toEqual([false, true, false, true]);
  expect([anyOf([a, true, b]), allOf([a, false, b])]).toEqual([true, false]);
  expect([anyOf([a, false]), allOf([true, a])]).toEqual([a, a]);
  expect([anyOf([a, on('a')]), allOf([a, on('a')])]).toEqual([a, a]);
  expect([anyOf([a, b]), allOf([a, b])]).toEqual([{ any: [a, b] }, { all: [a, b] }]);
});
