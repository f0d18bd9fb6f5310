// Draws bars on a canvas: on the screen as much as is in sight, and as a picture all of it.
import { dayLength, dayOf, type WorkingTime } from '@rowhouse/contract/working-days.ts';
import type { Bar } from './bars.ts';
import { drawArrows, type Edge, headerHeight } from './draw-arrows.ts';
import { type BarTheme, drawText, rounded } from './draw-parts.ts';
import { firstBehind, type Row, rowHeight } from './rows.ts';
import { tickName, ticksOf, unitsAt } from './scale.ts';
import type { Span } from './schedule.ts';

const barHeight = 22;
const barTop = (rowHeight - barHeight) / 2;

export interface Scene {
  rows: readonly Row[];
  edges: readonly Edge[];
  /** The row of each bar; of one in several lanes the first. */
  rowOf: ReadonlyMap<string, number>;
  bars: ReadonlyMap<string, Bar>;
  works: WorkingTime;
  /** Wall time. */
  now: number;
  /** Behind the bars of a row each has its name in a column of its own. */
  sideName: string | undefined;
  theme: BarTheme;
  colorOf: (bar: Bar) => string | undefined;
  critical: ReadonlySet<string>;
}

/** What is shown of it, and what is being done. */
export interface Port {
  /** The moment at the left edge, beside the column of names. */
  origin: number;
  msPerPx: number;
  /** Pixels that are scrolled away above. */
  top: number;
  width: number;
  height: number;
  /** The width of the column of names; 0: there is none. */
  side: number;
  preview?: ReadonlyMap<string, Span> | undefined;
  /** A new bar that is being drawn, in a row. */
  fresh?: (Span & { row: number }) | undefined;
  hovered?: string | undefined;
  /** The lane under what is dragged. */
  targetLane?: string | undefined;
  /** In words: where what is dragged would be. */
  hint?: { text: string; x: number; y: number } | undefined;
}

type Pen = CanvasRenderingContext2D;

const drawGround = (pen: Pen, scene: Scene, port: Port): void => {
  const { theme, works } = scene;
  const { origin, msPerPx, width, height, side } = port;
  const pxPerDay = dayLength / msPerPx;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, width, height);
  const until = origin + (width - side) * msPerPx;
  const x = (moment: number): number => side + (moment - origin) / msPerPx;
  // Where days are thinner than a hair nobody sees which are free.
  if (pxPerDay >= 3) {
    pen.fillStyle = theme.free;
    for (let day = dayOf(origin); day <= dayOf(until); day += 1)
      if (!works.isWorking(day)) pen.fillRect(x(day * dayLength), headerHeight, pxPerDay, height);
  }
  pen.fillStyle = theme.line;
  for (const tick of ticksOf(unitsAt(pxPerDay).minor, origin, until))
    pen.fillRect(Math.round(x(tick)), headerHeight, 1, height);
};

const drawHeader = (pen: Pen, scene: Scene, port: Port): void => {
  const { theme, now } = scene;
  const { origin, msPerPx, width, side } = port;
  const { minor, major } = unitsAt(dayLength / msPerPx);
  const until = origin + (width - side) * msPerPx;
  const x = (moment: number): number => side + (moment - origin) / msPerPx;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, width, headerHeight);
  pen.fillStyle = theme.line;
  pen.fillRect(0, headerHeight - 1, width, 1);
  pen.save();
  pen.beginPath();
  pen.rect(side, 0, width - side, headerHeight);
  pen.clip();
  pen.textBaseline = 'middle';
  if (major !== minor) {
    pen.font = `600 12px ${theme.font}`;
    const ticks = ticksOf(major, origin, until);
    ticks.slice(0, -1).forEach((tick, index) => {
      const [left, right] = [x(tick), x(ticks[index + 1] as number)];
      // What began before the edge is named at the edge.
      const from = Math.max(left, side) + 8;
      pen.fillStyle = theme.line;
      pen.fillRect(Math.round(left), 0, 1, headerHeight);
      drawText(pen, tickName(major, tick, true), from, 13, right - from - 4, theme.ink);
    });
  }
  pen.font = `12px ${theme.font}`;
  const ticks = ticksOf(minor, origin, until);
  ticks.slice(0, -1).forEach((tick, index) => {
    const [left, right] = [x(tick), x(ticks[index + 1] as number)];
    const isNow = tick <= now && now < (ticks[index + 1] as number);
    pen.fillStyle = theme.line;
    pen.fillRect(Math.round(left), 26, 1, headerHeight - 26);
    const name = tickName(minor, tick, false);
    if (minor !== 'day') {
      drawText(pen, name, left + 6, 35, right - left - 8, isNow ? theme.accent : theme.inkSoft);
      return;
    }
    pen.textAlign = 'center';
    pen.fillStyle = isNow ? theme.accent : theme.inkSoft;
    pen.fillText(name, (left + right) / 2, 35);
    pen.textAlign = 'left';
  });
  pen.restore();
};

