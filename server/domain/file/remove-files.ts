// Removes files that nobody can reach any more: uploads that were never put into a cell, and files whose last mention has left
// the cells, the history and the trash. First it is written down that they go, so that no cell takes them up; then the bytes
// go, and then what is known of them: killed in between, the next run goes on.
import type { Services } from '../../context.ts';
import { isOfOldSchema, isSafeToRepeat } from '../../db/error.ts';
import { longestUpload } from './arrival.ts';
import { clearDirect, clearWaiting, deleteDeadArrivals, selectEndedDirect, selectUnseenDirect } from './arrival.sql.ts';
import { beginStableLook, deleteUsesBut, selectMentioned, selectOldBases } from './collect.sql.ts';
import { countUploaded } from './count-uploaded.ts';
import { deleteFiles, markLeaving, selectFile } from './file.sql.ts';
import { isRefusal } from './waiting-files.ts';

const atOnce = 100;

const forgetUnmentioned = async ({ db }: Services, baseId: string): Promise<void> => {
  try {
    await db.transaction(async (tx) => {
      await beginStableLook(tx);
      await deleteUsesBut(tx, baseId, [...(await selectMentioned(tx, baseId))]);
    });
  } catch (error) {
    // Written to meanwhile, or changed, or gone: the next run looks again.
    if (!isSafeToRepeat(error) && !isOfOldSchema(error)) throw error;
  }
};

export const removeFiles = async (services: Services, signal: AbortSignal): Promise<void> => {
  for (const { id } of await selectOldBases(services.db)) {
    signal.throwIfAborted();
    await forgetUnmentioned(services, id);
  }
  await removeWaitingFiles(services, signal);
};

/** What clients sent to the bucket counts, also when nobody tells of it; what there is no room for goes. Behind the end of an address nothing stays there. */
const countDirect = async (services: Services, signal: AbortSignal): Promise<void> => {
  const { db, files } = services;
  const { direct } = files.storage;
  if (direct === undefined) return;
  for (let after = ''; ; ) {
    const unseen = await selectUnseenDirect(db, after, atOnce);
    for (const { token } of unseen) {
      signal.throwIfAborted();
      const file = await selectFile(db, token);
      if (file === undefined || file.isUploaded) continue;
      await countUploaded(services, file).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
    }
    after = unseen.at(-1)?.token ?? '';
    if (unseen.length < atOnce) break;
  }
  for (;;) {
    const ended = (await selectEndedDirect(db, atOnce)).map(({ token }) => token);
    if (ended.length === 0) return;
    for (const token of ended) {
      signal.throwIfAborted();
      await direct.forgetSent(token);
    }
    await clearDirect(db, ended);
  }
};

/** Those that no base mentions, and what killed processes left of uploads. */
export const removeWaitingFiles = async (services: Services, signal: AbortSignal): Promise<void> => {
  const { db, files, config } = services;
  await clearWaiting(db);
  await deleteDeadArrivals(db);
  await files.storage.removeDrafts?.(longestUpload(config));
  await countDirect(services, signal);
  for (;;) {
    signal.throwIfAborted();
    const leaving = (await markLeaving(db, config.waitingFileMinutes, atOnce)).map(({ token }) => token);
    if (leaving.length === 0) return;
    for (const token of leaving)
      for (const key of [token, `${token}.sm`, `${token}.lg`]) await files.storage.remove(key);
    await deleteFiles(db, leaving);
  }
};
