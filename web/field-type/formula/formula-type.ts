import { SquareFunction } from 'lucide-react';
import { listOf } from '../cell/cell-parts.ts';
import { dateFormattingOf, formatDate } from '../date/date-format.ts';
import type { FieldTypeEntry } from '../field-type.ts';
import { formatNumber, numberFormattingOf } from '../number/number-format.ts';

/** One of several results: its formatting tells numbers and dates from texts. */
const resultText = (options: Record<string, unknown>, value: unknown): string => {
  if (typeof value === 'number') return formatNumber(value, numberFormattingOf(options));
  const formatting = options['formatting'] as { date?: unknown } | undefined;
  return typeof formatting?.date === 'string' ? formatDate(String(value), dateFormattingOf(options)) : String(value);
};

/** Cells that are computed: their values are of any kind. */
export const resultCells = {
  text: ({ options }, value) =>
    listOf(value)
      .map((item) => resultText(options, item))
      .join(', '),
  show: ({ cellValueType, isMultipleCellValue }) => ({
    as: 'text',
    isNumber: cellValueType === 'number' && isMultipleCellValue !== true,
  }),
  takesLists: true,
} satisfies Partial<FieldTypeEntry>;

export const formula: FieldTypeEntry = {
  label: 'Formula',
  meaning: 'Computed from other fields',
  icon: SquareFunction,
  ...resultCells,
};
