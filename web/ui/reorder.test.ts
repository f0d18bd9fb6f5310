import { expect, test } from 'vitest';
import { reordered, sideOf, stepped } from './reorder.ts';

test('a key moves by one place, and not beyond the ends', () => {
  expect(stepped(['a', 'b', 'c'], 'b', -1)).toEqual({ anchorId: 'a', position: 'before' });
  expect(stepped(['a', 'b', 'c'], 'b', 1)).toEqual({ anchorId: 'c', position: 'after' });
  expect(stepped(['a', 'b', 'c'], 'a', -1)).toBeUndefined();
  expect(stepped(['a', 'b', 'c'], 'c', 1)).toBeUndefined();
});

test('what is moved stands beside its anchor, all others in their order', () => {
  expect(reordered(['a', 'b', 'c', 'd'], 'a', 'c', 'after')).toEqual(['b', 'c', 'a', 'd']);
  expect(reordered(['a', 'b', 'c', 'd'], 'd', 'a', 'before')).toEqual(['d', 'a', 'b', 'c']);
  expect(reordered(['a', 'b'], 'a', 'gone', 'after')).toEqual(['a', 'b']);
});

test('the nearer edge counts; the middle of a folder takes things in', () => {
  expect([1, 9, 11, 19].map((y) => sideOf(y, 20, false))).toEqual(['before', 'before', 'after', 'after']);
  expect([1, 9, 11, 19].map((y) => sideOf(y, 20, true))).toEqual(['before', 'into', 'into', 'after']);
});
