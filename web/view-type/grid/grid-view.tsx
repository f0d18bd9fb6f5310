import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { press } from '../../field-type/cell/press.ts';
import { allows, type Standing } from '../../app/standing.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { CellOverlay, type Movement } from './canvas/cell-overlay.tsx';
import { Grid, type GridHandle, type Rectangle } from './canvas/grid.tsx';
import { OtherCells } from './other-cells.tsx';
import { useOtherCells, useShowCell } from '../../app/presence/cells.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { useClipboard } from './clipboard/use-clipboard.ts';
import { columnsOf, frozenColumnsOf } from '../../record-data/columns.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { mostChosen } from './bulk/load-chosen.ts';
import { manyRecords } from './delete-many-dialog.tsx';
import { GridPending, knownCount } from './grid-pending.tsx';
import { type Asking, GridQuestions, isMenu } from './grid-questions.tsx';
import { useGroups } from './group/use-groups.ts';
import { linkOptionsOf } from '../../field-type/link/linked.ts';
import { addFiles, type FilesPlace, takesFiles } from '../../field-type/attachment/uploads.ts';
import { isFiltered, NoMatch } from '../query/no-match.tsx';
import { ownQueryOf } from '../../record-data/own-query.ts';
import type { Found } from '../query/search-box.tsx';
import type { ViewQuery } from '../query/use-view-query.ts';
import { rowHeights, rowHeightOf } from './row-height.ts';
import { RowMark } from './row-mark.tsx';
import type { GridSelection, Slice } from './selection/grid-selection.ts';
import { loadRows } from './selection/load-rows.ts';
import { activeRecordOf, noSelection, selectCell } from './selection/record-selection.ts';
import { useCursor } from './selection/use-cursor.ts';
import { SelectionBar } from './selection-bar.tsx';
import { summaryOfRange } from './statistic/selection-summary.ts';
import { StatisticsBar } from './statistic/statistics-bar.tsx';
import { useStatistics } from './statistic/use-statistics.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import type { Meant, Progress } from '../../record-data/undo/records.ts';
import { useCommentCounts } from '../../record-data/use-comment-counts.ts';
import { useColumnActions } from './use-column-actions.ts';
import { useGoal } from './use-goal.ts';
import { useGridActions } from './use-grid-actions.ts';
import { useGridGestures } from './use-grid-gestures.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useRowMoves } from './use-row-moves.ts';
import type { TableRecords } from '../../record-data/table-records.ts';
import { editingOf } from '../../field-type/cell-editor.tsx';

interface GridViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Standing;
  records: TableRecords;
  onOpen: (recordId: string) => void;
  onOpenLinked: (tableId: string, recordId: string) => void;
  /** A cell to go to: a place that a search found. */
  place: Found | undefined;
  query: ViewQuery;
}

/** The cell whose editor is open. Nothing turns it to another record or field. */
interface Editing {
  /** Another one for every time that an editor opens. */
  turn: number;
  record: RecordVo;
  field: Field;
  value: unknown;
  /** What the edit is made on. */
  before: unknown;
  initialText: string | undefined;
}

