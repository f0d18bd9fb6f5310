// What cells hold, as plain values: choices, people, files, titles of linked records, and text that is not understood.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import type { Field } from '@rowhouse/contract/field.ts';

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
