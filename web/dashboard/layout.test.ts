import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freePlace, movedTo, type Placed, resizedTo, settled, stepped } from './layout.ts';

const item = (id: string, x: number, y: number, w: number, h: number): Placed => ({ id, x, y, w, h });
const two = [item('a', 0, 0, 6, 4), item('b', 0, 4, 6, 4)];
const shown = (items: readonly Placed[]): string[] => items.map(({ id, x, y, w, h }) => `${id} ${x},${y} ${w}×${h}`);

test('what is dragged past the middle of another one takes its place, both ways', () => {
  expect(shown(movedTo(two, 'a', { x: 0, y: 1 }))).toEqual(['a 0,0 6×4', 'b 0,4 6×4']);
  expect(shown(movedTo(two, 'a', { x: 0, y: 3 }))).toEqual(['b 0,0 6×4', 'a 0,4 6×4']);
  expect(shown(movedTo(two, 'b', { x: 0, y: 3 }))).toEqual(['a 0,0 6×4', 'b 0,4 6×4']);
  expect(shown(movedTo(two, 'b', { x: 0, y: 1 }))).toEqual(['b 0,0 6×4', 'a 0,4 6×4']);
});

test('beside another one it takes no room from it, and what was below rises', () => {
  expect(shown(movedTo(two, 'b', { x: 6, y: 0 }))).toEqual(['a 0,0 6×4', 'b 6,0 6×4']);
  expect(shown(movedTo(two, 'a', { x: 9, y: 0 }))).toEqual(['b 0,0 6×4', 'a 6,0 6×4']);
});

test('what grows pushes others down, and stays on the grid', () => {
  expect(shown(resizedTo(two, 'a', { w: 20, h: 6 }))).toEqual(['a 0,0 12×6', 'b 0,6 6×4']);
  expect(shown(resizedTo(two, 'a', { w: 0, h: 0 }))).toEqual(['a 0,0 2×2', 'b 0,2 6×4']);
});

test('a key moves by a column, or past the next one', () => {
  expect(shown(stepped(two, 'a', 'down'))).toEqual(['b 0,0 6×4', 'a 0,4 6×4']);
  expect(shown(stepped(two, 'b', 'up'))).toEqual(['b 0,0 6×4', 'a 0,4 6×4']);
  expect(shown(stepped(two, 'b', 'down'))).toEqual(shown(two));
  expect(shown(stepped([two[0] as Placed], 'a', 'right'))).toEqual(['a 1,0 6×4']);
  expect(shown(stepped(two, 'a', 'left'))).toEqual(shown(two));
});

test('a new one goes where there is room, else below all', () => {
  expect(freePlace([], { w: 6, h: 4 })).toEqual({ x: 0, y: 0, w: 6, h: 4 });
  expect(freePlace(two, { w: 6, h: 4 })).toEqual({ x: 6, y: 0, w: 6, h: 4 });
  expect(freePlace(two, { w: 8, h: 4 })).toEqual({ x: 0, y: 8, w: 8, h: 4 });
});

test('an endless y is the bottom', () => {
  expect(shown(settled([item('a', 0, 0, 6, 4), item('b', 0, Number.MAX_SAFE_INTEGER, 2, 2)]))).toEqual([
    'a 0,0 6×4',
    'b 0,4 2×2',
  ]);
});

const anyItems = fc
  .array(
    fc.record({ x: fc.nat(11), y: fc.nat(30), w: fc.integer({ min: 1, max: 12 }), h: fc.integer({ min: 1, max: 8 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((places) => settled(places.map((place, at) => ({ ...place, id: `i${at}` }))));

test('whatever is moved anywhere, nothing overlaps, leaves the grid or is lost', () => {
  fc.assert(
    fc.property(anyItems, fc.nat(11), fc.nat(15), fc.nat(60), (items, which, x, y) => {
      const id = (items[which % items.length] as Placed).id;
      const after = movedTo(items, id, { x, y });
      expect(after.map((one) => one.id).toSorted()).toEqual(items.map((one) => one.id).toSorted());
      for (const one of after) {
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.x + one.w).toBeLessThanOrEqual(12);
        for (const other of after)
          if (other.id !== one.id)
            expect(
              one.x >= other.x + other.w ||
                other.x >= one.x + one.w ||
                one.y >= other.y + other.h ||
                other.y >= one.y + one.h,
            ).toBe(true);
      }
      // To put it where it is changes nothing.
      const again = after.find((one) => one.id === id) as Placed;
      expect(movedTo(after, id, again)).toEqual(after);
    }),
    { numRuns: 40 },
  );
});
