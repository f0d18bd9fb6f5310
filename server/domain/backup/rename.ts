// Other ids for a base whose file is imported: the base may be here already, and a file could name what belongs to others. Ids are
// of one length and form, so that they can be replaced wherever they stand: in rows, in names of tables and columns, in options.
import { newId } from '@rowhouse/contract/id.ts';
import { createPause } from '../../work/slices.ts';
import { type ArchiveLimits, tooMuch } from './archive.ts';
import type { Manifest, TableData } from './manifest.ts';
import { readRows } from './open-backup.ts';

export type Rename = (text: string) => string;

const anyId = /(?:bse|tbl|fld|viw|bnf|rtp|dsh|pli)[0-9A-Za-z]{16}|att[0-9A-Za-z]{21}/g;

export const renameBy =
  (ids: ReadonlyMap<string, string>): Rename =>
  (text) =>
    text.replace(anyId, (id) => ids.get(id) ?? id);

/** Whole lines, so that no id is cut in two. Bytes stay as they are, whatever they mean. */
export async function* renamedLines(
  parts: AsyncIterable<Buffer>,
  rename: Rename,
  path: string,
  { row }: ArchiveLimits,
): AsyncGenerator<Buffer> {
  const pause = createPause();
  let rest: string[] = [];
  let length = 0;
  for await (const part of parts) {
    const text = part.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    length = end > 0 ? text.length - end : length + text.length;
    if (length > row) throw tooMuch(path, 'a row is larger', row, 'bytes');
    if (end > 0) {
      yield Buffer.from(rename(rest.join('') + text.slice(0, end)), 'latin1');
      rest = [];
    }
    rest.push(end > 0 ? text.slice(end) : text);
    await pause();
  }
  if (length > 0) yield Buffer.from(rename(rest.join('')), 'latin1');
}

/** Texts and quoted names are left as they are. */
const words = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[a-z_][0-9a-z_]*/g;

/** PostgreSQL quotes only names that need it, which one of small letters does not; the name that it gets instead may need it. */
const withQuotedNames = (method: string): string =>
  method.replace(words, (word) => (/^['"]/.test(word) || word.search(anyId) === -1 ? word : `"${word}"`));

export const renamedManifest = (manifest: Manifest, rename: Rename): Manifest => {
  const bases = manifest.bases.map((base) => ({
    ...base,
    tables: base.tables.map((table) => ({
      ...table,
      indexes: table.indexes.map((index) => ({ ...index, method: withQuotedNames(index.method) })),
    })),
  }));
  return JSON.parse(rename(JSON.stringify({ ...manifest, bases }))) as Manifest;
};

/** Tables of schema `rowhouse` whose rows have ids, and in which column. */
const idColumns: Record<string, string> = {
  folders: 'id',
  tables: 'id',
  fields: 'id',
  views: 'id',
  deleted_fields: 'id',
  deleted_views: 'id',
  record_templates: 'id',
  dashboards: 'id',
  dashboard_items: 'id',
  files: 'token',
  file_uses: 'token',
};

/** A file may be used by several records. */
const rowsPerId = 4;

const kinds = {
  bse: 'bse',
  tbl: 'tbl',
  fld: 'fld',
  viw: 'viw',
  bnf: 'bnf',
  rtp: 'rtp',
  dsh: 'dsh',
  pli: 'pli',
  att: 'att',
} as const;

/** A new id for each that the file has rows of. */
export const newIdsFor = async (
  path: string,
  { bases, tables, files = [] }: Manifest,
  limits: ArchiveLimits,
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  const add = (id: string): void => {
    const kind = kinds[id.slice(0, 3) as keyof typeof kinds];
    if (kind !== undefined && !ids.has(id) && (id.match(anyId)?.[0] ?? '') === id) ids.set(id, newId(kind));
  };
  for (const { id } of bases) add(id);
  for (const { token } of files) add(token);
  const hasIds = ({ schema, name }: TableData): boolean => schema === 'rowhouse' && name in idColumns;
  const demandAtMost = (count: number, most: number): void => {
    if (count > most) throw tooMuch(path, 'it has more tables, fields, views and files', most, 'of them');
  };
  const mostRows = rowsPerId * limits.ids;
  // Before any of them is read: many short lines cost the most.
  demandAtMost(
    tables.filter(hasIds).reduce((sum, { rows }) => sum + rows, 0),
    mostRows,
  );
  const last = tables.findLastIndex(hasIds);
  const rows = readRows(path, limits);
  const pause = createPause();
  let read = 0;
  const readIds = async (lines: AsyncIterable<Buffer>, { name, columns }: TableData): Promise<void> => {
    const place = columns.indexOf(idColumns[name] as string);
    for await (const some of lines) {
      const found = some.toString('latin1').split('\n');
      read += found.length - 1;
      demandAtMost(read, mostRows);
      for (const [at, line] of found.entries()) {
        add(line.split('\t', place + 1)[place] ?? '');
        if (at % 1_000 === 0) await pause();
      }
      demandAtMost(ids.size, limits.ids);
    }
  };
  try {
    for (const [at, table] of tables.slice(0, last + 1).entries()) {
      const parts = rows.partsOf(at, table);
      if (!hasIds(table)) for await (const part of parts) void part;
      else
        await readIds(
          renamedLines(parts, (text) => text, path, limits),
          table,
        );
    }
  } finally {
    await rows.close();
  }
  return ids;
};
