// What is selected on the screen, in rows and columns as they are drawn at this moment. It is made again for every
// drawing from what is meant (record-selection.ts) and never kept: rows and columns move.

/** From, and up to but not including. */
export type Slice = readonly [from: number, to: number];

export interface CellRange {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface GridSelection {
  current?: { column: number; row: number; range: CellRange };
  rows: readonly Slice[];
  columns: readonly Slice[];
}

export const nothingSelected: GridSelection = { rows: [], columns: [] };

export const isIn = (slices: readonly Slice[], index: number): boolean =>
  slices.some(([from, to]) => index >= from && index < to);

export const lengthOf = (slices: readonly Slice[]): number => slices.reduce((sum, [from, to]) => sum + to - from, 0);

/** Neighbouring numbers taken together. */
export const slicesOf = (numbers: Iterable<number>): Slice[] => {
  const slices: [number, number][] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = slices.at(-1);
    if (last !== undefined && number === last[1]) last[1] = number + 1;
    else if (last === undefined || number > last[1]) slices.push([number, number + 1]);
  }
  return slices;
};

export const numbersOf = (slices: readonly Slice[]): number[] =>
  slices.flatMap(([from, to]) => Array.from({ length: to - from }, (_item, index) => from + index));

/** What is in the first and not in the second. */
export const difference = (slices: readonly Slice[], less: readonly Slice[]): Slice[] =>
  less.reduce<Slice[]>(
    (rest, [from, to]) =>
      rest.flatMap(([start, end]): Slice[] => {
        if (to <= start || from >= end) return [[start, end]];
        return [...(start < from ? [[start, from] as const] : []), ...(to < end ? [[to, end] as const] : [])];
      }),
    [...slices],
  );
