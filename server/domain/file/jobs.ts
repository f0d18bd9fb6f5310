import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { removeFiles } from './remove-files.ts';

export const fileJobs: JobKind<Services>[] = [{ name: 'remove-files', every: 21_600, isLong: true, run: (services, { signal }) => removeFiles(services, signal) }];
