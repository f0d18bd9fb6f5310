// Who gets a connection next. A table that is locked keeps every connection that waits for it, so one place (a table, a
// base, a space) has at most four times as many as it leaves free: those answer everybody else.
// See docs/adr/0011-locked-tables.md.
import { ApiError } from '@rowhouse/contract/error.ts';

/** Null: no place in particular, such as who somebody is. Of that there may be as much as there are connections. */
export type Place = string | null;

export interface Shares {
  /** Resolves when a connection may be taken for the place. */
  take(place: Place): Promise<void>;
  give(place: Place): void;
}

const busy = (): ApiError =>
  new ApiError('service_unavailable', 'All connections to the database that this may have are busy; try again shortly', undefined, { 'retry-after': '1' });

/** `patience`: milliseconds that anybody waits. */
export const createShares = (connections: number, patience: number): Shares => {
  let free = connections;
  const taken = new Map<string, number>();
  /** Those who wait, by place; the place whose turn is next stands first. */
  const queues = new Map<Place, Set<() => void>>();

  const takenBy = (place: string): number => taken.get(place) ?? 0;
  const mayTake = (place: Place): boolean => {
    if (free === 0) return false;
    if (place === null || takenBy(place) === 0) return true;
    return takenBy(place) + 1 <= 4 * (free - 1);
  };

  const occupy = (place: Place): void => {
    free -= 1;
    if (place !== null) taken.set(place, takenBy(place) + 1);
  };

  const leave = (place: Place, go: () => void): void => {
    const queue = queues.get(place);
    queue?.delete(go);
    if (queue?.size === 0) queues.delete(place);
  };

  const wait = (place: Place): Promise<void> =>
    new Promise((done, failed) => {
      const timer = setTimeout(() => {
        leave(place, go);
        failed(busy());
      }, patience);
      const go = (): void => {
        clearTimeout(timer);
        occupy(place);
        done();
      };
      queues.set(place, (queues.get(place) ?? new Set()).add(go));
    });

  /** One of each place in turn. A place that is put back at the end comes round again in the same loop. */
  const wake = (): void => {
    for (const [place, queue] of queues) {
      if (free === 0) return;
      if (!mayTake(place)) continue;
      const [go] = queue as Set<() => void> & [() => void];
      queue.delete(go);
      queues.delete(place);
      if (queue.size > 0) queues.set(place, queue);
      go();
    }
  };

  return {
    async take(place) {
      // Of those who wait nobody may go on: they were woken as soon as they might.
      if (mayTake(place)) occupy(place);
      else await wait(place);
    },
    give(place) {
      free += 1;
      if (place !== null) {
        if (takenBy(place) === 1) taken.delete(place);
        else taken.set(place, takenBy(place) - 1);
      }
      wake();
    },
  };
};
