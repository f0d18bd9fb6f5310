// What an editor gave → what is sent: text becomes a number here, because the server's conversion would empty the
// cell where this keeps what was typed and says what is wrong.
import type { Field } from '@rowhouse/contract/field.ts';
import { numberFormattingOf, parseNumber } from './number-format.ts';
import { isUnparsed } from './unparsed.ts';

export type Draft = { ok: true; value: unknown } | { ok: false; reason: string };

export const readDraft = (field: Field, draft: unknown): Draft => {
  if (!isUnparsed(draft)) return { ok: true, value: draft ?? null };
  const number = parseNumber(draft.unparsed, numberFormattingOf(field.options));
  return number === undefined ? { ok: false, reason: `“${draft.unparsed}” is not a number. Type digits, such as 1234.5.` } : { ok: true, value: number };
};

/** A select may be given a choice that does not exist yet; the server makes it when it may convert. */
export const needsTypecast = (field: Field, value: unknown): boolean => value !== null && (field.type === 'singleSelect' || field.type === 'multipleSelect');
