// Where the tables of a base stand in its picture: tables that are linked stand side by side, the one with most links first.
interface MapTable {
  id: string;
  height: number;
}

interface MapEdge {
  from: string;
  to: string;
}

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface MapLayout {
  boxes: ReadonlyMap<string, Box>;
  width: number;
  height: number;
}

export const boxWidth = 232;
const gapX = 112;
const gapY = 28;
const margin = 32;
/** For lines from a column to itself. */
const roundTheRight = 24;
/** So many that nothing is linked to stand in a row. */
const perRow = 4;

/** Tables that can be reached from each other, in columns: how many links each is away from the first. */
const columnsOf = (tables: readonly MapTable[], neighbours: ReadonlyMap<string, ReadonlySet<string>>): string[][][] => {
  const degree = (id: string): number => neighbours.get(id)?.size ?? 0;
  const left = new Set(tables.filter(({ id }) => degree(id) > 0).map(({ id }) => id));
  const groups: string[][][] = [];
  const order = tables.map(({ id }) => id).toSorted((one, other) => degree(other) - degree(one));
  for (const start of order) {
    if (!left.delete(start)) continue;
    const columns = [[start]];
    for (let last = columns[0] as string[]; last.length > 0; ) {
      // In the order of those that led to them: lines cross less.
      const next = last.flatMap((id) => [...(neighbours.get(id) ?? [])].filter((other) => left.delete(other)));
      if (next.length > 0) columns.push(next);
      last = next;
    }
    // The one with most links stands in the middle when there is something on both of its sides.
    const [first, second, ...rest] = columns;
    groups.push(
      second !== undefined && rest.length === 0 && second.length > 2
        ? [second.slice(0, Math.ceil(second.length / 2)), first as string[], second.slice(Math.ceil(second.length / 2))]
        : columns,
    );
  }
  return groups;
};

export const layOut = (tables: readonly MapTable[], edges: readonly MapEdge[]): MapLayout => {
  const heights = new Map(tables.map(({ id, height }) => [id, height]));
  const neighbours = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (from === to || !heights.has(from) || !heights.has(to)) continue;
    neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
    neighbours.set(to, (neighbours.get(to) ?? new Set()).add(from));
  }
  const boxes = new Map<string, Box>();
  let top = margin;
  let width = 0;
  const place = (columns: readonly (readonly string[])[], gap: number): void => {
    const tall = columns.map((column) => column.reduce((sum, id) => sum + (heights.get(id) ?? 0) + gapY, -gapY));
    const tallest = Math.max(...tall);
    columns.forEach((column, at) => {
      const x = margin + at * (boxWidth + gap);
      let y = top + (tallest - (tall[at] as number)) / 2;
      for (const id of column) {
        const height = heights.get(id) ?? 0;
        boxes.set(id, { id, x, y, width: boxWidth, height });
        y += height + gapY;
      }
      width = Math.max(width, x + boxWidth + margin + roundTheRight);
    });
    top += tallest + gapY * 2;
  };
  for (const columns of columnsOf(tables, neighbours)) place(columns, gapX);
  const alone = tables.filter(({ id }) => !boxes.has(id)).map(({ id }) => id);
  for (let at = 0; at < alone.length; at += perRow)
    place(
      alone.slice(at, at + perRow).map((id) => [id]),
      gapY,
    );
  return {
    boxes,
    width: Math.max(width, boxWidth + 2 * margin),
    height: Math.max(top - gapY * 2 + margin, margin * 2),
  };
};

export interface LineEnd {
  x: number;
  y: number;
  /** Which side of its box it leaves from. */
  side: 'left' | 'right';
}

/** From the sides that face each other; on the right of both when they stand in one column. */
export const lineBetween = (
  from: Box,
  fromY: number,
  to: Box,
  toY: number,
): { start: LineEnd; end: LineEnd; path: string } => {
  const isBeside = from.x !== to.x;
  const leads = !isBeside || from.x < to.x;
  const start: LineEnd = { x: leads ? from.x + from.width : from.x, y: from.y + fromY, side: leads ? 'right' : 'left' };
  const end: LineEnd = {
    x: isBeside && leads ? to.x : to.x + to.width,
    y: to.y + toY,
    side: isBeside && leads ? 'left' : 'right',
  };
  const bend = isBeside ? Math.max(36, Math.abs(end.x - start.x) / 2) : 52;
  const out = ({ x, side }: LineEnd): number => (side === 'right' ? x + bend : x - bend);
  return {
    start,
    end,
    path: `M ${start.x} ${start.y} C ${out(start)} ${start.y} ${out(end)} ${end.y} ${end.x} ${end.y}`,
  };
};
