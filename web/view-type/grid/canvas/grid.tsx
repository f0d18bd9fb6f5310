// The one place that knows the grid library. Everything else speaks of records, fields and columns.
import {
  DataEditorCore,
  type DataEditorRef,
  type DrawCellCallback,
  type EditListItem,
  GridCellKind,
  type GridKeyEventArgs,
  type GridSelection as LibrarySelection,
  ImageWindowLoaderImpl,
  type InnerGridCell,
  type InternalCellRenderer,
  loadingCellRenderer,
  markerCellRenderer,
  newRowCellRenderer,
} from '@glideapps/glide-data-grid';
import '@glideapps/glide-data-grid/dist/index.css';
import { type PointerEvent, useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTheme } from '../../../ui/use-theme.ts';
import { shownCell } from '../../../field-type/cell-text.ts';
import { kindOfField } from '../../../field-type/field-types.ts';
import { numbersOf } from '../selection/grid-selection.ts';
import { AddFieldButton, addFieldWidth } from './add-field-button.tsx';
import { BelowRows } from './below-rows.tsx';
import { isOnCheckbox } from './draw-checkbox.ts';
import { drawCommentCount } from './draw-comment-count.ts';
import { drawOpenButton, isOnOpenButton, type PlaceInCell } from './draw-open-button.ts';
import { drawPerson } from './draw-person.ts';
import { DropTarget } from './drop-target.tsx';
import { type FieldCell, isFieldCell } from './field-cell.ts';
import { fieldRenderer } from './field-renderer.ts';
import type { GridHandle, GridProps } from './grid-props.ts';
import { gridTheme } from './grid-theme.ts';
import { groupRenderer } from './group-cell.ts';
import { headerIcons } from './header-icons.ts';
import { useKeptFocus } from './keep-focus.ts';
import { forLibrary, fromLibrary } from './library-selection.ts';
import { usePressedInside } from './pressed-inside.ts';
import { type Pressed, useCellContent } from './use-cell-content.ts';
import { useCellDrop } from './use-cell-drop.ts';
import { useDragging } from './use-dragging.ts';
import { useColorsAt, useRowLooks } from './use-row-looks.ts';
import { useTap } from './use-tap.ts';

const renderers = [
  loadingCellRenderer,
  markerCellRenderer,
  newRowCellRenderer,
] as unknown as InternalCellRenderer<InnerGridCell>[];
const customRenderers = [fieldRenderer, groupRenderer];
const imageLoader = new ImageWindowLoaderImpl();
/** What the keys do is said elsewhere (use-grid-keys.ts); the library moves and extends the selection. */
const keybindings = {
  copy: false,
  cut: false,
  paste: false,
  delete: false,
  activateCell: false,
  clear: false,
  search: false,
  downFill: false,
  rightFill: false,
} as const;

const markerWidth = 52;

