import { ApiError } from '@rowhouse/contract/error.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind } from '../../work/job.ts';
import { dropOldKeys } from './write/idempotency.sql.ts';
import { lookAfterViewIndexes, viewIndexKind, type ViewIndexPayload } from './view-index/keep-view-indexes.ts';

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
      const table = await loadTable(db, baseId, tableId).catch((error: unknown) => {
        // Deleted since.
        if (isGone(error) || (error instanceof ApiError && error.status === 404)) return undefined;
        throw error;
      });
      if (table !== undefined) await lookAfterViewIndexes(db, table);
    },
  },
];
