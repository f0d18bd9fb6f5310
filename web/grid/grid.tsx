// The one place that knows the grid library. Everything else speaks of records, fields and columns.
import {
  booleanCellRenderer,
  CompactSelection,
  DataEditorCore,
  type DataEditorRef,
  type DrawCellCallback,
  type EditListItem,
  type GridCell,
  GridCellKind,
  type GridKeyEventArgs,
  type GridSelection,
  ImageWindowLoaderImpl,
  type InnerGridCell,
  type InternalCellRenderer,
  type Item,
  loadingCellRenderer,
  markerCellRenderer,
  newRowCellRenderer,
  type Rectangle,
  type Theme,
} from '@glideapps/glide-data-grid';
import '@glideapps/glide-data-grid/dist/index.css';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { Plus } from 'lucide-react';
import { type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useTheme } from '../app/use-theme.ts';
import type { Column } from '../table/columns.ts';
import type { BasePerson } from '../table/editor/editor-props.ts';
import type { GroupHeader, GroupRows } from '../table/group/group-rows.ts';
import { drawOpenButton, openButtonWidth } from './draw-open-button.ts';
import { type FieldCell, fieldCell, isFieldCell } from './field-cell.ts';
import { fieldRenderer } from './field-renderer.tsx';
import { gridTheme } from './grid-theme.ts';
import { groupCell, groupRenderer, groupStatisticCell } from './group-cell.ts';
import { headerIcons } from './header-icons.ts';

export { CompactSelection, type GridSelection, type Rectangle };

export interface GridEdit {
  row: number;
  column: number;
  value: unknown;
  /** The record that was typed into, wherever it stands by now. Absent where the row itself is meant. */
  recordId?: string;
}

export interface GridProps {
  columns: readonly Column[];
  rows: GroupRows;
  /** What each level is grouped by, outermost first. */
  groupFields: readonly (Field | undefined)[];
  groupStatistic: (header: GroupHeader, fieldId: string) => string;
  rowHeight: number;
  frozenColumns: number;
  people: readonly BasePerson[];
  canEdit: boolean;
  canCreate: boolean;
  canChangeFields: boolean;
  recordAt: (row: number) => RecordVo | undefined;
  valueOf: (record: RecordVo, fieldId: string) => unknown;
  refusalOf: (recordId: string, fieldId: string) => string | undefined;
  /** Changes whenever a cell may look different. */
  version: string;
  /** Given another one, the grid scrolls to its cell. */
  selection: GridSelection;
  onSelection: (selection: GridSelection) => void;
  onLook: (first: number, last: number) => void;
  /** How far the columns are scrolled, in pixels. */
  onScroll: (left: number) => void;
  onToggleGroup: (header: GroupHeader) => void;
  onEdit: (edits: GridEdit[]) => void;
  onPaste: (row: number, column: number, values: readonly (readonly string[])[]) => void;
  onAppend: () => Promise<void>;
  onOpen: (row: number) => void;
  onKey: (event: GridKeyEventArgs) => void;
  onRowMenu: (row: number, at: Rectangle) => void;
  onGroupMenu: (header: GroupHeader, at: Rectangle) => void;
  onColumnMenu: (column: number, at: Rectangle) => void;
  onAddColumn: (at: Rectangle) => void;
  onResize: (column: number, width: number, done: boolean) => void;
  onMoveColumn: (from: number, to: number) => void;
  /** Absent: rows cannot be dragged. */
  onMoveRow?: ((from: number, to: number) => void) | undefined;
}

const renderers = [booleanCellRenderer, loadingCellRenderer, markerCellRenderer, newRowCellRenderer] as unknown as InternalCellRenderer<InnerGridCell>[];
const customRenderers = [fieldRenderer, groupRenderer];
const imageLoader = new ImageWindowLoaderImpl();
const refusedTheme = (theme: Partial<Theme>): Partial<Theme> => ({ bgCell: getComputedStyle(document.documentElement).getPropertyValue('--danger-soft').trim(), ...(theme.textDark === undefined ? {} : { textDark: theme.textDark }) });

