// Gestures over what is selected: copy, cut, paste, fill, clear, add a row. They turn rows into records, and leave the
// writing to use-grid-actions.ts.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { showProblem } from '../../ui/toast.ts';
import { cellText } from '../../field-type/cell-text.ts';
import { type CopiedCell, type CopiedCells, type CopiedField, copiedText } from './clipboard/clipboard.ts';
import { columnsBeyond, type NewColumn } from './clipboard/columns-beyond.ts';
import type { Column } from '../../record-data/columns.ts';
import type { EditQueue } from '../../record-data/edit-queue.ts';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import { type NewRow, newRowAtEnd, newRowIn } from './group/new-row.ts';
import type { GroupHeader } from './group/group-rows.ts';
import { type CellRange, numbersOf } from './selection/grid-selection.ts';
import { loadRows } from './selection/load-rows.ts';
import type { Cursor } from './selection/use-cursor.ts';
import { type GridActions, maxCells } from './use-grid-actions.ts';

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
  /** Above or below a record, in its groups. */
  insertBeside(recordId: string, position: 'before' | 'after'): void;
}

interface GesturesInput {
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

/** So many emptied cells are told, with the way back: they are more than anyone sees. */
const manyCells = 200;

/** The same over and over, in so many rows and columns. */
const repeated = ({ rows, fields = [] }: CopiedCells, height: number, width: number): CopiedCells => ({
  rows: Array.from({ length: height }, (_row, row) =>
    Array.from(
      { length: width },
      (_cell, column): CopiedCell => rows[row % rows.length]?.[column % (rows[0]?.length ?? 1)] ?? { text: '' },
    ),
  ),
  ...(fields.length === 0
    ? {}
    : { fields: Array.from({ length: width }, (_item, column) => fields[column % fields.length] as CopiedField) }),
});

const leadingTo = (field: Field): Pick<CopiedField, 'leadsTo'> => {
  const leadsTo = fieldTypeOf(field.type).leadsTo?.(field);
  return leadsTo === undefined ? {} : { leadsTo };
};

/** A range that holds what is pasted several times over is filled with it. */
const fitted = (copied: CopiedCells, { height, width }: CellRange): CopiedCells => {
  const [tall, wide] = [copied.rows.length, copied.rows[0]?.length ?? 1];
  return height % tall === 0 && width % wide === 0 ? repeated(copied, height, width) : copied;
};

export const useGridGestures = ({
  tableId,
  view,
  columns,
  cursor,
  actions,
  edits,
  isManual,
  expand,
  askForFields,
  onRenamed,
}: GesturesInput): GridGestures => {
  const { rows, drawn, drawnRows, recordAt, meant } = cursor;
  const loadable = { tableId, viewId: view.id, rows, recordAt };
  const read = (first: number, last: number, of: readonly Column[]): Promise<RecordVo[]> =>
    loadRows(
      loadable,
      first,
      last,
      of.map(({ field }) => field.id),
    );
  /** Writing tells by itself what went wrong; here it is that rows could not be read. */
  const attempt = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => showProblem(error, 'Nothing was changed.'));
  const cellsOf = (records: readonly RecordVo[], chosen: readonly Column[]): CopiedCells => ({
    fields: chosen.map(({ field }) => ({
      id: field.id,
      name: field.name,
      type: field.type,
      ...leadingTo(field),
    })),
    rows: records.map((record) =>
      chosen.map(({ field }): CopiedCell => {
        const value = edits.valueOf(record, field.id);
        return {
          text: copiedText(cellText(field, value), value),
          ...(value === undefined || value === null ? {} : { value }),
        };
      }),
    ),
  });
  const firstField = columns[0]?.field.id ?? '';
  const { ticked } = meant;
  const isTicked = drawn.current === undefined && (ticked.all || ticked.ids.size > 0);
  /** Every record that the view shows. */
  const isEverything =
    drawn.current === undefined
      ? isTicked
        ? ticked.all && ticked.ids.size === 0
        : drawn.columns.length > 0
      : meant.active?.keys === 'all';
  const chosenColumns = (): readonly Column[] => {
    if (drawn.current !== undefined)
      return columns.slice(drawn.current.range.x, drawn.current.range.x + drawn.current.range.width);
    return isTicked ? columns : numbersOf(drawn.columns).flatMap((place) => columns[place] ?? []);
  };
  /** Those that are selected, with these cells: at once when they are loaded. undefined: none are. */
  const chosenRecords = (of: readonly Column[]): RecordVo[] | Promise<RecordVo[]> | undefined => {
    if (of.length === 0) return undefined;
    const loadedOf = (list: readonly number[]): RecordVo[] | undefined =>
      list.every((row) => recordAt(row) !== undefined || rows.placeAt(row) === undefined)
        ? list.flatMap((row) => recordAt(row) ?? [])
        : undefined;
    if (isTicked) {
      const list = loadedOf(numbersOf(drawn.rows));
      if (list !== undefined && !ticked.all && list.length === ticked.ids.size) return list;
      // Rows are ticked by the names of their records; where those stand that are not loaded, only the whole view tells.
      return read(0, rows.rowCount - 1, of).then((found) =>
        found.filter(({ id }) => ticked.ids.has(id) !== ticked.all),
      );
    }
    const { y, height } = drawn.current?.range ?? { y: 0, height: rows.rowCount };
    return loadedOf(Array.from({ length: height }, (_item, index) => y + index)) ?? read(y, y + height - 1, of);
  };
  const addAt = (place: NewRow, order?: { anchorId: string; position: 'before' | 'after' }): void => {
    for (const header of place.around) if (header.isCollapsed) expand(header);
    void actions.add(
      {
        ...place,
        fieldId: firstField,
        ...(order === undefined ? {} : { order: { viewId: view.id, ...order } }),
      },
      onRenamed,
    );
  };

