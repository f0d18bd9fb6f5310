import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { removeOldAudit } from './remove-old-audit.ts';

export const auditJobs: JobKind<Services>[] = [{ name: 'remove-old-audit', every: 3_600, isLong: true, run: (services, { signal }) => removeOldAudit(services, signal) }];
