// Gestures over what is selected: copy, cut, paste, fill, clear, add a row. They turn rows into records, and leave the
// writing to use-grid-actions.ts.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { showProblem } from '../ui/toast.ts';
import { cellText } from './cell/cell-text.ts';
import type { CopiedCell, CopiedCells, CopiedField } from './clipboard/clipboard.ts';
import { columnsBeyond, type NewColumn } from './clipboard/columns-beyond.ts';
import type { Column } from './columns.ts';
import type { EditQueue } from './edit-queue.ts';
import { linkOptionsOf } from './link/linked.ts';
import { type NewRow, newRowAtEnd, newRowIn } from './group/new-row.ts';
import type { GroupHeader } from './group/group-rows.ts';
import { type CellRange, numbersOf } from './selection/grid-selection.ts';
import { loadRows } from './selection/load-rows.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { GridActions } from './use-grid-actions.ts';

export interface GridGestures {
  copied(): CopiedCells | Promise<CopiedCells> | undefined;
  paste(copied: CopiedCells): Promise<void>;
  fill(from: CellRange, to: CellRange): Promise<void>;
  /** From the row above, or from the first row of the range. */
  fillDown(): void;
  fillRight(): void;
  /** Empties the cells of the range. */
  clear(): Promise<void>;
  append(): void;
  appendTo(header: GroupHeader): void;
  /** Below the row of the cursor. */
  insertBelow(): void;
}

export interface GesturesInput {
  tableId: string;
  view: View;
  columns: readonly Column[];
  cursor: Cursor;
  actions: GridActions;
  edits: EditQueue;
  /** Records stand in an order that a person gives them by hand. */
  isManual: boolean;
  expand: (header: GroupHeader) => void;
  /** What shall become of columns that have no field; undefined: nothing at all is to be pasted. */
  askForFields: (wanted: readonly NewColumn[]) => Promise<'add' | 'leave out' | undefined>;
  onRenamed: (from: string, to: string) => void;
}

const all = (rows: readonly number[]): CellRange | undefined => (rows.length === 0 ? undefined : { x: 0, y: rows[0] as number, width: 0, height: (rows.at(-1) as number) - (rows[0] as number) + 1 });

/** The same over and over, in so many rows and columns. */
const repeated = ({ rows, fields = [] }: CopiedCells, height: number, width: number): CopiedCells => ({
  rows: Array.from({ length: height }, (_row, row) => Array.from({ length: width }, (_cell, column): CopiedCell => rows[row % rows.length]?.[column % (rows[0]?.length ?? 1)] ?? { text: '' })),
  ...(fields.length === 0 ? {} : { fields: Array.from({ length: width }, (_item, column) => fields[column % fields.length] as CopiedField) }),
});

/** A range that holds what is pasted several times over is filled with it. */
const fitted = (copied: CopiedCells, { height, width }: CellRange): CopiedCells => {
  const [tall, wide] = [copied.rows.length, copied.rows[0]?.length ?? 1];
  return height % tall === 0 && width % wide === 0 ? repeated(copied, height, width) : copied;
};