export const Grid = (props: GridProps) => {
  const { columns, rows, canEdit, recordAt, valueOf, refusalOf, personAt, commentsAt } = props;
  const editor = useRef<DataEditorRef>(null);
  const frame = useRef<HTMLDivElement>(null);
  const pressedKey = useRef(false);
  const mode = useTheme();
  // The colours of the page have changed with it.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const theme = useMemo(gridTheme, [mode]);
  const [hover, setHover] = useState<string | undefined>();
  const [hoveredRow, setHoveredRow] = useState<number>();
  const isSettling = useRef(false);
  const pressed = useRef<Pressed>({ at: undefined, hasOpened: false });
  const scrolledAt = useRef(0);
  const selection = useMemo(() => forLibrary(props.selection), [props.selection]);
  const frozen = props.frozenColumns;
  // The library renews the table for screen readers only when these have been the same for a while.
  const resizing = useRef<'pressed' | 'moved'>(undefined);
  const libraryColumns = useMemo(
    () =>
      columns.map(({ field, width: columnWidth }) => ({
        id: field.id,
        title: field.name,
        width: columnWidth,
        icon: kindOfField(field),
        hasMenu: props.isForVisitors !== true,
      })),
    [columns, props.isForVisitors],
  );
  const latestKey = useRef(props.onKey);
  latestKey.current = props.onKey;
  const onKeyDown = useCallback((event: GridKeyEventArgs) => latestKey.current(event), []);

  const tapped = useTap(frame);
  useKeptFocus(frame, () => editor.current?.focus());
  const isPressedInside = usePressedInside(frame);

  useImperativeHandle(
    props.handle,
    (): GridHandle => ({
      bounds: (column, row) => editor.current?.getBounds(column, row),
      focus: () => editor.current?.focus(),
      hasFocus: () => frame.current?.contains(document.activeElement) === true,
      scrollTo: (column, row) => editor.current?.scrollTo(column, row),
    }),
    [],
  );

  const colorsAt = useColorsAt(props);
  const getCellContent = useCellContent({ props, pressed, theme, colorsAt });
  const { headerHeight, rowGrouping, rowTheme } = useRowLooks({ props, theme, colorsAt, hoveredRow });

  const drawCell = useCallback<DrawCellCallback>(
    ({ ctx, rect, col, row, theme: cellTheme, hoverAmount, hoverX, cell }, drawContent) => {
      drawContent();
      if (col === 0 && cell.kind === GridCellKind.Custom && isFieldCell(cell)) {
        const comments = commentsAt(row);
        if (comments > 0) drawCommentCount(ctx, rect, cellTheme, comments, hoverAmount > 0);
        if (hoverAmount > 0) drawOpenButton(ctx, rect, cellTheme, hoverX);
      }
      const person = personAt(col, row);
      if (person !== undefined) drawPerson(ctx, rect, person);
    },
    [personAt, commentsAt],
  );

  const onCellsEdited = (items: readonly EditListItem[]): boolean => {
    props.onEdit(
      items.flatMap(({ value }) =>
        value.kind === GridCellKind.Custom && isFieldCell(value) ? [(value as FieldCell).data] : [],
      ),
    );
    return true;
  };

  /** The library would select a row by its number as soon as there is one more. */
  const appendRow = (): Promise<undefined> => {
    props.onAppend();
    return new Promise(() => undefined);
  };

  const rowsHeight =
    37 +
    (rows.rowCount - rows.headerRows.length + (props.canCreate ? 1 : 0)) * props.rowHeight +
    rows.headerRows.length * headerHeight;
  const columnsWidth = columns.reduce(
    (sum, column) => sum + column.width,
    markerWidth + (props.canChangeFields ? addFieldWidth : 0),
  );
  const { dropping, grab, drag, together } = useDragging({
    frame,
    markerWidth,
    columns,
    selectedColumns: props.selection.columns,
    canMoveRows: props.onMoveRow !== undefined,
    canMoveColumns: props.canChangeFields,
    rowsWith: props.rowsWith,
    onGrab: props.onGrab,
  });

  // The library takes the focus a frame after the click; what is typed until then would be lost.
  const focusOnClick = ({ button, target, clientY }: PointerEvent): void => {
    const isBelow = clientY - (frame.current?.getBoundingClientRect().top ?? 0) > rowsHeight;
    if (button === 0 && !isBelow && target instanceof Element && target.closest('button') === null)
      editor.current?.focus();
  };

  const onSelection = (next: LibrarySelection): void => {
    // It means the column by its number among those that there were before it was moved.
    if (isSettling.current) return;
    const chosen = fromLibrary(next);
    props.onSelection(chosen);
    // A click is where it is; the keys may lead out of sight.
    if (
      pressedKey.current &&
      chosen.current !== undefined &&
      chosen.current.range.width * chosen.current.range.height === 1
    )
      editor.current?.scrollTo(chosen.current.column, chosen.current.row);
  };

  const isOnTick = (column: number, row: number, { localEventX, localEventY, bounds }: PlaceInCell): boolean => {
    const field = columns[column]?.field;
    const record = recordAt(row);
    return (
      canEdit &&
      field !== undefined &&
      field.isComputed !== true &&
      record !== undefined &&
      shownCell(field, valueOf(record, field.id)).as === 'tick' &&
      isOnCheckbox(localEventX, localEventY, bounds)
    );
  };

  const cellDrop = useCellDrop({ editor, takesFiles: props.takesFiles, onFiles: props.onFiles });
  const corner = frame.current?.getBoundingClientRect();
  const takenAt = cellDrop.over === undefined ? undefined : editor.current?.getBounds(...cellDrop.over);

  return (
    <div
      ref={frame}
      className="relative h-full w-full"
      title={hover}
      onPointerDownCapture={(event) => {
        const { current } = props.selection;
        pressed.current = {
          at: current === undefined ? undefined : `${current.column} ${current.row}`,
          hasOpened: false,
        };
        grab(event);
      }}
      onPointerUp={focusOnClick}
      onKeyDownCapture={() => (pressedKey.current = true)}
      onKeyUpCapture={() => (pressedKey.current = false)}
      onMouseDownCapture={() => (pressedKey.current = false)}
      {...cellDrop.handlers}
    >
      <DataEditorCore
        ref={editor}
        width="100%"
        height="100%"
        columns={libraryColumns}
        rows={rows.rowCount}
        {...(rowGrouping === undefined ? {} : { rowGrouping })}
        getRowThemeOverride={rowTheme}
        rowHeight={props.rowHeight}
        headerHeight={36}
        freezeColumns={frozen}
        theme={theme}
        getCellContent={getCellContent}
        drawCell={drawCell}
        renderers={renderers}
        customRenderers={customRenderers}
        imageWindowLoader={imageLoader}
        headerIcons={headerIcons}
        rowMarkers={{ kind: props.isForVisitors === true ? 'number' : 'both', width: markerWidth }}
        rowSelectionMode="multi"
        gridSelection={selection}
        onGridSelectionChange={onSelection}
        scrollToActiveCell={false}
        onVisibleRegionChanged={({ x, y, height }, tx) => {
          scrolledAt.current = performance.now();
          props.onLook(y, y + height);
          props.onScroll(columns.slice(frozen, x).reduce((sum, { width }) => sum + width, 0) - tx);
        }}
        onCellsEdited={onCellsEdited}
        // A second click only selects: what is typed then replaces the text. A tap opens the record, where fingers edit.
        cellActivationBehavior="double-click"
        onCellActivated={([column, row], { inputType }) =>
          inputType === 'pointer' && !pressed.current.hasOpened && props.onActivate(column, row)
        }
        onPaste={false}
        onFillPattern={({ patternSource, fillDestination, preventDefault }) => {
          preventDefault();
          props.onFill(patternSource, fillDestination);
        }}
        getCellsForSelection
        fillHandle={canEdit}
        keybindings={keybindings}
        smoothScrollX
        smoothScrollY
        onKeyDown={onKeyDown}
        onCellClicked={([column, row], event) => {
          const header = rows.headerAt(row);
          if (header !== undefined) {
            if (column === 0) props.onToggleGroup(header);
            return;
          }
          if (recordAt(row) === undefined || column < 0) return;
          if (event.isTouch ? isOnTick(column, row, event) : column !== 0 || !isOnOpenButton(event)) return;
          event.preventDefault();
          // A finger that stayed has opened the menu.
          if (event.isLongTouch === true) return;
          if (event.isTouch) tapped();
          props.onOpen(row);
        }}
        onCellContextMenu={([, row], event) => {
          event.preventDefault();
          const at = {
            x: event.bounds.x + event.localEventX,
            y: event.bounds.y + event.localEventY,
            width: 1,
            height: 1,
          };
          const header = rows.headerAt(row);
          if (header === undefined) props.onRowMenu(row, at);
          else props.onGroupMenu(header, at);
        }}
        onHeaderMenuClick={(column, at) => isPressedInside.current && props.onColumnMenu(column, at, together(column))}
        onHeaderContextMenu={(column, event) => {
          event.preventDefault();
          const selected = numbersOf(props.selection.columns);
          props.onColumnMenu(column, event.bounds, selected.includes(column) ? selected : [column]);
        }}
        onMouseMove={({ kind, location: [column, row = -1], buttons }) => {
          if (buttons === 1 && kind !== 'out-of-bounds') drag(column, row);
        }}
        onColumnProposeMove={(from, to) => columns[from]?.field.isPrimary !== true && to > 0}
        onItemHovered={(event) => {
          // While rows run through below the mouse, none of them is meant.
          setHoveredRow(
            event.kind === 'cell' && performance.now() - scrolledAt.current > 200 ? event.location[1] : undefined,
          );
          const record = event.kind === 'cell' ? recordAt(event.location[1]) : undefined;
          const field = event.kind === 'cell' ? columns[event.location[0]]?.field : undefined;
          setHover(record === undefined || field === undefined ? undefined : refusalOf(record.id, field.id));
        }}
        onColumnResizeStart={() => (resizing.current = 'pressed')}
        onColumnResize={(_column, width, index) => {
          // After a double click on its edge the library tells the width that fits.
          props.onResize(index, width, resizing.current === undefined);
          if (resizing.current !== undefined) resizing.current = 'moved';
        }}
        onColumnResizeEnd={(_column, width, index) => {
          // A click that moved nothing would be told as the least width.
          if (resizing.current !== 'moved') return void (resizing.current = undefined);
          props.onResize(index, width, true);
          // Other columns that are selected are told in the same moment.
          queueMicrotask(() => (resizing.current = undefined));
        }}
        minColumnWidth={60}
        maxColumnWidth={1_200}
        {...(props.onMoveRow === undefined ? {} : { onRowMoved: props.onMoveRow })}
        {...(props.canChangeFields
          ? {
              onColumnMoved: (from: number, to: number) => {
                isSettling.current = true;
                queueMicrotask(() => (isSettling.current = false));
                props.onMoveColumns(from, to, together(from));
              },
              rightElementProps: { fill: true, sticky: false },
              rightElement: <AddFieldButton onClick={props.onAddColumn} />,
            }
          : {})}
        {...(props.canCreate
          ? { onRowAppended: appendRow, trailingRowOptions: { hint: 'New record', sticky: false, tint: true } }
          : {})}
      />
      <BelowRows rowsHeight={rowsHeight} columnsWidth={columnsWidth} />
      {dropping !== undefined && (
        <DropTarget
          dropping={dropping}
          columns={columns}
          bounds={(column, row) => editor.current?.getBounds(column, row)}
          frame={frame.current?.getBoundingClientRect()}
        />
      )}
      {takenAt !== undefined && corner !== undefined && (
        <div
          aria-hidden
          data-drop="files"
          className="pointer-events-none absolute z-10 border-2 border-accent bg-accent/10"
          style={{
            left: takenAt.x - corner.x,
            top: takenAt.y - corner.y,
            width: takenAt.width,
            height: takenAt.height,
          }}
        />
      )}
    </div>
  );
};
