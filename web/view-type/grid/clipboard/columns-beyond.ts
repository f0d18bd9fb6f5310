// What is pasted may have more columns than there are fields for. The fields they could become are named and typed by what
// they were copied from, or by what is in them.
import { cellKinds, type FieldTypeName } from '@rowhouse/contract/field.ts';
import { type FieldGuess, guessField } from '../../../field-type/guess-fields.ts';
import type { CopiedCells } from './clipboard.ts';

export type NewColumn = FieldGuess & { name: string };

const writable: readonly FieldTypeName[] = (Object.keys(cellKinds) as FieldTypeName[]).filter(
  (type) => !/^(autoNumber|created|lastModified|formula)/.test(type),
);

/** Beyond the first `room` columns; `taken` is how many columns there are. Empty ones at the end do not count. */
export const columnsBeyond = ({ rows, fields }: CopiedCells, room: number, taken: number): NewColumn[] => {
  const textsOf = (column: number): string[] =>
    rows.map((row) => (row[column]?.text ?? '').trim()).filter((text) => text !== '');
  let width = Math.max(...rows.map((row) => row.length));
  while (width > room && textsOf(width - 1).length === 0) width -= 1;
  return Array.from({ length: Math.max(0, width - room) }, (_item, index): NewColumn => {
    const from = fields?.[room + index];
    if (from !== undefined && writable.includes(from.type)) return { name: from.name, type: from.type };
    return { name: from?.name ?? `Field ${taken + index + 1}`, ...guessField(textsOf(room + index), false) };
  });
};
