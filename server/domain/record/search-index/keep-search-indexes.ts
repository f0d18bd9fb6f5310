// What the indexes of texts need from time to time: to be brought up to date, and to go when nobody searches any more.
import type { Db } from '../../../db/db.ts';
import { passesOf } from '../../../db/error.ts';
import type { Work } from '../../../work/job.ts';
import { refreshKind, type SearchIndexPayload } from './build-search-index.ts';
import {
  closeSearchIndex,
  dropLeftover,
  selectDirtyTables,
  selectLeftovers,
  selectUnusedSearches,
} from './search-index.sql.ts';

/** Days without a search after which its index is closed. */
const unused = 7;
/** Seconds until one that is closed goes: servers take it for open for a few, and a search may take half a minute. */
const closing = 3_600;

/** The lock of a table may be taken: then it is for the next time. */
const unlessBusy = async (work: () => Promise<void>): Promise<void> => {
  await work().catch((error: unknown) => {
    if (passesOf(error) !== 'yes') throw error;
  });
};

export const keepSearchIndexes = async (db: Db, work: Work, signal: AbortSignal): Promise<void> => {
  for (const { tableId, baseId } of await selectDirtyTables(db))
    work.add({ kind: refreshKind, key: tableId, baseId, payload: { baseId, tableId } satisfies SearchIndexPayload });
  for (const { tableId } of await selectUnusedSearches(db, unused))
    if (!signal.aborted) await unlessBusy(() => db.transaction((tx) => closeSearchIndex(tx, tableId)));
  for (const { tableId } of await selectLeftovers(db, closing))
    if (!signal.aborted) await unlessBusy(() => db.transaction((tx) => dropLeftover(tx, tableId)));
};
