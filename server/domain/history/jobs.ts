import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { dropExpiredHistory } from './drop-expired-history.ts';
import { relinkJob } from './relink-later.ts';

export const historyJobs: JobKind<Services>[] = [
  relinkJob as JobKind<Services>,
  {
    name: 'remove-old-history',
    every: 3_600,
    isLong: true,
    async run(services, { signal }) {
      await dropExpiredHistory(services, signal);
    },
  },
];
