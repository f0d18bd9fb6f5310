// number: a double, shown as decimal, percent or currency.
import { decimalSignOf, readDecimalComma, withDecimalPoint } from '@rowhouse/contract/number-text.ts';
import { Type } from 'typebox';
import { type Sql, sql } from '../../../db/sql.ts';
import { exactly, numberCells, rounded } from '../kind/number.sql.ts';
import { holdsText } from '../kind/shared.sql.ts';
import { type CellType, type FieldType, forStorage } from '../type.ts';
import { textsIn } from './convert.ts';

interface Formatting {
  type: 'decimal' | 'percent' | 'currency';
  precision: number;
  symbol?: string;
}

const precision = Type.Optional(Type.Integer({ minimum: 0, maximum: 5 }));

export const numberFormatting = Type.Union([
  Type.Object({ type: Type.Literal('decimal'), precision }),
  Type.Object({ type: Type.Literal('percent'), precision }),
  Type.Object({
    type: Type.Literal('currency'),
    precision,
    symbol: Type.Optional(Type.String({ maxLength: 10 })),
  }),
]);

const defaultFormatting: Formatting = { type: 'decimal', precision: 2 };

/**
 * "1,234.5" → 1234.5, "1.234,5" → 1234.5, "12,5" → 12.5, "$5" → 5, "(3)" → -3, "12%" → 0.12, "1e3" → 1000. Currency signs and letters around a
 * number are dropped; text without a number gives null.
 */
export const parseNumber = (text: string): number | null => {
  const trimmed = text.trim();
  // As programs write them: the rest takes three times as long.
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(trimmed)) return Number(trimmed);
  // Both patterns take time in proportion to the text, whatever it is: a cell may hold a million characters.
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)e[+-]?\d+$/i.test(trimmed)) return finite(Number(trimmed));
  const inParentheses = /^\(.*\)$/.test(trimmed);
  const match = /(\d[\d,'\u00a0\u202f\s_]*\.?\d*|\.\d+)(e[+-]?\d+)?/i.exec(trimmed);
  if (match === null) return null;
  const withComma = readDecimalComma(trimmed, match.index);
  const number =
    withComma === undefined
      ? finite(Number((match[1] as string).replace(/[,'\u00a0\u202f\s_]/g, '') + (match[2] ?? '')))
      : finite(Number(withComma.digits));
  if (number === null) return null;
  const negative =
    inParentheses || trimmed.slice(0, match.index + (withComma?.length ?? match[0].length)).includes('-');
  const signed = negative ? -number : number;
  return trimmed.includes('%') ? signed / 100 : signed;
};

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const numberText = (column: Sql, { type, precision: digits, symbol }: Formatting): Sql => {
  const places = sql.integer(digits);
  switch (type) {
    case 'percent':
      return sql`round(${exactly(column)} * 100, ${places})::text || '%'`;
    case 'currency': {
      const pattern = `FM${'999,'.repeat(103)}990${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`;
      return sql`case when ${column} < 0 then '-' else '' end || ${sql.literal(symbol ?? '$')} || to_char(round(abs(${exactly(column)}), ${places}), ${sql.literal(pattern)})`;
    }
    default:
      return sql`round(${exactly(column)}, ${places})::text`;
  }
};

const formatOf = (options: Record<string, unknown>): Formatting => ({
  ...defaultFormatting,
  ...(options.formatting as Partial<Formatting> | undefined),
});

export const formattedCells: CellType = {
  ...numberCells,
  text: (column, field) => numberText(column, formatOf(field.options)),
  // As they are rounded for display. A percentage shows two more digits than its precision says.
  groupKey(column, field) {
    const { type, precision: digits } = formatOf(field.options);
    const expression = rounded(column, digits + (type === 'percent' ? 2 : 0));
    return {
      keys: [{ ...numberCells.sortKey(column, field), expression }],
      sample: null,
      value: ([key]) => sql`${key}::text`,
    };
  },
  canMatch(text, field) {
    const { symbol = '' } = formatOf(field.options);
    return (
      /^[\d.,%-]*$/.test(symbol === '' ? text : text.toLowerCase().replaceAll(symbol.toLowerCase(), '')) ||
      symbol.length > 1
    );
  },
  matches: (column, text, field) => holdsText(formattedCells.text(column, field), text),
  searched: (column, field) => formattedCells.text(column, field),
};

export const number: FieldType = {
  type: 'number',
  defaultName: 'Number',
  optionsSchema: Type.Object({
    formatting: Type.Optional(numberFormatting),
    defaultValue: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    showAs: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
  isComputed: false,
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: () => formattedCells,
  completeOptions({ formatting, defaultValue, showAs }) {
    const given = (formatting ?? {}) as Partial<Formatting>;
    const type = given.type ?? defaultFormatting.type;
    return {
      formatting: {
        type,
        precision: given.precision ?? defaultFormatting.precision,
        ...(type === 'currency' ? { symbol: given.symbol ?? '$' } : {}),
      },
      ...(typeof defaultValue === 'number' ? { defaultValue } : {}),
      ...(showAs === undefined || showAs === null ? {} : { showAs }),
    };
  },
  read: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? { ok: true, value } : { ok: false, expected: 'a number' },
  columnContext: (values) => ({ decimalSign: decimalSignOf(textsIn(values)) }),
  cast(value, field, { decimalSign }) {
    if (typeof value !== 'string') return { value: null, note: 'dropped' };
    const parsed = parseNumber(withDecimalPoint(value, decimalSign));
    if (parsed === null) return { value: null, note: 'dropped' };
    const isPercent = formatOf(field.options).type === 'percent';
    return { value: isPercent && !value.includes('%') ? parsed / 100 : parsed, note: 'converted' };
  },
  // More than a number stood there: “about 40”, “3 of 5”.
  changed: (carried, stored) =>
    typeof carried === 'string' && /[\p{L}\p{N}]\s*\p{L}{2}|\p{L}{3}|\d[^\d.,'\s\u00a0\u202f_eE%-]+\d/u.test(carried)
      ? String(stored)
      : undefined,
  defaultCell: (field) => (typeof field.options.defaultValue === 'number' ? field.options.defaultValue : null),
  // Numbers of another type are numbers as they are.
  convert: (_from, source) => (source.column === 'double precision' && !source.isMultiple ? [] : null),
  carry(from, source, column) {
    if (source.kind === 'boolean') return sql`case when ${column} then '1' end`;
    return source.kind === 'date'
      ? sql`(extract(epoch from ${column}) * 1000)::bigint::text`
      : source.json(column, from, forStorage);
  },
};
