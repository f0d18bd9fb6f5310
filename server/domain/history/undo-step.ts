// POST /table/:tableId/undo-redo/undo and /redo. A step is undone by restoring its operations, last first; that is an operation
// too, so doing it again is undoing the undoing.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';
import type { UndoneChange, undo as endpoint, UndoResult } from '@rowhouse/contract/undo-redo.ts';
import { demand } from '../../catalog/access.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { guardedTransaction } from '../../pipeline/pipeline.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { isPlacement } from '../record/order/placement.ts';
import { restoreHistory } from './restore-history.ts';
import { undoPlacement } from './undo-placement.ts';
import { putStep, takeStep, type Window } from './undo-step.sql.ts';
import { lasting, windowOf } from './window.ts';

type Asked = NonNullable<BodyOf<typeof endpoint>>;

interface Undone {
  /** What does it again, in the order they were done. */
  operations: string[];
  changes: UndoneChange[];
  skipped: RestoreConflict[];
}

const changeOf = ({ kind, restored, recordIds, deleted, fields, views }: Awaited<ReturnType<typeof restoreHistory>>): UndoneChange => {
  if (kind === 'records') return { kind: deleted === true ? 'recordsDeleted' : 'recordsRestored', count: recordIds.length };
  return kind === 'cells' ? { kind, count: restored, recordIds } : { kind, count: restored, ...(fields === undefined ? {} : { fields }), ...(views === undefined ? {} : { views }) };
};

const restoreAll = async (context: Context, operations: readonly string[], force: boolean): Promise<Undone> => {
  const undone: Undone = { operations: [], changes: [], skipped: [] };
  for (const operation of operations.toReversed()) {
    if (isPlacement(operation)) {
      const { back, count } = await undoPlacement(context, operation);
      undone.operations.push(back);
      undone.changes.push({ kind: 'order', count });
      continue;
    }
    const restored = await restoreHistory(context, { operationId: operation, force });
    undone.skipped.push(...restored.skipped);
    if (restored.operationId === null) continue;
    undone.operations.push(restored.operationId);
    undone.changes.push(changeOf(restored));
  }
  return undone;
};

/** Several operations come back together or not at all. What locks records only knows later what else it reaches, so the schema is locked first. */
const restoreTogether = (context: Context, operations: readonly string[], force: boolean): Promise<Undone> =>
  guardedTransaction({ unconfirmed: context }, async (within) => {
    await closeGate(within.db, within.access.baseId);
    await lockSchema(within.db, within.access.baseId, within.access.tableId);
    return restoreAll({ ...within, noteOperation: () => undefined }, operations, force);
  });

const failure = ({ message, data }: ApiError): UndoResult => {
  const { conflicts, total } = (data ?? {}) as { conflicts?: RestoreConflict[]; total?: number };
  return { status: 'failed', errorMessage: message, ...(conflicts === undefined ? {} : { conflicts, total: total ?? conflicts.length }) };
};

const go = async (context: Context, window: Window, from: 'done' | 'undone', { force = false, ...wanted }: Asked): Promise<UndoResult> => {
  const db = lasting(context.db);
  const step = await takeStep(db, window, from, wanted);
  if (step === undefined) return { status: 'empty' };
  const named = step.name === undefined ? {} : { step: step.name };
  try {
    demand(context.access, 'record|update', window.tableId);
    const isOne = step.operations.length === 1 && !step.operations.some(isPlacement);
    const { operations, changes, skipped } = await (isOne ? restoreAll : restoreTogether)(context, step.operations, force);
    if (operations.length > 0) await putStep(db, window, { id: step.id, name: step.name, operations }, from === 'done' ? 'undone' : 'done');
    return { status: 'fulfilled', ...named, changes, ...(skipped.length === 0 ? {} : { skipped }) };
  } catch (error) {
    await putStep(db, window, step, from);
    if (!(error instanceof ApiError)) throw error;
    return { ...failure(error), ...named };
  }
};

/** What it does itself is no step of the window. */
const along = async ({ noteStep: _noteStep, ...context }: Context, headers: IncomingHttpHeaders, asked: Asked | undefined, from: 'done' | 'undone'): Promise<UndoResult> => {
  const window = windowOf(context.principal.userId, context.access.tableId, headers);
  return window === undefined ? { status: 'empty' } : go(context, window, from, asked ?? {});
};

export const undo = (context: Context, headers: IncomingHttpHeaders, asked: Asked | undefined): Promise<UndoResult> => along(context, headers, asked, 'done');
export const redo = (context: Context, headers: IncomingHttpHeaders, asked: Asked | undefined): Promise<UndoResult> => along(context, headers, asked, 'undone');
