import { deleteOldAudit } from '../../catalog/audit.sql.ts';
import type { Services } from '../../context.ts';

const batchSize = 5_000;

/** Entries are kept for a year. */
export const removeOldAudit = async ({ db }: Pick<Services, 'db'>, signal?: AbortSignal): Promise<void> => {
  while ((await deleteOldAudit(db, batchSize)) === batchSize) signal?.throwIfAborted();
};
