// How far back the history of a space may be seen, by its plan.
import type { Context, Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { historyDays } from '../plan/history-days.ts';

const day = 86_400_000;

/** Entries older than this are not shown; null shows all. 0 days in a plan means for ever. */
export const oldestVisible = async (db: Queryable, context: Context): Promise<Date | null> => {
  const days = await historyDays(db, context, context.access.spaceId as string);
  return days > 0 ? new Date(context.now().getTime() - days * day) : null;
};

/** Removed for good a week after they became invisible, so that an upgrade in time brings them back. */
const grace = 7;

export const removalLimit = async (services: Services, spaceId: string): Promise<Date | null> => {
  const days = await historyDays(services.db, services, spaceId);
  return days > 0 ? new Date(services.now().getTime() - (days + grace) * day) : null;
};