  const insertBeside = (recordId: string, position: 'before' | 'after'): void => {
    const row = drawnRows.rowOf(recordId);
    const record = row === undefined ? undefined : recordAt(row);
    if (row === undefined || record === undefined) return;
    addAt(
      { before: position === 'before' ? row : row + 1, around: rows.groupsAt(row), neighbour: record },
      isManual ? { anchorId: record.id, position } : undefined,
    );
  };

  /** Copies one part of the grid over another of the same width or height. */
  const copyOver = async (from: CellRange, to: CellRange): Promise<void> => {
    const chosen = columns.slice(from.x, from.x + from.width);
    const source = cellsOf(await read(from.y, from.y + from.height - 1, chosen), chosen);
    const written = columns.slice(to.x, to.x + to.width);
    const records = await read(to.y, to.y + to.height - 1, written);
    if (source.rows.length === 0 || records.length === 0) return;
    await actions.paste(
      { columns: written, records, around: [], isQuiet: true },
      repeated(source, records.length, to.width),
    );
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
      const chosen = chosenColumns();
      const records = chosenRecords(chosen);
      return records instanceof Promise
        ? records.then((found) => cellsOf(found, chosen))
        : records && cellsOf(records, chosen);
    },
    paste: (copied) =>
      attempt(async () => {
        const range = drawn.current?.range;
        if (range === undefined || (copied.rows[0]?.length ?? 0) === 0) return;
        const cells = fitted(copied, range);
        // Rows below the range follow when there is more to paste than it has; headers between them do not count.
        const records: RecordVo[] = [];
        const written = columns.slice(range.x, range.x + (cells.rows[0]?.length ?? 1));
        for (let row = range.y; row < rows.rowCount && records.length < cells.rows.length; ) {
          const last = Math.min(rows.rowCount, row + cells.rows.length - records.length) - 1;
          records.push(...(await read(row, last, written)));
          row = last + 1;
        }
        const input = {
          columns: columns.slice(range.x),
          records,
          around: rows.groupsAt(Math.min(range.y, rows.rowCount - 1)),
        };
        const more = columnsBeyond(cells, input.columns.length, columns.length);
        const answer = more.length === 0 ? 'leave out' : await askForFields(more);
        if (answer === undefined) return;
        if (answer === 'leave out') return actions.paste({ ...input, columnsLeftOut: more.length }, cells);
        const added = await actions.addFields(more);
        if (added !== undefined)
          await actions.paste({ ...input, columns: [...input.columns, ...added.columns], step: added.step }, cells);
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
    clear: () =>
      attempt(async () => {
        const chosen = chosenColumns();
        const fields = chosen.map(({ field }) => field).filter(({ isComputed }) => isComputed !== true);
        // Records of groups that are folded are not selected: then those that are have to be named.
        if (isEverything && (view.group?.length ?? 0) === 0 && rows.rowCount <= maxCells)
          return actions.clearAll(fields, rows.rowCount);
        const records = await chosenRecords(chosen);
        const drafts = (records ?? []).flatMap((record) =>
          fields.flatMap((field) =>
            edits.valueOf(record, field.id) === undefined
              ? []
              : [{ recordId: record.id, field, value: null, before: edits.beforeOf(record, field.id) }],
          ),
        );
        await actions.edit(
          drafts,
          drafts.length < manyCells ? undefined : `${drafts.length.toLocaleString('en')} cells emptied`,
        );
      }),
    append: () => addAt(newRowAtEnd(rows, recordAt)),
    appendTo: (header) => addAt(newRowIn(rows, recordAt, header)),
    insertBelow() {
      const record = drawn.current === undefined ? undefined : recordAt(drawn.current.row);
      if (record === undefined) return addAt(newRowAtEnd(rows, recordAt));
      insertBeside(record.id, 'after');
    },
    insertBeside,
  };
};
