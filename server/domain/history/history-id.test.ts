import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyId, placeOf } from './history-id.ts';

const places = fc.record({ opId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), seq: fc.integer({ min: 1, max: 2 ** 31 - 1 }) });

test('an id gives back the place it was made from', () => {
  fc.assert(
    fc.property(places, (place) => {
      expect(placeOf('tblA', historyId('tblA', place))).toEqual(place);
    }),
  );
});

test('ids sort as their places do', () => {
  fc.assert(
    fc.property(places, places, (one, other) => {
      const older = one.opId < other.opId || (one.opId === other.opId && one.seq < other.seq);
      expect(historyId('tblA', one).slice(0, 20) < historyId('tblA', other).slice(0, 20)).toBe(older);
    }),
  );
});

test('an id of another table, or with any character changed, is not recognised', () => {
  const id = historyId('tblA', { opId: 4711, seq: 3 });
  expect(placeOf('tblB', id)).toBeUndefined();
  for (let at = 3; at < id.length; at += 1) {
    const other = id[at] === 'a' ? 'b' : 'a';
    expect(placeOf('tblA', id.slice(0, at) + other + id.slice(at + 1))).toBeUndefined();
  }
});
