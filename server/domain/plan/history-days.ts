import type { Environment } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { effectiveLevel, settle } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

/** How many days back the history of records of a space may be read. */
export const historyDays = async (db: Queryable, { plans, now }: Pick<Environment, 'plans' | 'now'>, spaceId: string): Promise<number> => {
  if (!plans.areOn) return plans.limitOf(plans.fallback.level).maxRevisionHistoryDays;
  const stored = await selectSubscription(db, plans, spaceId);
  const level = stored === undefined ? plans.fallback.level : effectiveLevel(plans, settle(plans, stored, now()));
  return plans.limitOf(level).maxRevisionHistoryDays;
};
