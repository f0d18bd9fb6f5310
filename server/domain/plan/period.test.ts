import { expect, test } from 'vitest';
import { addInterval, addMonths, nextEnd } from './period.ts';

const date = (text: string): Date => new Date(text);

test('a month after the last day of a long month is the last day of a shorter one', () => {
  expect(addMonths(date('2027-01-31T10:00:00.000Z'), 1)).toEqual(date('2027-02-28T10:00:00.000Z'));
  expect(addInterval(date('2028-02-29T00:00:00.000Z'), 'year')).toEqual(date('2029-02-28T00:00:00.000Z'));
});

test('periods do not drift to the shortest month they passed', () => {
  const anchor = date('2027-01-31T00:00:00.000Z');
  const february = nextEnd(anchor, anchor, 'month');
  expect(nextEnd(anchor, february, 'month')).toEqual(date('2027-03-31T00:00:00.000Z'));
});
