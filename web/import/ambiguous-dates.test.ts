import { expect, test } from 'vitest';
import { ambiguousDateIn } from './ambiguous-dates.ts';
import type { Sheet } from './sheet-preview.tsx';

const sheet = (...rows: string[][]): Pick<Sheet, 'columns' | 'sample'> => ({
  columns: (rows[0] ?? []).map((name) => ({ name, type: 'date' as const })),
  sample: rows,
});
const all = (): boolean => true;

test('a date that may be two days is found in columns of dates that do not say which', () => {
  expect(ambiguousDateIn(sheet(['Due'], ['03/04/2025']), 1, all)).toBe('03/04/2025');
  expect(ambiguousDateIn(sheet(['Due'], ['03/04/2025'], ['31/12/2025']), 1, all)).toBeUndefined();
  expect(ambiguousDateIn(sheet(['Due'], ['2025-04-03'], ['04/04/2025']), 1, all)).toBeUndefined();
  expect(ambiguousDateIn(sheet(['Text', 'Due'], ['03/04/2025', '05/06/2025']), 1, (_, at) => at === 1)).toBe(
    '05/06/2025',
  );
});

test('rows above the names do not count, and without names the first row does', () => {
  expect(ambiguousDateIn(sheet(['As of 01/02/2025'], ['Due'], ['2025-04-03']), 2, all)).toBeUndefined();
  expect(ambiguousDateIn(sheet(['03/04/2025'], ['2025-04-03']), 0, all)).toBe('03/04/2025');
});
