import { CalendarDays } from 'lucide-react';
import { type FieldTypeEntry, fits } from '../field-type.ts';
import { dateFormattingOf, formatDate } from './date-format.ts';
import { readDate } from './read-date.ts';

export const dateCells = {
  text: ({ options }, value) => formatDate(String(value), dateFormattingOf(options)),
  valueKind: 'date',
} satisfies Partial<FieldTypeEntry>;

export const date: FieldTypeEntry = {
  label: 'Date',
  meaning: 'A date, with or without time',
  icon: CalendarDays,
  ...dateCells,
  read: ({ options }, text) => {
    const formatting = dateFormattingOf(options);
    const value = readDate(text, formatting);
    return value === undefined
      ? {
          ok: false,
          reason: `“${text}” is not a date. Type it like ${formatDate(new Date().toISOString(), formatting)}, or “tomorrow”, or “+3d”.`,
        }
      : fits(value);
  },
  readAddress: (_field, text) => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()),
  example: () => '2026-01-31T12:00:00.000Z',
};
