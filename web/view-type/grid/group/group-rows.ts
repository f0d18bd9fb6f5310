// The rows of the grid: headers, and below each innermost one its records. Records are counted in the order of the
// whole view, also those in collapsed groups, so that folding a group costs no request.
import type { Range } from '../../../record-data/record-window.ts';
import type { RowItem } from './row-items.ts';

export interface GroupHeader {
  id: string;
  depth: number;
  value: unknown;
  count: number;
  isCollapsed: boolean;
}

export interface GroupRows {
  rowCount: number;
  /** Rows that are headers, in order. */
  headerRows: readonly number[];
  headerAt(row: number): GroupHeader | undefined;
  /** The place of the record in this row. */
  placeAt(row: number): number | undefined;
  /** undefined when the record is in a collapsed group. */
  rowOf(place: number): number | undefined;
  /** The record that is held in this row. */
  heldAt(row: number): string | undefined;
  /** The row of a record that is held, unless its group is collapsed. */
  rowOfHeld(recordId: string): number | undefined;
  /** The groups around a record, outermost first. */
  groupsOf(place: number): readonly GroupHeader[];
  /** The groups around a row of a record. */
  groupsAt(row: number): readonly GroupHeader[];
  placesOf(first: number, last: number): Range[];
}

interface Segment {
  row: number;
  /** 0 while collapsed. */
  shown: number;
  /** undefined for a record that is held. */
  place: number | undefined;
  held: string | undefined;
  count: number;
  around: readonly GroupHeader[];
}

/** The last item whose `key` is not beyond `wanted`. */
const lastUpTo = <T>(list: readonly T[], wanted: number, key: (item: T) => number): T | undefined => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle] as T) <= wanted) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
};

export const groupRows = (items: readonly RowItem[], collapsed: ReadonlySet<string>): GroupRows => {
  const headers = new Map<number, GroupHeader>();
  const segments: Segment[] = [];
  let around: GroupHeader[] = [];
  let row = 0;
  for (const item of items) {
    const isHidden = around.some((header) => header.isCollapsed);
    if (item.kind === 'header') {
      around = around.slice(0, item.depth);
      const isInside = around.some((header) => header.isCollapsed);
      const header: GroupHeader = {
        id: item.id,
        depth: item.depth,
        value: item.value,
        count: 0,
        isCollapsed: collapsed.has(item.id),
      };
      around = [...around, header];
      if (!isInside) headers.set(row++, header);
      continue;
    }
    const count = item.kind === 'run' ? item.count : 1;
    for (const header of around) header.count += count;
    segments.push({
      row,
      shown: isHidden ? 0 : count,
      place: item.kind === 'run' ? item.place : undefined,
      held: item.kind === 'held' ? item.recordId : undefined,
      count,
      around,
    });
    if (!isHidden) row += count;
  }
  const open = segments.filter(({ shown }) => shown > 0);
  const segmentAt = (at: number): Segment | undefined => {
    const segment = lastUpTo(open, at, (item) => item.row);
    return segment !== undefined && at < segment.row + segment.shown ? segment : undefined;
  };
  // Places grow from top to bottom, whatever is held between them.
  const placed = segments.filter((segment): segment is Segment & { place: number } => segment.place !== undefined);
  const segmentOf = (place: number): (Segment & { place: number }) | undefined => {
    const segment = lastUpTo(placed, place, (item) => item.place);
    return segment !== undefined && place < segment.place + segment.count ? segment : undefined;
  };
  const heldRows = new Map(
    open.flatMap(({ held, row: at }): [string, number][] => (held === undefined ? [] : [[held, at]])),
  );
  return {
    rowCount: row,
    headerRows: [...headers.keys()],
    headerAt: (at) => headers.get(at),
    placeAt(at) {
      const segment = segmentAt(at);
      return segment?.place === undefined ? undefined : segment.place + at - segment.row;
    },
    rowOf(place) {
      const segment = segmentOf(place);
      return segment === undefined || segment.shown === 0 ? undefined : segment.row + place - segment.place;
    },
    heldAt: (at) => segmentAt(at)?.held,
    rowOfHeld: (recordId) => heldRows.get(recordId),
    groupsOf: (place) => segmentOf(place)?.around ?? [],
    groupsAt: (at) => segmentAt(at)?.around ?? [],
    placesOf: (first, last) =>
      open.flatMap((segment): Range[] => {
        const from = Math.max(first, segment.row);
        const to = Math.min(last, segment.row + segment.shown - 1);
        return segment.place === undefined || from > to
          ? []
          : [[segment.place + from - segment.row, segment.place + to - segment.row]];
      }),
  };
};
