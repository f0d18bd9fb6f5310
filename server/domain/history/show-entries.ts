// Rows of history as the API shows them.
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import type { Choice } from '../cell/kind/choice.sql.ts';
import { historyId } from './history-id.ts';
import { type AuthorRow, type EntryRow, type MetaRow, selectAuthors, selectMetas } from './history.sql.ts';

type Meta = MetaRow['meta'];

/** A select may have thousands of choices: only those that the value uses are shown. */
const metaFor = (meta: Meta, data: unknown): Meta => {
  const choices = meta.options.choices as Choice[] | undefined;
  if (choices === undefined) return meta;
  const used = new Set([data].flat());
  return { ...meta, options: { ...meta.options, choices: choices.filter((choice) => used.has(choice.name)) } };
};

export const stateOf = (meta: Meta, json: string | null): HistoryEntry['before'] => {
  const data: unknown = json === null ? null : JSON.parse(json);
  return { meta: metaFor(meta, data), data };
};

export const metasOf = async (db: Queryable, table: TableSchema, rows: readonly Pick<EntryRow, 'metaId' | 'beforeMetaId'>[]): Promise<Map<number, MetaRow>> => {
  const ids = [...new Set(rows.flatMap((row) => [row.metaId, ...(row.beforeMetaId === null ? [] : [row.beforeMetaId])]))];
  return new Map((await selectMetas(db, table, ids)).map((meta) => [meta.id, meta]));
};

/** As JSON text: what a cell was is text already, and most fields look alike in all their entries. */
export const entryTexts = (table: TableSchema, rows: readonly EntryRow[], metas: ReadonlyMap<number, MetaRow>): string[] => {
  const known = new Map<number, string>();
  const stateText = ({ id, meta }: MetaRow, json: string | null): string => {
    if (meta.options.choices !== undefined) return JSON.stringify(stateOf(meta, json));
    let text = known.get(id);
    if (text === undefined) {
      text = `{"meta":${JSON.stringify(meta)},"data":`;
      known.set(id, text);
    }
    return `${text}${json ?? 'null'}}`;
  };
  return rows.map((row) => {
    const meta = metas.get(row.metaId) as MetaRow;
    const beforeMeta = row.beforeMetaId === null ? meta : (metas.get(row.beforeMetaId) ?? meta);
    return `{"id":"${historyId(table.id, row)}","tableId":"${table.id}","recordId":"${row.recordId}","fieldId":"${meta.fieldId}","before":${stateText(beforeMeta, row.before)},"after":${stateText(meta, row.after)},"createdTime":"${row.time}","createdBy":"${row.actor}","operationId":"${row.operationId}"}`;
  });
};

export const userMapOf = async (db: Queryable, entries: readonly HistoryEntry[]): Promise<Record<string, AuthorRow>> => {
  const ids = [...new Set(entries.map((entry) => entry.createdBy))];
  return Object.fromEntries((await selectAuthors(db, ids)).map((author) => [author.id, author]));
};
