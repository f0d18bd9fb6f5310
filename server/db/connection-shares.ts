// Who gets a connection next. A table that is locked keeps every connection that waits for it, so one resource (a table, a
// base, a space) has at most four times as many as it leaves free, 8 of 10; and anyone who asks, and the space it is asked of,
// have at most nine times as many, of however many resources: the last one is for somebody else.
// See docs/adr/0011-locked-tables.md.
import { ApiError } from '@rowhouse/contract/error.ts';

/** What connections are counted for. */
interface Claim {
  resource: string;
  /** The user, and the space if there is one. */
  holders: readonly string[];
}

/** Null: nobody in particular, such as who somebody is. Of that there may be as much as there are connections. */
export type Share = Claim | null;

export interface ConnectionShares {
  /** Resolves when a connection may be taken. */
  take(share: Share): Promise<void>;
  give(share: Share): void;
}

const ofResource = 4;
const ofHolder = 9;

interface Count {
  readonly key: string;
  readonly times: number;
}

/** A share is asked about several times for each statement. */
const known = new WeakMap<Claim, readonly Count[]>();

const keysOf = (share: Share): readonly Count[] => {
  if (share === null) return [];
  let keys = known.get(share);
  if (keys === undefined) {
    keys = [
      { key: `at ${share.resource}`, times: ofResource },
      ...share.holders.map((holder) => ({ key: `by ${holder}`, times: ofHolder })),
    ];
    known.set(share, keys);
  }
  return keys;
};

/** Those who wait with the same name wait in one queue. */
const nameOf = (share: Share): string =>
  keysOf(share)
    .map(({ key }) => key)
    .join();

/** For those who have waited as long as they may. */
export const busy = (): ApiError =>
  new ApiError(
    'service_unavailable',
    'All connections to the database that this may have are busy; try again shortly',
    undefined,
    { 'retry-after': '1' },
  );

/** `patience`: milliseconds that anybody waits. */
export const createConnectionShares = (connections: number, patience: number): ConnectionShares => {
  let free = connections;
  const taken = new Map<string, number>();
  /** Those who wait; the queue whose turn is next stands first. */
  const queues = new Map<string, { share: Share; waiting: Set<() => void> }>();

  const takenBy = (key: string): number => taken.get(key) ?? 0;
  const mayTake = (share: Share): boolean =>
    free > 0 && keysOf(share).every(({ key, times }) => takenBy(key) === 0 || takenBy(key) + 1 <= times * (free - 1));

  const occupy = (share: Share): void => {
    free -= 1;
    for (const { key } of keysOf(share)) taken.set(key, takenBy(key) + 1);
  };

  const leave = (name: string, go: () => void): void => {
    const queue = queues.get(name);
    queue?.waiting.delete(go);
    if (queue?.waiting.size === 0) queues.delete(name);
  };

  const wait = (share: Share): Promise<void> =>
    new Promise((done, failed) => {
      const name = nameOf(share);
      const timer = setTimeout(() => {
        leave(name, go);
        failed(busy());
      }, patience);
      const go = (): void => {
        clearTimeout(timer);
        occupy(share);
        done();
      };
      const queue = queues.get(name) ?? { share, waiting: new Set() };
      queue.waiting.add(go);
      queues.set(name, queue);
    });

  /** One of each queue in turn. A queue that is put back at the end comes round again in the same loop. */
  const wake = (): void => {
    for (const [name, queue] of queues) {
      if (free === 0) return;
      if (!mayTake(queue.share)) continue;
      const [go] = queue.waiting as Set<() => void> & [() => void];
      queue.waiting.delete(go);
      queues.delete(name);
      if (queue.waiting.size > 0) queues.set(name, queue);
      go();
    }
  };

  return {
    async take(share) {
      // Of those who wait nobody may go on: they were woken as soon as they might.
      if (mayTake(share)) occupy(share);
      else await wait(share);
    },
    give(share) {
      free += 1;
      for (const { key } of keysOf(share)) {
        if (takenBy(key) === 1) taken.delete(key);
        else taken.set(key, takenBy(key) - 1);
      }
      wake();
    },
  };
};
