import { expect, test } from 'vitest';
import { columnsBeyond } from './columns-beyond.ts';

const texts = (...rows: string[][]) => ({ rows: rows.map((row) => row.map((text) => ({ text }))) });

test('columns without a field are typed by what is in them, and empty ones at the end do not count', () => {
  const pasted = texts(['a', '1.5', 'yes', ''], ['b', '2', '', '  '], ['c']);
  expect(columnsBeyond(pasted, 3, 3)).toEqual([]);
  expect(columnsBeyond(pasted, 1, 4)).toEqual([
    { name: 'Field 5', type: 'number', options: { formatting: { type: 'decimal', precision: 1 } } },
    { name: 'Field 6', type: 'checkbox' },
  ]);
  expect(columnsBeyond(texts(['', '', 'x']), 1, 1).map(({ type }) => type)).toEqual([
    'singleLineText',
    'singleLineText',
  ]);
});

test('those that were copied here keep their names and types, as far as they can be written', () => {
  const fields = [
    { id: 'fldA', name: 'Due', type: 'date' as const },
    { id: 'fldB', name: 'Made', type: 'createdTime' as const },
  ];
  expect(columnsBeyond({ ...texts(['2026-03-04', '2026-03-04']), fields }, 0, 7)).toEqual([
    { name: 'Due', type: 'date' },
    { name: 'Made', type: 'date' },
  ]);
});
