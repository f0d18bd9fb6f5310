// Steps back and forth. A step is plain data, the operations of the server that a gesture was, so that steps outlive a
// reload of the page. Undoing an operation is an operation itself, which is how it is done again.
import { ApiError } from '@rowhouse/contract/error.ts';

export interface Step {
  /** In the order in which they happened. */
  readonly operations: readonly string[];
}

export interface UndoState {
  done: readonly Step[];
  undone: readonly Step[];
}

export interface UndoStack {
  /** Operations that belong together. Those that changed nothing have no id. */
  did(...operations: (string | null | undefined)[]): Step | undefined;
  last(): Step | undefined;
  /** What belongs to a step that was done came after it. */
  extend(step: Step, ...operations: (string | null | undefined)[]): Step;
  /** Two steps that were done one after the other become one. */
  merge(earlier: Step, later: Step): Step;
  /** The last step, or this one if it was not taken back yet. */
  undo(step?: Step): Promise<void>;
  redo(): Promise<void>;
}

export interface UndoOptions {
  /** Undoes one operation; answers the one that does it again, or null when there was nothing to undo. */
  apply(operationId: string, force: boolean): Promise<string | null>;
  /** Waits until everything that was done before is on the server. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  /** The server did not do it, so nothing has changed; `again` does it all the same. */
  onRefused(error: unknown, doing: 'undo' | 'redo', again: () => Promise<void>): void;
  /** What is kept over a reload of the page. */
  state?: { load(): UndoState; save(state: UndoState): void };
}

const maxSteps = 200;

const known = (operations: readonly (string | null | undefined)[]): string[] => operations.filter((id): id is string => id !== undefined && id !== null && id !== '');

export const createUndoStack = ({ apply, inTurn, onRefused, state }: UndoOptions): UndoStack => {
  const before = state?.load();
  const done: Step[] = [...(before?.done ?? [])];
  const undone: Step[] = [...(before?.undone ?? [])];
  const save = (): void => state?.save({ done, undone });

  /** All of its operations, the last one first, or none. */
  const applyAll = async ({ operations }: Step, force: boolean): Promise<Step> => {
    const back: string[] = [];
    try {
      for (const operationId of operations.toReversed()) {
        const next = await apply(operationId, force);
        if (next !== null) back.push(next);
      }
    } catch (error) {
      for (const operationId of back.toReversed()) await apply(operationId, true);
      throw error;
    }
    return { operations: back };
  };
  const take = async (step: Step, to: Step[], force: boolean): Promise<void> => {
    const back = await applyAll(step, force);
    if (back.operations.length > 0) to.push(back);
    save();
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
        save();
        onRefused(error, doing, () => inTurn(() => take(step, to, true)));
      }
    });

  return {
    did(...operations) {
      const step: Step = { operations: known(operations) };
      if (step.operations.length === 0) return undefined;
      done.push(step);
      done.splice(0, done.length - maxSteps);
      undone.length = 0;
      save();
      return step;
    },
    last: () => done.at(-1),
    extend(step, ...operations) {
      const more = known(operations);
      const place = done.indexOf(step);
      const joined: Step = { operations: place < 0 ? more : [...step.operations, ...more] };
      if (place < 0) done.push(joined);
      else done[place] = joined;
      save();
      return joined;
    },
    merge(earlier, later) {
      const at = done.indexOf(earlier);
      if (at < 0 || done.at(at + 1) !== later) return later;
      const joined: Step = { operations: [...earlier.operations, ...later.operations] };
      done.splice(at, 2, joined);
      save();
      return joined;
    },
    undo: (step) => move(done, undone, 'undo', step),
    redo: () => move(undone, done, 'redo'),
  };
};
