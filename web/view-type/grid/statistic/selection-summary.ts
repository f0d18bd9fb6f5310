// What the cells of a range come to.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { withThousands } from '../../../field-type/number/number-format.ts';
import type { Column } from '../../../record-data/columns.ts';
import type { GroupRows } from '../group/group-rows.ts';
import type { CellRange } from '../selection/grid-selection.ts';

interface RangeCells {
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

/** Of more rows than this only the size is said. */
const mostRows = 5_000;

interface SummaryInput {
  range: CellRange | undefined;
  columns: readonly Column[];
  rows: GroupRows;
  recordAt: (row: number) => RecordVo | undefined;
  valueOf: (record: RecordVo, fieldId: string) => unknown;
}

export const summaryOfRange = ({ range, columns, rows, recordAt, valueOf }: SummaryInput): string | undefined => {
  if (range === undefined) return undefined;
  const { x, y, width, height } = range;
  const records =
    height > mostRows
      ? []
      : Array.from({ length: height }, (_item, index) => y + index)
          .filter((row) => rows.headerAt(row) === undefined)
          .map(recordAt);
  const values = records.flatMap((record) =>
    record === undefined ? [] : columns.slice(x, x + width).map(({ field }) => valueOf(record, field.id)),
  );
  return selectionSummary({ values, isWhole: height <= mostRows && !records.includes(undefined) }, width * height);
};
