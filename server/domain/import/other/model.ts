// A base of another service, in the words of this one.
import type { CommentBlock } from '@rowhouse/contract/comment.ts';
import type { NewField } from '@rowhouse/contract/field.ts';

/** What does not come along, or becomes something else. */
export interface Left {
  table: string;
  field?: string;
  view?: string;
  reason: string;
}

/** Ids are those of the other service. */
export interface OtherField {
  id: string;
  name: string;
  description?: string;
  make:
    | { kind: 'own'; type: NewField['type']; options?: Record<string, unknown> }
    /** `other`: the field that shows the same links from the other side. */
    | {
        kind: 'link';
        tableId: string;
        relationship: 'manyMany' | 'manyOne' | 'oneMany' | 'oneOne';
        other: string | null;
      }
    /** Made once everything that it names is there: ids in `given` are replaced. `fallback`: what it becomes when that fails. */
    | { kind: 'computed'; given: Pick<NewField, 'type' | 'options' | 'isLookup' | 'lookupOptions'> }
    | { kind: 'none' };
  /** The cell as this service takes it; of links the ids of records, of files where to fetch them. */
  cell(value: unknown): unknown;
}

export interface OtherFile {
  name: string;
  url: string;
}

export interface OtherRow {
  id: string;
  cells: Record<string, unknown>;
}

export interface OtherComment {
  id: string;
  recordId: string;
  /** Of another comment on the record. */
  quoteId: string | null;
  content: CommentBlock[];
  createdTime: Date;
}

/** Those who wrote them are not here: the text names them. */
export const signedBy = (author: string, blocks: readonly CommentBlock[]): CommentBlock[] => [
  { type: 'p', children: [{ type: 'span', value: `${author}:` }] },
  ...blocks.slice(0, 499),
];

export const nameOf = (person: unknown): string =>
  isObject(person) && typeof person['name'] === 'string' ? person['name'] : 'Somebody';

export interface OtherTable {
  id: string;
  name: string;
  /** The primary one first. */
  fields: OtherField[];
  views: Record<string, unknown>[];
  rows(): AsyncGenerator<OtherRow[]>;
  /** Asked for when all rows were read. Absent: there are none to have. */
  comments?: () => AsyncGenerator<OtherComment[]>;
}

export interface OtherBase {
  name: string;
  tables: OtherTable[];
  left: Left[];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

/** What a person would read of it. */
export const textOf = (value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '').join(', ') || null;
  if (!isObject(value)) return typeof value === 'string' ? value : String(value);
  const { title, name, email, text } = value;
  return [title, name, email, text].find((one) => typeof one === 'string') ?? JSON.stringify(value);
};

export const linkedIds = (value: unknown): string[] =>
  listOf(value).flatMap((item) =>
    typeof item === 'string' ? item : isObject(item) && typeof item['id'] === 'string' ? item['id'] : [],
  );

export const filesIn = (value: unknown, addressOf: (file: Record<string, unknown>) => unknown): OtherFile[] =>
  listOf(value).flatMap((file) => {
    if (!isObject(file)) return [];
    const url = addressOf(file);
    return typeof url === 'string' ? [{ url, name: String(file['filename'] ?? file['name'] ?? 'file') }] : [];
  });
