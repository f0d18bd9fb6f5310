import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FeedState, nextFeedState } from './feed-state.ts';

const empty: FeedState = { last: 0, nextId: 1, gaps: [], gapTimes: [] };
const now = Date.parse('2026-01-01T00:00:00Z');

test('an id that is passed over is waited for, and entered when it appears', () => {
  const first = nextFeedState(empty, [1, 3], now);
  expect(first).toEqual({ last: 2, nextId: 4, gaps: [2], gapTimes: ['2026-01-01T00:00:00.000Z'] });
  expect(nextFeedState(first, [2, 4], now)).toEqual({ last: 4, nextId: 5, gaps: [], gapTimes: [] });
});

test('an id that does not appear within an hour is given up', () => {
  const first = nextFeedState(empty, [3], now);
  expect(nextFeedState(first, [4], now + 3_500_000).gaps).toEqual([1, 2]);
  expect(nextFeedState(first, [4], now + 3_700_000).gaps).toEqual([]);
});

test('in whatever order ids become visible, each is entered exactly once', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { minLength: 1 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
      (order, sizes) => {
        let state = empty;
        const visible: number[] = [];
        const entered: number[] = [];
        const left = [...order];
        for (const size of sizes) {
          visible.push(...left.splice(0, size));
          const found = visible
            .filter((id) => id >= state.nextId || state.gaps.includes(id))
            .sort((one, other) => one - other);
          if (found.length === 0) continue;
          entered.push(...found);
          state = nextFeedState(state, found, now);
        }
        expect(entered.toSorted((one, other) => one - other)).toEqual(visible.toSorted((one, other) => one - other));
        expect(state.last).toBe(entered.length);
      },
    ),
  );
});
