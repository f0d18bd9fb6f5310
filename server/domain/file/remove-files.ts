// Removes files that nobody can reach any more: uploads that were never put into a cell, and files whose last mention has left
// the cells, the history and the trash. First it is written down that they go, so that no cell takes them up; then the bytes
// go, and then what is known of them: killed in between, the next run goes on.
import type { Services } from '../../context.ts';
import { Deadlocked, isGone, sqlState } from '../../db/error.ts';
import { beginStableLook, deleteUsesBut, selectMentioned, selectOldBases } from './collect.sql.ts';
import { deleteFiles, markLeaving } from './file.sql.ts';

const atOnce = 100;

const forgetUnmentioned = async ({ db }: Services, baseId: string): Promise<void> => {
  try {
    await db.transaction(async (tx) => {
      await beginStableLook(tx);
      await deleteUsesBut(tx, baseId, [...(await selectMentioned(tx, baseId))]);
    });
  } catch (error) {
    // Written to meanwhile, or changed, or gone: the next run looks again.
    if (!(error instanceof Deadlocked) && !isGone(error) && sqlState(error) !== '42703') throw error;
  }
};

export const removeFiles = async (services: Services, signal: AbortSignal): Promise<void> => {
  for (const { id } of await selectOldBases(services.db)) {
    signal.throwIfAborted();
    await forgetUnmentioned(services, id);
  }
  await removeWaitingFiles(services, signal);
};

/** Those that no base mentions. */
export const removeWaitingFiles = async ({ db, files }: Services, signal: AbortSignal): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const leaving = (await markLeaving(db, atOnce)).map(({ token }) => token);
    if (leaving.length === 0) return;
    for (const token of leaving)
      for (const key of [token, `${token}.sm`, `${token}.lg`]) await files.storage.remove(key);
    await deleteFiles(db, leaving);
  }
};
