import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { settleJob } from './settle-job.ts';

export const fieldJobs: JobKind<Services>[] = [settleJob as JobKind<Services>];
