// The rows of a grouped grid: headers, and below each innermost one its records. Records are counted in the order
// of the whole view, also those in collapsed groups, so that folding a group costs no request.
import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type { Range } from '../record-window.ts';

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
  /** The groups around a record, outermost first. */
  groupsOf(place: number): readonly GroupHeader[];
  placesOf(first: number, last: number): Range[];
}

interface Segment {
  row: number;
  /** 0 while collapsed. */
  shown: number;
  place: number;
  count: number;
  around: readonly GroupHeader[];
}

export const plainRows = (count: number): GroupRows => ({
  rowCount: count,
  headerRows: [],
  headerAt: () => undefined,
  placeAt: (row) => row,
  rowOf: (place) => place,
  groupsOf: () => [],
  placesOf: (first, last) => [[first, last]],
});

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

export const groupRows = (points: readonly GroupPoint[], collapsed: ReadonlySet<string>): GroupRows => {
  const headers = new Map<number, GroupHeader>();
  const segments: Segment[] = [];
  let around: GroupHeader[] = [];
  let row = 0;
  let place = 0;
  for (const point of points) {
    if (point.type === 0) {
      around = around.slice(0, point.depth);
      const isHidden = around.some((header) => header.isCollapsed);
      const header: GroupHeader = { id: point.id, depth: point.depth, value: point.value, count: 0, isCollapsed: collapsed.has(point.id) };
      around = [...around, header];
      if (!isHidden) headers.set(row++, header);
    } else {
      for (const header of around) header.count += point.count;
      const shown = around.some((header) => header.isCollapsed) ? 0 : point.count;
      segments.push({ row, shown, place, count: point.count, around });
      row += shown;
      place += point.count;
    }
  }
  const open = segments.filter(({ shown }) => shown > 0);
  const placeAt = (at: number): number | undefined => {
    const segment = lastUpTo(open, at, (item) => item.row);
    return segment !== undefined && at < segment.row + segment.shown ? segment.place + at - segment.row : undefined;
  };
  const segmentOf = (at: number): Segment | undefined => lastUpTo(segments, at, (item) => item.place);
  return {
    rowCount: row,
    headerRows: [...headers.keys()],
    headerAt: (at) => headers.get(at),
    placeAt,
    rowOf(at) {
      const segment = segmentOf(at);
      return segment === undefined || at - segment.place >= segment.shown ? undefined : segment.row + at - segment.place;
    },
    groupsOf: (at) => segmentOf(at)?.around ?? [],
    placesOf: (first, last) =>
      open.flatMap((segment): Range[] => {
        const from = Math.max(first, segment.row);
        const to = Math.min(last, segment.row + segment.shown - 1);
        return from > to ? [] : [[segment.place + from - segment.row, segment.place + to - segment.row]];
      }),
  };
};
