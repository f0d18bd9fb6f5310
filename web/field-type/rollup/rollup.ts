// What a rollup can make of the cells of a field, in the words of the app.
import { type CellValueType, type Field, rollupFunctions, type RollupFunction } from '@rowhouse/contract/field.ts';
import { rollupFunctionIn, rollupResult as resultOf } from '@rowhouse/contract/rollup.ts';

export interface Result {
  kind: CellValueType;
  isList: boolean;
}

/** undefined: it has no use for such cells. */
export const rollupResult = (name: RollupFunction, source: CellValueType): Result | undefined => {
  const result = resultOf(name, source);
  return result === undefined ? undefined : { kind: result.cellValueType, isList: result.isMultiple };
};

const words: Record<RollupFunction, [label: string, note: string]> = {
  sum: ['Sum', 'All numbers added up'],
  average: ['Average', 'Of the cells that hold a number'],
  min: ['Minimum', 'The smallest number, the earliest date'],
  max: ['Maximum', 'The largest number, the latest date'],
  counta: ['Count filled', 'How many cells are not empty'],
  countall: ['Count all', 'How many cells, empty ones too'],
  count: ['Count numbers', 'How many cells hold a number'],
  and: ['All checked', 'Whether all are checked'],
  or: ['Any checked', 'Whether at least one is checked'],
  xor: ['Odd number checked', 'Whether an odd number is checked'],
  array_unique: ['Different values', 'Each value once'],
  array_compact: ['Values', 'All values that are not empty'],
  array_join: ['Text', 'All values as one text, with commas'],
  concatenate: ['Joined text', 'All values as one text'],
};

const usefulFirst = Object.keys(words) as RollupFunction[];

export const functionsFor = ({
  cellValueType,
}: Pick<Field, 'cellValueType'>): { name: RollupFunction; label: string; note: string }[] =>
  usefulFirst
    .filter((name) => rollupFunctions.includes(name) && rollupResult(name, cellValueType) !== undefined)
    .map((name) => ({ name, label: words[name][0], note: words[name][1] }));

export const expressionOf = (name: RollupFunction): string => `${name}({values})`;

export const functionIn = rollupFunctionIn;
