// Takes a follower along the feed of its base. What it makes of a page and its new position commit together: each change is taken once, in the
// order of the feed, also when the process is killed in between.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone, isOfOldSchema } from '../../db/error.ts';
import type { NewJob, RunningJob } from '../../work/job.ts';
import { addJobs } from '../../work/job.sql.ts';
import { feedOperations, type FeedRow, hasUnfed, selectFeed, selectWindow } from './feed.sql.ts';
import {
  type Follower,
  lockFollower,
  moveFollower,
  pauseFollower,
  selectFollower,
  selectFollowers,
  selectLag,
} from './follower.sql.ts';

export const followKind = 'follow-feed';

/** Operations that are taken in one step. */
const pageSize = 50;

interface FollowPayload {
  followerId: string;
}

/** What is done with the changes of a base. Kinds belong to their domains and are joined in app.ts. */
export interface FollowerKind {
  name: string;
  /** Within the transaction that moves the follower. Answers the last entry that it has taken when that is not all of them. */
  take(services: Services, tx: Tx, follower: Follower, rows: readonly FeedRow[]): Promise<number | void>;
  /** Within the transaction that pauses it, because it was too far behind. */
  paused(services: Services, tx: Tx, follower: Follower): Promise<void>;
}

/** Not a job of the base: people are shown what becomes of changes, not how they are taken along. */
export const followJob = ({ id, spaceId }: Pick<Follower, 'id' | 'spaceId'>): NewJob => ({
  kind: followKind,
  key: id,
  spaceId,
  payload: { followerId: id } satisfies FollowPayload,
});

/** One page; false at the end of the feed. */
const takePage = async (services: Services, tx: Tx, kinds: readonly FollowerKind[], id: string): Promise<boolean> => {
  const follower = await lockFollower(tx, id);
  const kind = kinds.find(({ name }) => name === follower?.kind);
  if (follower === undefined || kind === undefined) return false;
  const { baseId, position } = follower;
  const { last } = await selectWindow(tx, baseId);
  // A base that was restored from an older backup has another feed.
  if (position > last) {
    await moveFollower(tx, id, last);
    return false;
  }
  const page = await selectFeed(tx, baseId, {
    tableIds: null,
    after: position,
    until: last,
    limit: pageSize,
    concerned: [],
  });
  const taken =
    page.rows.length === 0 ? page.upTo : ((await kind.take(services, tx, follower, page.rows)) ?? page.upTo);
  // It wants nothing now, and keeps its place.
  if (taken === position) return false;
  await moveFollower(tx, id, taken);
  return page.isFull || taken < page.upTo;
};

/** Fields may be converted or deleted between reading a schema and reading its records. The step has rolled back, and begins again with what is there now. */
const withPresentSchema = async (step: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (attempt === 5 || isGone(error) || !isOfOldSchema(error)) throw error;
    }
  }
};

export const follow = async (
  services: Services,
  kinds: readonly FollowerKind[],
  { payload: { followerId }, step, giveWay }: RunningJob<FollowPayload>,
): Promise<void> => {
  const follower = await selectFollower(services.db, followerId);
  if (follower === undefined) return;
  try {
    await feedOperations(services.db, follower.baseId);
    for (let isMore = true; isMore; ) {
      await withPresentSchema(() =>
        step(async (tx) => void (isMore = await takePage(services, tx, kinds, followerId))),
      );
      if (isMore) await giveWay();
    }
  } catch (error) {
    // The base was deleted for good, and its followers with it.
    if (isGone(error)) return;
    // Nobody has asked for anything that could be refused: it would end without a word, and begin again with the same change.
    if (error instanceof ApiError && error.passes === 'no')
      throw new Error(`what follows the changes of a base was refused: ${error.message}`, { cause: error });
    throw error;
  }
};

/** The safety net: finds followers with something to take that nobody woke, and pauses those that are too far behind. */
export const findFollowers = async (
  services: Services,
  kinds: readonly FollowerKind[],
  signal: AbortSignal,
): Promise<void> => {
  const { db, config, work } = services;
  const behind: Follower[] = [];
  for (const follower of await selectFollowers(db, null)) {
    signal.throwIfAborted();
    try {
      const lag = await selectLag(db, follower);
      if (lag.entries > config.feedEntries || lag.seconds > config.feedDays * 86_400)
        await db.transaction(async (tx) => {
          if (await pauseFollower(tx, follower.id))
            await kinds.find(({ name }) => name === follower.kind)?.paused(services, tx, follower);
        });
      else if (lag.entries !== 0 || (await hasUnfed(db, follower.baseId))) behind.push(follower);
    } catch (error) {
      if (!isGone(error)) services.backgroundErrors.note('followers of the feed', error);
    }
  }
  if (behind.length > 0) await addJobs(db, behind.map(followJob));
  work.wake();
};
