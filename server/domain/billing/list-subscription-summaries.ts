import type { Context } from '../../context.ts';
import { shownStatus, type ShownStatus } from '../plan/seats.ts';
import { settle } from '../plan/subscription.ts';
import { selectSubscriptions } from '../plan/subscription.sql.ts';
import { selectSeatsOf } from '../plan/usage.sql.ts';
import { selectSpaces } from '../space/space.sql.ts';

interface Summary {
  spaceId: string;
  status: ShownStatus;
  level: string;
}

const summarise = async ({ db, plans, now }: Context, spaceIds: readonly string[]): Promise<Summary[]> => {
  const [subscriptions, seats] = await Promise.all([
    selectSubscriptions(db, plans, spaceIds),
    selectSeatsOf(db, spaceIds),
  ]);
  return subscriptions.map((stored) => {
    const present = settle(plans, stored, now());
    return {
      spaceId: present.spaceId,
      status: shownStatus(present, seats.get(present.spaceId) ?? 0),
      level: present.level,
    };
  });
};

export const listSubscriptionSummaries = async (context: Context): Promise<Summary[]> => {
  const { reach, userId } = context.principal;
  const spaces = await selectSpaces(context.db, userId, reach === null ? null : [...reach.spaceIds]);
  return summarise(
    context,
    spaces.map(({ id }) => id),
  );
};

export const getSubscriptionSummary = async (context: Context, spaceId: string): Promise<Summary> =>
  (await summarise(context, [spaceId]))[0] as Summary;
