import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { expect, test } from 'vitest';
import { countConditions, writeFilter } from './conditions.ts';

const is = (value: string | null) => ({ fieldId: 'fldA', operator: 'is' as const, value });

test('what is not complete yet does not filter, and empty groups go with it', () => {
  const draft: FilterGroup = {
    conjunction: 'or',
    filterSet: [
      is('x'),
      is(null),
      { conjunction: 'and', filterSet: [is(''), { conjunction: 'or', filterSet: [] }] },
      { conjunction: 'and', filterSet: [is('y'), is(null)] },
    ],
  };
  expect(writeFilter(draft)).toEqual({
    conjunction: 'or',
    filterSet: [is('x'), { conjunction: 'and', filterSet: [is('y')] }],
  });
  expect(writeFilter({ conjunction: 'and', filterSet: [is(null)] })).toBeNull();
  expect(countConditions(draft)).toBe(5);
});
