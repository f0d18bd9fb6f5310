// What a person has selected: records and fields, never numbers of rows. A row is named by its key: the id of its
// record, or what else it is. Rows that are not loaded are named by their number until they are.
import { difference, type GridSelection, isIn, lengthOf, numbersOf, type Slice, slicesOf } from './grid-selection.ts';

/** The rows as they are drawn at this moment. */
export interface DrawnRows {
  rowCount: number;
  keyAt(row: number): string;
  rowOf(key: string): number | undefined;
}

/** Every record of the view but these, or only these. */
interface Ticked {
  all: boolean;
  ids: ReadonlySet<string>;
}

interface ActiveCell {
  key: string;
  fieldId: string;
  /** The rows of the range around it, from top to bottom; `all` grows with the table. */
  keys: readonly string[] | 'all';
  fieldIds: readonly string[];
}

export interface RecordSelection {
  active?: ActiveCell;
  ticked: Ticked;
  /** Whole columns. */
  fieldIds: readonly string[];
}

export const appendKey = 'append';
export const headerKey = (id: string): string => `header:${id}`;
export const unloadedKey = (row: number): string => `row:${row}`;
const isUnloaded = (key: string): boolean => key.startsWith('row:');
export const isRecordKey = (key: string): boolean =>
  key !== appendKey && !key.startsWith('header:') && !isUnloaded(key);

export const noTicks: Ticked = { all: false, ids: new Set() };
export const noSelection: RecordSelection = { ticked: noTicks, fieldIds: [] };

export const selectCell = (key: string, fieldId: string): RecordSelection => ({
  active: { key, fieldId, keys: [key], fieldIds: [fieldId] },
  ticked: noTicks,
  fieldIds: [],
});

/** The record that the cursor is in. */
export const activeRecordOf = ({ active }: RecordSelection): string | undefined =>
  active !== undefined && isRecordKey(active.key) ? active.key : undefined;

/** Nobody can name every row of a table that is not loaded as a whole: then all that there are is meant. */
const isAll = (height: number, rows: DrawnRows): boolean => {
  for (let row = 0; height >= rows.rowCount && row < rows.rowCount; row += 1)
    if (isUnloaded(rows.keyAt(row))) return true;
  return false;
};

const between = <T>(list: readonly T[], from: number, count: number): T[] => list.slice(from, from + count);

/** What a person selects on the screen, as records and fields. `toLoad` are rows that were ticked and are not loaded. */
export const fromGrid = (
  grid: GridSelection,
  rows: DrawnRows,
  fieldIds: readonly string[],
  before: { drawn: GridSelection; meant: RecordSelection },
): { selection: RecordSelection; toLoad: Slice[] } => {
  const { current } = grid;
  const fieldId = current === undefined ? undefined : fieldIds[current.column];
  const active =
    current === undefined || fieldId === undefined
      ? {}
      : {
          active: {
            key: rows.keyAt(current.row),
            fieldId,
            keys: isAll(current.range.height, rows)
              ? ('all' as const)
              : Array.from({ length: current.range.height }, (_item, index) => rows.keyAt(current.range.y + index)),
            fieldIds: between(fieldIds, current.range.x, current.range.width),
          },
        };
  const { ticked, toLoad } = ticksFrom(grid.rows, rows, before);
  return {
    selection: { ...active, ticked, fieldIds: numbersOf(grid.columns).flatMap((index) => fieldIds[index] ?? []) },
    toLoad,
  };
};

