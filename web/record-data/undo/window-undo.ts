// Undo and redo of what was done in this window. The server knows the steps; here is only which of them it refused, so that those
// do not stand in the way of the ones before.
import type { UndoResult } from '@rowhouse/contract/undo-redo.ts';

export type Way = 'undo' | 'redo';

export interface Asked {
  step?: string;
  skip?: string[];
  force?: boolean;
}

export interface Undo {
  /** The last step, or this one if it was not undone yet. */
  undo(step?: string): Promise<void>;
  redo(): Promise<void>;
}

interface UndoOptions {
  ask(way: Way, asked: Asked): Promise<UndoResult>;
  /** Waits until everything that was done before is on the server. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  onDone(result: UndoResult, way: Way): Promise<void>;
  /** The server did not do it, so nothing has changed; `again` does it all the same. */
  onRefused(result: UndoResult, way: Way, again: () => Promise<void>): void;
  /** Without an answer. */
  onProblem(error: unknown, way: Way): void;
}

export const createUndo = ({ ask, inTurn, onDone, onRefused, onProblem }: UndoOptions): Undo => {
  const refused = { undo: new Set<string>(), redo: new Set<string>() };
  const go = (way: Way, wanted: Asked): Promise<void> =>
    inTurn(async () => {
      try {
        const skip = wanted.step === undefined ? [...refused[way]].slice(-200) : [];
        const result = await ask(way, { ...wanted, ...(skip.length === 0 ? {} : { skip }) });
        const { status, step } = result;
        if (status !== 'failed') {
          if (step !== undefined) refused[way].delete(step);
          return await onDone(result, way);
        }
        if (step !== undefined) refused[way].add(step);
        onRefused(result, way, () => go(way, { ...(step === undefined ? {} : { step }), force: true }));
      } catch (error) {
        onProblem(error, way);
      }
    });
  return { undo: (step) => go('undo', step === undefined ? {} : { step }), redo: () => go('redo', {}) };
};
