// Ranges of a request as columns and rows. Pure.
import { invalid } from '@rowhouse/contract/error.ts';
import { readJson } from '../../query/reference.ts';

export type RangeType = 'rows' | 'columns' | undefined;
export type Pair = readonly [from: number, to: number];

/** Inclusive, from 0; null for all. */
export interface Area {
  columns: readonly Pair[] | null;
  rows: readonly Pair[] | null;
}

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((part) => Number.isSafeInteger(part) && (part as number) >= 0);

export const readRanges = (given: unknown, type: RangeType, path: string): Pair[] => {
  const isRight =
    Array.isArray(given) && given.length > 0 && given.every(isPair) && (type !== undefined || given.length === 2);
  if (!isRight)
    throw invalid({
      path,
      message: 'Expected a list of pairs of whole numbers from 0',
      expected: type === undefined ? 'the two corners, [[column, row], [column, row]]' : 'a list of [from, to]',
    });
  return given as Pair[];
};

/** Of a query string. */
export const readRangesText = (text: string, type: RangeType): Pair[] =>
  readRanges(readJson(text, 'ranges'), type, 'query.ranges');

const sorted = ([from, to]: Pair): Pair => [Math.min(from, to), Math.max(from, to)];

export const areaOf = (ranges: readonly Pair[], type: RangeType): Area => {
  if (type === 'columns') return { columns: ranges.map(sorted), rows: null };
  if (type === 'rows') return { columns: null, rows: ranges.map(sorted) };
  const [[left, top], [right, bottom]] = ranges as [Pair, Pair];
  return { columns: [sorted([left, right])], rows: [sorted([top, bottom])] };
};

export const isWithin = (place: number, ranges: readonly Pair[] | null): boolean =>
  ranges === null || ranges.some(([from, to]) => place >= from && place <= to);
