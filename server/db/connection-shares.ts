// Who gets a connection next. A table that is locked keeps every connection that waits for it, so one key (a table, a
// base, a space) has at most four times as many as it leaves free: those answer everybody else.
// See docs/adr/0011-locked-tables.md.
import { ApiError } from '@rowhouse/contract/error.ts';

/** Null: no key in particular, such as who somebody is. Of that there may be as much as there are connections. */
export type ShareKey = string | null;

export interface ConnectionShares {
  /** Resolves when a connection may be taken for the key. */
  take(key: ShareKey): Promise<void>;
  give(key: ShareKey): void;
}

const busy = (): ApiError =>
  new ApiError('service_unavailable', 'All connections to the database that this may have are busy; try again shortly', undefined, { 'retry-after': '1' });

/** `patience`: milliseconds that anybody waits. */
export const createConnectionShares = (connections: number, patience: number): ConnectionShares => {
  let free = connections;
  const taken = new Map<string, number>();
  /** Those who wait, by key; the key whose turn is next stands first. */
  const queues = new Map<ShareKey, Set<() => void>>();

  const takenBy = (key: string): number => taken.get(key) ?? 0;
  const mayTake = (key: ShareKey): boolean => {
    if (free === 0) return false;
    if (key === null || takenBy(key) === 0) return true;
    return takenBy(key) + 1 <= 4 * (free - 1);
  };

  const occupy = (key: ShareKey): void => {
    free -= 1;
    if (key !== null) taken.set(key, takenBy(key) + 1);
  };

  const leave = (key: ShareKey, go: () => void): void => {
    const queue = queues.get(key);
    queue?.delete(go);
    if (queue?.size === 0) queues.delete(key);
  };

  const wait = (key: ShareKey): Promise<void> =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => {
        leave(key, go);
        failed(busy());
      }, patience);
      const go = (): void => {
        clearTimeout(timer);
        occupy(key);
        done();
      };
      queues.set(key, (queues.get(key) ?? new Set()).add(go));
    });

  /** One of each key in turn. A key that is put back at the end comes round again in the same loop. */
  const wake = (): void => {
    for (const [key, queue] of queues) {
      if (free === 0) return;
      if (!mayTake(key)) continue;
      const [go] = queue as Set<() => void> & [() => void];
      queue.delete(go);
      queues.delete(key);
      if (queue.size > 0) queues.set(key, queue);
      go();
    }
  };

  return {
    async take(key) {
      // Of those who wait nobody may go on: they were woken as soon as they might.
      if (mayTake(key)) occupy(key);
      else await wait(key);
    },
    give(key) {
      free += 1;
      if (key !== null) {
        if (takenBy(key) === 1) taken.delete(key);
        else taken.set(key, takenBy(key) - 1);
      }
      wake();
    },
  };
};
