// Files that are in no record yet. Anyone may announce them, visitors of a form without an account, so what waits is limited in all.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/db.ts';
import { lockWaiting, selectWaitingBytes } from './file.sql.ts';

const megabyte = 1_048_576;
/** Forms of the whole instance, in times of one form. */
const formsAtOnce = 20;

const refuse = (what: string, megabytes: number, wait: string): ApiError =>
  new ApiError(
    'too_many_requests',
    `${what} at most ${megabytes} MB of files that are in no record yet; put them into records, or try again ${wait}`,
    { limit: megabytes * megabyte },
    { 'retry-after': '3600' },
  );

/** Before a visitor of a form announces a file. Holds off others of all forms until the transaction ends. */
export const demandFormRoom = async (
  tx: Tx,
  { formFileMegabytes }: Pick<Config, 'formFileMegabytes'>,
  viewId: string,
  asked: number,
): Promise<void> => {
  await lockWaiting(tx, 'forms');
  const { own, forms } = await selectWaitingBytes(tx, { viewId });
  if (own + asked > formFileMegabytes * megabyte) throw refuse('This form takes', formFileMegabytes, 'in an hour');
  if (forms + asked > formsAtOnce * formFileMegabytes * megabyte)
    throw refuse('The forms of this server take', formsAtOnce * formFileMegabytes, 'in an hour');
};

/** Before an account announces a file for no base: the limit of a space does not hold there. */
export const demandAccountRoom = async (
  tx: Tx,
  { accountFileMegabytes }: Pick<Config, 'accountFileMegabytes'>,
  userId: string,
  asked: number,
): Promise<void> => {
  await lockWaiting(tx, userId);
  const { own } = await selectWaitingBytes(tx, { userId });
  if (own + asked > accountFileMegabytes * megabyte)
    throw refuse('An account has', accountFileMegabytes, 'in an hour, or name a base');
};
