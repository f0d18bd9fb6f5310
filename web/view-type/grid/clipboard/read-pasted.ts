// What is pasted into a cell. The full value where the cell was copied from one of its kind; else the text, read as if
// it had been typed. What cannot be read is not forced: the cell keeps its value, and the text is shown with a reason.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import { type Draft, fits } from '../../../field-type/field-type.ts';
import { fieldTypeOf } from '../../../field-type/field-types.ts';
import type { BasePerson } from '../../../record-data/queries.ts';
import type { CopiedCell, CopiedField } from './clipboard.ts';

/** Cells of one kind take each other's values; links only those that lead to the same table. */
const kindOfValues = (type: FieldTypeName, leadsTo: string | undefined): string | undefined =>
  leadsTo === undefined ? fieldTypeOf(type).valueKind : `records of ${leadsTo}`;

/** `from` is the field that it was copied from; undefined for what another program has copied. */
export const readPasted = (
  field: Field,
  { text, value }: CopiedCell,
  from: Pick<CopiedField, 'type' | 'leadsTo'> | undefined,
  people: readonly BasePerson[],
): Draft => {
  const { read, readValue, leadsTo } = fieldTypeOf(field.type);
  const kind = from === undefined ? undefined : kindOfValues(from.type, from.leadsTo);
  if (kind !== undefined && kind === kindOfValues(field.type, leadsTo?.(field)))
    return value === undefined ? fits(null) : (readValue?.(field, value, text, people) ?? fits(value));
  const given = text.trim();
  if (given === '') return fits(null);
  return read?.(field, given, people) ?? fits(text);
};
