// The conditions of a filter that an index can serve.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';

/** Conditions that every record that is found meets. */
export const demands = (filter: FilterGroup | null): Condition[] => {
  if (filter === null || (filter.conjunction === 'or' && filter.filterSet.length > 1)) return [];
  return filter.filterSet.flatMap((item) => ('filterSet' in item ? demands(item) : [item]));
};

/** What is not equal to something is most of the table: no index helps to find it. */
export const selective: readonly string[] = [
  'is',
  'isAnyOf',
  'isGreater',
  'isGreaterEqual',
  'isLess',
  'isLessEqual',
  'isWithIn',
  'isBefore',
  'isAfter',
  'isOnOrBefore',
  'isOnOrAfter',
];
