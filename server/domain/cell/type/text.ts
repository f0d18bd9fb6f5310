// singleLineText and longText: text, trimmed; an empty one is an empty cell.
import { Type } from 'typebox';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { textCells } from '../kind/text.sql.ts';
import type { CellResult, CellType, ConversionStep, FieldType } from '../type.ts';
import { carryText } from './convert.ts';

const maxLength = 100_000;

/** PostgreSQL holds neither zero bytes nor half characters (lone surrogates). */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const tidy = (text: string, singleLine: boolean): string => (singleLine ? text.replace(/[\r\n\t]+/g, ' ') : text).trim();

const readText = (value: unknown, singleLine: boolean): CellResult => {
  if (typeof value !== 'string') return { ok: false, expected: 'a string' };
  if (value.length > maxLength) return { ok: false, expected: `a string of at most ${maxLength} characters` };
  if (!isStorable(value)) return { ok: false, expected: 'text without the character U+0000 and without unpaired surrogates' };
  const text = tidy(value, singleLine);
  return { ok: true, value: text === '' ? null : text };
};

/** What a person would expect to see of any JSON value. */
export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(asText).filter((part) => part !== '').join(', ');
  if (typeof value === 'object' && value !== null) {
    const { title, name } = value as { title?: unknown; name?: unknown };
    return typeof title === 'string' ? title : typeof name === 'string' ? name : JSON.stringify(value);
  }
  return value === null || value === undefined ? '' : String(value);
};

const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, maxLength);

/** Line breaks and tabs become spaces, and an empty text no cell at all: what writing the text would do. */
const oneLine = (column: Sql): Sql => sql`nullif(btrim(regexp_replace(${column}, '[\\r\\n\\t]+', ' ', 'g'), E' \\t\\r\\n'), '')`;

const convertToText = (from: FieldSchema, source: CellType, singleLine: boolean): ConversionStep[] => {
  if (source.column === 'jsonb') {
    return [
      { retype: 'text', using: (column) => sql`${column}::text` },
      { update: (column) => source.text(sql`${column}::jsonb`, from), where: (column) => sql`${column} is not null` },
    ];
  }
  if (source.column !== 'text') return [{ retype: 'text', using: (column) => source.text(column, from) }];
  // Only long text has more than one line.
  return singleLine && from.type === 'longText' ? [{ update: oneLine, where: (column) => sql`${column} ~ '[\\r\\n\\t]'` }] : [];
};

const textType = (type: 'singleLineText' | 'longText', defaultName: string): FieldType => {
  const singleLine = type === 'singleLineText';
  return {
    type,
    defaultName,
    optionsSchema: Type.Object({
      defaultValue: Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()])),
      ...(singleLine
        ? { showAs: Type.Optional(Type.Union([Type.Object({ type: Type.Enum(['url', 'email', 'phone']) }), Type.Null()])) }
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
    read: (value) => readText(value, singleLine),
    cast(value) {
      const text = tidy(cleanText(asText(value)), singleLine);
      return { value: text === '' ? null : text, note: text === '' ? 'dropped' : 'converted' };
    },
    defaultCell(field) {
      const text = field.options.defaultValue;
      return typeof text === 'string' && text !== '' ? tidy(text, singleLine) : null;
    },
    convert: (from, source) => convertToText(from, source, singleLine),
    carry: carryText,
  };
};

export const singleLineText = textType('singleLineText', 'Label');
export const longText = textType('longText', 'Notes');
