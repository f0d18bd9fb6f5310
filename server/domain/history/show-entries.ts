// Rows of history as the API shows them.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import type { HistoryEntry, listTableHistory } from '@rowhouse/contract/history.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { createByteCache } from '../../db/byte-cache.ts';
import type { Queryable } from '../../db/db.ts';
import { Stale } from '../../pipeline/stale.ts';
import type { Choice } from '../cell/kind/choice.sql.ts';
import type { Reader } from '../cell/type.ts';
import { withoutEmails } from '../cell/type/user.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { historyId } from './history-id.ts';
import { type EntryRow, type MetaRow, selectAuthors, selectMetas } from './history.sql.ts';

type Meta = MetaRow['meta'];
type HistoryAuthor = ResponseOf<typeof listTableHistory>['userMap'][string];

/** A select may have thousands of choices: only those that the value uses are shown. */
const metaFor = (meta: Meta, data: unknown): Meta => {
  const choices = meta.options.choices as Choice[] | undefined;
  if (choices === undefined) return meta;
  const used = new Set([data].flat());
  return { ...meta, options: { ...meta.options, choices: choices.filter((choice) => used.has(choice.name)) } };
};

const namesPeople = ({ type }: Meta): boolean => fieldTypeOf(type as FieldTypeName).namesPeople === true;

/** `json` is as it was written down: with addresses. */
export const stateOf = (meta: Meta, json: string | null, { seesEmails }: Reader): HistoryEntry['before'] => {
  const written: unknown = json === null ? null : JSON.parse(json);
  const data = seesEmails || !namesPeople(meta) ? written : withoutEmails(written);
  return { meta: metaFor(meta, data), data };
};

/** Versions of fields are written once and never changed. */
const known = createByteCache<KnownMeta>(8 * 1_048_576, ({ size }) => size);

interface KnownMeta extends MetaRow {
  /** A state up to its value; undefined when it depends on the value. */
  beginning: string | undefined;
  size: number;
}

const knownMeta = (row: MetaRow): KnownMeta => {
  const json = JSON.stringify(row.meta);
  return {
    ...row,
    beginning: row.meta.options.choices === undefined ? `{"meta":${json},"data":` : undefined,
    size: 500 + 4 * json.length,
  };
};

/** What the fields were that entries are of. They are read when this process has not shown them lately. */
export const metasOf = async (
  db: Queryable,
  table: TableSchema,
  rows: readonly Pick<EntryRow, 'metaId' | 'beforeMetaId'>[],
): Promise<Map<number, KnownMeta>> => {
  const found = new Map<number, KnownMeta>();
  const missing = new Set<number>();
  const look = (id: number | null): void => {
    if (id === null || found.has(id)) return;
    const meta = known.get(`${table.id} ${id}`);
    if (meta === undefined) missing.add(id);
    else found.set(id, meta);
  };
  for (const { metaId, beforeMetaId } of rows) {
    look(metaId);
    look(beforeMetaId);
  }
  if (missing.size === 0) return found;
  for (const row of await selectMetas(db, table, [...missing])) {
    const meta = knownMeta(row);
    known.set(`${table.id} ${row.id}`, meta);
    found.set(row.id, meta);
  }
  return found;
};

const stateText = ({ meta, beginning }: KnownMeta, json: string | null, reader: Reader): string =>
  beginning === undefined || (!reader.seesEmails && namesPeople(meta))
    ? JSON.stringify(stateOf(meta, json, reader))
    : `${beginning}${json ?? 'null'}}`;

/** As JSON text: what a cell was is text already, and most fields look alike in all their entries. */
export const entryTexts = (
  sight: Sight,
  rows: readonly EntryRow[],
  metas: ReadonlyMap<number, KnownMeta>,
): string[] => {
  const { table } = sight;
  return rows.map((row) => {
    const meta = metas.get(row.metaId);
    // It goes with its table.
    if (meta === undefined) throw new Stale('schema');
    const beforeMeta = row.beforeMetaId === null ? meta : (metas.get(row.beforeMetaId) ?? meta);
    return `{"id":"${historyId(table.id, row)}","tableId":"${table.id}","recordId":"${row.recordId}","fieldId":"${meta.fieldId}","before":${stateText(beforeMeta, row.before, sight)},"after":${stateText(meta, row.after, sight)},"createdTime":"${row.time}","createdBy":"${row.actor}","operationId":"${row.operationId}"}`;
  });
};

export const authorsOf = async (
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  entries: readonly HistoryEntry[],
): Promise<HistoryAuthor[]> =>
  (await selectAuthors(db, [...new Set(entries.map((entry) => entry.createdBy))])).map((author) => ({
    ...author,
    email: shownEmail(principal, author.email),
  }));
