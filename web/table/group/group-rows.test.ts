import type { GroupPoint } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { groupRows } from './group-rows.ts';

const header = (id: string, depth: number): GroupPoint => ({ id, type: 0, depth, value: id, isCollapsed: false });
const rows = (count: number): GroupPoint => ({ type: 1, count });

// a (a1: 2, a2: 3), b (b1: 4)
const points = [header('a', 0), header('a1', 1), rows(2), header('a2', 1), rows(3), header('b', 0), header('b1', 1), rows(4)];

test('headers stand above their records and know how many there are below', () => {
  const shown = groupRows(points, new Set());
  expect(shown.rowCount).toBe(14);
  expect(shown.headerRows).toEqual([0, 1, 4, 8, 9]);
  expect(shown.headerAt(0)).toMatchObject({ id: 'a', count: 5 });
  expect(shown.headerAt(8)).toMatchObject({ id: 'b', count: 4 });
  expect([2, 3, 5, 7, 10, 13].map(shown.placeAt)).toEqual([0, 1, 2, 4, 5, 8]);
  expect([0, 1, 4, 8, 14].map(shown.placeAt)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect([0, 2, 8].map(shown.rowOf)).toEqual([2, 5, 13]);
});

test('a collapsed group hides its records and the headers inside, and keeps its count', () => {
  const shown = groupRows(points, new Set(['a']));
  expect(shown.rowCount).toBe(7);
  expect(shown.headerAt(0)).toMatchObject({ id: 'a', count: 5, isCollapsed: true });
  expect(shown.headerAt(1)).toMatchObject({ id: 'b' });
  expect(shown.placeAt(3)).toBe(5);
  expect(shown.rowOf(2)).toBeUndefined();
  expect(shown.groupsOf(2).map(({ id }) => id)).toEqual(['a', 'a2']);
  expect(shown.rowOf(5)).toBe(3);
});

test('the places of visible rows skip what is collapsed between them', () => {
  expect(groupRows(points, new Set(['a2'])).placesOf(0, 8)).toEqual([[0, 1], [5, 6]]);
  expect(groupRows([], new Set()).placesOf(0, 50)).toEqual([]);
});
