// POST /table/:tableId/undo-redo/undo and /redo. A step is undone by restoring its operations, last first; that is an operation
// too, so doing it again is undoing the undoing.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { UndoResult } from '@rowhouse/contract/undo-redo.ts';
import { demand } from '../../catalog/access.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { guardedTransaction } from '../../pipeline/pipeline.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { restoreHistory } from './restore-history.ts';
import { putStep, takeStep, type Window } from './undo-step.sql.ts';
import { windowOf } from './window.ts';

const restoreAll = async (context: Context, operationIds: readonly string[]): Promise<string[]> => {
  const made: string[] = [];
  for (const operationId of operationIds.toReversed()) {
    const restored = await restoreHistory(context, { operationId });
    if (restored.operationId !== null) made.push(restored.operationId);
  }
  return made;
};

/** Several operations come back together or not at all. What locks records only knows later what else it reaches, so the schema is locked first. */
const restoreTogether = (context: Context, operationIds: readonly string[]): Promise<string[]> =>
  guardedTransaction({ unconfirmed: context }, async (within) => {
    await closeGate(within.db, within.access.baseId);
    await lockSchema(within.db, within.access.baseId, within.access.tableId);
    return restoreAll({ ...within, noteOperation: () => undefined }, operationIds);
  });

const go = async (context: Context, window: Window, from: 'done' | 'undone'): Promise<UndoResult> => {
  const step = await takeStep(context.db, window, from);
  if (step === undefined) return { status: 'empty' };
  try {
    demand(context.access, 'record|update', window.tableId);
    const operationIds = step.operationIds.length === 1 ? await restoreAll(context, step.operationIds) : await restoreTogether(context, step.operationIds);
    if (operationIds.length > 0) await putStep(context.db, window, { id: step.id, operationIds }, from === 'done' ? 'undone' : 'done');
    return { status: 'fulfilled' };
  } catch (error) {
    await putStep(context.db, window, step, from);
    if (!(error instanceof ApiError)) throw error;
    return { status: 'failed', errorMessage: error.message };
  }
};

const along = async (context: Context, given: unknown, from: 'done' | 'undone'): Promise<UndoResult> => {
  const window = windowOf(context, given);
  return window === undefined ? { status: 'empty' } : go(context, window, from);
};

export const undo = (context: Context, windowId: unknown): Promise<UndoResult> => along(context, windowId, 'done');
export const redo = (context: Context, windowId: unknown): Promise<UndoResult> => along(context, windowId, 'undone');
