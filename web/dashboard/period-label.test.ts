import { expect, test } from 'vitest';
import { periodLabel } from './period-label.ts';

test('periods are written as people write them', () => {
  expect((['day', 'week', 'month', 'quarter', 'year'] as const).map((by) => periodLabel('2026-11-02', by))).toEqual([
    '2 Nov 2026',
    'Week of 2 Nov 2026',
    'Nov 2026',
    'Q4 2026',
    '2026',
  ]);
  expect(periodLabel('soon', 'month')).toBe('soon');
});
