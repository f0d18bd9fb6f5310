// What readers take that PostgreSQL limits for nobody: memory, as every role can raise `work_mem` for itself, and where it runs beside
// us Linux tells what its processes have; and the queue of notifications, which is one for all databases and 8 GB on disk.
import { readFileSync } from 'node:fs';
import type { BackgroundErrors } from '../../background-errors.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { coalesce } from '../../work/coalesce.ts';
import { endProcesses, selectQueueUse, selectReaderProcesses } from './reader.sql.ts';

const megabyte = 1_048_576;

/** Of all statements of one reader. With the default of `work_mem` none comes near it. */
const maxReaderMemory = 512 * megabyte;

/** Without what all processes of PostgreSQL share. 0 for one that has ended, and where Linux is not. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
};

/** Ends the sessions of readers that have taken too much, the largest first. Answers how many. */
export const endHeavyReaders = async (db: Queryable, limit = maxReaderMemory): Promise<number> => {
  const sessions = new Map<string, Map<number, number>>();
  for (const { roleName, pid, leader } of await selectReaderProcesses(db)) {
    const own = sessions.get(roleName) ?? new Map<number, number>();
    own.set(leader, (own.get(leader) ?? 0) + memoryOf(pid));
    sessions.set(roleName, own);
  }
  const ended: number[] = [];
  for (const own of sessions.values()) {
    let sum = [...own.values()].reduce((a, b) => a + b, 0);
    for (const [pid, bytes] of [...own].toSorted(([, a], [, b]) => b - a)) {
      if (sum <= limit) break;
      ended.push(pid);
      sum -= bytes;
    }
  }
  if (ended.length > 0) await endProcesses(db, ended);
  return ended.length;
};

/** A share of the queue. Nobody else comes near it: what processes tell each other is taken at once. */
const maxQueue = 0.01;

/**
 * Ends all sessions of readers when the queue is as full: one that listens and takes nothing makes it keep what another one sends, and PostgreSQL
 * does not say which. Answers how many.
 */
export const endHoarders = async (db: Queryable, limit = maxQueue): Promise<number> => {
  if ((await selectQueueUse(db)) <= limit) return 0;
  const pids = (await selectReaderProcesses(db)).map(({ leader }) => leader);
  await endProcesses(db, [...new Set(pids)]);
  return new Set(pids).size;
};

/** Once a second. Answers how to stop. */
export const watchReaders = (db: Db, backgroundErrors: BackgroundErrors): (() => Promise<void>) => {
  const looking = coalesce(
    async () => {
      await endHeavyReaders(db);
      await endHoarders(db);
    },
    () => 0,
    (error) => backgroundErrors.note('what SQL readers take', error),
  );
  const timer = setInterval(looking.wake, 1_000).unref();
  return async () => {
    clearInterval(timer);
    await looking.close();
  };
};