export const GridView = ({
  tableId,
  view,
  fields,
  people,
  role,
  records,
  onOpen,
  onOpenLinked,
  place,
  query,
}: GridViewProps) => {
  const { window, edits, version } = records;
  const [asking, setAsking] = useState<Asking | null>(null);
  const [scrolled, setScrolled] = useState(0);
  const [scrolledTo, setScrolledTo] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const turns = useRef(0);
  const frame = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle>(null);
  const shown = useRef<[first: number, last: number]>([0, 60]);
  const columns = useMemo(() => columnsOf(fields, view), [fields, view]);
  const fieldIds = useMemo(() => columns.map(({ field }) => field.id), [columns]);
  const may = {
    edit: allows(role, 'record|update'),
    create: allows(role, 'record|create'),
    remove: allows(role, 'record|delete'),
    fields: allows(role, 'field|update'),
    addFields: allows(role, 'field|create'),
    view: useMayChangeView(view, role),
    rights: allows(role, 'base|authority_matrix_config'),
  };
  const { collapsed, groupFields, toggle, expand, collapseAll, expandAll, reveal } = useGroups(view, fields, window);
  const cursor = useCursor({
    tableId,
    view,
    window,
    listen: records.listen,
    fieldIds,
    collapsed,
    isTemporary,
    isEditing: editing !== undefined,
  });
  const { rows, drawn, drawnRows, recordAt } = cursor;
  const actions = useGridActions({
    tableId,
    view,
    fields,
    people,
    groupFields,
    canCreate: may.create,
    records,
    cursor,
    show: (recordId, fieldId) => showCell(recordId, fieldId),
  });
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
    askForFields: (wanted) =>
      may.addFields
        ? new Promise((resolve) => setAsking({ kind: 'more-columns', columns: wanted, answer: resolve }))
        : Promise.resolve('leave out'),
    onRenamed: (from, to) =>
      setEditing((before) =>
        before?.record.id === from ? { ...before, record: { ...before.record, id: to } } : before,
      ),
  });
  const count = knownCount(window, view);
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
  }, [lookAtComments, recordAt, version, scrolledTo]);

  const scrollTo = (row: number, column: number): void => grid.current?.scrollTo(column, row);
  const goTo = (row: number, column: number): void => {
    const fieldId = fieldIds[column];
    if (fieldId === undefined) return;
    cursor.select(selectCell(drawnRows.keyAt(row), fieldId));
    scrollTo(row, column);
  };
  const goal = useGoal({ cursor, window, fieldIds, reveal, scrollTo, found: place, version });
  const showCell = (key: string, fieldId: string): void => {
    goal.show(key, fieldId);
    grid.current?.focus();
  };
  // Other records come into view when a group is folded, although nobody scrolls.
  useEffect(() => window.look(rows.placesOf(...shown.current)), [rows, window]);

  const openEditor = (recordId: string, field: Field, initialText?: string): void => {
    const record = window.find(recordId);
    if (record !== undefined)
      setEditing({
        turn: (turns.current += 1),
        record,
        field,
        value: edits.valueOf(record, field.id),
        before: edits.beforeOf(record, field.id),
        initialText,
      });
  };
  const finishEditing = (
    { record, field, before }: Editing,
    draft: { value: unknown } | undefined,
    movement: Movement,
  ): void => {
    setEditing(undefined);
    grid.current?.focus();
    if (draft !== undefined) void actions.edit([{ recordId: record.id, field, value: draft.value, before }]);
    if (movement === 'new below') return gestures.insertBelow();
    const [right, down] = movement;
    const row = drawnRows.rowOf(record.id);
    const column = fieldIds.indexOf(field.id);
    if ((right === 0 && down === 0) || row === undefined || column < 0) return;
    goTo(
      Math.min(Math.max(row + down, 0), may.create ? rows.rowCount : rows.rowCount - 1),
      Math.min(Math.max(column + right, 0), columns.length - 1),
    );
  };
  const openRow = (row: number): void => {
    const record = recordAt(row);
    if (record !== undefined && !isTemporary(record.id)) onOpen(record.id);
  };

  const { ticked } = cursor.meant;
  const tickedCount = ticked.all ? (count ?? 0) - ticked.ids.size : ticked.ids.size;
  const remove = async (meant: Meant, onProgress?: (progress: Progress) => void): Promise<void> => {
    cursor.select(noSelection);
    await actions.remove(meant, onProgress);
  };
  const removeTicked = (): void => {
    const meant: Meant = ticked.all
      ? { viewId: view.id, filter: view.filter, excludeRecordIds: [...ticked.ids] }
      : { recordIds: [...ticked.ids] };
    if (tickedCount > manyRecords) setAsking({ kind: 'delete-records', meant, count: tickedCount });
    else void remove(meant);
  };
  /** Those that are ticked, or else those of the selected cells. */
  const editChosen = async (): Promise<void> => {
    const range = tickedCount === 0 ? drawn.current?.range : undefined;
    if ((range?.height ?? tickedCount) > mostChosen)
      return showToast({
        kind: 'note',
        title: `At most ${mostChosen.toLocaleString('en')} records can be edited together.`,
        detail: 'Filter the view, and edit them in parts.',
      });
    const loadable = { tableId, viewId: view.id, rows, recordAt };
    const ofRange =
      range === undefined ? [] : await loadRows(loadable, range.y, range.y + range.height - 1, fieldIds.slice(0, 1));
    const ids = new Set(ofRange.map(({ id }) => id).filter((id) => !isTemporary(id)));
    const chosen = range === undefined ? ticked : { all: false, ids };
    const chosenCount = range === undefined ? tickedCount : ids.size;
    if (chosenCount > 0) setAsking({ kind: 'edit-records', count: chosenCount, ticked: chosen });
  };
  const editTicked = (): void =>
    void editChosen().catch((error: unknown) => showProblem(error, 'The selected records could not be read.'));
  /** Rows that were ticked with Shift and are not loaded: their records are named as soon as they are known. */
  const onSelection = (chosen: GridSelection): void => {
    const toLoad = cursor.choose(chosen);
    if (toLoad.length === 0) return;
    const load = async (slices: readonly Slice[]): Promise<void> => {
      const parts = await Promise.all(
        slices.map(([from, to]) =>
          loadRows({ tableId, viewId: view.id, rows, recordAt }, from, to - 1, fieldIds.slice(0, 1)),
        ),
      );
      cursor.tick(parts.flat().map(({ id }) => id));
    };
    load(toLoad).catch((error: unknown) => showProblem(error, 'Not all rows were selected.'));
  };

  const filesPlaceAt = (column: number, row: number): FilesPlace | undefined => {
    const record = recordAt(row);
    const field = columns[column]?.field;
    return may.edit && record !== undefined && !isTemporary(record.id) && takesFiles(field)
      ? { tableId, recordId: record.id, fieldId: field.id, edits }
      : undefined;
  };
  const activeFilesPlace = (): FilesPlace | undefined => {
    const row = activeId === undefined ? undefined : drawnRows.rowOf(activeId);
    return row === undefined ? undefined : filesPlaceAt(fieldIds.indexOf(cursor.meant.active?.fieldId ?? ''), row);
  };
  const pasteFiles = (files: readonly File[]): boolean => {
    const place = activeFilesPlace();
    if (place !== undefined) void addFiles(place, files);
    return place !== undefined;
  };

  const rowMoves = useRowMoves(cursor, actions, {
    order: may.view && !isSorted && (groupFields.length === 0 || ownQueryOf(view.id) === undefined),
    group: may.edit && groupFields.length > 0,
  });
  const pressIn = (recordId: string, field: Field, value: unknown): void => press({ tableId, recordId, field, value });
  const onKey = useGridKeys({
    moveRow: rowMoves.step,
    columns,
    cursor,
    gestures,
    actions,
    valueOf: edits.valueOf,
    may,
    goTo,
    scrollTo,
    openEditor,
    openRecord: openRow,
    press: pressIn,
    toggleGroup: toggle,
    editTicked,
    removeTicked,
  });
  useClipboard({
    isActive: () => grid.current?.hasFocus() === true,
    selected: gestures.copied,
    ...(may.edit
      ? { clear: () => void gestures.clear(), paste: (copied) => void gestures.paste(copied), pasteFiles }
      : {}),
  });

  const { rowsWith, move: moveRow } = rowMoves;
  const idsAt = (places: readonly number[]): string[] => places.flatMap((place) => fieldIds[place] ?? []);
  const hold = (): void => {
    const resume = window.pause();
    // The library hears of the mouse after this.
    globalThis.addEventListener('pointerup', () => setTimeout(resume), { once: true });
    globalThis.addEventListener('pointercancel', () => setTimeout(resume), { once: true });
  };

  if (count === undefined) return <GridPending window={window} />;
  const frozen = frozenColumnsOf(view, columns);
  const summary = summaryOfRange({ range: drawn.current?.range, columns, rows, recordAt, valueOf: edits.valueOf });
  const boundsOf = (recordId: string, fieldId: string): Rectangle | undefined => {
    const row = drawnRows.rowOf(recordId);
    const column = fieldIds.indexOf(fieldId);
    return row === undefined || column < 0 ? undefined : grid.current?.bounds(column, row);
  };

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        ref={frame}
        className="relative min-h-0 flex-1"
        onPointerDownCapture={goal.forget}
        onKeyDownCapture={goal.forget}
        data-comments={comments.total === 0 ? undefined : comments.total}
        data-cursor={
          cursor.meant.active === undefined ? undefined : `${cursor.meant.active.key} ${cursor.meant.active.fieldId}`
        }
      >
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
          markedRow={cursor.mark?.row}
          version={version}
          personAt={personAt}
          commentsAt={commentsAt}
          selection={drawn}
          onSelection={onSelection}
          onLook={(first, last) => {
            shown.current = [first, last];
            setScrolledTo(first);
            window.look(rows.placesOf(first, last));
          }}
          onScroll={setScrolled}
          onGrab={hold}
          onToggleGroup={toggle}
          onEdit={(list) => void actions.edit(list)}
          onActivate={(column, row) => {
            const record = recordAt(row);
            const field = columns[column]?.field;
            if (
              record !== undefined &&
              field !== undefined &&
              may.edit &&
              field.isComputed !== true &&
              editingOf(field.type).frame !== 'tick'
            )
              openEditor(record.id, field);
          }}
          onFill={(from, to) => void gestures.fill(from, to)}
          onAppend={gestures.append}
          onOpen={openRow}
          onPress={pressIn}
          onOpenLinked={(field, recordId) => onOpenLinked(linkOptionsOf(field).foreignTableId, recordId)}
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
            if (fieldId !== undefined)
              columnActions.setMeta({ [fieldId]: { width: Math.round(width) } }, { save: done && may.view });
          }}
          onMoveColumns={(column, to, together) => {
            columnActions.move(column, to, together);
            cursor.select({ ...noSelection, fieldIds: idsAt(together) });
          }}
          rowsWith={(row) => rowsWith(row).length}
          onMoveRow={(may.view && isManual) || (may.edit && groupFields.length > 0) ? moveRow : undefined}
          takesFiles={(column, row) => filesPlaceAt(column, row) !== undefined}
          onFiles={(column, row, files) => {
            const place = filesPlaceAt(column, row);
            if (place !== undefined) void addFiles(place, files);
          }}
        />
        {count === 0 && isFiltered(view) && (
          <div className="absolute top-24 left-1/2 z-10 w-[min(26rem,calc(100%-2rem))] -translate-x-1/2">
            <NoMatch query={query} />
          </div>
        )}
        {cursor.mark !== undefined && (
          <RowMark
            mark={cursor.mark.why}
            at={grid.current?.bounds(0, cursor.mark.row)}
            within={frame.current?.getBoundingClientRect()}
          />
        )}
      </div>
      {editing !== undefined && (
        <CellOverlay
          key={editing.turn}
          field={editing.field}
          value={editing.value}
          recordId={editing.record.id}
          tableId={tableId}
          people={people}
          initialText={editing.initialText}
          note={edits.refusalOf(editing.record.id, editing.field.id)}
          bounds={() => boundsOf(editing.record.id, editing.field.id)}
          onFinish={(draft, movement) => finishEditing(editing, draft, movement)}
        />
      )}
      <StatisticsBar
        columns={columns}
        frozenColumns={frozen}
        scrolled={scrolled}
        recordCount={count}
        statistics={statistics.byField}
        summary={summary}
        canChange={may.view}
        onChoose={columnActions.setMeta}
      />
      <SelectionBar
        count={tickedCount}
        onClear={() => cursor.select(noSelection)}
        onEdit={may.edit ? editTicked : undefined}
        onDelete={may.remove ? removeTicked : undefined}
      />
      <OtherCells
        others={others}
        fields={fields}
        nameOf={(recordId) => recordAt(drawnRows.rowOf(recordId) ?? -1)?.name}
      />
      {asking !== null && (
        <GridQuestions
          asking={asking}
          onAsk={setAsking}
          onMenuClosed={() => setAsking((now) => (isMenu(now) ? null : now))}
          tableId={tableId}
          view={view}
          columns={columns}
          fields={fields}
          people={people}
          may={may}
          records={records}
          cursor={cursor}
          query={query}
          actions={actions}
          columnActions={columnActions}
          groups={{ collapseAll, expandAll, appendTo: gestures.appendTo }}
          onOpen={onOpen}
          onInsert={gestures.insertBeside}
          editTicked={editTicked}
          removeTicked={removeTicked}
          remove={remove}
          returnFocus={() => grid.current?.focus()}
        />
      )}
    </div>
  );
};
