// What PostgreSQL took back as a whole because two transactions waited for each other is run again: nothing of it is written. It is never run again when the
// connection was lost, since then the commit may have happened.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Handle, Tx } from './db.ts';
import { Deadlocked } from './error.ts';

/** PostgreSQL needs a second to see each deadlock. */
const mostTries = 5;

/** Milliseconds before the second try; twice as many before each that follows. */
const longestWait = 20;

/** Whether to run again what has failed for the `tries`th time. True comes after a wait of random length, so that the same two do not meet again. */
export const isToRunAfterDeadlock = async (error: unknown, tries: number): Promise<boolean> => {
  if (!(error instanceof Deadlocked) || tries >= mostTries) return false;
  await sleep(Math.random() * longestWait * 2 ** (tries - 1));
  return true;
};

/**
 * A transaction that is begun again after a deadlock. `work` may run several times: what it changes beside the database must be the same each time. Inside of
 * a transaction it joins it, and running again is left to the one who began it.
 */
export const retriedTransaction = async <T>(db: Handle, work: (tx: Tx) => Promise<T>): Promise<T> => {
  if (db.kind === 'transaction') return db.transaction(work);
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!(await isToRunAfterDeadlock(error, tries))) throw error;
    }
  }
};
