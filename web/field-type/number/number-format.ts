// Numbers as the field shows them, and back from what a person types.
import { readDecimalComma } from '@rowhouse/contract/number-text.ts';

export interface NumberFormatting {
  type: 'decimal' | 'percent' | 'currency';
  precision: number;
  symbol?: string;
}

export const numberFormattingOf = (options: Record<string, unknown>): NumberFormatting => ({
  type: 'decimal',
  precision: 2,
  ...(options['formatting'] as Partial<NumberFormatting> | undefined),
});

/** 1234567.5 → 1,234,567.5, without the browser's lists of languages: to load them takes longer than to draw a grid. */
export const withThousands = (digits: number | string): string => {
  const [whole = '', fraction] = String(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

export const formatNumber = (value: number, { type, precision, symbol = '$' }: NumberFormatting): string => {
  switch (type) {
    case 'percent':
      return `${withThousands((value * 100).toFixed(precision))}%`;
    case 'currency': {
      const digits = Math.abs(value).toLocaleString('en-US', {
        minimumFractionDigits: precision,
        maximumFractionDigits: precision,
      });
      return `${value < 0 ? '-' : ''}${symbol}${digits}`;
    }
    default:
      return withThousands(value.toFixed(precision));
  }
};

/** What stands in the editor: the whole number, without sign of currency; percents as people write them. */
export const editNumber = (value: number, { type }: NumberFormatting): string =>
  String(type === 'percent' ? Number((value * 100).toPrecision(15)) : value);

/** Without what stands between thousands, and with a point before the fraction. */
const plainDigits = (number: string): string => {
  const withComma = readDecimalComma(number);
  if (withComma !== undefined && withComma.length === number.length) return withComma.digits;
  // A comma is there for thousands, or it is a mistake.
  return /^\d{1,3}(,\d{2,3})*,\d{3}(?!\d)[^,]*$/.test(number) ? number.replaceAll(',', '') : number;
};

/** `undefined` when it is not a number; `null` when it is empty. */
export const parseNumber = (text: string, { type }: NumberFormatting): number | null | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const bare = trimmed
    .replace(/^\(([^)]*)\)$/, '-$1')
    .replaceAll('%', '')
    .trim()
    .replace(/^([+-]?)\s*\p{Sc}|\p{Sc}$/gu, '$1')
    .trim();
  const sign = /^[+-]?/.exec(bare)?.[0] ?? '';
  const plain = sign + plainDigits(bare.slice(sign.length).trim()).replace(/[\s'_]/g, '');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const number = Number(plain);
  if (!Number.isFinite(number)) return undefined;
  return type === 'percent' || trimmed.includes('%') ? Number((number / 100).toPrecision(15)) : number;
};
