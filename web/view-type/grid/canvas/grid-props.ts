// What the grid is given, in records, fields and columns, and what it tells.
import type { GridKeyEventArgs, Rectangle } from '@glideapps/glide-data-grid';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { Ref } from 'react';
import type { Column } from '../../../record-data/columns.ts';
import type { GroupHeader, GroupRows } from '../group/group-rows.ts';
import type { CellRange, GridSelection } from '../selection/grid-selection.ts';
import type { PersonMark } from './draw-person.ts';

export type { GridKeyEventArgs, Rectangle };

/** A click on a cell changed it: a star, a tick. */
interface ClickedEdit {
  recordId: string;
  field: Field;
  value: unknown;
}

export interface GridHandle {
  /** Where a cell is on the screen. */
  bounds(column: number, row: number): Rectangle | undefined;
  focus(): void;
  hasFocus(): boolean;
  scrollTo(column: number, row: number): void;
}

export interface GridProps {
  handle: Ref<GridHandle>;
  columns: readonly Column[];
  rows: GroupRows;
  /** What each level is grouped by, outermost first. */
  groupFields: readonly (Field | undefined)[];
  groupStatistic: (header: GroupHeader, fieldId: string) => string;
  rowHeight: number;
  frozenColumns: number;
  canEdit: boolean;
  canCreate: boolean;
  canChangeFields: boolean;
  recordAt: (row: number) => RecordVo | undefined;
  valueOf: (record: RecordVo, fieldId: string) => unknown;
  refusalOf: (recordId: string, fieldId: string) => string | undefined;
  /** A row that does not stand where it belongs. */
  markedRow: number | undefined;
  /** Who else is in a cell. */
  personAt: (column: number, row: number) => PersonMark | undefined;
  commentsAt: (row: number) => number;
  /** Changes whenever a cell may look different. */
  version: string;
  selection: GridSelection;
  onSelection: (selection: GridSelection) => void;
  onLook: (first: number, last: number) => void;
  /** How far the columns are scrolled, in pixels. */
  onScroll: (left: number) => void;
  /** The mouse button goes down on the grid: something may be dragged until it goes up. */
  onGrab: () => void;
  onToggleGroup: (header: GroupHeader) => void;
  onEdit: (edits: ClickedEdit[]) => void;
  /** A double click: the cell is to be edited. */
  onActivate: (column: number, row: number) => void;
  onFill: (from: CellRange, to: CellRange) => void;
  onAppend: () => void;
  onOpen: (row: number) => void;
  /** A linked record, by a click on it in a cell that the cursor is in already. */
  onOpenLinked: (field: Field, recordId: string) => void;
  onPress: (recordId: string, field: Field, value: unknown) => void;
  onKey: (event: GridKeyEventArgs) => void;
  onRowMenu: (row: number, at: Rectangle) => void;
  onGroupMenu: (header: GroupHeader, at: Rectangle) => void;
  /** With the columns that are selected together with this one. */
  onColumnMenu: (column: number, at: Rectangle, together: readonly number[]) => void;
  onAddColumn: (at: Rectangle) => void;
  onResize: (column: number, width: number, done: boolean) => void;
  /** `column` was dragged to where `to` stands, and those that are selected with it come along. */
  onMoveColumns: (column: number, to: number, together: readonly number[]) => void;
  /** How many rows move when this one is dragged. */
  rowsWith: (row: number) => number;
  /** Whether files can be dropped on a cell. */
  takesFiles: (column: number, row: number) => boolean;
  onFiles: (column: number, row: number, files: File[]) => void;
  /** Rows have numbers and no boxes, columns no menu. */
  isForVisitors?: boolean;
  /** Absent: rows cannot be dragged. */
  onMoveRow?: ((from: number, to: number) => void) | undefined;
}
