// The worker of this process that turns causes into notifications and letters. Any number of processes may run one:
// each cause is taken by one of them, in the transaction that writes what it leads to.
import type { Services } from '../context.ts';
import { outboxWaits } from '../catalog/outbox.sql.ts';
import { removeOld } from '../domain/notification/remove-old.ts';
import { openPost } from '../domain/notification/send-letters.ts';
import { tellNamed } from '../domain/notification/tell-named.ts';
import { tellOutbox } from '../domain/notification/tell-outbox.ts';
import { selectBaseIds, selectNamingBases } from '../domain/notification/tell.sql.ts';
import { warnOfExpiry } from '../domain/notification/warn-of-expiry.ts';
import { isGone } from '../db/error.ts';
import { createPace } from './pace.ts';

export interface Teller {
  toTell(): void;
  named(baseId: string): void;
  /** Writes whose answer was lost together with the database may have named somebody. */
  lookForUntold(): void;
  close(): Promise<void>;
}

const basesPerQuestion = 100;

/** `told` is called after notifications were written. */
export const createTeller = (services: Services, told: () => void): Teller => {
  const { db, faults } = services;
  const post = openPost(services);
  const bases = new Set<string>();
  const timers: NodeJS.Timeout[] = [];
  const every = (milliseconds: number, act: () => void): void => void timers.push(setInterval(act, milliseconds).unref());
  let isClosed = false;

  const letters = createPace(
    async () => {
      while (!isClosed && ((await post?.sendLetters()) ?? 0) > 0);
    },
    () => 100,
    (error) => faults.note('sending letters', error),
  );

  const announce = (count: number): void => {
    if (count === 0) return;
    told();
    if (post !== null) letters.wake();
  };

  /** The next base is not to wait for one that fails: its turn comes again. A base that is gone takes what it had to tell along. */
  const passOver = (baseId: string, error: unknown): number => {
    if (isClosed || isGone(error)) return 0;
    faults.note('telling people', error);
    bases.add(baseId);
    return 0;
  };

  const work = createPace(
    async () => {
      for (const baseId of [...bases]) {
        bases.delete(baseId);
        for (let count = 1; count > 0; ) announce((count = await tellNamed(services, baseId).catch((error: unknown) => passOver(baseId, error))));
      }
      // None taken: another process has them under its hands.
      for (let count = 1; count > 0 && (await outboxWaits(db)); ) announce((count = await tellOutbox(services)));
    },
    () => 20,
    (error) => faults.note('telling people', error),
  );

  /** One that is deleted between the two questions fails the second for all: then each is asked alone. */
  const namingBases = (ids: readonly string[]): Promise<string[]> =>
    selectNamingBases(db, ids).catch(async (error: unknown) => {
      if (!isGone(error)) throw error;
      if (ids.length === 1) return [];
      return (await Promise.all(ids.map((id) => namingBases([id])))).flat();
    });

  /** Finds what a process that crashed left behind. */
  const sweep = createPace(
    async () => {
      for (let after = ''; !isClosed; ) {
        const ids = await selectBaseIds(db, after, basesPerQuestion);
        if (ids.length === 0) break;
        for (const baseId of await namingBases(ids)) bases.add(baseId);
        after = ids.at(-1) as string;
      }
      work.wake();
    },
    () => 1_000,
    (error) => faults.note('looking for what was left untold', error),
  );

  const hourly = createPace(
    async () => {
      announce(await warnOfExpiry(services));
      await removeOld(services);
    },
    () => 1_000,
    (error) => faults.note('hourly notifications', error),
  );

  every(2_000, work.wake);
  every(5_000, () => post !== null && letters.wake());
  every(60_000, sweep.wake);
  every(3_600_000, hourly.wake);
  sweep.wake();
  hourly.wake();

  return {
    toTell: work.wake,
    lookForUntold: sweep.wake,
    named(baseId) {
      bases.add(baseId);
      work.wake();
      // The write may be part of a transaction that has not ended yet.
      const later = setTimeout(() => {
        timers.splice(timers.indexOf(later), 1);
        bases.add(baseId);
        work.wake();
      }, 1_500).unref();
      timers.push(later);
    },
    async close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([work.close(), sweep.close(), hourly.close(), letters.close()]);
      post?.close();
    },
  };
};