const typed = ({ data: { value, typedInto } }: FieldCell): Pick<GridEdit, 'value' | 'recordId'> => ({ value, ...(typedInto === undefined ? {} : { recordId: typedInto }) });

export const Grid = (props: GridProps) => {
  const { columns, rows, groupFields, groupStatistic, people, canEdit, recordAt, valueOf, refusalOf, version } = props;
  const editor = useRef<DataEditorRef>(null);
  const mode = useTheme();
  // The colours of the page have changed with it.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const theme = useMemo(gridTheme, [mode]);
  const [hover, setHover] = useState<string | undefined>();

  const getCellContent = useCallback(
    ([columnIndex, row]: Item): GridCell => {
      const column = columns[columnIndex];
      const header = rows.headerAt(row);
      if (header !== undefined) return columnIndex === 0 || column === undefined ? groupCell(header, groupFields[header.depth]) : groupStatisticCell(header, groupStatistic(header, column.field.id));
      const record = recordAt(row);
      if (column === undefined || record === undefined) return { kind: GridCellKind.Loading, allowOverlay: false, skeletonWidth: 70, skeletonWidthVariability: 60, skeletonHeight: 14 };
      const { field } = column;
      const value = valueOf(record, field.id);
      const readonly = !canEdit || field.isComputed === true;
      const refusal = refusalOf(record.id, field.id);
      const themeOverride = refusal === undefined ? {} : { themeOverride: refusedTheme(theme) };
      if (field.type === 'checkbox') return { kind: GridCellKind.Boolean, data: value === true, allowOverlay: false, readonly, ...(value === true && theme.accentColor !== undefined ? { themeOverride: { textMedium: theme.accentColor } } : themeOverride) };
      return { ...fieldCell({ field, value, people, recordId: record.id, refusal, readonly }), ...themeOverride };
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [columns, rows, groupFields, groupStatistic, people, canEdit, recordAt, valueOf, refusalOf, version, theme],
  );

  // Rows of one height are placed without adding them up, which matters when there are very many.
  const headerHeight = props.rows.rowCount > 50_000 ? props.rowHeight : 36;
  const rowGrouping = useMemo(
    () =>
      rows.headerRows.length === 0
        ? undefined
        : { groups: rows.headerRows.map((headerIndex) => ({ headerIndex, isCollapsed: false })), height: headerHeight, themeOverride: { bgCell: theme.bgHeader ?? '', bgCellMedium: theme.bgHeader ?? '' }, selectionBehavior: 'allow-spanning' as const },
    [rows, headerHeight, theme],
  );

  const drawCell = useCallback<DrawCellCallback>(({ ctx, rect, col, theme: cellTheme, hoverAmount, hoverX, cell }, drawContent) => {
    drawContent();
    if (col === 1 && hoverAmount > 0 && cell.kind === GridCellKind.Custom && isFieldCell(cell)) drawOpenButton(ctx, rect, cellTheme, hoverX);
  }, []);

  const onCellsEdited = (items: readonly EditListItem[]): boolean => {
    props.onEdit(
      items.map(({ location: [column, row], value }) => ({
        column,
        row,
        ...(value.kind === GridCellKind.Custom ? typed(value as FieldCell) : { value: value.kind === GridCellKind.Boolean && value.data === true ? true : null }),
      })),
    );
    return true;
  };

  const appendRow = async (): Promise<'bottom'> => {
    await props.onAppend();
    return 'bottom';
  };

  // The library takes the focus a frame after the click; what is typed until then would be lost.
  const focusOnClick = ({ button, target }: PointerEvent): void => {
    if (button === 0 && target instanceof Element && target.closest('button') === null) editor.current?.focus();
  };

  return (
    <div className="relative h-full w-full" title={hover} onPointerUp={focusOnClick}>
      <DataEditorCore
        ref={editor}
        width="100%"
        height="100%"
        columns={columns.map(({ field, width }) => ({ id: field.id, title: field.name, width, icon: field.type, hasMenu: true }))}
        rows={rows.rowCount}
        {...(rowGrouping === undefined ? {} : { rowGrouping })}
        rowHeight={props.rowHeight}
        headerHeight={36}
        freezeColumns={props.frozenColumns}
        theme={theme}
        getCellContent={getCellContent}
        getCellsForSelection
        drawCell={drawCell}
        renderers={renderers}
        customRenderers={customRenderers}
        imageWindowLoader={imageLoader}
        headerIcons={headerIcons}
        rowMarkers={{ kind: 'both', width: 52 }}
        rowSelectionMode="multi"
        gridSelection={props.selection}
        onGridSelectionChange={props.onSelection}
        onVisibleRegionChanged={({ x, y, height }, tx) => {
          props.onLook(y, y + height);
          props.onScroll(columns.slice(props.frozenColumns, x).reduce((sum, { width }) => sum + width, 0) - tx);
        }}
        onCellsEdited={onCellsEdited}
        onPaste={(target, values) => {
          if (canEdit) props.onPaste(target[1], target[0], values);
          return false;
        }}
        fillHandle={canEdit}
        keybindings={{ downFill: true, rightFill: true, search: false }}
        smoothScrollX
        smoothScrollY
        overscrollY={80}
        onKeyDown={props.onKey}
        onCellClicked={([column, row], event) => {
          const header = rows.headerAt(row);
          if (header !== undefined) {
            if (column === 0) props.onToggleGroup(header);
            return;
          }
          if (column !== 0 || event.localEventX < event.bounds.width - openButtonWidth) return;
          event.preventDefault();
          props.onOpen(row);
        }}
        onCellContextMenu={([, row], event) => {
          event.preventDefault();
          const at = { x: event.bounds.x + event.localEventX, y: event.bounds.y + event.localEventY, width: 1, height: 1 };
          const header = rows.headerAt(row);
          if (header === undefined) props.onRowMenu(row, at);
          else props.onGroupMenu(header, at);
        }}
        onHeaderMenuClick={props.onColumnMenu}
        onHeaderContextMenu={(column, event) => {
          event.preventDefault();
          props.onColumnMenu(column, event.bounds);
        }}
        onItemHovered={(event) => {
          const record = event.kind === 'cell' ? recordAt(event.location[1]) : undefined;
          const field = event.kind === 'cell' ? columns[event.location[0]]?.field : undefined;
          setHover(record === undefined || field === undefined ? undefined : refusalOf(record.id, field.id));
        }}
        onColumnResize={(_column, width, index) => props.onResize(index, width, false)}
        onColumnResizeEnd={(_column, width, index) => props.onResize(index, width, true)}
        minColumnWidth={60}
        maxColumnWidth={1_200}
        {...(props.onMoveRow === undefined ? {} : { onRowMoved: props.onMoveRow })}
        {...(props.canChangeFields
          ? {
              onColumnMoved: props.onMoveColumn,
              rightElementProps: { fill: true, sticky: false },
              rightElement: (
                <div className="flex h-full flex-col bg-surface">
                  <div className="h-[37px] border-b border-line bg-canvas">
                    <button
                      type="button"
                      aria-label="Add a field"
                      title="Add a field"
                      className="flex h-[36px] w-14 items-center justify-center border-r border-line text-ink-soft hover:bg-sunken hover:text-ink"
                      onClick={(event) => {
                        const { x, y, width, height } = event.currentTarget.getBoundingClientRect();
                        props.onAddColumn({ x, y, width, height });
                      }}
                    >
                      <Plus size={17} aria-hidden />
                    </button>
                  </div>
                </div>
              ),
            }
          : {})}
        {...(props.canCreate ? { onRowAppended: appendRow, trailingRowOptions: { hint: 'New record', sticky: true, tint: true } } : {})}
      />
    </div>
  );
};
