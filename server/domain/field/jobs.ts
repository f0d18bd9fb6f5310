import type { Services } from '../../context.ts';
import { addJobs } from '../../work/job.sql.ts';
import type { JobKind } from '../../work/job.ts';
import { settleKind } from './fill-later.ts';
import { settleJob } from './settle-job.ts';
import { selectUnfilled } from './settle-job.sql.ts';

export const fieldJobs: JobKind<Services>[] = [
  settleJob as JobKind<Services>,
  {
    // A restored base has fields that no job of this instance fills.
    name: 'find-unfilled-formulas',
    every: 600,
    async run({ db, work }) {
      const unfilled = await selectUnfilled(db, settleKind);
      if (unfilled.length === 0) return;
      await addJobs(
        db,
        unfilled.map(({ baseId, tableId, run }) => ({
          kind: settleKind,
          key: `${tableId} ${run}`,
          baseId,
          payload: { baseId, tableId, run },
        })),
      );
      work.wake();
    },
  },
];
