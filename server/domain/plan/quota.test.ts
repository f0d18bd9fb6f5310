import { expect, test } from 'vitest';
import { shareOut } from './quota.ts';
import type { Slot } from './quota.sql.ts';

const slots = (used: (slot: number) => number): Slot[] =>
  Array.from({ length: 64 }, (_, slot) => ({ slot, used: used(slot), cap: 0, isLive: slot % 8 === 0 }));
const sumOf = (list: Slot[], key: 'used' | 'cap'): number => list.reduce((sum, slot) => sum + slot[key], 0);

test('the caps add up to the limit, and the asking slot has room for what it asked', () => {
  for (const [limit, asked] of [
    [100_000, 1],
    [7_000, 500],
    [6_464, 64],
    [6_401, 1],
    [Number.MAX_SAFE_INTEGER, 3],
  ] as const) {
    const shared = shareOut(
      slots((slot) => (slot === 5 ? -60 + 100 : 100) + (slot === 7 ? 60 : 0)),
      limit,
      9,
      asked,
    );
    expect(sumOf(shared, 'cap')).toBe(limit);
    expect((shared[9] as Slot).cap - (shared[9] as Slot).used).toBeGreaterThanOrEqual(asked);
    for (const { used, cap } of shared) expect(cap).toBeGreaterThanOrEqual(used);
  }
});

test('over the limit no slot can grow, even after a delete in it', () => {
  for (const { used, cap } of shareOut(
    slots(() => 100),
    1_000,
    0,
    0,
  ))
    expect(cap).toBeLessThan(used - 1_000_000);
});