const drawNow = (pen: Pen, { theme, now }: Scene, { origin, msPerPx, width, height, side }: Port): void => {
  const x = side + (now - origin) / msPerPx;
  if (x < side || x > width) return;
  pen.fillStyle = theme.accent;
  pen.fillRect(Math.round(x), headerHeight - 6, 1.5, height);
  pen.beginPath();
  pen.arc(Math.round(x) + 0.75, headerHeight - 5, 3.5, 0, 7);
  pen.fill();
};

const diamond = (pen: Pen, x: number, y: number, size: number): void => {
  pen.beginPath();
  pen.moveTo(x, y - size);
  pen.lineTo(x + size, y);
  pen.lineTo(x, y + size);
  pen.lineTo(x - size, y);
  pen.closePath();
};

/** Where a milestone stands: at its moment, or in the middle of its day. */
const milestoneAt = ({ start, end }: Span): number => (start + end) / 2;

const drawBar = (pen: Pen, scene: Scene, port: Port, bar: Bar, span: Span, row: number, room: number): void => {
  const { theme, colorOf, critical, rows } = scene;
  const { origin, msPerPx, side, top, width } = port;
  const x = (moment: number): number => side + (moment - origin) / msPerPx;
  const y = headerHeight + row * rowHeight - top;
  const isMoved = span !== bar;
  const isHot = port.hovered === bar.id || isMoved;
  const color = colorOf(bar) ?? theme.accentSoft;
  const edge = critical.has(bar.id) ? theme.danger : isHot ? theme.accent : theme.edge;
  const hasSide = side > 0 && (rows[row] as Row).bars.length === 1 && scene.sideName !== undefined;
  pen.lineWidth = critical.has(bar.id) ? 2 : 1;
  pen.strokeStyle = edge;
  pen.font = `12px ${theme.font}`;
  if (bar.isMilestone) {
    const at = x(milestoneAt(span));
    diamond(pen, at, y + rowHeight / 2, 9);
    pen.fillStyle = colorOf(bar) ?? theme.accent;
    pen.fill();
    pen.stroke();
    if (!hasSide)
      drawText(pen, bar.name, at + 15, y + rowHeight / 2, Math.min(260, room - 18), theme.ink, theme.surface);
    return;
  }
  const left = x(span.start);
  const wide = Math.max(4, x(span.end) - left - 1);
  rounded(pen, left + 0.5, y + barTop + 0.5, wide - 1, barHeight - 1, 5);
  pen.fillStyle = color;
  pen.fill();
  pen.stroke();
  // The name stays in sight while the bar is longer than the screen.
  const from = Math.max(left, side) + 7;
  const inside = Math.min(left + wide, width) - from - 4;
  if (inside >= 34) drawText(pen, bar.name, from, y + rowHeight / 2, inside, theme.ink);
  else if (!hasSide)
    drawText(
      pen,
      bar.name,
      left + wide + 6,
      y + rowHeight / 2,
      Math.min(260, room - wide - 10),
      theme.ink,
      theme.surface,
    );
};

const drawRows = (pen: Pen, scene: Scene, port: Port): void => {
  const { rows, theme, rowOf, bars } = scene;
  const { origin, msPerPx, top, width, height, side, preview } = port;
  const until = origin + (width - side) * msPerPx;
  const first = Math.max(0, Math.floor(top / rowHeight));
  const last = Math.min(rows.length - 1, Math.floor((top + height - headerHeight) / rowHeight));
  // Names beside short bars reach out of them.
  const from = origin - 280 * msPerPx;
  for (let index = first; index <= last; index += 1) {
    const row = rows[index] as Row;
    const y = headerHeight + index * rowHeight - top;
    if (port.targetLane !== undefined && row.lane?.key === port.targetLane) {
      pen.fillStyle = theme.target;
      pen.fillRect(side, y, width, rowHeight);
    }
    pen.fillStyle = theme.rowLine;
    pen.fillRect(side, y + rowHeight - 1, width, 1);
  }
  drawArrows(pen, scene, port);
  for (let index = first; index <= last; index += 1) {
    const row = rows[index] as Row;
    for (let at = firstBehind(row.bars, from); at < row.bars.length; at += 1) {
      const bar = row.bars[at] as Bar;
      if (bar.start > until) break;
      if (preview?.has(bar.id) === true) continue;
      const next = row.bars[at + 1];
      const room = next === undefined ? Number.POSITIVE_INFINITY : (next.start - bar.start) / msPerPx;
      drawBar(pen, scene, port, bar, bar, index, room);
    }
  }
  for (const [id, span] of preview ?? []) {
    const [bar, row] = [bars.get(id), rowOf.get(id)];
    if (bar !== undefined && row !== undefined && row >= first - 1 && row <= last + 1)
      drawBar(pen, scene, port, bar, span, row, Number.POSITIVE_INFINITY);
  }
  if (port.fresh !== undefined) {
    const { start, end, row } = port.fresh;
    const left = side + (start - origin) / msPerPx;
    rounded(pen, left, headerHeight + row * rowHeight - top + barTop, (end - start) / msPerPx, barHeight, 5);
    pen.fillStyle = theme.target;
    pen.fill();
    pen.setLineDash([4, 3]);
    pen.strokeStyle = theme.accent;
    pen.lineWidth = 1;
    pen.stroke();
    pen.setLineDash([]);
  }
};

