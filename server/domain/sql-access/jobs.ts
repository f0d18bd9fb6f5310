import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { endOffenders } from './reader.sql.ts';
import { endHoarders } from './watch-readers.ts';

export const sqlAccessJobs: JobKind<Services>[] = [
  {
    name: 'end-offending-readers',
    every: 60,
    run: async ({ db }) => {
      await endOffenders(db);
      await endHoarders(db);
    },
  },
];
