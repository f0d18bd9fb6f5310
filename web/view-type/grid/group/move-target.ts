// Where rows go that are dropped on a row: beside a record, or into a group that shows none.
import type { GroupHeader, GroupRows } from './group-rows.ts';
import { pathOf } from './new-row.ts';

export interface MoveTarget {
  /** The groups that they stand in afterwards, outermost first; none in a view without groups. */
  around: readonly GroupHeader[];
  beside: { row: number; position: 'before' | 'after' } | undefined;
}

/** `to` is the row that `from` is dropped on: rows that go down stand behind it, those that go up before it. */
export const targetOf = (
  rows: GroupRows,
  moved: readonly number[],
  from: number,
  to: number,
): MoveTarget | undefined => {
  const goesDown = from < to;
  const row = Math.min(to, rows.rowCount - 1);
  if (row < 0 || from === row) return undefined;
  const header = rows.headerAt(row);
  if (header !== undefined) {
    // Above a header is the end of the group before it.
    if (!goesDown)
      return row === 0
        ? undefined
        : (targetAt(rows, moved, row - 1, 'after') ?? { around: pathOf(rows, row - 1), beside: undefined });
    const innermost = innermostFrom(rows, row);
    return targetAt(rows, moved, innermost + 1, 'before') ?? { around: pathOf(rows, innermost), beside: undefined };
  }
  const step = goesDown ? -1 : 1;
  let anchor = row;
  while (moved.includes(anchor)) anchor += step;
  return targetAt(rows, moved, anchor, goesDown ? 'after' : 'before');
};

/** Below the header of a group of groups stands that of its first one. */
const innermostFrom = (rows: GroupRows, row: number): number => {
  let at = row;
  while ((rows.headerAt(at + 1)?.depth ?? -1) > (rows.headerAt(at)?.depth ?? 0)) at += 1;
  return at;
};

const targetAt = (
  rows: GroupRows,
  moved: readonly number[],
  row: number,
  position: 'before' | 'after',
): MoveTarget | undefined =>
  row < 0 || row >= rows.rowCount || rows.headerAt(row) !== undefined || moved.includes(row)
    ? undefined
    : { around: rows.groupsAt(row), beside: { row, position } };
