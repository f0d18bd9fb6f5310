// Dates of a file that can be read in two ways, in columns that do not tell which.
import { isAmbiguousDate, orderOfColumn } from '@rowhouse/contract/date-order.ts';
import type { Sheet } from './sheet-preview.tsx';

/** One of them, of the columns that become dates. `headerRow`: from 1 on; 0 when no row holds the names. */
export const ambiguousDateIn = (
  { columns, sample }: Pick<Sheet, 'columns' | 'sample'>,
  headerRow: number,
  isDate: (column: Sheet['columns'][number], at: number) => boolean,
): string | undefined => {
  for (const [at, column] of columns.entries()) {
    const texts = sample.slice(headerRow).map((row) => row[at] ?? '');
    const found = isDate(column, at) && orderOfColumn(texts) === undefined ? texts.find(isAmbiguousDate) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};
