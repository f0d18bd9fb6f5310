// What an editor gave → what is sent: text becomes a number or a date here, because the server's conversion would empty
// the cell where this keeps what was typed and says what is wrong.
import type { Field } from '@rowhouse/contract/field.ts';
import { isUnparsed } from './cell/cell-parts.ts';
import { type Draft, fits } from './field-type.ts';
import { fieldTypeOf } from './field-types.ts';

export const readDraft = (field: Field, draft: unknown): Draft => {
  if (!isUnparsed(draft)) return fits(draft ?? null);
  const text = draft.unparsed.trim();
  if (text === '') return fits(null);
  return fieldTypeOf(field.type).read?.(field, text, []) ?? fits(text);
};

/** A select may be given a choice that does not exist yet, a link a title: the server looks for them when it may convert. */
export const needsTypecast = (field: Field, value: unknown): boolean =>
  value !== null && fieldTypeOf(field.type).isByName?.(value) === true;

export const namesNewChoice = (field: Field, value: unknown): boolean =>
  value !== null && fieldTypeOf(field.type).namesNew?.(field, value) === true;
