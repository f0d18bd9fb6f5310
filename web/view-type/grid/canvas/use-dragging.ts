// Rows and columns that are dragged with the mouse: what comes along, and where it would go.
import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Column } from '../../../record-data/columns.ts';
import { numbersOf, type Slice } from '../selection/grid-selection.ts';
import type { Dropping } from './drop-target.tsx';

interface DraggingInput {
  frame: RefObject<HTMLDivElement | null>;
  markerWidth: number;
  columns: readonly Column[];
  selectedColumns: readonly Slice[];
  canMoveRows: boolean;
  canMoveColumns: boolean;
  /** How many rows move when this one is dragged. */
  rowsWith: (row: number) => number;
  onGrab: () => void;
}

interface Dragging {
  /** Where what is dragged would go. */
  dropping: Dropping | undefined;
  /** The mouse button goes down. */
  grab: (event: PointerEvent) => void;
  /** The mouse is there, with its button down. */
  drag: (column: number, row: number) => void;
  /** The columns that were selected with this one when the mouse button went down. */
  together: (column: number) => readonly number[];
}

export const useDragging = ({
  frame,
  markerWidth,
  columns,
  selectedColumns,
  canMoveRows,
  canMoveColumns,
  rowsWith,
  onGrab,
}: DraggingInput): Dragging => {
  const [dropping, setDropping] = useState<Dropping>();
  /** What was selected when the mouse button went down: the library selects the column it is on alone. */
  const grabbed = useRef<{ kind: 'row' | 'column' | undefined; columns: readonly number[]; from?: number }>({
    kind: undefined,
    columns: [],
  });
  const together = (column: number): readonly number[] =>
    grabbed.current.columns.includes(column) ? grabbed.current.columns : [column];

  return {
    dropping,
    together,
    grab({ button, clientX, clientY }) {
      if (button !== 0) return;
      const corner = frame.current?.getBoundingClientRect();
      const kind =
        corner === undefined
          ? undefined
          : clientY - corner.top < 36
            ? 'column'
            : clientX - corner.left < markerWidth
              ? 'row'
              : undefined;
      grabbed.current = { kind, columns: numbersOf(selectedColumns) };
      onGrab();
      const drop = (): void => setDropping(undefined);
      globalThis.addEventListener('pointerup', drop, { once: true });
      globalThis.addEventListener('pointercancel', drop, { once: true });
    },
    drag(column, row) {
      const { kind } = grabbed.current;
      const at = kind === 'column' ? column : row;
      const canDrag = kind === 'row' ? canMoveRows : kind === 'column' && canMoveColumns;
      if (!canDrag || at < 0) return;
      const from = (grabbed.current.from ??= at);
      const isFixed = kind === 'column' && (columns[from]?.field.isPrimary === true || at === 0);
      setDropping(
        at === from || isFixed
          ? undefined
          : {
              kind: kind as 'row' | 'column',
              from,
              to: at,
              count: kind === 'row' ? rowsWith(from) : together(from).length,
            },
      );
    },
  };
};
