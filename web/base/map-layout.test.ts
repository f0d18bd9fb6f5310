import { expect, test } from 'vitest';
import { type Box, boxWidth, layOut, lineBetween } from './map-layout.ts';

const table = (id: string, height = 100) => ({ id, height });
const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test('linked tables stand beside each other, others below, and none covers another', () => {
  const { boxes, width, height } = layOut(
    [table('tasks'), table('people', 60), table('projects'), table('notes'), table('invoices')],
    [
      { from: 'tasks', to: 'projects' },
      { from: 'tasks', to: 'people' },
      { from: 'invoices', to: 'projects' },
      { from: 'tasks', to: 'tasks' },
    ],
  );
  const all = [...boxes.values()];
  expect(all).toHaveLength(5);
  expect(all.flatMap((one, at) => all.slice(at + 1).filter((other) => overlaps(one, other)))).toEqual([]);
  const at = (id: string): Box => boxes.get(id) as Box;
  expect(Math.abs(at('tasks').x - at('projects').x)).toBeGreaterThan(boxWidth);
  expect(at('notes').y).toBeGreaterThan(
    Math.max(...['tasks', 'people', 'projects', 'invoices'].map((id) => at(id).y + at(id).height)),
  );
  expect(Math.max(...all.map((box) => box.x + box.width))).toBeLessThan(width);
  expect(Math.max(...all.map((box) => box.y + box.height))).toBeLessThan(height);
});

test('a base without tables and one without links have a picture too', () => {
  expect(layOut([], []).boxes.size).toBe(0);
  const { boxes } = layOut([table('a'), table('b')], [{ from: 'a', to: 'gone' }]);
  expect((boxes.get('b') as Box).x).toBeGreaterThan((boxes.get('a') as Box).x);
});

test('a line goes between the sides that face each other, and round the right of one column', () => {
  const box = (x: number, y: number): Box => ({ id: '', x, y, width: 100, height: 50 });
  const across = lineBetween(box(0, 0), 10, box(300, 0), 20);
  expect([across.start, across.end]).toEqual([
    { x: 100, y: 10, side: 'right' },
    { x: 300, y: 20, side: 'left' },
  ]);
  const back = lineBetween(box(300, 0), 10, box(0, 0), 20);
  expect([back.start.side, back.end.side]).toEqual(['left', 'right']);
  const below = lineBetween(box(0, 0), 10, box(0, 100), 20);
  expect([below.start, below.end]).toEqual([
    { x: 100, y: 10, side: 'right' },
    { x: 100, y: 120, side: 'right' },
  ]);
});
