// What an editor gave → what is sent: text becomes a number or a date here, because the server's conversion would empty
// the cell where this keeps what was typed and says what is wrong.
import type { Field } from '@rowhouse/contract/field.ts';
import { choicesOf, isUnparsed, listOf } from '../../record-data/cell/cell-text.ts';
import { dateFormattingOf, formatDate } from '../../record-data/cell/date-format.ts';
import { numberFormattingOf, parseNumber } from '../../record-data/cell/number-format.ts';
import { readDate } from './read-date.ts';

export type Draft = { ok: true; value: unknown } | { ok: false; reason: string };

const readDateDraft = (field: Field, text: string): Draft => {
  const formatting = dateFormattingOf(field.options);
  const read = readDate(text, formatting);
  return read === undefined
    ? {
        ok: false,
        reason: `“${text}” is not a date. Type it like ${formatDate(new Date().toISOString(), formatting)}, or “tomorrow”, or “+3d”.`,
      }
    : { ok: true, value: read };
};

export const readDraft = (field: Field, draft: unknown): Draft => {
  if (!isUnparsed(draft)) return { ok: true, value: draft ?? null };
  const text = draft.unparsed.trim();
  if (text === '') return { ok: true, value: null };
  if (field.type === 'date') return readDateDraft(field, text);
  const number = parseNumber(text, numberFormattingOf(field.options));
  return number === undefined
    ? { ok: false, reason: `“${text}” is not a number. Type digits, such as 1234.5.` }
    : { ok: true, value: number };
};

/** Titles of records instead of their ids: the server looks for them, and makes those that are not there. */
const namesTitles = (field: Field, value: unknown): boolean =>
  field.type === 'link' &&
  listOf(value).some((item) => typeof item === 'string' || (item as { id?: string } | null)?.id === undefined);

/** A select may be given a choice that does not exist yet; the server makes it when it may convert. */
export const needsTypecast = (field: Field, value: unknown): boolean =>
  value !== null && (field.type === 'singleSelect' || field.type === 'multipleSelect' || namesTitles(field, value));

export const namesNewChoice = (field: Field, value: unknown): boolean =>
  namesTitles(field, value) ||
  (field.type !== 'link' &&
    needsTypecast(field, value) &&
    listOf(value).some((name) => !choicesOf(field).some((choice) => choice.name === name)));
