// Where a record that is added to a group will stand: behind the last one of it.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { GroupHeader, GroupRows } from './group-rows.ts';

export interface NewRow {
  before: number;
  around: readonly GroupHeader[];
  neighbour: RecordVo | undefined;
}

/** The header in this row, and those that it stands under, outermost first. */
export const pathOf = (rows: GroupRows, headerRow: number): GroupHeader[] => {
  const path: GroupHeader[] = [];
  for (const row of rows.headerRows.filter((candidate) => candidate <= headerRow).toReversed()) {
    const header = rows.headerAt(row);
    if (header !== undefined && header.depth === (path[0]?.depth ?? header.depth + 1) - 1) path.unshift(header);
  }
  return path;
};

const behind = (rows: GroupRows, recordAt: (row: number) => RecordVo | undefined, last: number): NewRow =>
  rows.headerAt(last) === undefined
    ? { before: last + 1, around: rows.groupsAt(last), neighbour: recordAt(last) }
    : { before: last + 1, around: pathOf(rows, last), neighbour: undefined };

/** At the end of the table. */
export const newRowAtEnd = (rows: GroupRows, recordAt: (row: number) => RecordVo | undefined): NewRow =>
  rows.rowCount === 0 ? { before: 0, around: [], neighbour: undefined } : behind(rows, recordAt, rows.rowCount - 1);

/** At the end of a group; of one that holds groups, in its last. */
export const newRowIn = (
  rows: GroupRows,
  recordAt: (row: number) => RecordVo | undefined,
  header: GroupHeader,
): NewRow => {
  const at = rows.headerRows.find((row) => rows.headerAt(row) === header) ?? 0;
  const next =
    rows.headerRows.find((row) => row > at && (rows.headerAt(row)?.depth ?? 0) <= header.depth) ?? rows.rowCount;
  return behind(rows, recordAt, next - 1);
};
