// Files that are in no record yet. Visitors of a form can send them without an account, so what waits is limited: for a form, an account, a space and
// the instance. Bytes count when they arrive; an announcement without a byte takes nothing from anybody but the account that makes it.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { type FileOwner, lockWaiting, selectAnnouncedBytes, selectWaitingBytes } from './arrival.sql.ts';
import { demandFileRoom } from './file-room.ts';

type RoomNeeds = Pick<Environment, 'config' | 'plans' | 'now'>;

const megabyte = 1_048_576;
/**
 * An account, or a form, has at most a quarter of what it leaves to all others. However many accounts somebody makes, there is room left for
 * one more: five take 56 % of the instance, and 40 take 91 %.
 */
const shareOfRest = 4;
/** Forms of the whole instance, in times of one form. */
const formsAtOnce = 20;

const refusal = (what: string, megabytes: number, minutes: number): ApiError =>
  new ApiError(
    'too_many_requests',
    `${what} at most ${megabytes} MB of files that are in no record yet; put them into records, or try again in ${minutes} minutes`,
    { limit: megabytes * megabyte },
    { 'retry-after': String(minutes * 60) },
  );

/** There is no room, as opposed to a fault. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'payment_required' || error.code === 'too_many_requests');

/**
 * Room for `asked` more bytes. The answer is good until the transaction ends: nobody else is given room meanwhile. What is written in the same transaction
 * (an arrival, an upload) counts for those who ask next.
 */
export const demandRoom = async (tx: Tx, needs: RoomNeeds, owner: FileOwner, asked: number): Promise<void> => {
  const { config } = needs;
  // The lock of the space first: a long write may hold it, and uploads of others do not wait for that.
  if (owner.spaceId !== null) await demandFileRoom(tx, needs, owner.spaceId, asked);
  await lockWaiting(tx);
  const waiting = await selectWaitingBytes(tx, owner);
  const demand = (taken: number, megabytes: number, what: string): void => {
    if (taken + asked > megabytes * megabyte) throw refusal(what, megabytes, config.waitingFileMinutes);
  };
  if (owner.viewId !== null) {
    demand(waiting.form, config.formFileMegabytes, 'This form takes');
    demand(waiting.forms, formsAtOnce * config.formFileMegabytes, 'The forms of this server take');
  } else demand(waiting.account, config.accountFileMegabytes, 'An account has');
  if (owner.spaceId !== null) demand(waiting.space, config.spaceFileMegabytes, 'A space has');
  const own = owner.viewId === null ? waiting.account : waiting.form;
  const left = config.waitingFileMegabytes * megabyte - waiting.instance - asked;
  if (shareOfRest * (own + asked) > left)
    throw refusal('This server takes', config.waitingFileMegabytes, config.waitingFileMinutes);
};

/** Before an account announces a file. It takes nothing from a space; the account itself announces no more than it may upload. */
export const demandAnnouncement = async (tx: Tx, needs: RoomNeeds, owner: FileOwner, asked: number): Promise<void> => {
  await demandRoom(tx, needs, owner, asked);
  const { accountFileMegabytes, waitingFileMinutes } = needs.config;
  if (owner.viewId !== null) return;
  const announced = await selectAnnouncedBytes(tx, owner.userId, waitingFileMinutes);
  if (announced + asked > accountFileMegabytes * megabyte)
    throw refusal('An account announces', accountFileMegabytes, waitingFileMinutes);
};
