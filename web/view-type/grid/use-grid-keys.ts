// What the keys do while the grid has the focus and no editor is open. Arrows, Page, Ctrl with arrows and Shift with all
// of them are the library's: they move and extend the selection.
import type { Field } from '@rowhouse/contract/field.ts';
import type { GridKeyEventArgs } from './canvas/grid-props.ts';
import { readDate } from '../../field-type/date/read-date.ts';
import { dateFormattingOf } from '../../field-type/date/date-format.ts';
import { showToast } from '../../ui/toast.ts';
import { sourceWords } from '../../field-type/formula/formula-text.ts';
import type { Column } from '../../record-data/columns.ts';
import type { EditQueue } from '../../record-data/edit-queue.ts';
import type { GroupHeader } from './group/group-rows.ts';
import {
  activeRecordOf,
  appendKey,
  noSelection,
  noTicks,
  type RecordSelection,
  selectCell,
} from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { GridActions } from './use-grid-actions.ts';
import type { GridGestures } from './use-grid-gestures.ts';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import { editingOf } from '../../field-type/cell-editor.tsx';

interface KeysInput {
  columns: readonly Column[];
  cursor: Cursor;
  gestures: GridGestures;
  actions: GridActions;
  valueOf: EditQueue['valueOf'];
  may: { edit: boolean; create: boolean; remove: boolean };
  /** Goes to a cell and brings it into sight. */
  goTo: (row: number, column: number) => void;
  scrollTo: (row: number, column: number) => void;
  openEditor: (recordId: string, field: Field, initialText?: string) => void;
  openRecord: (row: number) => void;
  press: (recordId: string, field: Field, value: unknown) => void;
  moveRow: (row: number, by: -1 | 1) => void;
  toggleGroup: (header: GroupHeader) => void;
  editTicked: () => void;
  removeTicked: () => void;
}

const isPrintable = (key: string): boolean => [...key].length === 1 && /[\p{L}\p{M}\p{N}\p{S}\p{P}]/u.test(key);

const explainRole = (): void =>
  showToast({
    kind: 'note',
    about: 'read only',
    title: 'You can view this table, but not edit it.',
    detail: 'Ask an owner of the base for the role Editor.',
  });

/** Why nothing can be typed into it. */
const explainComputed = (field: Field, columns: readonly Column[]): void => {
  if (field.lookupOptions === undefined && field.isLookup !== true && field.type !== 'formula')
    return showToast({ kind: 'note', about: 'read only', title: `${field.name} is filled in automatically.` });
  if (field.isLookup === true || field.type !== 'formula') {
    const link = columns.find((column) => column.field.id === field.lookupOptions?.['linkFieldId'])?.field.name;
    return showToast({
      kind: 'note',
      title: `${field.name} comes from linked records.`,
      detail: link === undefined ? 'Change it there.' : `Change it in the records of ${link}, or link others.`,
    });
  }
  const detail =
    field.hasError === true
      ? 'A field that it uses was deleted.'
      : sourceWords(
          field,
          columns.map((column) => column.field),
        );
  showToast({ kind: 'note', title: `${field.name} is computed by a formula.`, detail });
};

