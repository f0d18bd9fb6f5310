import type { Services } from '../../context.ts';
import { comments } from '../../db/base-migrations/0004-comments.ts';
import { baseSteps } from '../../db/base-migrations/steps.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind } from '../../work/job.ts';
import { deleteLost, selectCommentedTables, selectTablesWithComments } from './comment.sql.ts';

/** The version of a base that came with comments. */
const firstVersion = baseSteps.indexOf(comments) + 1;

/** Comments of records that were deleted and cannot be brought back any more, in any base. */
export const dropLostComments = async ({ db }: Pick<Services, 'db'>, signal?: AbortSignal): Promise<void> => {
  let baseId = '';
  let commented = new Set<string>();
  for (const table of await selectTablesWithComments(db, firstVersion)) {
    signal?.throwIfAborted();
    // A base or table that is deleted meanwhile took its comments along.
    try {
      if (table.baseId !== baseId) commented = new Set(await selectCommentedTables(db, table.baseId));
      baseId = table.baseId;
      if (commented.has(table.id)) await deleteLost(db, table);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
};

export const commentJobs: JobKind<Services>[] = [
  {
    name: 'drop-lost-comments',
    every: 86_400,
    isLong: true,
    run: (services, { signal }) => dropLostComments(services, signal),
  },
];
