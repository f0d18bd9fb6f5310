import { expect, test } from 'vitest';
import { addDays, addMonths, daysApart, weekOf, weeksOf } from './month.ts';

test('a month is shown in whole weeks from Monday on', () => {
  const weeks = weeksOf('2026-11');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]?.[0]).toBe('2026-10-26');
  expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06');
  expect(weeksOf('2027-02')).toHaveLength(4);
});

test('a week begins on Monday', () => {
  for (const day of ['2026-11-02', '2026-11-05', '2026-11-08'])
    expect([weekOf(day)[0], weekOf(day)[6]]).toEqual(['2026-11-02', '2026-11-08']);
});

test('months and days go on over the end of the year and leap days', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01');
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(addMonths('0050-12', 1)).toBe('0051-01');
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
  expect(daysApart('2024-02-28', '2024-03-01')).toBe(2);
  expect(daysApart('2026-01-02', '2025-12-31')).toBe(-2);
});
