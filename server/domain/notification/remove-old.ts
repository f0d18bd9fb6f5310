import type { Services } from '../../context.ts';
import { deleteOldRead } from './notification.sql.ts';

const batchSize = 1_000;

/** Removes read notifications that are older than the setting says. */
export const removeOld = async ({ db, config }: Services, signal: AbortSignal): Promise<void> => {
  while ((await deleteOldRead(db, config.notificationDays, batchSize)) === batchSize) signal.throwIfAborted();
};
