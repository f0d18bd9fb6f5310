import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { endOffenders } from './reader.sql.ts';

export const sqlAccessJobs: JobKind<Services>[] = [
  { name: 'end-offending-readers', every: 60, run: ({ db }) => endOffenders(db) },
];