export const useGridKeys = ({
  columns,
  cursor,
  gestures,
  actions,
  valueOf,
  may,
  goTo,
  scrollTo,
  openEditor,
  openRecord,
  press,
  moveRow,
  toggleGroup,
  editTicked,
  removeTicked,
}: KeysInput): ((event: GridKeyEventArgs) => void) => {
  const { drawn, drawnRows, rows, meant } = cursor;

  const extendTo = (column: number): void => {
    const { active } = meant;
    if (active === undefined || drawn.current === undefined) return;
    const [from, to] = [Math.min(drawn.current.column, column), Math.max(drawn.current.column, column)];
    cursor.select({
      ...meant,
      active: { ...active, fieldIds: columns.slice(from, to + 1).map(({ field }) => field.id) },
    });
    scrollTo(drawn.current.row, column);
  };
  /** Escape: ticks first, then the range, and nothing of a single cell. */
  const lessSelected = ({ active, ticked, fieldIds }: RecordSelection): RecordSelection => {
    if (ticked.all || ticked.ids.size > 0 || fieldIds.length > 0)
      return active === undefined ? noSelection : { active, ticked: noTicks, fieldIds: [] };
    return active === undefined ? noSelection : selectCell(active.key, active.fieldId);
  };

  const cellAt = (column: number): { recordId: string; field: Field } | undefined => {
    const recordId = activeRecordOf(meant);
    const field = columns[column]?.field;
    return recordId === undefined || field === undefined || !may.edit || field.isComputed === true
      ? undefined
      : { recordId, field };
  };
  const edit = (row: number, column: number, text?: string): boolean => {
    const at = cellAt(column);
    const field = columns[column]?.field;
    if (at === undefined && field !== undefined && activeRecordOf(meant) !== undefined)
      (may.edit ? explainComputed : explainRole)(field, columns);
    if (at === undefined) return false;
    if (editingOf(at.field.type).frame === 'tick') return true;
    scrollTo(row, column);
    openEditor(at.recordId, at.field, text);
    return true;
  };
  /** Also for those who may not edit. */
  const pressed = (row: number, column: number): boolean => {
    const field = columns[column]?.field;
    const record = cursor.recordAt(row);
    if (field === undefined || fieldTypeOf(field.type).isPressed !== true || record === undefined) return false;
    press(record.id, field, valueOf(record, field.id));
    return true;
  };
  const toggle = (row: number, column: number): boolean => {
    if (pressed(row, column)) return true;
    const at = cellAt(column);
    const record = cursor.recordAt(row);
    if (at === undefined || editingOf(at.field.type).frame !== 'tick' || record === undefined) return false;
    void actions.edit([{ ...at, value: valueOf(record, at.field.id) === true ? null : true }]);
    return true;
  };
  const activate = (row: number, column: number): void => {
    const header = rows.headerAt(row);
    if (header !== undefined) toggleGroup(header);
    else if (drawnRows.keyAt(row) === appendKey) gestures.append();
    else if (!toggle(row, column)) edit(row, column);
  };
  const space = (row: number, column: number): void => {
    const header = rows.headerAt(row);
    if (header !== undefined) toggleGroup(header);
    else if (!toggle(row, column)) openRecord(row);
  };
  const today = (column: number): void => {
    const at = cellAt(column);
    if (at?.field.type !== 'date') return;
    const formatting = dateFormattingOf(at.field.options);
    void actions.edit([{ ...at, value: readDate(formatting.time === 'None' ? 'today' : 'now', formatting) }]);
  };

  const lastRow = Math.max(0, rows.rowCount - 1);
  const lastColumn = columns.length - 1;
  /** With the cursor in a cell. */
  const inCell = ({ row, column }: { row: number; column: number }): Record<string, () => unknown> => ({
    'ctrl+Home': () => goTo(0, 0),
    'ctrl+End': () => goTo(lastRow, lastColumn),
    // The library would go to the row that adds records.
    'ctrl+ArrowDown': () => goTo(lastRow, column),
    'ctrl+d': () => may.edit && gestures.fillDown(),
    'ctrl+r': () => may.edit && gestures.fillRight(),
    'ctrl+;': () => today(column),
    Home: () => goTo(row, 0),
    End: () => goTo(row, lastColumn),
    'shift+Home': () => extendTo(0),
    'shift+End': () => extendTo(lastColumn),
    'alt+shift+ArrowUp': () => moveRow(row, -1),
    'alt+shift+ArrowDown': () => moveRow(row, 1),
    'shift+Enter': () => may.create && gestures.insertBelow(),
    Enter: () => activate(row, column),
    F2: () => activate(row, column),
    ' ': () => space(row, column),
  });
  const remove = (): void => {
    const isTicked = meant.ticked.all || meant.ticked.ids.size > 0;
    if (isTicked && may.remove) removeTicked();
    if (!isTicked && may.edit) void gestures.clear();
    if (isTicked ? !may.remove : !may.edit) explainRole();
  };
  const anywhere: Record<string, () => unknown> = {
    'ctrl+e': may.edit ? editTicked : explainRole,
    Delete: remove,
    Backspace: remove,
    Escape: () => cursor.select(lessSelected(meant)),
  };

  return (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.rawEvent?.nativeEvent.isComposing === true) return;
    const name = [
      ...(ctrlKey || metaKey ? ['ctrl'] : []),
      ...(altKey ? ['alt'] : []),
      ...(shiftKey ? ['shift'] : []),
      key.length === 1 ? key.toLowerCase() : key,
    ].join('+');
    const action = anywhere[name] ?? (drawn.current === undefined ? undefined : inCell(drawn.current)[name]);
    if (action !== undefined) action();
    else if (
      drawn.current === undefined ||
      ctrlKey ||
      metaKey ||
      altKey ||
      !isPrintable(key) ||
      !edit(drawn.current.row, drawn.current.column, key)
    )
      return;
    event.cancel();
    event.preventDefault();
  };
};
