// Files that are dropped on a cell, or pasted into the one that the cursor is in.
import { addFiles, type FilesPlace, takesFiles } from '../../field-type/attachment/uploads.ts';
import type { Column } from '../../record-data/columns.ts';
import type { EditQueue } from '../../record-data/edit-queue.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import { activeRecordOf } from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';

interface CellFilesInput {
  tableId: string;
  columns: readonly Column[];
  cursor: Cursor;
  edits: EditQueue;
  mayEdit: boolean;
}

interface CellFiles {
  takes: (column: number, row: number) => boolean;
  drop: (column: number, row: number, files: readonly File[]) => void;
  /** Whether the cell takes files. */
  paste: (files: readonly File[]) => boolean;
}

export const useCellFiles = ({ tableId, columns, cursor, edits, mayEdit }: CellFilesInput): CellFiles => {
  const { recordAt, drawnRows } = cursor;
  const placeAt = (column: number, row: number): FilesPlace | undefined => {
    const record = recordAt(row);
    const field = columns[column]?.field;
    return mayEdit && record !== undefined && !isTemporary(record.id) && takesFiles(field)
      ? { tableId, recordId: record.id, fieldId: field.id, edits }
      : undefined;
  };
  const activePlace = (): FilesPlace | undefined => {
    const activeId = activeRecordOf(cursor.meant);
    const row = activeId === undefined ? undefined : drawnRows.rowOf(activeId);
    const fieldId = cursor.meant.active?.fieldId;
    return row === undefined
      ? undefined
      : placeAt(
          columns.findIndex(({ field }) => field.id === fieldId),
          row,
        );
  };
  const add = (place: FilesPlace | undefined, files: readonly File[]): boolean => {
    if (place !== undefined) void addFiles(place, files);
    return place !== undefined;
  };
  return {
    takes: (column, row) => placeAt(column, row) !== undefined,
    drop: (column, row, files) => void add(placeAt(column, row), files),
    paste: (files) => add(activePlace(), files),
  };
};
