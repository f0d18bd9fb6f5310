// Rows that are dragged to another place, or moved there by a key: in views whose order is made by hand, and from group to group.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { announce } from '../../ui/announce.ts';
import { showToast } from '../../ui/toast.ts';
import { type MoveTarget, targetOf } from './group/move-target.ts';
import { numbersOf } from './selection/grid-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { GridActions } from './use-grid-actions.ts';

/** As many as one request takes. */
const mostMoved = 1_000;

interface RowMoves {
  /** Of the ticked rows when it is one of them, else of this row alone; from top to bottom. */
  rowsWith(row: number): number[];
  move(from: number, to: number): void;
  /** One row up or down, past headers. */
  step(row: number, by: -1 | 1): void;
}

interface Allowed {
  /** Records stand in an order that is made by hand. */
  order: boolean;
  /** Cells that decide about groups may be written. */
  group: boolean;
}

export const useRowMoves = ({ drawn, rows, recordAt }: Cursor, actions: GridActions, may: Allowed): RowMoves => {
  const rowsWith = (row: number): number[] => {
    const ticks = numbersOf(drawn.rows);
    return ticks.includes(row) ? ticks : [row];
  };
  const groupKeyAt = (row: number): string => rows.groupsAt(row).at(-1)?.id ?? '';
  const moveTo = (from: number, target: MoveTarget | undefined): boolean => {
    const places = rowsWith(from);
    const moved = places.flatMap((row): RecordVo[] => {
      const record = recordAt(row);
      return record === undefined ? [] : [record];
    });
    if (target === undefined || moved.length === 0) return false;
    if (moved.length < places.length || moved.length > mostMoved) {
      showToast({
        kind: 'problem',
        title: `At most ${mostMoved.toLocaleString('en')} records can be moved at once.`,
      });
      return false;
    }
    const group = target.around.at(-1)?.id ?? '';
    const changesGroup = places.some((row) => groupKeyAt(row) !== group);
    const beside = target.beside === undefined ? undefined : recordAt(target.beside.row);
    const isPlaced = may.order && beside !== undefined;
    if ((changesGroup && !may.group) || (!changesGroup && !isPlaced)) return false;
    void actions.move({
      records: moved,
      ...(isPlaced ? { run: { anchorId: beside.id, position: target.beside?.position ?? 'after' } } : {}),
      ...(changesGroup ? { into: { around: target.around, neighbour: beside } } : {}),
    });
    return true;
  };
  return {
    rowsWith,
    move: (from, to) => void moveTo(from, targetOf(rows, rowsWith(from), from, to)),
    step(row, by) {
      const places = rowsWith(row);
      const edge = by === 1 ? (places.at(-1) as number) : (places[0] as number);
      const name = recordAt(row)?.name ?? 'The record';
      const isMoved = moveTo(row, targetOf(rows, places, edge, edge + by));
      announce(
        isMoved ? `${name} moved ${by === 1 ? 'down' : 'up'}` : `${name} cannot be moved ${by === 1 ? 'down' : 'up'}`,
      );
    },
  };
};
