import { expect, test } from 'vitest';
import { decideOrder, inOrder, isAmbiguousDate, orderOfColumn, orderOfFormat, orderOfLocale } from './date-order.ts';

test('a column is read as one: by what can only be meant in one way, else by the format, else by a guess', () => {
  expect(orderOfColumn(['03/04/2024', '13/02/2024'])).toBe('dayFirst');
  expect(orderOfColumn(['03/04/2024', '02/13/2024'])).toBe('monthFirst');
  expect(orderOfColumn(['13/02/2024', '02/13/2024', '03/04/2024'])).toBeUndefined();
  expect(orderOfColumn(['2024-02-13', '3 Feb 2024', 'soon', '13.02.2024'])).toBeUndefined();
  expect(['D/M/YYYY', 'DD/MM/YYYY', 'M/D/YYYY', 'YYYY-MM-DD', 'YYYY/MM/DD', 'MM-DD'].map(orderOfFormat)).toEqual([
    'dayFirst',
    'dayFirst',
    'monthFirst',
    undefined,
    undefined,
    'monthFirst',
  ]);
  expect(decideOrder('M/D/YYYY', 'dayFirst')).toEqual({ order: 'dayFirst', by: 'column' });
  expect(decideOrder('D/M/YYYY', undefined)).toEqual({ order: 'dayFirst', by: 'format' });
  expect(decideOrder('YYYY-MM-DD', undefined)).toEqual({ order: 'monthFirst', by: 'guess' });
  expect(decideOrder('YYYY-MM-DD', undefined, 'dayFirst')).toEqual({ order: 'dayFirst', by: 'guess' });
});

test('only two different numbers that may both be months are ambiguous', () => {
  expect(
    ['03/04/2024', '3-4-24 10:00', '04/04/2024', '13/04/2024', '2024/03/04', '03.04.2024', '3/4'].map(isAmbiguousDate),
  ).toEqual([true, true, false, false, false, false, false]);
});

test('a text is written so that it is read in its order everywhere', () => {
  expect([
    inOrder('03/04/2024 10:30', 'dayFirst'),
    inOrder('03/04/2024 10:30', 'monthFirst'),
    inOrder('13/02/2024', 'monthFirst'),
  ]).toEqual(['03.04.2024 10:30', '2024-03-04 10:30', '13/02/2024']);
});

test('languages have their habits', () => {
  expect(['en-US', 'en-GB', 'de', 'fr'].map(orderOfLocale)).toEqual(['monthFirst', 'dayFirst', 'dayFirst', 'dayFirst']);
});
