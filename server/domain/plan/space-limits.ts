// What the plan of a space allows, for work that no request waits for.
import type { PlanLimit } from '@rowhouse/contract/plan.ts';
import type { Environment } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { effectiveLevel, settle } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

export const limitsOfSpace = async (
  db: Queryable,
  { plans, now }: Pick<Environment, 'plans' | 'now'>,
  spaceId: string,
): Promise<PlanLimit> => {
  const stored = plans.areOn ? await selectSubscription(db, plans, spaceId) : undefined;
  return plans.limitOf(
    stored === undefined ? plans.fallback.level : effectiveLevel(plans, settle(plans, stored, now())),
  );
};
