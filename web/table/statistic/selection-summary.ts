// What the cells of a range come to.
import { withThousands } from '../cell/number-format.ts';

export interface RangeCells {
  /** undefined or null for an empty one. */
  values: readonly unknown[];
  /** Whether every row of the range is loaded; else nothing can be added up. */
  isWhole: boolean;
}

const rounded = (number: number): string => withThousands(Number(number.toPrecision(12)));

/** undefined for a single cell. */
export const selectionSummary = ({ values, isWhole }: RangeCells, count: number): string | undefined => {
  if (count <= 1) return undefined;
  if (!isWhole) return `${withThousands(count)} cells selected`;
  const filled = values.filter((value) => value !== undefined && value !== null);
  const numbers = filled.filter((value): value is number => typeof value === 'number');
  if (numbers.length === 0) return `Count ${withThousands(filled.length)}`;
  const sum = numbers.reduce((total, number) => total + number, 0);
  return `Sum ${rounded(sum)} · Average ${rounded(sum / numbers.length)} · Count ${withThousands(filled.length)}`;
};
