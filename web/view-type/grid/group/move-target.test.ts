import { expect, test } from 'vitest';
import { groupRows } from './group-rows.ts';
import { targetOf } from './move-target.ts';

const header = (id: string, depth = 0) => ({ kind: 'header' as const, id, depth, value: id });
const run = (place: number, count: number) => ({ kind: 'run' as const, place, count });

// 0 A, 1 a, 2 b, 3 B, 4 c, 5 C (empty)
const rows = groupRows([header('A'), run(0, 2), header('B'), run(2, 1), header('C')], new Set());

const told = (from: number, to: number, moved = [from]): string => {
  const target = targetOf(rows, moved, from, to);
  if (target === undefined) return 'nowhere';
  const { around, beside } = target;
  return `${around.map(({ id }) => id).join('/')} ${beside === undefined ? 'inside' : `${beside.position} ${beside.row}`}`;
};

test('rows go beside the record that they are dropped on, into its group', () => {
  expect(told(1, 2)).toBe('A after 2');
  expect(told(1, 4)).toBe('B after 4');
  expect(told(4, 2)).toBe('A before 2');
  expect(told(1, 1)).toBe('nowhere');
});

test('on a header rows that go down begin its group, those that go up end the one before', () => {
  expect(told(2, 3)).toBe('B before 4');
  expect(told(4, 3)).toBe('A after 2');
  expect(told(4, 0)).toBe('nowhere');
});

test('a group that shows no record takes them in', () => {
  expect(told(4, 5)).toBe('C inside');
  expect(told(4, 99)).toBe('C inside');
  const folded = groupRows([header('A'), run(0, 2), header('B'), run(2, 1)], new Set(['B']));
  expect(targetOf(folded, [1], 1, 3)?.around.map(({ id }) => id)).toEqual(['B']);
});

test('several rows go together', () => {
  expect(told(1, 2, [1, 2])).toBe('nowhere');
  expect(told(2, 4, [1, 2])).toBe('B after 4');
});

test('groups within groups: below an outer header is the first inner one', () => {
  // 0 A, 1 A/x, 2 a, 3 B, 4 B/y, 5 b
  const nested = groupRows([header('A'), header('x', 1), run(0, 1), header('B'), header('y', 1), run(1, 1)], new Set());
  const target = targetOf(nested, [2], 2, 3);
  expect([target?.around.map(({ id }) => id), target?.beside]).toEqual([['B', 'y'], { row: 5, position: 'before' }]);
});