export const useGridGestures = ({ tableId, view, columns, cursor, actions, edits, isManual, expand, askForFields, onRenamed }: GesturesInput): GridGestures => {
  const { rows, drawn, recordAt } = cursor;
  const loadable = { tableId, viewId: view.id, rows, recordAt };
  const read = (first: number, last: number): Promise<RecordVo[]> => loadRows(loadable, first, last);
  /** Writing tells by itself what went wrong; here it is that rows could not be read. */
  const attempt = (work: () => Promise<void>): Promise<void> => work().catch((error: unknown) => showProblem(error, 'Nothing was changed.'));
  const cellsOf = (records: readonly RecordVo[], from: number, width: number): CopiedCells => {
    const chosen = columns.slice(from, from + width);
    return {
      fields: chosen.map(({ field }) => ({ id: field.id, name: field.name, type: field.type, ...(field.type === 'link' ? { leadsTo: linkOptionsOf(field).foreignTableId } : {}) })),
      rows: records.map((record) =>
        chosen.map(({ field }): CopiedCell => {
          const value = edits.valueOf(record, field.id);
          return { text: cellText(field, value), ...(value === undefined || value === null ? {} : { value }) };
        }),
      ),
    };
  };
  const firstField = columns[0]?.field.id ?? '';
  const addAt = (place: NewRow, order?: { anchorId: string }): void => {
    for (const header of place.around) if (header.isCollapsed) expand(header);
    void actions.add({ ...place, fieldId: firstField, ...(order === undefined ? {} : { order: { viewId: view.id, position: 'after' as const, anchorId: order.anchorId } }) }, onRenamed);
  };

  /** Copies one part of the grid over another of the same width or height. */
  const copyOver = async (from: CellRange, to: CellRange): Promise<void> => {
    const source = cellsOf(await read(from.y, from.y + from.height - 1), from.x, from.width);
    const records = await read(to.y, to.y + to.height - 1);
    if (source.rows.length === 0 || records.length === 0) return;
    await actions.paste({ columns: columns.slice(to.x, to.x + to.width), records, around: [], isQuiet: true }, repeated(source, records.length, to.width));
  };
  const fill = async (from: CellRange, to: CellRange): Promise<void> => {
    const [bottom, right] = [from.y + from.height, from.x + from.width];
    const [lastRow, lastColumn] = [to.y + to.height, to.x + to.width];
    if (lastRow > bottom) await copyOver(from, { ...from, y: bottom, height: lastRow - bottom });
    if (to.y < from.y) await copyOver(from, { ...from, y: to.y, height: from.y - to.y });
    if (lastColumn > right) await copyOver(from, { ...from, x: right, width: lastColumn - right });
    if (to.x < from.x) await copyOver(from, { ...from, x: to.x, width: from.x - to.x });
  };

  return {
    copied() {
      const ticked = numbersOf(drawn.rows);
      const range = drawn.current?.range ?? all(ticked) ?? (drawn.columns.length > 0 ? { x: 0, y: 0, width: 0, height: rows.rowCount } : undefined);
      if (range === undefined) return undefined;
      const chosen = drawn.current === undefined && drawn.columns.length > 0 ? numbersOf(drawn.columns) : undefined;
      const isTicked = drawn.current === undefined && ticked.length > 0;
      const width = range.width === 0 ? columns.length : range.width;
      const take = (records: readonly RecordVo[]): CopiedCells => {
        const cells = cellsOf(records, range.x, width);
        if (chosen === undefined) return cells;
        return { fields: (cells.fields ?? []).filter((_field, index) => chosen.includes(index)), rows: cells.rows.map((row) => row.filter((_cell, index) => chosen.includes(index))) };
      };
      const wanted = isTicked ? ticked : Array.from({ length: range.height }, (_item, index) => range.y + index);
      const isLoaded = wanted.every((row) => recordAt(row) !== undefined || rows.placeAt(row) === undefined);
      if (isLoaded) return take(wanted.flatMap((row) => recordAt(row) ?? []));
      if (!isTicked) return read(range.y, range.y + range.height - 1).then(take);
      return Promise.all(drawn.rows.map(([from, to]) => read(from, to - 1))).then((parts) => take(parts.flat()));
    },
    paste: (copied) => attempt(async () => {
      const range = drawn.current?.range;
      if (range === undefined || (copied.rows[0]?.length ?? 0) === 0) return;
      const cells = fitted(copied, range);
      // Rows below the range follow when there is more to paste than it has; headers between them do not count.
      const records: RecordVo[] = [];
      for (let row = range.y; row < rows.rowCount && records.length < cells.rows.length; ) {
        const last = Math.min(rows.rowCount, row + cells.rows.length - records.length) - 1;
        records.push(...(await read(row, last)));
        row = last + 1;
      }
      const input = { columns: columns.slice(range.x), records, around: rows.groupsAt(Math.min(range.y, rows.rowCount - 1)) };
      const more = columnsBeyond(cells, input.columns.length, columns.length);
      const answer = more.length === 0 ? 'leave out' : await askForFields(more);
      if (answer === undefined) return;
      if (answer === 'leave out') return actions.paste({ ...input, columnsLeftOut: more.length }, cells);
      const added = await actions.addFields(more);
      if (added !== undefined) await actions.paste({ ...input, columns: [...input.columns, ...added.columns], step: added.step }, cells);
    }),
    fill: (from, to) => attempt(() => fill(from, to)),
    fillDown() {
      const range = drawn.current?.range;
      if (range === undefined) return;
      if (range.height > 1) void attempt(() => fill({ ...range, height: 1 }, range));
      else if (range.y > 0) void attempt(() => copyOver({ ...range, y: range.y - 1 }, range));
    },
    fillRight() {
      const range = drawn.current?.range;
      if (range === undefined) return;
      if (range.width > 1) void attempt(() => fill({ ...range, width: 1 }, range));
      else if (range.x > 0) void attempt(() => copyOver({ ...range, x: range.x - 1 }, range));
    },
    clear: () => attempt(async () => {
      const range = drawn.current?.range;
      if (range === undefined) return;
      const records = await read(range.y, range.y + range.height - 1);
      const fields = columns.slice(range.x, range.x + range.width).map(({ field }) => field);
      await actions.edit(records.flatMap((record) => fields.flatMap((field) => (edits.valueOf(record, field.id) === undefined ? [] : [{ recordId: record.id, field, value: null }]))));
    }),
    append: () => addAt(newRowAtEnd(rows, recordAt)),
    appendTo: (header) => addAt(newRowIn(rows, recordAt, header)),
    insertBelow() {
      const row = drawn.current?.row;
      const record = row === undefined ? undefined : recordAt(row);
      if (row === undefined || record === undefined) return addAt(newRowAtEnd(rows, recordAt));
      addAt({ before: row + 1, around: rows.groupsAt(row), neighbour: record }, isManual ? { anchorId: record.id } : undefined);
    },
  };
};
