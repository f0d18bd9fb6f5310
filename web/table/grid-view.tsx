import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useMemo, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { CompactSelection, Grid, type GridSelection, type Rectangle } from '../grid/grid.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showToast } from '../ui/toast.ts';
import { type ColumnAsk, ColumnMenu } from './column-menu.tsx';
import { type Column, columnsOf, orderBetween } from './columns.ts';
import type { BasePerson } from './editor/editor-props.ts';
import { FieldDialog } from './field/field-dialog.tsx';
import { cellsOfGroup } from './group/cells-of-group.ts';
import { GroupMenu } from './group/group-menu.tsx';
import type { GroupHeader } from './group/group-rows.ts';
import { useGridRows } from './group/use-grid-rows.ts';
import { fieldsQuery, viewsQuery } from './queries.ts';
import type { Place } from './query/search-box.tsx';
import { reloadFields } from './reload-fields.ts';
import { rowHeights, rowHeightOf } from './row-height.ts';
import { RowMenu } from './row-menu.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StatisticsBar } from './statistic/statistics-bar.tsx';
import { useStatistics } from './statistic/use-statistics.ts';
import { fieldDeletedStep } from './undo/field-steps.ts';
import { useColumnActions } from './use-column-actions.ts';
import { useGridActions } from './use-grid-actions.ts';
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
  place: Place | undefined;
}

type Asking =
  | { kind: 'row'; row: number; at: Rectangle }
  | { kind: 'group'; header: GroupHeader; at: Rectangle }
  | { kind: 'column'; column: number; at: Rectangle }
  | { kind: 'field'; field?: Field; orderIndex?: number }
  | { kind: 'delete-field'; field: Field }
  | null;

const nothing: GridSelection = { columns: CompactSelection.empty(), rows: CompactSelection.empty() };

/** Neighbouring numbers taken together: the records of a thousand ticked rows are read in a few requests. */
const runsOf = (numbers: readonly number[]): [first: number, last: number][] => {
  const runs: [number, number][] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
};