/** Above the bars: names of lanes stay where they are when time is scrolled. */
const drawHeads = (pen: Pen, { rows, theme }: Scene, { top, width, height }: Port): void => {
  const first = Math.max(0, Math.floor(top / rowHeight));
  const last = Math.min(rows.length - 1, Math.floor((top + height - headerHeight) / rowHeight));
  const drawHead = ({ lane, count }: Row, y: number): void => {
    pen.fillStyle = theme.sunken;
    pen.fillRect(0, y, width, rowHeight - 1);
    pen.fillStyle = theme.line;
    pen.fillRect(0, y + rowHeight - 1, width, 1);
    pen.font = `600 13px ${theme.font}`;
    const end = drawText(pen, lane?.name ?? '', 12, y + rowHeight / 2, Math.min(width * 0.7, 480), theme.ink);
    pen.font = `12px ${theme.font}`;
    drawText(pen, String(count), end + 8, y + rowHeight / 2, 80, theme.inkFaint);
  };
  for (let index = first; index <= last; index += 1) {
    const row = rows[index] as Row;
    if (row.isHead) drawHead(row, headerHeight + index * rowHeight - top);
  }
  // The lane that one is in is named at the top, until the next one pushes it away.
  if (rows[first]?.lane === undefined || rows[first]?.isHead === true) return;
  let head = first;
  while (head > 0 && rows[head]?.isHead !== true) head -= 1;
  const isPushed = rows[first + 1]?.isHead === true;
  drawHead(rows[head] as Row, headerHeight + (isPushed ? first * rowHeight - top : 0));
};

const drawSide = (pen: Pen, { rows, theme }: Scene, { side, top, height }: Port): void => {
  if (side === 0) return;
  pen.fillStyle = theme.surface;
  pen.fillRect(0, headerHeight, side, height);
  const first = Math.max(0, Math.floor(top / rowHeight));
  const last = Math.min(rows.length - 1, Math.floor((top + height - headerHeight) / rowHeight));
  pen.font = `13px ${theme.font}`;
  for (let index = first; index <= last; index += 1) {
    const row = rows[index] as Row;
    const y = headerHeight + index * rowHeight - top;
    pen.fillStyle = theme.rowLine;
    pen.fillRect(0, y + rowHeight - 1, side, 1);
    if (row.bars[0] !== undefined) drawText(pen, row.bars[0].name, 12, y + rowHeight / 2, side - 20, theme.ink);
  }
  pen.fillStyle = theme.lineStrong;
  pen.fillRect(side - 1, 0, 1, height);
};

const drawHint = (pen: Pen, { theme }: Scene, { hint, width }: Port): void => {
  if (hint === undefined) return;
  pen.font = `500 12px ${theme.font}`;
  const wide = pen.measureText(hint.text).width + 16;
  const x = Math.max(4, Math.min(hint.x - wide / 2, width - wide - 4));
  const y = Math.max(headerHeight + 4, hint.y - 40);
  rounded(pen, x, y, wide, 24, 6);
  pen.fillStyle = theme.ink;
  pen.fill();
  pen.textBaseline = 'middle';
  pen.fillStyle = theme.surface;
  pen.fillText(hint.text, x + 8, y + 12.5);
};

export const drawScene = (pen: Pen, scene: Scene, port: Port): void => {
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  drawGround(pen, scene, port);
  // Behind the bars: it would run through their names.
  drawNow(pen, scene, port);
  drawRows(pen, scene, port);
  drawSide(pen, scene, port);
  drawHeads(pen, scene, port);
  drawHeader(pen, scene, port);
  if (port.side > 0) {
    pen.fillStyle = scene.theme.surface;
    pen.fillRect(0, 0, port.side - 1, headerHeight - 1);
    pen.font = `600 12px ${scene.theme.font}`;
    drawText(pen, scene.sideName ?? '', 12, headerHeight - 12, port.side - 20, scene.theme.inkSoft);
  }
  drawHint(pen, scene, port);
};
