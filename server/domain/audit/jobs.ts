import { deleteOldAudit } from '../../catalog/audit.sql.ts';
import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';

const batchSize = 5_000;

/** Entries are kept for a year, unless administrators say otherwise. */
export const removeOldAudit = async (
  { db, config }: Pick<Services, 'db' | 'config'>,
  signal?: AbortSignal,
): Promise<void> => {
  while ((await deleteOldAudit(db, batchSize, config.auditStream !== null)) === batchSize) signal?.throwIfAborted();
};

export const auditJobs: JobKind<Services>[] = [
  {
    name: 'remove-old-audit',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => removeOldAudit(services, signal),
  },
];
