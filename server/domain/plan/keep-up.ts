// Every minute: what time has changed, for spaces that nobody looks at.
import { deleteOldPoints } from '../../catalog/rate-limit.sql.ts';
import type { Services } from '../../context.ts';
import { sampleUsage } from './sample-usage.ts';
import { settleDue } from './settle-due.ts';
import { warnOfLimits } from './warn-of-limits.ts';

const hour = 3_600;

export const keepUp = async (services: Services): Promise<void> => {
  await settleDue(services);
  await warnOfLimits(services);
  services.work.wake();
  await sampleUsage(services);
  await deleteOldPoints(services.db, Math.floor(services.now().getTime() / 1_000) - hour);
};
