import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CellOverlay, type Movement } from '../grid/cell-overlay.tsx';
import { Grid, type GridHandle, type Rectangle } from '../grid/grid.tsx';
import { OtherCells } from '../presence/other-cells.tsx';
import { useOtherCells, useShowCell } from '../presence/cells.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import type { NewColumn } from './clipboard/columns-beyond.ts';
import { useClipboard } from './clipboard/use-clipboard.ts';
import { type ColumnAsk, ColumnMenu } from './column-menu.tsx';
import { type Column, columnsOf, orderBetween } from './columns.ts';
import type { BasePerson } from './editor/editor-props.ts';
import { DeleteManyDialog, manyRecords } from './delete-many-dialog.tsx';
import { FieldDialog } from './field/field-dialog.tsx';
import { GroupMenu } from './group/group-menu.tsx';
import type { GroupHeader } from './group/group-rows.ts';
import { useGroups } from './group/use-groups.ts';
import { askForFilter } from './query/filter-popover.tsx';
import type { Found } from './query/search-box.tsx';
import type { ViewQuery } from './query/use-view-query.ts';
import { MoreColumnsDialog } from './more-columns-dialog.tsx';
import { reloadFields } from './queries.ts';
import { rowHeights, rowHeightOf } from './row-height.ts';
import { RowMark } from './row-mark.tsx';
import { RowMenu } from './row-menu.tsx';
import { type GridSelection, numbersOf, type Slice } from './selection/grid-selection.ts';
import { loadRows } from './selection/load-rows.ts';
import { activeRecordOf, noSelection, selectCell, unloadedKey } from './selection/record-selection.ts';
import { useCursor } from './selection/use-cursor.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { selectionSummary } from './statistic/selection-summary.ts';
import { StatisticsBar } from './statistic/statistics-bar.tsx';
import { useStatistics } from './statistic/use-statistics.ts';
import { isTemporary } from './new-record-cells.ts';
import type { Meant } from './undo/records.ts';
import { useColumnActions } from './use-column-actions.ts';
import { useGridActions } from './use-grid-actions.ts';
import { useGridGestures } from './use-grid-gestures.ts';
import { useGridKeys } from './use-grid-keys.ts';
import type { TableRecords } from './use-table-records.ts';

export interface GridViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Role;
  records: TableRecords;
  onOpen: (recordId: string) => void;
  /** A cell to go to: a place that a search found. */
  place: Found | undefined;
  query: ViewQuery;
}

type Asking =
  | { kind: 'row'; recordId: string; at: Rectangle }
  | { kind: 'group'; header: GroupHeader; at: Rectangle }
  | { kind: 'column'; fieldId: string; together: readonly string[]; at: Rectangle }
  | { kind: 'field'; field?: Field; orderIndex?: number; at?: Rectangle | undefined }
  | { kind: 'more-columns'; columns: readonly NewColumn[]; answer: (answer: 'add' | 'leave out' | undefined) => void }
  | { kind: 'delete-field'; field: Field }
  | { kind: 'delete-records'; meant: Meant; count: number }
  | null;

/** As many as one request takes. */
const mostMoved = 1_000;

/** The cell whose editor is open. Nothing turns it to another record or field. */
interface Editing {
  /** Another one for every time that an editor opens. */
  turn: number;
  record: RecordVo;
  field: Field;
  value: unknown;
  initialText: string | undefined;
}

