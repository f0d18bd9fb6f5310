// Where bars stand: below each other, or side by side in lanes with as few rows as there is room for.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { choicesOf, listOf } from '../../field-type/cell/cell-parts.ts';
import { shownText } from '../../field-type/cell-text.ts';
import type { Bar } from './bars.ts';

export const rowHeight = 32;

export interface Lane {
  key: string;
  name: string;
  /** What a record has in its cell that is put here. */
  cell: unknown;
}

export interface Row {
  lane: Lane | undefined;
  /** The row names the lane; bars of it follow. */
  isHead: boolean;
  /** In the order of time, none over another. */
  bars: readonly Bar[];
  /** Of a head: how many records there are. */
  count: number;
}

const noLane: Lane = { key: '', name: '', cell: null };

/** A record with several choices, people or links stands in the lane of each. */
const lanesOf = (field: Field, record: RecordVo): Lane[] => {
  const value = record.fields[field.id];
  const items = Array.isArray(value) ? listOf(value) : [value];
  const lanes = items.flatMap((item): Lane[] => {
    const single = Array.isArray(value) ? [item] : item;
    const name = item === null || item === undefined ? '' : shownText(field, single);
    const key = (item as { id?: string } | null | undefined)?.id ?? name;
    return name === '' && key === '' ? [] : [{ key, name, cell: single }];
  });
  return lanes.length === 0 ? [noLane] : lanes;
};

/** Bars next to each other leave room for `gap`, so that none is hidden by its neighbour's least width. */
const packed = (bars: readonly Bar[], gap: number): Bar[][] => {
  const rows: Bar[][] = [];
  const ends: number[] = [];
  for (const bar of bars.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    let at = ends.findIndex((end) => end <= bar.start);
    if (at < 0) at = ends.length;
    ends[at] = Math.max(bar.end, bar.start + gap);
    const row = rows[at];
    if (row === undefined) rows[at] = [bar];
    else row.push(bar);
  }
  return rows;
};

interface Arranged {
  field: Field | undefined;
  /** Of a Gantt chart each bar has a row, in the order given. */
  isRowEach: boolean;
  gap: number;
}

export const rowsOf = (bars: readonly Bar[], { field, isRowEach, gap }: Arranged): Row[] => {
  const rowsIn = (lane: Lane | undefined, own: readonly Bar[]): Row[] =>
    (isRowEach ? own.map((bar) => [bar]) : packed(own, gap)).map((together) => ({
      lane,
      isHead: false,
      bars: together,
      count: 0,
    }));
  if (field === undefined) return rowsIn(undefined, bars);
  const lanes = new Map<string, { lane: Lane; bars: Bar[] }>();
  for (const bar of bars)
    for (const lane of lanesOf(field, bar.record)) {
      const found = lanes.get(lane.key);
      if (found === undefined) lanes.set(lane.key, { lane, bars: [bar] });
      else found.bars.push(bar);
    }
  const places = new Map(choicesOf(field).map(({ name }, index) => [name, index]));
  const placeOf = ({ key, name }: Lane): number =>
    key === '' ? Number.POSITIVE_INFINITY : (places.get(name) ?? places.size);
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  return [...lanes.values()]
    .toSorted((one, other) => placeOf(one.lane) - placeOf(other.lane) || compare(one.lane.name, other.lane.name))
    .flatMap(({ lane, bars: own }) => {
      const named = lane.key === '' ? { ...lane, name: `No ${field.name}` } : lane;
      return [{ lane: named, isHead: true, bars: [], count: own.length }, ...rowsIn(named, own)];
    });
};

/** The first bar of a row that ends behind a moment, by its index. */
export const firstBehind = (bars: readonly Bar[], moment: number): number => {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle] as Bar).end < moment) low = middle + 1;
    else high = middle;
  }
  return low;
};
