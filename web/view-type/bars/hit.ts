// What is under the pointer.
import { dayLength } from '@rowhouse/contract/working-days.ts';
import type { Bar } from './bars.ts';
import { headerHeight } from './draw-arrows.ts';
import { firstBehind, type Lane, type Row, rowHeight } from './rows.ts';

export interface Hit {
  row: number;
  lane: Lane | undefined;
  bar?: Bar;
  /** An end is taken hold of, or all of it; a name in the column beside is only pressed. */
  part?: 'start' | 'end' | 'whole' | 'name';
}

const leastWide = 10;

interface Pointed {
  rows: readonly Row[];
  side: number;
  top: number;
  msPerPx: number;
  xOf: (moment: number) => number;
}

/** `grip`: how near to an end one has to be; a finger takes hold of more than a mouse. */
export const hitAt = (
  { rows, side, top, msPerPx, xOf }: Pointed,
  x: number,
  y: number,
  grip: number,
): Hit | undefined => {
  if (y < headerHeight) return undefined;
  const index = Math.floor((y - headerHeight + top) / rowHeight);
  const row = rows[index];
  if (row === undefined) return { row: index, lane: undefined };
  const place = { row: index, lane: row.lane };
  if (row.isHead) return place;
  if (x < side) return row.bars[0] === undefined ? place : { ...place, bar: row.bars[0], part: 'name' };
  const slack = Math.max(leastWide, grip) * msPerPx;
  const moment = (x - xOf(0)) * msPerPx;
  for (let at = Math.max(0, firstBehind(row.bars, moment - slack) - 1); at < row.bars.length; at += 1) {
    const bar = row.bars[at] as Bar;
    if (bar.start > moment + slack) break;
    let [left, right] = [xOf(bar.start), Math.max(xOf(bar.end), xOf(bar.start) + leastWide)];
    if (bar.isMilestone) {
      const middle = xOf((bar.start + bar.end) / 2);
      [left, right] = [middle - leastWide, middle + leastWide];
    }
    if (x < left - 2 || x > right + 2) continue;
    const wide = right - left;
    // Of a short bar the middle is for moving it.
    const reach = Math.min(grip, wide / 3);
    if (bar.isMilestone || wide < 18) return { ...place, bar, part: 'whole' };
    return { ...place, bar, part: x < left + reach ? 'start' : x > right - reach ? 'end' : 'whole' };
  }
  return place;
};

/** Time moves by days, or where hours can be told apart, by quarters of one. */
export const stepAt = (pxPerDay: number, byDay: boolean): number =>
  byDay || pxPerDay < 300 ? dayLength : dayLength / 96;
