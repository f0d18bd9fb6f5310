// A cell as the text a person sees: drawn in the grid, copied to other programs, read by screen readers.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { dateFormattingOf, formatDate } from './date-format.ts';
import { formatNumber, numberFormattingOf } from './number-format.ts';

/** Text in a cell that is not understood yet, or was refused: kept as it was typed, so that nothing is lost. */
interface Unparsed {
  unparsed: string;
}

export const isUnparsed = (value: unknown): value is Unparsed =>
  typeof value === 'object' && value !== null && 'unparsed' in value;

export interface Choice {
  id: string;
  name: string;
  color: string;
}

interface PersonCell {
  id: string;
  title: string;
  email?: string;
}

export const choicesOf = (field: Pick<Field, 'options'>): Choice[] =>
  Array.isArray(field.options['choices']) ? (field.options['choices'] as Choice[]) : [];

export const listOf = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

export const peopleOf = (value: unknown): PersonCell[] =>
  listOf(value).filter((item): item is PersonCell => typeof item === 'object' && item !== null && 'id' in item);

/** Of linked records; one may have no title. Text is on its way to the server, which looks for it. */
export const titlesOf = (value: unknown): string[] =>
  listOf(value).map((item) =>
    typeof item === 'string' ? item : ((item as { title?: string } | null)?.title ?? 'Unnamed record'),
  );

/** The path of an address of this server, whatever name it is reached by: what is elsewhere would not be shown. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, window.location.href);
  return pathname + search;
};

export const filesOf = (value: unknown): Attachment[] =>
  listOf(value).filter((item): item is Attachment => typeof item === 'object' && item !== null && 'token' in item);

const quoted = (text: string): string => (/[,"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A result of a formula, or one of several: its formatting tells numbers and dates from texts. */
const resultText = (options: Record<string, unknown>, value: unknown): string => {
  if (typeof value === 'number') return formatNumber(value, numberFormattingOf(options));
  const formatting = options['formatting'] as { date?: unknown } | undefined;
  return typeof formatting?.date === 'string' ? formatDate(String(value), dateFormattingOf(options)) : String(value);
};

const lists: readonly string[] = [
  'multipleSelect',
  'user',
  'createdBy',
  'lastModifiedBy',
  'link',
  'formula',
  'rollup',
  'conditionalRollup',
  'count',
];

const listTexts = new WeakMap<readonly unknown[], string>();

/** The grid asks for it with every movement, and a list may have thousands of titles. */
const textOfTitles = (value: unknown): string => {
  if (!Array.isArray(value)) return titlesOf(value).join(', ');
  const known = listTexts.get(value);
  if (known !== undefined) return known;
  const text = titlesOf(value).join(', ');
  listTexts.set(value, text);
  return text;
};

export const cellText = (field: Pick<Field, 'type' | 'options'>, value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (isUnparsed(value)) return value.unparsed;
  // A lookup through a link to several records.
  if (Array.isArray(value) && !lists.includes(field.type))
    return value.map((item: unknown) => cellText(field, item)).join(', ');
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? formatNumber(value, numberFormattingOf(field.options)) : String(value);
    case 'checkbox':
      return value === true ? 'true' : '';
    case 'date':
    case 'createdTime':
    case 'lastModifiedTime':
      return formatDate(String(value), dateFormattingOf(field.options));
    case 'formula':
    case 'rollup':
    case 'conditionalRollup':
    case 'count':
      return listOf(value)
        .map((item) => resultText(field.options, item))
        .join(', ');
    case 'link':
      return textOfTitles(value);
    case 'multipleSelect':
      return listOf(value)
        .map((name) => quoted(String(name)))
        .join(', ');
    case 'user':
    case 'createdBy':
    case 'lastModifiedBy':
      return peopleOf(value)
        .map((person) => person.title)
        .join(', ');
    case 'attachment':
      return filesOf(value)
        .map(({ name, token }) => `${name} (${token})`)
        .join(',');
    default:
      return String(value);
  }
};
