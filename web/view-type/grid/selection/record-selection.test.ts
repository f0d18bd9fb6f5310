import { expect, test } from 'vitest';
import { type GridSelection, nothingSelected } from './grid-selection.ts';
import {
  appendKey,
  type DrawnRows,
  fromGrid,
  noSelection,
  type RecordSelection,
  selectCell,
  settled,
  toGrid,
  unloadedKey,
} from './record-selection.ts';

/** A dot is a row that is not loaded. */
const drawn = (names: string): DrawnRows => ({
  rowCount: names.length,
  keyAt: (row) => (row === names.length ? appendKey : names[row] === '.' ? unloadedKey(row) : (names[row] as string)),
  rowOf: (key) =>
    key === appendKey
      ? names.length
      : key.startsWith('row:')
        ? Number(key.slice(4))
        : names.includes(key)
          ? names.indexOf(key)
          : undefined,
});
const fields = ['one', 'two', 'three'];
const cellAt = (column: number, row: number, height = 1, width = 1): GridSelection => ({
  ...nothingSelected,
  current: { column, row, range: { x: column, y: row, width, height } },
});
const select = (grid: GridSelection, rows: DrawnRows, meant: RecordSelection = noSelection): RecordSelection =>
  fromGrid(grid, rows, fields, { meant, drawn: toGrid(meant, rows, fields) }).selection;

test('the cursor follows its record and its field', () => {
  const selection = select(cellAt(1, 2), drawn('ABCD'));
  expect(selection).toEqual(selectCell('C', 'two'));
  expect(toGrid(selection, drawn('CABD'), fields).current).toMatchObject({ column: 1, row: 0 });
  expect(toGrid(selection, drawn('ABCD'), ['three', 'two', 'one']).current).toMatchObject({ column: 1, row: 2 });
  expect(toGrid(selection, drawn('ABD'), fields).current).toBeUndefined();
  expect(toGrid(selection, drawn('ABCD'), ['one', 'three']).current).toBeUndefined();
});

test('a range stays while its rows stand together, and is one cell as soon as another row comes between', () => {
  const range = select(cellAt(0, 1, 3, 2), drawn('ABCDE'));
  expect(toGrid(range, drawn('xABCDE'), fields).current?.range).toEqual({ x: 0, y: 2, width: 2, height: 3 });
  expect(toGrid(range, drawn('ABDE'), fields).current?.range).toEqual({ x: 0, y: 1, width: 2, height: 2 });
  expect(toGrid(range, drawn('ABxCDE'), fields).current?.range).toEqual({ x: 0, y: 1, width: 2, height: 1 });
  expect(toGrid(range, drawn('ACDEB'), fields).current?.range).toEqual({ x: 0, y: 4, width: 2, height: 1 });
  expect(toGrid(range, drawn('ABCDE'), ['one', 'three', 'two']).current?.range).toMatchObject({ x: 0, width: 1 });
});

test('a range over rows that are not loaded needs its ends where they were', () => {
  const range = select(cellAt(0, 0, 5), drawn('A...E6'));
  expect(toGrid(range, drawn('A...E6'), fields).current?.range).toMatchObject({ y: 0, height: 5 });
  expect(toGrid(range, drawn('xA...E6'), fields).current?.range).toMatchObject({ y: 1, height: 5 });
  expect(toGrid(range, drawn('A....E6'), fields).current?.range).toMatchObject({ y: 0, height: 1 });
  expect(toGrid(range, drawn('A..DE6'), fields).current?.range).toMatchObject({ y: 0, height: 5 });
});

test('everything that was selected stays everything', () => {
  const all = select(cellAt(0, 0, 4), drawn('AB.D'));
  expect(toGrid(all, drawn('xAB.Dy'), fields).current?.range).toMatchObject({ y: 0, height: 6 });
});

test('a row that was not loaded gets its name when it is', () => {
  const selection = select(cellAt(2, 3), drawn('AB..'));
  const rows = drawn('ABCD');
  expect(settled(selection, toGrid(selection, rows, fields), rows, fields)).toEqual(selectCell('D', 'three'));
});

test('a range that fell apart does not come back', () => {
  const range = select(cellAt(0, 0, 2), drawn('AB'));
  const apart = drawn('AxB');
  expect(settled(range, toGrid(range, apart, fields), apart, fields)).toEqual(selectCell('A', 'one'));
});

test('ticks belong to records, wherever they stand', () => {
  const tick = (meant: RecordSelection, rows: DrawnRows, slices: GridSelection['rows']) =>
    fromGrid({ rows: slices, columns: [] }, rows, fields, { meant, drawn: toGrid(meant, rows, fields) });
  const two = tick(noSelection, drawn('ABCD'), [
    [0, 1],
    [2, 3],
  ]).selection;
  expect([...two.ticked.ids]).toEqual(['A', 'C']);
  expect(toGrid(two, drawn('CxA'), fields).rows).toEqual([
    [0, 1],
    [2, 3],
  ]);
  const less = tick(two, drawn('CxA'), [[2, 3]]).selection;
  expect([...less.ticked.ids]).toEqual(['A']);
  // Ticked rows that scrolled away stay ticked.
  expect([...tick(two, drawn('C...'), [[0, 2]]).selection.ticked.ids]).toEqual(['A', 'C']);
  expect(tick(two, drawn('C...'), [[0, 3]]).toLoad).toEqual([[1, 3]]);
  const all = tick(noSelection, drawn('AB..'), [[0, 4]]).selection;
  expect(all.ticked).toEqual({ all: true, ids: new Set() });
  const allBut = tick(all, drawn('AB..'), [
    [0, 1],
    [2, 4],
  ]).selection;
  expect(allBut.ticked).toEqual({ all: true, ids: new Set(['B']) });
  expect(toGrid(allBut, drawn('BAxy..'), fields).rows).toEqual([[1, 6]]);
});
