// What is selected, as the library has it and as everything else here does.
import { CompactSelection, type GridSelection as LibrarySelection } from '@glideapps/glide-data-grid';
import type { GridSelection } from '../selection/grid-selection.ts';

export const forLibrary = ({ current, rows, columns }: GridSelection): LibrarySelection => ({
  rows: CompactSelection.create(rows.map(([from, to]) => [from, to])),
  columns: CompactSelection.create(columns.map(([from, to]) => [from, to])),
  ...(current === undefined
    ? {}
    : { current: { cell: [current.column, current.row], range: current.range, rangeStack: [] } }),
});

export const fromLibrary = ({ current, rows, columns }: LibrarySelection): GridSelection => ({
  rows: rows.items,
  columns: columns.items,
  ...(current === undefined
    ? {}
    : { current: { column: current.cell[0], row: current.cell[1], range: current.range } }),
});
