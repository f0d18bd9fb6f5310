// The grid of the app, for people who only look: the whole view, page by page, with its groups and statistics.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Grid } from '../view-type/grid/canvas/grid.tsx';
import type { GridHandle } from '../view-type/grid/canvas/grid-props.ts';
import { cellText } from '../field-type/cell-text.ts';
import { type CopiedCells, copiedText } from '../view-type/grid/clipboard/clipboard.ts';
import { useClipboard } from '../view-type/grid/clipboard/use-clipboard.ts';
import { columnsOf, frozenColumnsOf } from '../record-data/columns.ts';
import { isGroupedView } from '../record-data/first-questions.ts';
import { GridPending, knownCount } from '../view-type/grid/grid-pending.tsx';
import { groupRows } from '../view-type/grid/group/group-rows.ts';
import { itemsOf } from '../view-type/grid/group/row-items.ts';
import { useGroups } from '../view-type/grid/group/use-groups.ts';
import { rowHeightOf, rowHeights } from '../view-type/grid/row-height.ts';
import { type GridSelection, nothingSelected, numbersOf } from '../view-type/grid/selection/grid-selection.ts';
import { loadRows } from '../view-type/grid/selection/load-rows.ts';
import { summaryOfRange } from '../view-type/grid/statistic/selection-summary.ts';
import { StatisticsBar } from '../view-type/grid/statistic/statistics-bar.tsx';
import { useStatistics } from '../view-type/grid/statistic/use-statistics.ts';
import { createViewWindow } from '../record-data/view-window.ts';

interface ShareGridProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  /** Grows when the records are to be read again. */
  changes: number;
  mayCopy: boolean;
  onOpen: (recordId: string) => void;
}

const nothing = (): void => undefined;
const valueOf = (record: RecordVo, fieldId: string): unknown => record.fields[fieldId];
const noComments = (): number => 0;

export const ShareGrid = ({ tableId, view, fields, search, changes, mayCopy, onOpen }: ShareGridProps) => {
  const grid = useRef<GridHandle>(null);
  const shown = useRef<[first: number, last: number]>([0, 60]);
  const [selection, setSelection] = useState<GridSelection>(nothingSelected);
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const [scrolled, setScrolled] = useState(0);
  const latest = useRef(view);
  latest.current = view;
  const columns = useMemo(
    () => columnsOf(fields, view).map((column) => ({ ...column, width: widths[column.field.id] ?? column.width })),
    [fields, view, widths],
  );
  const window = useMemo(
    () =>
      createViewWindow(
        tableId,
        view.id,
        () => isGroupedView(latest.current),
        search === '' ? {} : { search: [search, '', 'true'] },
      ),
    [tableId, view.id, search],
  );
  useEffect(() => () => window.close(), [window]);
  // The view itself may have changed, too.
  useEffect(() => void window.reload(), [window, changes, view]);
  const version = useSyncExternalStore(window.subscribe, window.version);
  const { collapsed, groupFields, toggle } = useGroups(view, fields, window);
  const statistics = useStatistics(tableId, view, columns);
  const count = knownCount(window, view);
  const rows = useMemo(
    () => groupRows(itemsOf(window.groups(), count ?? 0), collapsed),
    [window, count, collapsed, version],
  );
  useEffect(() => window.look(rows.placesOf(...shown.current)), [rows, window]);
  const recordAt = useMemo(
    () =>
      (row: number): RecordVo | undefined => {
        const place = rows.placeAt(row);
        return place === undefined ? undefined : window.at(place);
      },
    [rows, window],
  );

  const copied = (): CopiedCells | Promise<CopiedCells> | undefined => {
    const range = selection.current?.range;
    const chosen =
      selection.columns.length > 0
        ? columns.filter((_column, at) => numbersOf(selection.columns).includes(at))
        : columns.slice(range?.x, (range?.x ?? 0) + (range?.width ?? 0));
    const [first, last] =
      selection.columns.length > 0
        ? [0, rows.rowCount - 1]
        : [range?.y ?? 0, (range?.y ?? 0) + (range?.height ?? 0) - 1];
    if (chosen.length === 0 || last < first) return undefined;
    const textOf = (records: readonly RecordVo[]): CopiedCells => ({
      rows: records.map((record) =>
        chosen.map(({ field }) => {
          const value = valueOf(record, field.id);
          return { text: copiedText(cellText(field, value), value) };
        }),
      ),
    });
    const places = Array.from({ length: Math.min(last - first + 1, 1_000) }, (_item, at) => first + at).filter(
      (row) => rows.headerAt(row) === undefined,
    );
    const loaded = places.flatMap((row) => recordAt(row) ?? []);
    return loaded.length === places.length && last - first < 1_000
      ? textOf(loaded)
      : loadRows(
          { tableId, viewId: view.id, rows, recordAt, search: search === '' ? undefined : [search, '', 'true'] },
          first,
          last,
          chosen.map(({ field }) => field.id),
        ).then(textOf);
  };
  useClipboard({ isActive: () => mayCopy && grid.current?.hasFocus() === true, selected: copied });

  const openRow = (row: number): void => {
    const record = recordAt(row);
    if (record !== undefined) onOpen(record.id);
  };
  if (count === undefined) return <GridPending window={window} />;
  const frozen = frozenColumnsOf(view, columns);
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="relative min-h-0 flex-1" data-rows={rows.rowCount}>
        <Grid
          handle={grid}
          columns={columns}
          rows={rows}
          groupFields={groupFields}
          groupStatistic={statistics.ofGroup}
          rowHeight={rowHeights[rowHeightOf(view)]}
          frozenColumns={frozen}
          canEdit={false}
          canCreate={false}
          canChangeFields={false}
          isForVisitors
          recordAt={recordAt}
          valueOf={valueOf}
          refusalOf={nothing as () => undefined}
          markedRow={undefined}
          personAt={nothing as () => undefined}
          commentsAt={noComments}
          version={`${version}`}
          selection={selection}
          onSelection={setSelection}
          onLook={(first, last) => {
            shown.current = [first, last];
            window.look(rows.placesOf(first, last));
          }}
          onScroll={setScrolled}
          onGrab={nothing}
          onToggleGroup={toggle}
          onEdit={nothing}
          onActivate={(_column, row) => openRow(row)}
          onFill={nothing}
          onAppend={nothing}
          onOpen={openRow}
          onPress={nothing}
          onOpenLinked={nothing}
          onKey={(event) => {
            const row = selection.current?.row;
            if (row === undefined || (event.key !== 'Enter' && event.key !== ' ')) return;
            event.preventDefault();
            const header = rows.headerAt(row);
            if (header === undefined) openRow(row);
            else toggle(header);
          }}
          onRowMenu={nothing}
          onGroupMenu={nothing}
          onColumnMenu={nothing}
          onAddColumn={nothing}
          onResize={(column, width) => {
            const id = columns[column]?.field.id;
            if (id !== undefined) setWidths((before) => ({ ...before, [id]: Math.round(width) }));
          }}
          onMoveColumns={nothing}
          rowsWith={() => 1}
          takesFiles={() => false}
          onFiles={nothing}
        />
      </div>
      <StatisticsBar
        columns={columns}
        frozenColumns={frozen}
        scrolled={scrolled}
        recordCount={count}
        statistics={statistics.byField}
        summary={summaryOfRange({ range: selection.current?.range, columns, rows, recordAt, valueOf })}
        canChange={false}
        onChoose={nothing}
      />
    </div>
  );
};
