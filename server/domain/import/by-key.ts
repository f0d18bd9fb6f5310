// Which rows of an import look for a record by their key.
import { asText } from '../cell/type/text.ts';

interface RowsByKey {
  /** Places of rows that have a key, each key once: the last row counts. */
  matched: number[];
  /** Places of rows that are added in any case. */
  others: number[];
}

export const byKey = (cells: readonly Record<string, unknown>[], keys: readonly string[]): RowsByKey => {
  const last = new Map<string, number>();
  const others: number[] = [];
  cells.forEach((fields, place) => {
    const values = keys.map((key) => asText(fields[key] ?? '').trim());
    if (keys.length === 0 || values.includes('')) others.push(place);
    else last.set(JSON.stringify(values), place);
  });
  return { matched: [...last.values()], others };
};
