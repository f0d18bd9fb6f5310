// Undoing what is done in this window, or one operation of the history, and reading again what that changed.
import { restoreHistory, type SideEffect } from '@rowhouse/contract/history.ts';
import { redo, undo, type UndoneChange, type UndoResult } from '@rowhouse/contract/undo-redo.ts';
import { call } from '../../app/call.ts';
import { takeDeletion } from '../../app/last-deletion.ts';
import { writesAnswered } from '../../app/writes.ts';
import { dismissAbout, showProblem, showToast } from '../../ui/toast.ts';
import { undoDeletion } from '../restore-table.ts';
import { conflictWords } from './conflict-words.ts';
import { leftWords, undoneWords } from './undone-words.ts';
import { createUndo, type Undo, type Way } from './window-undo.ts';

export interface UndoTarget {
  tableId: string;
  /** Reads these records again. */
  refresh(recordIds: readonly string[]): Promise<void>;
  /** Reads all records again. */
  reload(): Promise<void>;
  /** Reads fields, views and records again. */
  reloadSchema(): Promise<void>;
  /** Nothing of this step is left to be shown. */
  forgetRefused(step: string): void;
}

const tellSkipped = (skipped: readonly { message: string }[]): void => {
  if (skipped[0] !== undefined)
    showToast({
      kind: 'problem',
      title: `${skipped.length} ${skipped.length === 1 ? 'cell' : 'cells'} could not be restored.`,
      detail: `${skipped[0].message}.`,
    });
};

/** Answers the operation that it was; null when there was nothing to write. */
export const restore = async (
  { tableId, refresh, reload, reloadSchema }: UndoTarget,
  what: { operationId: string } | { historyIds: string[] },
  force: boolean,
): Promise<string | null> => {
  const {
    kind,
    operationId,
    recordIds,
    skipped,
    sideEffects = [],
    left = [],
    leftTotal = 0,
  } = await call(restoreHistory, { params: { tableId }, body: { ...what, force } });
  await (kind === 'schema' || sideEffects.length > 0
    ? reloadSchema()
    : kind === 'cells'
      ? refresh(recordIds)
      : reload());
  const stays = leftWords(left, leftTotal);
  if (stays !== undefined)
    showToast({ kind: 'note', title: 'Not everything that it added was removed.', detail: stays });
  tellSkipped(skipped);
  return operationId;
};

const readAgain = (
  { refresh, reload, reloadSchema }: UndoTarget,
  changes: readonly UndoneChange[],
  sideEffects: readonly SideEffect[],
): Promise<void> => {
  if (changes.some(({ kind }) => kind === 'schema') || sideEffects.some(({ fieldId }) => fieldId !== undefined))
    return reloadSchema();
  return changes.every(({ kind }) => kind === 'cells')
    ? refresh([...new Set(changes.flatMap(({ recordIds = [] }) => recordIds))])
    : reload();
};

const detailOf = (detail: string | undefined): { detail?: string } => (detail === undefined ? {} : { detail });

const notDone = (way: Way): string => (way === 'undo' ? 'It was not undone.' : 'It was not done again.');

const tellRefusal = (result: UndoResult, way: Way, again: () => Promise<void>): void => {
  const conflict = conflictWords(result);
  if (conflict === undefined)
    return showToast({
      kind: 'problem',
      title: notDone(way),
      ...(result.errorMessage === undefined ? {} : { detail: `${result.errorMessage}.` }),
    });
  const insist = { label: way === 'undo' ? 'Undo anyway' : 'Redo anyway', run: () => void again() };
  showToast({
    kind: 'problem',
    title: `${notDone(way)} ${conflict.title}`,
    detail: conflict.detail,
    ...(conflict.canForce ? { action: insist } : {}),
  });
};

const undoSteps = (target: UndoTarget, inTurn: <T>(action: () => Promise<T>) => Promise<T>): Undo =>
  createUndo({
    ask: (way, body) => call(way === 'undo' ? undo : redo, { params: { tableId: target.tableId }, body }),
    inTurn: (action) => inTurn(() => writesAnswered().then(action)),
    async onDone({ status, step, changes = [], skipped = [], sideEffects = [], left = [], leftTotal = 0 }, way) {
      const deleted = status === 'empty' && way === 'undo' ? takeDeletion('any') : undefined;
      if (deleted !== undefined) return undoDeletion(deleted);
      await readAgain(target, changes, sideEffects);
      if (way === 'undo' && step !== undefined) {
        target.forgetRefused(step);
        dismissAbout(step);
      }
      showToast({
        kind: 'note',
        about: 'undo',
        title: status === 'empty' ? `There is nothing to ${way}.` : undoneWords(way, changes, sideEffects),
        ...detailOf(leftWords(left, leftTotal)),
      });
      tellSkipped(skipped);
    },
    onRefused: tellRefusal,
    onProblem: (error, way) => showProblem(error, notDone(way)),
  });

/** A deleted table is undone when that was the last thing done, or when nothing else is left to undo. */
export const undoOf = (target: UndoTarget, inTurn: <T>(action: () => Promise<T>) => Promise<T>): Undo => {
  const steps = undoSteps(target, inTurn);
  return {
    ...steps,
    undo: (step) => {
      const deleted = step === undefined ? takeDeletion('last') : undefined;
      return deleted === undefined ? steps.undo(step) : undoDeletion(deleted);
    },
  };
};
