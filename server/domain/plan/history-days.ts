import type { Services } from '../../context.ts';
import { readSubscription } from './read-subscription.ts';
import { effectiveLevel } from './subscription.ts';

/** How many days back the history of records of a space may be read. */
export const historyDays = async (services: Pick<Services, 'db' | 'plans' | 'now'>, spaceId: string): Promise<number> =>
  services.plans.limitOf(effectiveLevel(services.plans, await readSubscription(services, spaceId))).maxRevisionHistoryDays;
