import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { press } from '../../field-type/cell/press.ts';
import { allows, type Standing } from '../../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CellOverlay, type Movement } from './canvas/cell-overlay.tsx';
import { Grid } from './canvas/grid.tsx';
import type { GridHandle, Rectangle } from './canvas/grid-props.ts';
import { OtherCells } from './other-cells.tsx';
import { useClipboard } from './clipboard/use-clipboard.ts';
import { columnsOf, frozenColumnsOf } from '../../record-data/columns.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { GridPending, knownCount } from './grid-pending.tsx';
import { type Asking, GridQuestions, isMenu } from './grid-questions.tsx';
import { useGroups } from './group/use-groups.ts';
import { linkOptionsOf } from '../../field-type/link/linked.ts';
import { isFiltered, NoMatch } from '../query/no-match.tsx';
import { ownQueryOf } from '../../record-data/own-query.ts';
import type { Found } from '../query/search-box.tsx';
import type { ViewQuery } from '../query/use-view-query.ts';
import { rowHeights, rowHeightOf } from './row-height.ts';
import { RowMark } from './row-mark.tsx';
import { noSelection, selectCell } from './selection/record-selection.ts';
import { useCursor } from './selection/use-cursor.ts';
import { SelectionBar } from './selection-bar.tsx';
import { summaryOfRange } from './statistic/selection-summary.ts';
import { StatisticsBar } from './statistic/statistics-bar.tsx';
import { useStatistics } from './statistic/use-statistics.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import { useCellFiles } from './use-cell-files.ts';
import { useChosenRecords } from './use-chosen-records.ts';
import { useColumnActions } from './use-column-actions.ts';
import { type EditedCell, useEditing } from './use-editing.ts';
import { useGoal } from './use-goal.ts';
import { useGridActions } from './use-grid-actions.ts';
import { useGridGestures } from './use-grid-gestures.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useRowMarks } from './use-row-marks.ts';
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
  const editing = useEditing(records);
  const { edited } = editing;
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
    isEditing: edited !== undefined,
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
    onRenamed: editing.rename,
  });
  const count = knownCount(window, view);
  const marks = useRowMarks({ tableId, records, cursor, fieldIds, shown, scrolledTo });
  const chosen = useChosenRecords({ tableId, view, cursor, fieldIds, count, actions, ask: setAsking });
  const { tickedCount, editTicked, removeTicked } = chosen;
  const files = useCellFiles({ tableId, columns, cursor, edits, mayEdit: may.edit });
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

  const finishEditing = (
    { record, field, before }: EditedCell,
    draft: { value: unknown } | undefined,
    movement: Movement,
  ): void => {
    editing.close();
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
    openEditor: editing.open,
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
      ? { clear: () => void gestures.clear(), paste: (copied) => void gestures.paste(copied), pasteFiles: files.paste }
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
        data-comments={marks.commentTotal === 0 ? undefined : marks.commentTotal}
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
          personAt={marks.personAt}
          commentsAt={marks.commentsAt}
          selection={drawn}
          onSelection={chosen.onSelection}
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
              editing.open(record.id, field);
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
          takesFiles={files.takes}
          onFiles={files.drop}
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
      {edited !== undefined && (
        <CellOverlay
          key={edited.turn}
          field={edited.field}
          value={edited.value}
          recordId={edited.record.id}
          tableId={tableId}
          people={people}
          initialText={edited.initialText}
          note={edits.refusalOf(edited.record.id, edited.field.id)}
          bounds={() => boundsOf(edited.record.id, edited.field.id)}
          onFinish={(draft, movement) => finishEditing(edited, draft, movement)}
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
        others={marks.others}
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
          remove={chosen.remove}
          returnFocus={() => grid.current?.focus()}
        />
      )}
    </div>
  );
};
