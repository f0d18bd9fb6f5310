import type { PlanLimit } from '@rowhouse/contract/plan.ts';
import type { Context } from '../../context.ts';
import { readSubscription } from './read-subscription.ts';
import { effectiveLevel } from './subscription.ts';

/** The plan that applies to a space, and what it allows. */
export const getUsage = async (context: Context, spaceId: string): Promise<{ level: string; limit: PlanLimit }> => {
  const level = effectiveLevel(context.plans, await readSubscription(context, spaceId));
  return { level, limit: context.plans.limitOf(level) };
};
