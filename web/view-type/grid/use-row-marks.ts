// What is drawn over cells beside their values: who else is in one, and how many comments a record has.
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import { type OtherCell, useOtherCells, useShowCell } from '../../app/presence/cells.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { useCommentCounts } from '../../record-data/use-comment-counts.ts';
import { activeRecordOf } from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';

interface RowMarksInput {
  tableId: string;
  records: TableRecords;
  cursor: Cursor;
  fieldIds: readonly string[];
  /** The rows in sight. */
  shown: RefObject<[first: number, last: number]>;
  /** Changes with them. */
  scrolledTo: number;
}

interface RowMarks {
  others: readonly OtherCell[];
  personAt: (column: number, row: number) => OtherCell | undefined;
  commentsAt: (row: number) => number;
  commentTotal: number;
}

export const useRowMarks = ({ tableId, records, cursor, fieldIds, shown, scrolledTo }: RowMarksInput): RowMarks => {
  const { drawnRows, recordAt } = cursor;
  const { version } = records;
  const others = useOtherCells(tableId);
  const activeId = activeRecordOf(cursor.meant);
  useShowCell(
    tableId,
    activeId === undefined || isTemporary(activeId) ? undefined : activeId,
    cursor.meant.active?.fieldId,
  );
  const personAt = useMemo(() => {
    const marks = new Map(
      others.map((other) => [`${fieldIds.indexOf(other.fieldId)} ${drawnRows.rowOf(other.recordId)}`, other]),
    );
    return (column: number, row: number) => marks.get(`${column} ${row}`);
  }, [others, fieldIds, drawnRows]);
  const comments = useCommentCounts(tableId, records.listen);
  const commentsAt = useCallback(
    (row: number): number => comments.of(recordAt(row)?.id ?? ''),
    [comments.of, recordAt],
  );
  const { look: lookAtComments } = comments;
  useEffect(() => {
    const [first, last] = shown.current;
    lookAtComments(
      Array.from(
        { length: Math.max(0, Math.min(last, first + 200) - first) + 1 },
        (_, at) => recordAt(first + at)?.id ?? '',
      ).filter((id) => id !== '' && !isTemporary(id)),
    );
  }, [lookAtComments, recordAt, version, scrolledTo, shown]);
  return { others, personAt, commentsAt, commentTotal: comments.total };
};
