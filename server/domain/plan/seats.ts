// Seats: on a paid level, as many people may have a role that takes a seat as the subscription has.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectSpaceId } from './count-rows.sql.ts';
import { settle, type Status, type Subscription } from './subscription.ts';
import { lockSubscription, selectSubscription } from './subscription.sql.ts';
import { selectSeats } from './usage.sql.ts';

export type ShownStatus = Status | 'seat_limit_exceeded';

/** What the API says: a paid plan in force that more people use than were paid for. */
export const shownStatus = ({ status, unitAmount, quantity }: Subscription, seats: number): ShownStatus =>
  (status === 'active' || status === 'trialing') && unitAmount > 0 && seats > quantity ? 'seat_limit_exceeded' : status;

/**
 * Called in a transaction that has given roles and may have taken seats: 460 when there are too many now. `before` is
 * the number of seats before it; a space that was over already may still change what takes no further seat.
 */
export const demandSeats = async (
  tx: Tx,
  { plans, now }: Pick<Environment, 'plans' | 'now'>,
  place: { type: 'space' | 'base'; id: string },
  before: number,
): Promise<void> => {
  const spaceId = place.type === 'space' ? place.id : await selectSpaceId(tx, place.id);
  const stored = await selectSubscription(tx, plans, spaceId);
  if (stored === undefined) return;
  const { unitAmount, quantity } = settle(plans, stored, now());
  if (unitAmount === 0) return;
  // Anyone who invites to another base of the space at the same moment waits here, and is counted.
  await lockSubscription(tx, spaceId);
  const usage = await selectSeats(tx, spaceId);
  if (usage > quantity && usage > before) {
    throw new ApiError(
      'user_limit_exceeded',
      `The subscription of this space has ${quantity} seat(s), and ${usage} would be taken; buy more seats or invite as commenter or viewer`,
      {
        limit: quantity,
        usage: before,
        asked: usage - before,
      },
    );
  }
};

/** Seats taken in the space of a place. */
export const seatsBefore = async (tx: Tx, place: { type: 'space' | 'base'; id: string }): Promise<number> =>
  selectSeats(tx, place.type === 'space' ? place.id : await selectSpaceId(tx, place.id));
