// Work on one thread that may take long, in slices: between two of them everybody else is served. Slices of different requests never
// follow each other directly, however many there are.
import { performance } from 'node:perf_hooks';

/** Milliseconds. A request without work of its own takes less, so nobody who sends little ever waits for a turn. */
const longestSlice = 10;

let last: Promise<void> = Promise.resolve();

const nextTurn = (): Promise<void> => {
  last = last.then(() => new Promise<void>((done) => setImmediate(done)));
  return last;
};

/** To be called between steps of the work, each of which takes no more than a few milliseconds. */
export type Pause = () => Promise<void> | undefined;

export const createPause = (): Pause => {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < longestSlice) return undefined;
    return nextTurn().then(() => {
      begun = performance.now();
    });
  };
};
