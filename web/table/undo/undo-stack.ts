// Steps back and forth. Each step knows how to take something back, and answers how to do it again.
import { ApiError } from '@rowhouse/contract/error.ts';

/** `force` takes back also what was changed since. null: there was nothing to take back. */
export type Step = (force: boolean) => Promise<Step | null>;

export interface UndoStack {
  did(step: Step): void;
  last(): Step | undefined;
  /** What belongs to a step that was done came after it. */
  extend(step: Step, more: Step): Step;
  /** Two steps that were done one after the other become one. */
  merge(earlier: Step, later: Step): Step;
  /** The last step, or this one if it was not taken back yet. */
  undo(step?: Step): Promise<void>;
  redo(): Promise<void>;
}

export interface UndoOptions {
  /** Waits until everything that was done before is on the server. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  /** The server did not do it, so nothing has changed; `again` does it all the same. */
  onRefused(error: unknown, doing: 'undo' | 'redo', again: () => Promise<void>): void;
}

const maxSteps = 200;

export const createUndoStack = ({ inTurn, onRefused }: UndoOptions): UndoStack => {
  const done: Step[] = [];
  const undone: Step[] = [];

  const take = async (step: Step, to: Step[], force: boolean): Promise<void> => {
    const back = await step(force);
    if (back !== null) to.push(back);
  };
  const move = (from: Step[], to: Step[], doing: 'undo' | 'redo', wanted?: Step): Promise<void> =>
    inTurn(async () => {
      const place = wanted === undefined ? from.length - 1 : from.indexOf(wanted);
      const step = place < 0 ? undefined : from.splice(place, 1)[0];
      if (step === undefined) return;
      try {
        await take(step, to, false);
      } catch (error) {
        // Without an answer it can be tried again; what was refused would be refused again, so the one before is next.
        if (!(error instanceof ApiError)) from.push(step);
        onRefused(error, doing, () => inTurn(() => take(step, to, true)));
      }
    });

  return {
    did(step) {
      done.push(step);
      done.splice(0, done.length - maxSteps);
      undone.length = 0;
    },
    last: () => done.at(-1),
    extend(step, more) {
      const joined = joinSteps([step, more]);
      const place = done.indexOf(step);
      if (place < 0) done.push(more);
      else done[place] = joined;
      return place < 0 ? more : joined;
    },
    merge(earlier, later) {
      const at = done.indexOf(earlier);
      if (at < 0 || done.at(at + 1) !== later) return later;
      const joined = joinSteps([earlier, later]);
      done.splice(at, 2, joined);
      return joined;
    },
    undo: (step) => move(done, undone, 'undo', step),
    redo: () => move(undone, done, 'redo'),
  };
};

/** Several steps that belong together; the last one is taken back first. All of them, or none. */
export const joinSteps = (steps: readonly Step[]): Step => async (force) => {
  const back: Step[] = [];
  try {
    for (const step of steps.toReversed()) {
      const next = await step(force);
      if (next !== null) back.push(next);
    }
  } catch (error) {
    for (const step of back.toReversed()) await step(true);
    throw error;
  }
  return back.length === 0 ? null : joinSteps(back);
};
