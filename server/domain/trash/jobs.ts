import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { dropExpiredTrash } from './drop-table-trash.ts';

export const trashJobs: JobKind<Services>[] = [
  {
    name: 'empty-old-trash',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => dropExpiredTrash(services, signal),
  },
];
