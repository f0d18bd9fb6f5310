// Wishes for indexes come from queries that took long. See docs/adr/0210-indexes-for-what-is-asked-again.md.
import type { Sight } from '../../../catalog/sight.ts';
import type { TableSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Db, Handle } from '../../../db/db.ts';
import { wishedIndex } from '../../query/asked-index.ts';
import type { IndexWish } from '../../query/wish.ts';
import { lookAfterViewIndexes, smallest } from './keep-view-indexes.ts';
import { addQueryIndex } from './query-index.sql.ts';
import { selectHighestNumber } from './view-index.sql.ts';

export const queryIndexKind = 'index-query';

export interface QueryIndexPayload {
  baseId: string;
  tableId: string;
  keys: IndexWish;
}

/** Milliseconds from which on a query asks for an index when it comes again … */
const slow = 40;
/** … and at once: who waited this long does not want to wait twice. */
const verySlow = 150;

/** Every index costs each write something. */
const maxIndexes = 3;
/** Seconds in which an index that is in use keeps its place. */
const rest = 3_600;

const capacity = 5_000;
/** Milliseconds until the same wish is told again. */
const pause = 600_000;

interface Wished {
  count: number;
  told: number;
}

// Per database, in this process: wishing twice does no harm.
const wished = new WeakMap<object, Map<string, Wished>>();

// Tables that have taken long, and may have got indexes for what they are filtered by.
const slowTables = new WeakMap<object, Set<string>>();

/** Whether a filter may be answered by an index. A plan that does not look at what is compared would pass it over. */
export const mayHaveFilterIndex = (db: Handle, tableId: string, wishes: readonly IndexWish[]): boolean =>
  wishes.some(([key]) => key?.as === 'filter') && slowTables.get(db.identity)?.has(tableId) === true;

const noteSlow = (db: Db, tableId: string): void => {
  const known = slowTables.get(db.identity) ?? new Set<string>();
  slowTables.set(db.identity, known);
  if (known.size >= capacity) known.clear();
  known.add(tableId);
};

const isDue = (db: Db, tableId: string, keys: string, took: number): boolean => {
  const known = wished.get(db.identity) ?? new Map<string, Wished>();
  wished.set(db.identity, known);
  const place = `${tableId} ${keys}`;
  const one = known.get(place) ?? { count: 0, told: Number.NEGATIVE_INFINITY };
  one.count += 1;
  if (known.size >= capacity) known.clear();
  known.set(place, one);
  if ((one.count < 2 && took < verySlow) || performance.now() - one.told < pause) return false;
  one.told = performance.now();
  return true;
};

/**
 * Does not wait. `took`: milliseconds. Visitors of a share wish for nothing: anybody could have indexes made. Nor do those who see masked cells, which are no columns.
 */
export const wishForIndexes = (
  { db, work }: Context,
  { table, rule, isMasked }: Sight,
  wishes: readonly IndexWish[],
  took: number,
): void => {
  if (wishes.length === 0 || took < slow || db.kind !== 'pool' || rule.isPublic === true || isMasked) return;
  const { baseId, id: tableId } = table;
  noteSlow(db, tableId);
  for (const keys of wishes) {
    const text = JSON.stringify(keys);
    if (wishedIndex(table, keys) === undefined || !isDue(db, tableId, text, took)) continue;
    const payload: QueryIndexPayload = { baseId, tableId, keys };
    work.add({ kind: queryIndexKind, key: `${tableId} ${text}`, baseId, payload });
  }
};

/** The work of the job. */
export const indexQuery = async (db: Db, table: TableSchema, keys: IndexWish): Promise<void> => {
  if (wishedIndex(table, keys) === undefined || (await selectHighestNumber(db, table)) < smallest) return;
  if (await addQueryIndex(db, table, keys, { most: maxIndexes, rest })) await lookAfterViewIndexes(db, table);
};
