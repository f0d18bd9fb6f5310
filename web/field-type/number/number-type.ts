import { CircleDollarSign, Hash, Percent, Timer } from 'lucide-react';
import { type FieldTypeEntry, fits } from '../field-type.ts';
import { formatNumber, numberFormattingOf, parseNumber } from './number-format.ts';

/** From the address of a form. */
export const numberInAddress = (text: string): number | undefined =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;

export const number: FieldTypeEntry = {
  label: 'Number',
  meaning: 'Decimal, percent or currency',
  icon: Hash,
  variants: [
    {
      label: 'Currency',
      meaning: 'A number with a sign such as $',
      icon: CircleDollarSign,
      options: { formatting: { type: 'currency', precision: 2, symbol: '$' } },
    },
    {
      label: 'Percent',
      meaning: 'A number shown as 25%',
      icon: Percent,
      options: { formatting: { type: 'percent', precision: 0 } },
    },
    {
      label: 'Duration',
      meaning: 'A number of hours, minutes or days',
      icon: Timer,
      options: { formatting: { type: 'decimal', precision: 1 } },
    },
  ],
  text: ({ options }, value) =>
    typeof value === 'number' ? formatNumber(value, numberFormattingOf(options)) : String(value),
  show: () => ({ as: 'text', isNumber: true }),
  read: ({ options }, text) => {
    const value = parseNumber(text, numberFormattingOf(options));
    return value === undefined
      ? { ok: false, reason: `“${text}” is not a number. Type digits, such as 1234.5.` }
      : fits(value);
  },
  valueKind: 'number',
  readAddress: (_field, text) => numberInAddress(text),
  defaultIsCell: true,
  example: () => 42,
  statisticText: ({ options }, value) => formatNumber(value, numberFormattingOf(options)),
};
