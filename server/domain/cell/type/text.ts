// singleLineText and longText: text, trimmed; an empty one is an empty cell.
import { longestText as longest } from '@rowhouse/contract/field.ts';
import { Type } from 'typebox';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { textCells } from '../kind/text.sql.ts';
import type { CellResult, CellType, ConversionStep, FieldType } from '../type.ts';
import { carryText } from './convert.ts';

/** Of the text of a new cell, which stands in the schema of the table. */
const longestDefault = 100_000;

/** PostgreSQL holds neither zero bytes nor half characters (lone surrogates). */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

type TextType = keyof typeof longest;

const tidy = (text: string, singleLine: boolean): string =>
  (singleLine ? text.replace(/[\r\n\t]+/g, ' ') : text).trim();

/** Characters as PostgreSQL counts them: a pair of surrogates is one. */
const isLonger = (text: string, most: number): boolean => {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1;
  return count > most;
};

const readText = (value: unknown, type: TextType): CellResult => {
  if (typeof value !== 'string') return { ok: false, expected: 'a string' };
  if (isLonger(value, longest[type])) return { ok: false, expected: `a string of at most ${longest[type]} characters` };
  if (!isStorable(value))
    return { ok: false, expected: 'text without the character U+0000 and without unpaired surrogates' };
  const text = tidy(value, type === 'singleLineText');
  return { ok: true, value: text === '' ? null : text };
};

/** What a person would expect to see of any JSON value. */
export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value
      .map(asText)
      .filter((part) => part !== '')
      .join(', ');
  if (typeof value === 'object' && value !== null) {
    const { title, name } = value as { title?: unknown; name?: unknown };
    return typeof title === 'string' ? title : typeof name === 'string' ? name : JSON.stringify(value);
  }
  return value === null || value === undefined ? '' : String(value);
};

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** By typecast a list of plain values becomes what `String` makes of it, as in Teable: `1,2`. */
const castText = (value: unknown): string =>
  Array.isArray(value) && value.every(isPlain) ? String(value) : asText(value);

const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Line breaks and tabs become spaces, and an empty text no cell at all: what writing the text would do. */
const oneLine = (column: Sql): Sql =>
  sql`nullif(btrim(regexp_replace(${column}, '[\\r\\n\\t]+', ' ', 'g'), E' \\t\\r\\n'), '')`;

/** What is longer than the type allows does not fit. A text of so few bytes has no more characters than that, and bytes need not be counted. */
const emptyTooLong = (type: TextType): ConversionStep => ({
  update: () => sql`null`,
  where: (column) =>
    sql`octet_length(${column}) > ${sql.integer(longest[type])} and char_length(${column}) > ${sql.integer(longest[type])}`,
});

const convertToText = (from: FieldSchema, source: CellType, type: TextType): ConversionStep[] => {
  if (source.column === 'jsonb') {
    return [
      { retype: 'text', using: (column) => sql`${column}::text` },
      { update: (column) => source.text(sql`${column}::jsonb`, from), where: (column) => sql`${column} is not null` },
      emptyTooLong(type),
    ];
  }
  if (source.column !== 'text') return [{ retype: 'text', using: (column) => source.text(column, from) }];
  // Only long text has more than one line, or more characters than one line may have.
  if (type !== 'singleLineText' || from.type !== 'longText') return [];
  return [{ update: oneLine, where: (column) => sql`${column} ~ '[\\r\\n\\t]'` }, emptyTooLong(type)];
};

const textType = (type: TextType, defaultName: string): FieldType => {
  const singleLine = type === 'singleLineText';
  return {
    type,
    defaultName,
    optionsSchema: Type.Object({
      defaultValue: Type.Optional(Type.Union([Type.String({ maxLength: longestDefault }), Type.Null()])),
      ...(singleLine
        ? {
            showAs: Type.Optional(
              Type.Union([Type.Object({ type: Type.Enum(['url', 'email', 'phone']) }), Type.Null()]),
            ),
          }
        : {}),
    }),
    isComputed: false,
    canBePrimary: true,
    canBeUnique: true,
    canBeNotNull: true,
    cells: () => textCells,
    completeOptions: ({ defaultValue, showAs }) => ({
      ...(defaultValue === undefined || defaultValue === null ? {} : { defaultValue }),
      ...(showAs === undefined || showAs === null ? {} : { showAs }),
    }),
    read: (value) => readText(value, type),
    cast(value) {
      const text = tidy(cleanText(castText(value)), singleLine);
      const fits = text !== '' && !isLonger(text, longest[type]);
      return { value: fits ? text : null, note: fits ? 'converted' : 'dropped' };
    },
    defaultCell(field) {
      const text = field.options.defaultValue;
      return typeof text === 'string' && text !== '' ? tidy(text, singleLine) : null;
    },
    convert: (from, source) => convertToText(from, source, type),
    carry: carryText,
  };
};

export const singleLineText = textType('singleLineText', 'Label');
export const longText = textType('longText', 'Notes');
