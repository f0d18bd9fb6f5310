import { ApiError } from '@rowhouse/contract/error.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind } from '../../work/job.ts';
import {
  buildSearchIndex,
  refreshKind,
  refreshSearchIndex,
  searchIndexKind,
} from './search-index/build-search-index.ts';
import { keepSearchIndexes } from './search-index/keep-search-indexes.ts';
import { dropOldKeys } from './write/idempotency.sql.ts';
import { indexQuery, queryIndexKind, type QueryIndexPayload } from './view-index/keep-query-indexes.ts';
import { forgetUnusedIndexes } from './view-index/query-index.sql.ts';
import { lookAfterViewIndexes, viewIndexKind, type ViewIndexPayload } from './view-index/keep-view-indexes.ts';

/** Undefined: deleted since. */
const tableStill = (db: Db, baseId: string, tableId: string): Promise<TableSchema | undefined> =>
  loadTable(db, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return undefined;
    throw error;
  });

/** A table that is deleted in the middle is no failure. */
const whileThere = async (made: Promise<void>): Promise<void> => {
  await made.catch((error: unknown) => {
    if (!(isGone(error) || (error instanceof ApiError && error.status === 404))) throw error;
  });
};

/** Smaller tables are read through in a moment. */
const smallestSearched = 20_000;

/** Days without use after which an index for what was asked beside the views is dropped. */
const unusedDays = 3;

export const recordJobs: JobKind<Services>[] = [
  {
    name: 'remove-old-answers',
    every: 600,
    async run({ db }, { signal }) {
      while (!signal.aborted && (await dropOldKeys(db)) > 0);
    },
  },
  {
    name: viewIndexKind,
    isLong: true,
    // The next reader of the view asks for it again anyway.
    retry: { attempts: 3, first: 60, longest: 600 },
    async run({ db }, { payload }) {
      const { baseId, tableId } = payload as ViewIndexPayload;
      const table = await tableStill(db, baseId, tableId);
      if (table !== undefined) await lookAfterViewIndexes(db, table);
    },
  },
  {
    name: queryIndexKind,
    isLong: true,
    retry: { attempts: 3, first: 60, longest: 600 },
    async run({ db }, { payload }) {
      const { baseId, tableId, keys } = payload as QueryIndexPayload;
      const table = await tableStill(db, baseId, tableId);
      if (table !== undefined) await indexQuery(db, table, keys);
    },
  },
  {
    name: searchIndexKind,
    isLong: true,
    givesWay: true,
    // The next search asks for it again anyway.
    retry: { attempts: 3, first: 10, longest: 600 },
    run: ({ db }, job) => whileThere(buildSearchIndex(db, job, smallestSearched)),
  },
  {
    name: refreshKind,
    isLong: true,
    givesWay: true,
    retry: { attempts: 3, first: 10, longest: 600 },
    run: ({ db }, job) => whileThere(refreshSearchIndex(db, job)),
  },
  {
    name: 'keep-search-indexes',
    every: 20,
    run: ({ db, work }, { signal }) => keepSearchIndexes(db, work, signal),
  },
  {
    name: 'drop-unused-indexes',
    every: 3_600,
    async run({ db, work }) {
      for (const { tableId, baseId } of await forgetUnusedIndexes(db, unusedDays))
        work.add({
          kind: viewIndexKind,
          key: tableId,
          baseId,
          payload: { baseId, tableId } satisfies ViewIndexPayload,
        });
    },
  },
];