const ticksFrom = (
  slices: readonly Slice[],
  rows: DrawnRows,
  { drawn, meant }: { drawn: GridSelection; meant: RecordSelection },
): { ticked: Ticked; toLoad: Slice[] } => {
  if (slices.length === 0) return { ticked: noTicks, toLoad: [] };
  if (isAll(lengthOf(slices), rows)) return { ticked: { all: true, ids: new Set() }, toLoad: [] };
  const { all } = meant.ticked;
  const ids = new Set(meant.ticked.ids);
  const toLoad: Slice[] = [];
  const take = (changed: readonly Slice[], change: (id: string) => void): void => {
    for (const row of numbersOf(changed)) {
      const key = rows.keyAt(row);
      if (isRecordKey(key)) change(key);
      else if (isUnloaded(key) && !all) toLoad.push([row, row + 1]);
    }
  };
  const add = (id: string): unknown => ids.add(id);
  const remove = (id: string): unknown => ids.delete(id);
  take(difference(slices, drawn.rows), all ? remove : add);
  take(difference(drawn.rows, slices), all ? add : remove);
  return { ticked: { all, ids }, toLoad: slicesOf(numbersOf(toLoad)) };
};

/** The range, if its rows still stand together and nothing has come between them; else only the cell of the cursor. */
const rangeRows = (keys: ActiveCell['keys'], row: number, rows: DrawnRows): Slice => {
  if (keys === 'all') return [0, rows.rowCount];
  const first = rows.rowOf(keys[0] ?? '');
  const last = rows.rowOf(keys.at(-1) ?? '');
  if (
    first !== undefined &&
    last !== undefined &&
    last - first + 1 === keys.length &&
    keys.every((key, index) => isUnloaded(key) || rows.keyAt(first + index) === key)
  )
    return [first, last + 1];
  if (keys.some(isUnloaded)) return [row, row + 1];
  const [together, apart] = slicesOf(keys.flatMap((key) => rows.rowOf(key) ?? []));
  return together === undefined || apart !== undefined || !isIn([together], row) ? [row, row + 1] : together;
};

const rangeColumns = (fieldIds: readonly string[], column: number, drawn: readonly string[]): Slice => {
  const [together, apart] = slicesOf(fieldIds.flatMap((id) => (drawn.includes(id) ? [drawn.indexOf(id)] : [])));
  return together === undefined || apart !== undefined || !isIn([together], column) ? [column, column + 1] : together;
};

const tickedRows = ({ all, ids }: Ticked, rows: DrawnRows): Slice[] => {
  const named = slicesOf([...ids].flatMap((id) => rows.rowOf(id) ?? []));
  return all ? difference([[0, rows.rowCount]], named) : named;
};

/** Where what is selected is drawn now. */
export const toGrid = (
  { active, ticked, fieldIds }: RecordSelection,
  rows: DrawnRows,
  drawn: readonly string[],
): GridSelection => {
  const row = active === undefined ? undefined : rows.rowOf(active.key);
  const column = active === undefined ? -1 : drawn.indexOf(active.fieldId);
  const whole = {
    rows: tickedRows(ticked, rows),
    columns: slicesOf(fieldIds.flatMap((id) => (drawn.includes(id) ? [drawn.indexOf(id)] : []))),
  };
  if (active === undefined || row === undefined || column < 0) return whole;
  const [top, bottom] = rangeRows(active.keys, row, rows);
  const [left, right] = rangeColumns(active.fieldIds, column, drawn);
  return { ...whole, current: { row, column, range: { x: left, y: top, width: right - left, height: bottom - top } } };
};

/** The same after others have changed the table: rows that were loaded since have their names, a range that fell apart is one cell. */
export const settled = (
  selection: RecordSelection,
  drawn: GridSelection,
  rows: DrawnRows,
  fieldIds: readonly string[],
): RecordSelection => {
  const { active } = selection;
  if (active === undefined || drawn.current === undefined) return selection;
  const { row, range } = drawn.current;
  const keys =
    active.keys === 'all' ? 'all' : Array.from({ length: range.height }, (_item, index) => rows.keyAt(range.y + index));
  const same =
    active.key === rows.keyAt(row) &&
    (keys === 'all' ||
      (keys.length === active.keys.length && keys.every((key, index) => key === active.keys[index]))) &&
    range.width === active.fieldIds.length;
  return same
    ? selection
    : {
        ...selection,
        active: {
          key: rows.keyAt(row),
          fieldId: active.fieldId,
          keys,
          fieldIds: between(fieldIds, range.x, range.width),
        },
      };
};
