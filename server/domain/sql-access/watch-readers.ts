// What statements of readers take of the memory of the machine. Every role of PostgreSQL can raise `work_mem` for itself, and
// nothing in PostgreSQL limits the sum; where it runs beside us, Linux tells what its processes have.
import { readFileSync } from 'node:fs';
import type { BackgroundErrors } from '../../background-errors.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { coalesce } from '../../work/coalesce.ts';
import { endProcesses, selectReaderProcesses } from './reader.sql.ts';

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

/** Once a second. Answers how to stop. */
export const watchReaders = (db: Db, backgroundErrors: BackgroundErrors): (() => Promise<void>) => {
  const looking = coalesce(
    () => endHeavyReaders(db).then(() => undefined),
    () => 0,
    (error) => backgroundErrors.note('memory of SQL readers', error),
  );
  const timer = setInterval(looking.wake, 1_000).unref();
  return async () => {
    clearInterval(timer);
    await looking.close();
  };
};