export const GridView = ({ tableId, view, fields, people, role, records, onOpen, place, query }: GridViewProps) => {
  const { window, edits, version } = records;
  const [asking, setAsking] = useState<Asking>(null);
  const [scrolled, setScrolled] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const turns = useRef(0);
  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const shown = useRef<[first: number, last: number]>([0, 60]);
  const columns = useMemo(() => columnsOf(fields, view), [fields, view]);
  const fieldIds = useMemo(() => columns.map(({ field }) => field.id), [columns]);
  const may = { edit: allows(role, 'record|update'), create: allows(role, 'record|create'), remove: allows(role, 'record|delete'), fields: allows(role, 'field|update'), addFields: allows(role, 'field|create'), view: allows(role, 'view|update') && view.isLocked !== true };
  const { collapsed, groupFields, toggle, expand, collapseAll, expandAll, reveal } = useGroups(view, fields, window);
  const cursor = useCursor({ tableId, view, window, listen: records.listen, fieldIds, collapsed, isTemporary });
  const { rows, drawn, drawnRows, recordAt } = cursor;
  const actions = useGridActions({ tableId, view, fields, people, groupFields, canCreate: may.create, records, cursor, show: (recordId, fieldId) => showCell(recordId, fieldId) });
  const columnActions = useColumnActions(tableId, view, columns);
  const statistics = useStatistics(tableId, view, columns);
  const isSorted = (view.sort?.sortObjs.length ?? 0) > 0 && view.sort?.manualSort !== true;
  const isManual = !isSorted && groupFields.length === 0;
  const gestures = useGridGestures({
    tableId,
    view,
    columns,
    cursor,
    actions,
    edits,
    isManual,
    expand,
    askForFields: (wanted) => (may.addFields ? new Promise((resolve) => setAsking({ kind: 'more-columns', columns: wanted, answer: resolve })) : Promise.resolve('leave out')),
    onRenamed: (from, to) => setEditing((before) => (before?.record.id === from ? { ...before, record: { ...before.record, id: to } } : before)),
  });
  const count = window.rowCount();
  const others = useOtherCells(tableId);
  const activeId = activeRecordOf(cursor.meant);
  useShowCell(tableId, activeId === undefined || isTemporary(activeId) ? undefined : activeId, cursor.meant.active?.fieldId);
  const personAt = useMemo(() => {
    const marks = new Map(others.map((other) => [`${fieldIds.indexOf(other.fieldId)} ${drawnRows.rowOf(other.recordId)}`, other]));
    return (column: number, row: number) => marks.get(`${column} ${row}`);
  }, [others, fieldIds, drawnRows]);

  const scrollTo = (row: number, column: number): void => grid.current?.scrollTo(column, row);
  const goTo = (row: number, column: number): void => {
    const fieldId = fieldIds[column];
    if (fieldId === undefined) return;
    cursor.select(selectCell(drawnRows.keyAt(row), fieldId));
    scrollTo(row, column);
  };
  const [goal, setGoal] = useState<{ key: string; fieldId: string }>();
  useEffect(() => {
    if (place === undefined || !fieldIds.includes(place.fieldId)) return;
    const row = reveal(place.row);
    const key = window.at(place.row)?.id ?? unloadedKey(row);
    cursor.select(selectCell(key, place.fieldId));
    setGoal({ key, fieldId: place.fieldId });
    // A place is gone to once, not whenever a column changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place]);
  const showCell = (key: string, fieldId: string): void => {
    cursor.select(selectCell(key, fieldId));
    setGoal({ key, fieldId });
    grid.current?.focus();
  };
  // When the groups around it have opened.
  useEffect(() => {
    const row = goal === undefined ? undefined : drawnRows.rowOf(goal.key);
    if (goal === undefined || row === undefined) return;
    scrollTo(row, fieldIds.indexOf(goal.fieldId));
    setGoal(undefined);
  }, [goal, drawnRows, fieldIds]);
  // Other records come into view when a group is folded, although nobody scrolls.
  useEffect(() => window.look(rows.placesOf(...shown.current)), [rows, window]);

  const openEditor = (recordId: string, field: Field, initialText?: string): void => {
    const record = window.find(recordId);
    if (record !== undefined) setEditing({ turn: (turns.current += 1), record, field, value: edits.valueOf(record, field.id), initialText });
  };
  const finishEditing = ({ record, field }: Editing, draft: { value: unknown } | undefined, movement: Movement): void => {
    setEditing(undefined);
    grid.current?.focus();
    if (draft !== undefined) void actions.edit([{ recordId: record.id, field, value: draft.value }]);
    if (movement === 'new below') return gestures.insertBelow();
    const [right, down] = movement;
    const row = drawnRows.rowOf(record.id);
    const column = fieldIds.indexOf(field.id);
    if ((right === 0 && down === 0) || row === undefined || column < 0) return;
    goTo(Math.min(Math.max(row + down, 0), may.create ? rows.rowCount : rows.rowCount - 1), Math.min(Math.max(column + right, 0), columns.length - 1));
  };
  const openRow = (row: number): void => {
    const record = recordAt(row);
    if (record !== undefined && !isTemporary(record.id)) onOpen(record.id);
  };

  const { ticked } = cursor.meant;
  const tickedCount = ticked.all ? (count ?? 0) - ticked.ids.size : ticked.ids.size;
  const remove = async (meant: Meant): Promise<void> => {
    cursor.select(noSelection);
    await actions.remove(meant);
  };
  const removeTicked = (): void => {
    const meant: Meant = ticked.all ? { viewId: view.id, filter: view.filter, excludeRecordIds: [...ticked.ids] } : { recordIds: [...ticked.ids] };
    if (tickedCount > manyRecords) setAsking({ kind: 'delete-records', meant, count: tickedCount });
    else void remove(meant);
  };
  /** Rows that were ticked with Shift and are not loaded: their records are named as soon as they are known. */
  const onSelection = (chosen: GridSelection): void => {
    const toLoad = cursor.choose(chosen);
    if (toLoad.length === 0) return;
    const load = async (slices: readonly Slice[]): Promise<void> => {
      const parts = await Promise.all(slices.map(([from, to]) => loadRows({ tableId, viewId: view.id, rows, recordAt }, from, to - 1)));
      cursor.tick(parts.flat().map(({ id }) => id));
    };
    load(toLoad).catch((error: unknown) => showProblem(error, 'Not all rows were selected.'));
  };

  const onKey = useGridKeys({ columns, cursor, gestures, actions, valueOf: edits.valueOf, may, goTo, scrollTo, openEditor, openRecord: openRow, toggleGroup: toggle, removeTicked });
  useClipboard({ isActive: () => grid.current?.hasFocus() === true, selected: gestures.copied, ...(may.edit ? { clear: () => void gestures.clear(), paste: (copied) => void gestures.paste(copied) } : {}) });

  const removeField = async (field: Field): Promise<void> => {
    await columnActions.remove(field);
    const step = records.undo.last();
    showToast({ kind: 'note', title: `${field.name} deleted.`, action: { label: 'Undo', run: () => void records.undo.undo(step) } });
  };
  const close = (): void => setAsking(null);
  const hideFields = (ids: readonly string[]): void => {
    const hidden = columns.filter(({ field }) => ids.includes(field.id) && field.isPrimary !== true);
    columnActions.setMeta(Object.fromEntries(hidden.map(({ field }) => [field.id, { hidden: true }])));
    cursor.select(noSelection);
  };
  const idsAt = (places: readonly number[]): string[] => places.flatMap((place) => fieldIds[place] ?? []);
  const askColumn = (column: Column, what: ColumnAsk): void => {
    const place = columns.indexOf(column);
    const at = asking?.kind === 'column' ? asking.at : undefined;
    if (what === 'edit') setAsking({ kind: 'field', field: column.field, at });
    else if (what === 'insert-left') setAsking({ kind: 'field', orderIndex: orderBetween(columns[place - 1]?.order, column.order), at });
    else if (what === 'insert-right') setAsking({ kind: 'field', orderIndex: orderBetween(column.order, columns[place + 1]?.order), at });
    else if (what === 'delete') setAsking({ kind: 'delete-field', field: column.field });
    else if (what === 'hide') hideFields(asking?.kind === 'column' ? asking.together : [column.field.id]);
    else if (what === 'sort-up' || what === 'sort-down') void query.setSort([{ fieldId: column.field.id, order: what === 'sort-up' ? 'asc' : 'desc' }]);
    else if (what === 'group') void query.setGroup([...(view.group ?? []).filter(({ fieldId }) => fieldId !== column.field.id), { fieldId: column.field.id, order: 'asc' as const }].slice(-3));
    else if (what === 'filter') askForFilter(column.field.id);
    else if (what === 'freeze') columnActions.setOptions({ frozenColumnCount: place + 1 });
    else void columnActions.duplicate(column.field).then(() => window.reload());
  };
  const idsOfMenu = (recordId: string): string[] => (!ticked.all && ticked.ids.has(recordId) ? [...ticked.ids] : [recordId]);
  /** Of the ticked rows when it is one of them, else of this row alone; from top to bottom. */
  const rowsWith = (row: number): number[] => {
    const ticks = numbersOf(drawn.rows);
    return ticks.includes(row) ? ticks : [row];
  };
  const moveRow = (from: number, wanted: number): void => {
    const places = rowsWith(from);
    const moved = places.flatMap((row) => recordAt(row)?.id ?? []);
    const to = Math.min(wanted, rows.rowCount - 1);
    if (from === to) return;
    if (moved.length < places.length || moved.length > mostMoved) return showToast({ kind: 'problem', title: `At most ${mostMoved.toLocaleString('en')} records can be moved at once.` });
    const step = from < to ? -1 : 1;
    let anchor = to;
    while (places.includes(anchor)) anchor += step;
    const beside = recordAt(anchor);
    if (beside === undefined) return;
    const standing = rowsAround(places).map((row) => recordAt(row)?.id);
    void actions.move(moved, { anchorId: beside.id, position: from < to ? 'after' : 'before' }, standing.includes(undefined) ? undefined : (standing as string[]));
  };
  const rowsAround = (places: readonly number[]): number[] => {
    const [first, last] = [Math.max(0, (places[0] ?? 0) - 1), Math.min(rows.rowCount - 1, (places.at(-1) ?? 0) + 1)];
    return Array.from({ length: last - first + 1 }, (_item, index) => first + index);
  };
  const hold = (): void => {
    const resume = window.pause();
    // The library hears of the mouse after this.
    globalThis.addEventListener('pointerup', () => setTimeout(resume), { once: true });
    globalThis.addEventListener('pointercancel', () => setTimeout(resume), { once: true });
  };

  if (count === undefined || (window.groups() === undefined && (view.group?.length ?? 0) > 0)) return window.error() === null ? <Loading what="Loading records" /> : <div className="p-6"><ProblemNote error={window.error()} /></div>;
  const chosenFrozen = view.options['frozenColumnCount'];
  const frozen = Math.min(typeof chosenFrozen === 'number' ? chosenFrozen : 1, columns.length, document.documentElement.clientWidth < 640 ? 0 : 50);
  const range = drawn.current?.range ?? { x: 0, y: 0, width: 0, height: 0 };
  // Of a range that reaches beyond what is loaded only the size is known.
  const rangeRecords = range.height > 5_000 ? [] : Array.from({ length: range.height }, (_item, index) => range.y + index).filter((row) => rows.headerAt(row) === undefined).map(recordAt);
  const rangeValues = rangeRecords.flatMap((record) => (record === undefined ? [] : columns.slice(range.x, range.x + range.width).map(({ field }) => edits.valueOf(record, field.id))));
  const summary = selectionSummary({ values: rangeValues, isWhole: range.height <= 5_000 && !rangeRecords.includes(undefined) }, range.width * range.height);
  const menuColumn = asking?.kind === 'column' ? columns.find(({ field }) => field.id === asking.fieldId) : undefined;
  const boundsOf = (recordId: string, fieldId: string): Rectangle | undefined => {
    const row = drawnRows.rowOf(recordId);
    const column = fieldIds.indexOf(fieldId);
    return row === undefined || column < 0 ? undefined : grid.current?.bounds(column, row);
  };

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div ref={frame} className="relative min-h-0 flex-1" data-cursor={cursor.meant.active === undefined ? undefined : `${cursor.meant.active.key} ${cursor.meant.active.fieldId}`}>
        <Grid
          handle={grid}
          columns={columns}
          rows={rows}
          groupFields={groupFields}
          groupStatistic={statistics.ofGroup}
          rowHeight={rowHeights[rowHeightOf(view)]}
          frozenColumns={frozen}
          canEdit={may.edit}
          canCreate={may.create}
          canChangeFields={may.fields && may.view}
          recordAt={recordAt}
          valueOf={edits.valueOf}
          refusalOf={edits.refusalOf}
          markedRow={cursor.mark === undefined ? undefined : rows.heldRow}
          version={version}
          personAt={personAt}
          selection={drawn}
          onSelection={onSelection}
          onLook={(first, last) => {
            shown.current = [first, last];
            window.look(rows.placesOf(first, last));
          }}
          onScroll={setScrolled}
          onGrab={hold}
          onToggleGroup={toggle}
          onEdit={(list) => void actions.edit(list)}
          onActivate={(column, row) => {
            const record = recordAt(row);
            const field = columns[column]?.field;
            if (record !== undefined && field !== undefined && may.edit && field.isComputed !== true && field.type !== 'checkbox') openEditor(record.id, field);
          }}
          onFill={(from, to) => void gestures.fill(from, to)}
          onAppend={gestures.append}
          onOpen={openRow}
          onKey={onKey}
          onRowMenu={(row, at) => {
            const record = recordAt(row);
            if (record !== undefined) setAsking({ kind: 'row', recordId: record.id, at });
          }}
          onGroupMenu={(header, at) => setAsking({ kind: 'group', header, at })}
          onColumnMenu={(column, at, together) => {
            const fieldId = fieldIds[column];
            if (fieldId === undefined) return;
            if (together.length > 1) cursor.select({ ...noSelection, fieldIds: idsAt(together) });
            setAsking({ kind: 'column', fieldId, together: idsAt(together), at });
          }}
          onAddColumn={() => setAsking({ kind: 'field' })}
          onResize={(column, width, done) => {
            const fieldId = fieldIds[column];
            if (fieldId !== undefined) columnActions.setMeta({ [fieldId]: { width: Math.round(width) } }, { save: done && may.view });
          }}
          onMoveColumns={(column, to, together) => {
            columnActions.move(column, to, together);
            cursor.select({ ...noSelection, fieldIds: idsAt(together) });
          }}
          rowsWith={(row) => rowsWith(row).length}
          onMoveRow={may.view && isManual ? moveRow : undefined}
        />
        {cursor.mark !== undefined && rows.heldRow !== undefined && <RowMark mark={cursor.mark} at={grid.current?.bounds(0, rows.heldRow)} within={frame.current?.getBoundingClientRect()} />}
      </div>
      {editing !== undefined && (
        <CellOverlay
          key={editing.turn}
          field={editing.field}
          value={editing.value}
          people={people}
          initialText={editing.initialText}
          note={edits.refusalOf(editing.record.id, editing.field.id)}
          bounds={() => boundsOf(editing.record.id, editing.field.id)}
          onFinish={(draft, movement) => finishEditing(editing, draft, movement)}
        />
      )}
      <StatisticsBar columns={columns} frozenColumns={frozen} scrolled={scrolled} recordCount={count} statistics={statistics.byField} summary={summary} canChange={may.view} onChoose={columnActions.setMeta} />
      <SelectionBar count={tickedCount} onClear={() => cursor.select(noSelection)} onDelete={may.remove ? removeTicked : undefined} />
      <OtherCells others={others} fields={fields} nameOf={(recordId) => recordAt(drawnRows.rowOf(recordId) ?? -1)?.name} />
      <ShortcutsDialog />
      {asking?.kind === 'row' && (
        <RowMenu
          at={asking.at}
          count={idsOfMenu(asking.recordId).length}
          canCreate={may.create}
          canDelete={may.remove}
          onClose={close}
          returnFocus={() => grid.current?.focus()}
          onOpen={() => onOpen(asking.recordId)}
          onDuplicate={() => void actions.duplicate(asking.recordId)}
          onDelete={() => {
            const recordIds = idsOfMenu(asking.recordId);
            if (recordIds.length > 1) removeTicked();
            else void actions.remove({ recordIds });
          }}
        />
      )}
      {asking?.kind === 'group' && (
        <GroupMenu at={asking.at} onClose={close} returnFocus={() => grid.current?.focus()} onCollapseAll={collapseAll} onExpandAll={expandAll} onAdd={may.create ? () => gestures.appendTo(asking.header) : undefined} />
      )}
      {menuColumn !== undefined && asking?.kind === 'column' && (
        <ColumnMenu field={menuColumn.field} count={asking.together.length} at={asking.at} canChangeFields={may.fields} canChangeView={may.view} onClose={() => setAsking((now) => (now?.kind === 'column' ? null : now))} onAsk={(what) => askColumn(menuColumn, what)} onStatistic={(statisticFunc) => columnActions.setMeta({ [menuColumn.field.id]: { statisticFunc } })} />
      )}
      {asking?.kind === 'field' && (
        <FieldDialog
          tableId={tableId}
          field={asking.field}
          at={asking.at}
          people={people}
          fields={fields}
          recordId={activeId}
          order={asking.orderIndex === undefined ? undefined : { viewId: view.id, orderIndex: asking.orderIndex }}
          onClose={close}
          onSaved={() => reloadFields(tableId, window.reload)}
        />
      )}
      {asking?.kind === 'more-columns' && (
        <MoreColumnsDialog
          columns={asking.columns}
          onAnswer={(answer) => {
            close();
            asking.answer(answer);
          }}
        />
      )}
      {asking?.kind === 'delete-records' && <DeleteManyDialog count={asking.count} onClose={close} onConfirm={() => remove(asking.meant)} />}
      {asking?.kind === 'delete-field' && (
        <ConfirmDialog
          title={`Delete ${asking.field.name}?`}
          description="It comes back with its cells from the history of the table, for as long as that is kept. Filters, sorts and groups by it are removed from the views."
          action="Delete field"
          onClose={close}
          onConfirm={() => removeField(asking.field)}
        />
      )}
    </div>
  );
};
