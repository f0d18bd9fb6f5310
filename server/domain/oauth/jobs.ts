import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { sweepExpired } from './sweep-expired.ts';

export const oauthJobs: JobKind<Services>[] = [
  {
    name: 'remove-expired-grants',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => sweepExpired(services, signal),
  },
];
