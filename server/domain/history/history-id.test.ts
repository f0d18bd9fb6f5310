import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyId, entryPositionOf } from './history-id.ts';

const positions = fc.record({
  opId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  seq: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});

test('an id gives back the position it was made from', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(entryPositionOf('tblA', historyId('tblA', position))).toEqual(position);
    }),
  );
});

test('ids sort as their positions do', () => {
  fc.assert(
    fc.property(positions, positions, (one, other) => {
      const older = one.opId < other.opId || (one.opId === other.opId && one.seq < other.seq);
      expect(historyId('tblA', one).slice(0, 20) < historyId('tblA', other).slice(0, 20)).toBe(older);
    }),
  );
});

test('an id of another table, or with any character changed, is not recognised', () => {
  const id = historyId('tblA', { opId: 4711, seq: 3 });
  expect(entryPositionOf('tblB', id)).toBeUndefined();
  for (let at = 3; at < id.length; at += 1) {
    const other = id[at] === 'a' ? 'b' : 'a';
    expect(entryPositionOf('tblA', id.slice(0, at) + other + id.slice(at + 1))).toBeUndefined();
  }
});
