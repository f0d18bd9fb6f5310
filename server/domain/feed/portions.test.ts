import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPortions } from './portions.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('what is enough for a statement is written at once, the rest in the end', async () => {
  const written: number[][] = [];
  const portions = createPortions(async (some: number[]) => void written.push(some));
  await portions.add(1, 600_000);
  expect(written).toEqual([]);
  await portions.add(2, 600_000);
  await portions.add(3, 1);
  expect(written).toEqual([[1, 2]]);
  await portions.flush();
  await portions.flush();
  expect(written).toEqual([[1, 2], [3]]);
  expect(portions.count()).toBe(3);
});

test('a turn ends when it has written much, or taken long', async () => {
  const much = createPortions(async () => {});
  for (let at = 0; at < 7; at += 1) await much.add(at, 1_000_000);
  expect(much.isMuch()).toBe(false);
  await much.add(7, 1_000_000);
  expect(much.isMuch()).toBe(true);

  const long = createPortions(async () => {});
  await long.add(1, 1);
  vi.advanceTimersByTime(299);
  expect(long.isMuch()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(long.isMuch()).toBe(true);
});
