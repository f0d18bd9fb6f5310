// Dates of a file that can be read in two ways, in columns that do not tell which.
import { isAmbiguousDate, orderOfColumn } from '@rowhouse/contract/date-order.ts';
import type { Sheet } from './sheet-preview.tsx';

/** One of them, of the columns that become dates. */
export const ambiguousDateIn = (
  sheets: readonly Sheet[],
  isDate: (sheet: Sheet, column: number) => boolean,
): string | undefined => {
  for (const sheet of sheets) {
    for (const column of sheet.columns.keys()) {
      const texts = sheet.sample.slice(1).map((row) => row[column] ?? '');
      const found =
        isDate(sheet, column) && orderOfColumn(texts) === undefined ? texts.find(isAmbiguousDate) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
};
