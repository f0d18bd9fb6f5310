// Arrows from what has to be finished to what waits for it.
import type { Bar } from './bars.ts';
import type { BarTheme } from './draw-parts.ts';
import { rowHeight } from './rows.ts';
import type { Span } from './schedule.ts';

export interface Edge {
  from: string;
  to: string;
  /** It begins before it may. */
  isEarly: boolean;
  /** Both decide the end of everything. */
  isCritical: boolean;
}

interface Drawn {
  edges: readonly Edge[];
  rowOf: ReadonlyMap<string, number>;
  bars: ReadonlyMap<string, Bar>;
  theme: BarTheme;
}

interface Shown {
  origin: number;
  msPerPx: number;
  top: number;
  width: number;
  height: number;
  side: number;
  preview?: ReadonlyMap<string, Span> | undefined;
}

export const headerHeight = 46;
const bend = 9;

/** The corners of an arrow, from the end of one bar to the beginning of another. */
export const wayOf = (from: { x: number; y: number }, to: { x: number; y: number }): { x: number; y: number }[] => {
  if (to.x - from.x >= 2 * bend) {
    const middle = to.x - bend;
    return [from, { x: middle, y: from.y }, { x: middle, y: to.y }, to];
  }
  const between = to.y > from.y ? to.y - rowHeight / 2 : to.y + rowHeight / 2;
  return [
    from,
    { x: from.x + bend, y: from.y },
    { x: from.x + bend, y: between },
    { x: to.x - bend, y: between },
    { x: to.x - bend, y: to.y },
    to,
  ];
};

export const drawArrows = (
  pen: CanvasRenderingContext2D,
  { edges, rowOf, bars, theme }: Drawn,
  { origin, msPerPx, top, width, height, side, preview }: Shown,
): void => {
  const yOf = (row: number): number => headerHeight + row * rowHeight - top + rowHeight / 2;
  const x = (moment: number): number => side + (moment - origin) / msPerPx;
  pen.lineJoin = 'round';
  for (const { from, to, isEarly, isCritical } of edges) {
    const [fromRow, toRow] = [rowOf.get(from), rowOf.get(to)];
    if (fromRow === undefined || toRow === undefined) continue;
    const [y1, y2] = [yOf(fromRow), yOf(toRow)];
    if (Math.max(y1, y2) < headerHeight || Math.min(y1, y2) > height) continue;
    const [one, other] = [bars.get(from) as Bar, bars.get(to) as Bar];
    const [before, behind] = [preview?.get(from) ?? one, preview?.get(to) ?? other];
    const x1 = one.isMilestone ? x((before.start + before.end) / 2) + 9 : x(before.end);
    const x2 = (other.isMilestone ? x((behind.start + behind.end) / 2) - 9 : x(behind.start)) - 1;
    if (Math.max(x1, x2) < side - 20 || Math.min(x1, x2) > width + 20) continue;
    const color = isEarly ? theme.warn : isCritical ? theme.danger : theme.inkFaint;
    pen.strokeStyle = color;
    pen.fillStyle = color;
    pen.lineWidth = isCritical ? 1.75 : 1.25;
    pen.setLineDash(isEarly ? [4, 3] : []);
    pen.beginPath();
    for (const corner of wayOf({ x: x1, y: y1 }, { x: x2 - 3, y: y2 })) pen.lineTo(corner.x, corner.y);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x2, y2);
    pen.lineTo(x2 - 6, y2 - 4);
    pen.lineTo(x2 - 6, y2 + 4);
    pen.closePath();
    pen.fill();
  }
};
