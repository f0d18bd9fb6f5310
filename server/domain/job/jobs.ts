import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { deleteOldJobs } from '../../work/job.sql.ts';

const keptDays = 7;

export const jobJobs: JobKind<Services>[] = [
  {
    name: 'remove-old-jobs',
    every: 3_600,
    async run({ db }) {
      await deleteOldJobs(db, keptDays);
    },
  },
];
