import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { checkDueDomains } from './check-domain.ts';

export const organizationJobs: JobKind<Services>[] = [
  {
    name: 'check-domains',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => checkDueDomains(services, signal),
  },
];
