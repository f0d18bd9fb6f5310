// What is pasted may have more columns than there are fields for. The fields they could become are named and typed by what
// they were copied from, or by what is in them.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { type FieldGuess, guessField } from '@rowhouse/contract/guess-column.ts';
import { fieldTypeOf } from '../../../field-type/field-types.ts';
import type { CopiedCells } from './clipboard.ts';

export type NewColumn = FieldGuess & { name: string };

/** Its cells can be written, and it needs nothing but a name. */
const canBeMade = (type: FieldTypeName): boolean => {
  const { read, leadsTo, readAddress } = fieldTypeOf(type);
  return leadsTo === undefined && (read !== undefined || readAddress !== undefined);
};

/** Beyond the first `room` columns; `taken` is how many columns there are. Empty ones at the end do not count. */
export const columnsBeyond = ({ rows, fields }: CopiedCells, room: number, taken: number): NewColumn[] => {
  const textsOf = (column: number): string[] =>
    rows.map((row) => (row[column]?.text ?? '').trim()).filter((text) => text !== '');
  let width = Math.max(...rows.map((row) => row.length));
  while (width > room && textsOf(width - 1).length === 0) width -= 1;
  return Array.from({ length: Math.max(0, width - room) }, (_item, index): NewColumn => {
    const from = fields?.[room + index];
    if (from !== undefined && canBeMade(from.type)) return { name: from.name, type: from.type };
    return { name: from?.name ?? `Field ${taken + index + 1}`, ...guessField(textsOf(room + index), false) };
  });
};
