import { expect, test } from 'vitest';
import { mostAttempts, pauseAfter } from './retry.ts';

test('ten attempts take about three days, later when the receiver asks for it', () => {
  const pauses = Array.from({ length: mostAttempts }, (_, at) => pauseAfter(at + 1, null, () => 0.5));
  expect(pauses).toHaveLength(10);
  expect(pauses.at(-1)).toBeNull();
  const hours = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 3_600;
  expect(hours).toBeGreaterThan(70);
  expect(hours).toBeLessThan(73);
  expect(pauseAfter(1, 120)).toBe(120);
  expect(pauseAfter(1, 10_000_000)).toBe(86_400);
  expect(pauseAfter(2, 1, () => 0)).toBe(270);
  expect(pauseAfter(2, 1, () => 1)).toBeCloseTo(330);
});
