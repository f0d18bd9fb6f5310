// How many connections are held for answers that are sent while they are read: a slow client has one for as long as it takes.
import { ApiError } from '@rowhouse/contract/error.ts';

/** Milliseconds that one waits for another to end. */
const patience = 2_000;

const manyDownloads = (): ApiError =>
  new ApiError(
    'service_unavailable',
    'This server is sending as many downloads as it can at a time; try again in 5 seconds',
    undefined,
    { 'retry-after': '5' },
  );

interface HoldLimit {
  /** Waits until there are fewer than the most; fails when that takes too long. */
  enter(): Promise<void>;
  leave(): void;
}

export const createHoldLimit = (most: number): HoldLimit => {
  let now = 0;
  const waiting = new Set<() => void>();
  return {
    async enter() {
      now += 1;
      if (now <= most) return;
      await new Promise<void>((go, fail) => {
        const timer = setTimeout(() => {
          waiting.delete(next);
          now -= 1;
          fail(manyDownloads());
        }, patience);
        const next = (): void => {
          clearTimeout(timer);
          waiting.delete(next);
          go();
        };
        waiting.add(next);
      });
    },
    leave() {
      now -= 1;
      const [next] = waiting;
      next?.();
    },
  };
};
