import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectBytes } from './bytes.sql.ts';
import { effectiveLevel, settle } from './subscription.ts';
import { selectSubscription } from './subscription.sql.ts';

/** For what adds to the disk, at the plan of the space of the request. Deleting is always possible. */
export const demandBytes = ({
  access: { bytes, levels },
  plans,
}: Pick<Context, 'plans'> & { access: Pick<Context['access'], 'bytes' | 'levels'> }): void => {
  const limit = Math.max(
    ...(levels.length === 0 ? [plans.fallback.level] : levels).map((level) => plans.bytesOf(level)),
  );
  if (bytes <= limit) return;
  throw new ApiError(
    'payment_required',
    `The plan of this space allows ${limit} bytes on disk for records, their history and what was deleted; it has ${bytes}. Delete tables for good, or change the plan`,
    { limit, usage: bytes },
  );
};

/** The same for a space that the request names beside its address. */
export const demandBytesIn = async (
  tx: Tx,
  { plans, now }: Pick<Context, 'plans' | 'now'>,
  spaceId: string,
): Promise<void> => {
  const subscription = await selectSubscription(tx, plans, spaceId);
  const levels = subscription === undefined ? [] : [effectiveLevel(plans, settle(plans, subscription, now()))];
  demandBytes({ plans, access: { levels, bytes: await selectBytes(tx, spaceId) } });
};
