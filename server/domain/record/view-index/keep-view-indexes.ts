// Keeps the indexes that the views of a table and its rules want: looked after in the background when a view is read, or a part of the records, and the schema
// or the rules have changed since, and from time to time because tables grow. See docs/adr/0007-view-indexes.md.
import { selectReadConditions } from '../../../catalog/matrix.sql.ts';
import { selectVersion } from '../../../catalog/table.sql.ts';
import type { TableSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/db.ts';
import { isGone, passesOf } from '../../../db/error.ts';
import { wishedIndex } from '../../query/asked-index.ts';
import { type ViewIndex, viewIndexes } from '../../query/view-index.ts';
import { nameQueryIndex, selectQueryIndexes } from './query-index.sql.ts';
import { changeViewIndexes, indexedPosition, selectHighestNumber, selectViewIndexes } from './view-index.sql.ts';

/** Smaller tables are sorted and searched in a few milliseconds without. */
export const smallest = 5_000;
const interval = 600_000;
const capacity = 10_000;

interface Look {
  version: number;
  time: number;
}

// Per database, in this process: looking twice does no harm.
const looks = new WeakMap<object, Map<string, Look>>();

const isDue = (db: Db, table: TableSchema, rules: string | undefined): boolean => {
  const known = looks.get(db.identity) ?? new Map<string, Look>();
  looks.set(db.identity, known);
  const place = rules === undefined ? table.id : `${table.id} ${rules}`;
  const last = known.get(place);
  if (last !== undefined && last.version === table.version && Date.now() - last.time < interval) return false;
  if (known.size >= capacity) known.clear();
  known.set(place, { version: table.version, time: Date.now() });
  return true;
};

/** Those for what is asked beside the views. Their names follow the fields: a choice that is renamed gives its index another one. */
const askedIndexes = async (db: Db, table: TableSchema): Promise<ViewIndex[]> => {
  const found: ViewIndex[] = [];
  for (const { keys, name } of await selectQueryIndexes(db, table.id)) {
    const index = wishedIndex(table, keys);
    if (index === undefined) continue;
    if (index.name !== name) await nameQueryIndex(db, table.id, keys, index.name);
    found.push(index);
  }
  return found;
};

/** Makes what is missing, drops what nothing wants any more and what a crash left unfinished. */
export const syncViewIndexes = async (db: Db, table: TableSchema): Promise<void> => {
  const conditions = await selectReadConditions(db, table.baseId, table.id);
  const ofViews = viewIndexes(table, indexedPosition, conditions);
  const wanted = [...new Map([...ofViews, ...(await askedIndexes(db, table))].map((one) => [one.name, one])).values()];
  const present = await selectViewIndexes(db, table);
  const valid = new Set(present.flatMap(({ name, isValid }) => (isValid ? [name] : [])));
  const names = new Set(wanted.map(({ name }) => name));
  const extra = present.filter(({ name, isValid }) => !isValid || !names.has(name)).map(({ name }) => name);
  const lacking = wanted.filter(({ name }) => !valid.has(name));
  const missing = lacking.length > 0 && (await selectHighestNumber(db, table)) < smallest ? [] : lacking;
  if (missing.length > 0 || extra.length > 0) await changeViewIndexes(db, table, { missing, extra });
};

const isOutdated = async (db: Db, { baseId, id, version }: TableSchema): Promise<boolean> =>
  (await selectVersion(db, baseId, id).catch(() => undefined)) !== version;

/** What gives way to a change of the schema, or to another lock, fails with what passes: the job waits. */
export const lookAfterViewIndexes = async (db: Db, table: TableSchema): Promise<void> => {
  try {
    await syncViewIndexes(db, table);
  } catch (error) {
    // Planned for what is gone, or for fields that have been changed or deleted since.
    if (isGone(error) || (passesOf(error) !== 'yes' && (await isOutdated(db, table)))) return;
    throw error;
  }
};

export const viewIndexKind = 'build-view-indexes';

export interface ViewIndexPayload {
  baseId: string;
  tableId: string;
}

/** Does not wait. `rules`: by which the reader sees a part of the records; a change of these wants other indexes. */
export const keepViewIndexes = ({ db, work }: Context, table: TableSchema, rules?: string): void => {
  const { baseId, id: tableId } = table;
  if (db.kind === 'pool' && isDue(db, table, rules))
    work.add({ kind: viewIndexKind, key: tableId, baseId, payload: { baseId, tableId } satisfies ViewIndexPayload });
};
