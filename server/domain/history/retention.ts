// How far back the history of a space may be seen, by its plan.
import type { Context, Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { historyDays, historyDaysOf } from '../plan/history-days.ts';
import type { Subscription } from '../plan/subscription.ts';

const day = 86_400_000;

const before = (now: Date, days: number): Date | null => {
  const time = now.getTime() - days * day;
  // 0 days in a plan mean for ever, and nothing here is older than 1970.
  return days > 0 && time > 0 ? new Date(time) : null;
};

/** Entries older than this are not shown; null shows all. */
export const oldestVisible = async (db: Queryable, context: Context): Promise<Date | null> => {
  const days = await historyDays(db, context, context.access.spaceId as string);
  return before(context.now(), days);
};

/** The same for who has read the subscription already. */
export const oldestVisibleOf = (context: Context, subscription: Subscription | undefined): Date | null =>
  before(context.now(), historyDaysOf(context, subscription));

/** Removed for good a week after they became invisible, so that an upgrade in time brings them back. */
const grace = 7;

export const removalLimit = async (services: Services, spaceId: string): Promise<Date | null> => {
  const days = await historyDays(services.db, services, spaceId);
  return days > 0 ? before(services.now(), days + grace) : null;
};
