import type { GroupPoint, RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { type GroupHeader, groupRows } from './group-rows.ts';
import { newRowAtEnd, newRowIn } from './new-row.ts';
import { itemsOf } from './row-items.ts';

const header = (id: string, depth: number): GroupPoint => ({ id, type: 0, depth, value: id, isCollapsed: false });
const records = (count: number): GroupPoint => ({ type: 1, count });

// a (a1: 2, a2: 1), b (b1: 1)
const points = [
  header('a', 0),
  header('a1', 1),
  records(2),
  header('a2', 1),
  records(1),
  header('b', 0),
  header('b1', 1),
  records(1),
];
const rows = groupRows(itemsOf(points, 4), new Set());
const recordAt = (row: number): RecordVo | undefined => {
  const place = rows.placeAt(row);
  return place === undefined ? undefined : { id: `rec${place}`, fields: {} };
};
const headerOf = (id: string): GroupHeader =>
  rows.headerRows.map((row) => rows.headerAt(row)).find((found) => found?.id === id) as GroupHeader;
const said = ({ before, around, neighbour }: ReturnType<typeof newRowAtEnd>) => [
  before,
  around.map(({ id }) => id),
  neighbour?.id,
];

test('a record that is added at the end is of the last group, and stands behind its last record', () => {
  expect(said(newRowAtEnd(rows, recordAt))).toEqual([rows.rowCount, ['b', 'b1'], 'rec3']);
});

test('one that is added to a group stands behind the last of that group; of one that holds groups, in its last', () => {
  expect(said(newRowIn(rows, recordAt, headerOf('a1')))).toEqual([4, ['a', 'a1'], 'rec1']);
  expect(said(newRowIn(rows, recordAt, headerOf('a')))).toEqual([6, ['a', 'a2'], 'rec2']);
});

test('in a group that is folded it stands below the header, and is of that group', () => {
  const folded = groupRows(itemsOf(points, 4), new Set(['b']));
  const b = folded.headerRows.map((row) => folded.headerAt(row)).find((found) => found?.id === 'b') as GroupHeader;
  expect(said(newRowIn(folded, () => undefined, b))).toEqual([folded.rowCount, ['b'], undefined]);
  expect(said(newRowAtEnd(groupRows([], new Set()), () => undefined))).toEqual([0, [], undefined]);
});
