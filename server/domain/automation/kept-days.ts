// How long the runs of each space are kept.
import type { Services } from '../../context.ts';
import { limitsOfSpace } from '../plan/space-limits.ts';
import { selectSpacesWithRuns } from './run.sql.ts';

export const selectKeptDays = async (services: Services): Promise<{ spaceId: string; days: number }[]> => {
  const kept: { spaceId: string; days: number }[] = [];
  for (const { spaceId } of await selectSpacesWithRuns(services.db)) {
    const { maxAutomationHistoryDays } = await limitsOfSpace(services.db, services, spaceId);
    kept.push({ spaceId, days: Math.min(maxAutomationHistoryDays, 36_500) });
  }
  return kept;
};