export const GridView = ({ tableId, view, fields, people, role, records, onOpen, place }: GridViewProps) => {
  const { window, edits, version } = records;
  const [selection, setSelection] = useState(nothing);
  const [asking, setAsking] = useState<Asking>(null);
  const [scrolled, setScrolled] = useState(0);
  const columns = useMemo(() => columnsOf(fields, view), [fields, view]);
  const actions = useGridActions(tableId, view.id, columns, records);
  const columnActions = useColumnActions(tableId, view, columns);
  const statistics = useStatistics(tableId, view, columns);
  const may = { edit: allows(role, 'record|update'), create: allows(role, 'record|create'), remove: allows(role, 'record|delete'), fields: allows(role, 'field|update'), view: allows(role, 'view|update') && view.isLocked !== true };
  const count = window.rowCount();
  const removeField = async (field: Field): Promise<void> => {
    await columnActions.remove(field);
    const step = fieldDeletedStep({ tableId, reload: () => reloadFields(tableId, window.reload) }, field.id);
    records.undo.did(step);
    showToast({ kind: 'note', title: `${field.name} is deleted.`, action: { label: 'Put back', run: () => void records.undo.undo(step) } });
  };
  const { rows, groupFields, recordAt, look, toggle, collapseAll, expandAll, reveal } = useGridRows(view, fields, window);
  const isArranged = ((view.sort?.sortObjs.length ?? 0) > 0 && view.sort?.manualSort !== true) || rows.headerRows.length > 0;
  const goTo = (row: number, column: number): void => {
    setSelection({ ...nothing, current: { cell: [column, row], range: { x: column, y: row, width: 1, height: 1 }, rangeStack: [] } });
  };
  useEffect(() => {
    const column = place === undefined ? -1 : columns.findIndex(({ field }) => field.id === place.fieldId);
    if (place !== undefined && column >= 0) goTo(reveal(place.row), column);
    // A place is gone to once, not whenever a column changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place]);
  const close = (): void => setAsking(null);
  const refreshSchema = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey }), queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey }), window.reload()]);
  };

  const openRow = (row: number): void => {
    const record = recordAt(row);
    if (record !== undefined) onOpen(record.id);
  };
  const removeRows = async (chosen: readonly number[]): Promise<void> => {
    const ids: string[] = [];
    for (const [first, last] of runsOf(chosen.flatMap((row) => rows.placeAt(row) ?? []))) ids.push(...(await actions.recordsFrom(first, last - first + 1)).map(({ id }) => id));
    setSelection(nothing);
    await actions.remove(ids);
  };
  const rowsOfMenu = (row: number): number[] => (selection.rows.hasIndex(row) ? selection.rows.toArray() : [row]);

  const askColumn = (column: Column, what: ColumnAsk): void => {
    const place = columns.indexOf(column);
    if (what === 'edit') setAsking({ kind: 'field', field: column.field });
    else if (what === 'insert-left') setAsking({ kind: 'field', orderIndex: orderBetween(columns[place - 1]?.order, column.order) });
    else if (what === 'insert-right') setAsking({ kind: 'field', orderIndex: orderBetween(column.order, columns[place + 1]?.order) });
    else if (what === 'delete') setAsking({ kind: 'delete-field', field: column.field });
    else if (what === 'hide') columnActions.setMeta({ [column.field.id]: { hidden: true } });
    else if (what === 'freeze') columnActions.setOptions({ frozenColumnCount: place + 1 });
    else void columnActions.duplicate(column.field).then(() => window.reload());
  };

  if (count === undefined || (window.groups() === undefined && (view.group?.length ?? 0) > 0)) return window.error() === null ? <Loading what="Loading records" /> : <div className="p-6"><ProblemNote error={window.error()} /></div>;
  const chosenFrozen = view.options['frozenColumnCount'];
  const frozen = Math.min(typeof chosenFrozen === 'number' ? chosenFrozen : 1, columns.length, document.documentElement.clientWidth < 640 ? 0 : 50);
  const lastRow = rows.rowCount - 1;
  const menuColumn = asking?.kind === 'column' ? columns[asking.column] : undefined;

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1">
        <Grid
          columns={columns}
          rows={rows}
          groupFields={groupFields}
          groupStatistic={statistics.ofGroup}
          rowHeight={rowHeights[rowHeightOf(view)]}
          frozenColumns={frozen}
          people={people}
          canEdit={may.edit}
          canCreate={may.create}
          canChangeFields={may.fields && may.view}
          recordAt={recordAt}
          valueOf={edits.valueOf}
          refusalOf={edits.refusalOf}
          version={version}
          selection={selection}
          onSelection={setSelection}
          onLook={look}
          onScroll={setScrolled}
          onToggleGroup={toggle}
          onEdit={(list) => void actions.edit(list.map(({ row, ...edit }) => ({ ...edit, place: rows.placeAt(row) })))}
          onPaste={(row, column, values) => void actions.paste(rows.placeAt(row) ?? rows.placeAt(row + 1) ?? count, column, values)}
          onAppend={async () => void (await actions.append())}
          onOpen={openRow}
          onKey={(event) => {
            const command = event.ctrlKey || event.metaKey;
            const header = event.location === undefined ? undefined : rows.headerAt(event.location[1]);
            // The library would go to the row that adds records.
            if (command && !event.shiftKey && event.key === 'End') goTo(lastRow, columns.length - 1);
            else if (command && !event.shiftKey && event.key === 'ArrowDown') goTo(lastRow, event.location?.[0] ?? 0);
            else if (header !== undefined && (event.key === ' ' || event.key === 'Enter')) toggle(header);
            else if (event.key === ' ' && event.location !== undefined && columns[event.location[0]]?.field.type !== 'checkbox') openRow(event.location[1]);
            else return;
            event.cancel();
            event.preventDefault();
          }}
          onRowMenu={(row, at) => setAsking({ kind: 'row', row, at })}
          onGroupMenu={(header, at) => setAsking({ kind: 'group', header, at })}
          onColumnMenu={(column, at) => setAsking({ kind: 'column', column, at })}
          onAddColumn={() => setAsking({ kind: 'field' })}
          onResize={(column, width, done) => {
            const fieldId = columns[column]?.field.id;
            if (fieldId !== undefined) columnActions.setMeta({ [fieldId]: { width: Math.round(width) } }, { save: done && may.view });
          }}
          onMoveColumn={columnActions.move}
          onMoveRow={may.view && !isArranged ? (from, to) => void actions.move(from, to) : undefined}
        />
      </div>
      <StatisticsBar columns={columns} frozenColumns={frozen} scrolled={scrolled} recordCount={count} statistics={statistics.byField} canChange={may.view} onChoose={columnActions.setMeta} />
      <SelectionBar count={selection.rows.length} onClear={() => setSelection(nothing)} onDelete={may.remove ? () => void removeRows(selection.rows.toArray()) : undefined} />
      {asking?.kind === 'row' && (
        <RowMenu
          at={asking.at}
          count={rowsOfMenu(asking.row).length}
          canCreate={may.create}
          canDelete={may.remove}
          onClose={close}
          onOpen={() => openRow(asking.row)}
          onDuplicate={() => {
            const record = recordAt(asking.row);
            if (record !== undefined) void actions.duplicate(record.id);
          }}
          onDelete={() => void removeRows(rowsOfMenu(asking.row))}
        />
      )}
      {asking?.kind === 'group' && (
        <GroupMenu
          at={asking.at}
          onClose={close}
          onCollapseAll={collapseAll}
          onExpandAll={expandAll}
          onAdd={may.create ? () => void actions.append(cellsOfGroup(asking.header, rows, groupFields)) : undefined}
        />
      )}
      {menuColumn !== undefined && asking?.kind === 'column' && (
        <ColumnMenu field={menuColumn.field} at={asking.at} canChangeFields={may.fields} canChangeView={may.view} onClose={() => setAsking((now) => (now?.kind === 'column' ? null : now))} onAsk={(what) => askColumn(menuColumn, what)} />
      )}
      {asking?.kind === 'field' && (
        <FieldDialog
          tableId={tableId}
          field={asking.field}
          order={asking.orderIndex === undefined ? undefined : { viewId: view.id, orderIndex: asking.orderIndex }}
          onClose={close}
          onSaved={refreshSchema}
        />
      )}
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
