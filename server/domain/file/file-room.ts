// The limit of the files of a space (`maxSizeAttachments`). A file counts once per space, however many cells mention it.
import { ApiError } from '@rowhouse/contract/error.ts';
import { unlimited } from '../../catalog/plans.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { effectiveLevel, settle } from '../plan/subscription.ts';
import { selectSubscription } from '../plan/subscription.sql.ts';
import { lockFileRoom, selectResultBytes, selectTakenBytes, upsertUses } from './file.sql.ts';

type Needs = Pick<Environment, 'plans' | 'now'>;

const limitOf = async (tx: Tx, { plans, now }: Needs, spaceId: string): Promise<number> => {
  const subscription = await selectSubscription(tx, plans, spaceId);
  const level =
    subscription === undefined ? plans.fallback.level : effectiveLevel(plans, settle(plans, subscription, now()));
  return plans.limitOf(level).maxSizeAttachments;
};

/** Holds everybody else off until the transaction ends, so that two who fit alone do not both get in. Without a limit nobody waits. */
export const demandFileRoom = async (tx: Tx, needs: Needs, spaceId: string, asked: number): Promise<void> => {
  const limit = await limitOf(tx, needs, spaceId);
  if (limit >= unlimited) return;
  await lockFileRoom(tx, spaceId);
  const usage = await selectTakenBytes(tx, spaceId);
  if (usage + asked <= limit) return;
  const what = asked > 0 ? `${usage} are taken, and ${asked} more were asked for` : `this would make it ${usage}`;
  throw new ApiError(
    'payment_required',
    `The plan of this space allows ${limit} bytes of attachments; ${what}. Delete files for good, or change the plan`,
    { limit, usage, asked },
  );
};

/** Results of jobs have as much room again: somebody whose space is full can still take everything out of it. */
export const demandResultRoom = async (tx: Tx, needs: Needs, spaceId: string, asked: number): Promise<void> => {
  const limit = await limitOf(tx, needs, spaceId);
  if (limit >= unlimited) return;
  await lockFileRoom(tx, spaceId);
  const usage = await selectResultBytes(tx, spaceId);
  if (usage + asked <= limit) return;
  throw new ApiError(
    'payment_required',
    `The plan of this space allows ${limit} bytes of exports within a day; ${usage} are taken, and this one has ${asked}. Try again tomorrow, or change the plan`,
    { limit, usage, asked },
  );
};

/** In the transaction that writes cells with these files. False when one of them is gone. */
export const useFiles = async (
  tx: Tx,
  needs: Needs,
  place: { baseId: string; spaceId: string },
  tokens: readonly string[],
): Promise<boolean> => {
  if (tokens.length === 0) return true;
  const { found, added } = await upsertUses(tx, place.baseId, tokens);
  if (added > 0) await demandFileRoom(tx, needs, place.spaceId, 0);
  return found === tokens.length;
};
