// How many days back the history of records of a space may be read.
import type { Environment } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { effectiveLevel, settle, type Subscription } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

export const historyDaysOf = (
  { plans, now }: Pick<Environment, 'plans' | 'now'>,
  stored: Subscription | undefined,
): number => {
  const level = stored === undefined ? plans.fallback.level : effectiveLevel(plans, settle(plans, stored, now()));
  return plans.limitOf(level).maxRevisionHistoryDays;
};

export const historyDays = async (
  db: Queryable,
  environment: Pick<Environment, 'plans' | 'now'>,
  spaceId: string,
): Promise<number> =>
  historyDaysOf(
    environment,
    environment.plans.areOn ? await selectSubscription(db, environment.plans, spaceId) : undefined,
  );
