import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { exportBaseJob } from './export-base.ts';
import { importBaseJob } from './import-base.ts';

export const backupJobs: JobKind<Services>[] = [exportBaseJob as JobKind<Services>, importBaseJob as JobKind<Services>];
