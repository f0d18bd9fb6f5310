// Rows that are dragged to another place, in views whose order is made by hand.
import { showToast } from '../../ui/toast.ts';
import { numbersOf } from './selection/grid-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { GridActions } from './use-grid-actions.ts';

/** As many as one request takes. */
const mostMoved = 1_000;

interface RowMoves {
  /** Of the ticked rows when it is one of them, else of this row alone; from top to bottom. */
  rowsWith(row: number): number[];
  move(from: number, to: number): void;
}

export const useRowMoves = ({ drawn, rows, recordAt }: Cursor, actions: GridActions): RowMoves => {
  const rowsWith = (row: number): number[] => {
    const ticks = numbersOf(drawn.rows);
    return ticks.includes(row) ? ticks : [row];
  };
  return {
    rowsWith,
    move(from, wanted) {
      const places = rowsWith(from);
      const moved = places.flatMap((row) => recordAt(row)?.id ?? []);
      const to = Math.min(wanted, rows.rowCount - 1);
      if (from === to) return;
      if (moved.length < places.length || moved.length > mostMoved)
        return showToast({
          kind: 'problem',
          title: `At most ${mostMoved.toLocaleString('en')} records can be moved at once.`,
        });
      const step = from < to ? -1 : 1;
      let anchor = to;
      while (places.includes(anchor)) anchor += step;
      const beside = recordAt(anchor);
      if (beside === undefined) return;
      void actions.move({ recordIds: moved, anchorId: beside.id, position: from < to ? 'after' : 'before' });
    },
  };
};
