import { type DateMode, dateModes, type FilterOperator, withinModes } from '@rowhouse/contract/filter.ts';

export const operatorWords: Record<FilterOperator, string> = {
  is: 'is',
  isNot: 'is not',
  contains: 'contains',
  doesNotContain: 'does not contain',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  isGreater: '>',
  isGreaterEqual: '≥',
  isLess: '<',
  isLessEqual: '≤',
  isAnyOf: 'is any of',
  isNoneOf: 'is none of',
  hasAnyOf: 'has any of',
  hasAllOf: 'has all of',
  hasNoneOf: 'has none of',
  isExactly: 'is exactly',
  isNotExactly: 'is not exactly',
  isWithIn: 'is within',
  isBefore: 'is before',
  isAfter: 'is after',
  isOnOrBefore: 'is on or before',
  isOnOrAfter: 'is on or after',
};

const words: Partial<Record<DateMode, string>> = {
  exactDate: 'a date',
  today: 'today',
  tomorrow: 'tomorrow',
  yesterday: 'yesterday',
  currentWeek: 'this week',
  lastWeek: 'last week',
  currentMonth: 'this month',
  lastMonth: 'last month',
  currentYear: 'this year',
  lastYear: 'last year',
  oneWeekAgo: 'one week ago',
  oneWeekFromNow: 'one week from now',
  oneMonthAgo: 'one month ago',
  oneMonthFromNow: 'one month from now',
  daysAgo: 'days ago',
  daysFromNow: 'days from now',
  pastWeek: 'the past week',
  pastMonth: 'the past month',
  pastYear: 'the past year',
  nextWeek: 'the next week',
  nextMonth: 'the next month',
  nextYear: 'the next year',
  pastNumberOfDays: 'the past days',
  nextNumberOfDays: 'the next days',
};

/** The moments that an operator on dates can be compared with. */
export const dateChoices = (operator: FilterOperator): { value: DateMode; label: string }[] => {
  const modes: readonly DateMode[] =
    operator === 'isWithIn'
      ? withinModes
      : [...dateModes].sort((one, other) => Number(other === 'exactDate') - Number(one === 'exactDate'));
  return modes.flatMap((value) => (words[value] === undefined ? [] : [{ value, label: words[value] }]));
};

export const needsDays = (mode: DateMode): boolean =>
  ['daysAgo', 'daysFromNow', 'pastNumberOfDays', 'nextNumberOfDays'].includes(mode);
