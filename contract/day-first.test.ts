import { expect, test } from 'vitest';
import { areDayFirst, withPoints } from './day-first.ts';

test('one date of a column tells how all of them are meant', () => {
  expect(areDayFirst(['05/06/2026', '31/12/2025', '', 'soon'])).toBe(true);
  expect(areDayFirst(['05-06-26', ' 31-12-25 10:00'])).toBe(true);
  expect(areDayFirst(['05/06/2026', '12/11/2025'])).toBe(false);
  expect(areDayFirst(['05/06/2026', '12/31/2025'])).toBe(false);
  // Both kinds: nobody knows.
  expect(areDayFirst(['31/12/2025', '12/31/2025'])).toBe(false);
  expect(areDayFirst(['2025-12-31', '31.12.2025', '31/12', '31/12/20255'])).toBe(false);
});

test('dates with points are days first, and nothing else is changed', () => {
  expect(['05/06/2026', '5-6-26 10:00', '2025-12-31', '1/2', 'a 5/6/2026'].map(withPoints)).toEqual(['05.06.2026', '5.6.26 10:00', '2025-12-31', '1/2', 'a 5/6/2026']);
});
