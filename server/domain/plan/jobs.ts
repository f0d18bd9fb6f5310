import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { countBytes } from './count-bytes.ts';
import { keepUp } from './keep-up.ts';

export const planJobs: JobKind<Services>[] = [
  { name: 'keep-plans', every: 60, run: (services) => keepUp(services) },
  { name: 'count-bytes', every: 300, isLong: true, run: (services) => countBytes(services) },
];
