import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

test('one space takes three quarters of the places, the next one three quarters of what is left, and a free one is anybody who has none', () => {
  const places = createPlaces(64);
  const fill = (spaceId: string): number => {
    let taken = 0;
    for (let at = 0; at < 64; at += 1) {
      const place = { id: `${spaceId} ${at}`, spaceId };
      const room = places.roomFor(place, 8);
      places.take(place, room);
      taken += room;
    }
    return taken;
  };
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(fill)).toEqual([48, 12, 3, 1, 0, 0]);
  places.take({ id: 'a 0', spaceId: 'a' }, -8);
  expect(places.roomFor({ id: 'e', spaceId: 'e' }, 8)).toBe(6);
  expect(places.countOf('a 0')).toBe(0);
});

test('one receiver has at most so many, however many are free', () => {
  const places = createPlaces(64);
  const one = { id: 'one', spaceId: 'a' };
  places.take(one, places.roomFor(one, 8));
  expect([places.countOf('one'), places.roomFor(one, 8)]).toEqual([8, 0]);
});
