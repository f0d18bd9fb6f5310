// Whether the cells of a field are those that it had: a conversion may lose some, and converting back does not bring them back. Undoing does.
import { randomBytes } from 'node:crypto';
import type { FieldSchema } from '../../catalog/table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { keepsCells } from './convert-cells.ts';

export const newLineage = (): string => randomBytes(9).toString('base64url');

/** Whether both lead to the same records by the same keys. */
export const isSameLink = (one: FieldSchema, other: FieldSchema): boolean =>
  isLink(one) &&
  isLink(other) &&
  ['foreignTableId', 'relationship', 'symmetricFieldId', 'selfKeyName', 'foreignKeyName'].every(
    (key) => one.options[key] === other.options[key],
  );

/** Every cell stays, or is the same choice under another name. */
const losesNothing = (before: FieldSchema, after: FieldSchema): boolean => {
  if (isLink(before) || isLink(after)) return isSameLink(before, after);
  if (before.type !== after.type || before.isLookup !== after.isLookup) return false;
  const names = fieldTypeOf(after).renamedValues?.(before, after);
  return (
    (names !== undefined && names.size > 0 && [...names.values()].every((name) => name !== null)) ||
    keepsCells(before, after)
  );
};

/** For a field that somebody converts. */
export const withLineage = (before: FieldSchema, after: FieldSchema): FieldSchema => ({
  ...after,
  lineage: losesNothing(before, after) ? (before.lineage ?? null) : newLineage(),
});
