// POST /table/:tableId/undo-redo/undo and /redo. A step is undone by restoring its operations, last first; that is an operation too, and takes the place of
// the one that it undoes in the step. So doing it again is undoing the undoing. All of it is one transaction: a step is undone, or as it was.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';
import type { UndoneChange, undo as endpoint, UndoResult } from '@rowhouse/contract/undo-redo.ts';
import { demand } from '../../catalog/access.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { namedJob } from '../../catalog/outbox.ts';
import type { Context } from '../../context.ts';
import { guardedTransaction, readForAnswer, type TableContext } from '../../pipeline/pipeline.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { restoreHistory } from './restore-history.ts';
import { leaveStep, selectStep, type Step, type Window } from './undo-step.sql.ts';
import { clientName, windowIdOf } from './window.ts';

type Asked = NonNullable<BodyOf<typeof endpoint>>;
type Undone = Required<Pick<UndoResult, 'changes' | 'skipped' | 'sideEffects' | 'left' | 'leftTotal'>>;

const aDay = 86_400_000;

const changeOf = ({
  kind,
  restored,
  recordIds,
  deleted,
  fields,
  views,
}: Awaited<ReturnType<typeof restoreHistory>>): UndoneChange => {
  if (kind === 'order') return { kind, count: recordIds.length };
  if (kind === 'records')
    return { kind: deleted === true ? 'recordsDeleted' : 'recordsRestored', count: recordIds.length };
  return kind === 'cells'
    ? { kind, count: restored, recordIds }
    : { kind, count: restored, ...(fields === undefined ? {} : { fields }), ...(views === undefined ? {} : { views }) };
};

const restoreAll = async (context: Context, operations: readonly string[], force: boolean): Promise<Undone> => {
  const undone: Undone = { changes: [], skipped: [], sideEffects: [], left: [], leftTotal: 0 };
  for (const operationId of operations.toReversed()) {
    const restored = await restoreHistory(context, { operationId, force });
    undone.skipped.push(...restored.skipped);
    undone.sideEffects.push(...(restored.sideEffects ?? []));
    undone.left.push(...(restored.left ?? []));
    undone.leftTotal += restored.leftTotal ?? 0;
    if (restored.operationId !== null) undone.changes.push(changeOf(restored));
  }
  return undone;
};

const failure = ({ message, data }: ApiError): UndoResult => {
  const { conflicts, total } = (data ?? {}) as { conflicts?: RestoreConflict[]; total?: number };
  return {
    status: 'failed',
    errorMessage: message,
    ...(conflicts === undefined ? {} : { conflicts, total: total ?? conflicts.length }),
  };
};

const nameOf = ({ name }: Step): { step?: string } => {
  const step = clientName(name);
  return step === undefined ? {} : { step };
};

/** Undefined: somebody else has undone it meanwhile. */
const undoWithin = async (
  context: TableContext,
  window: Window,
  from: 'done' | 'undone',
  find: (context: TableContext) => Promise<Step | undefined>,
  force: boolean,
): Promise<UndoResult | undefined> => {
  const {
    db,
    access: { baseId, tableId },
  } = context;
  await closeGate(db, baseId);
  const step = await find(context);
  if (step === undefined) return undefined;
  // What locks records only knows later what else it reaches, so the schema is locked first.
  if (step.operations.length > 1) await lockSchema(db, baseId, tableId);
  await leaveStep(db, window, step.operations);
  const undoing: TableContext = {
    ...context,
    noteOperation: () => undefined,
    step: { tableId, windowId: window.windowId, name: step.name, state: from === 'done' ? 'undone' : 'redone' },
  };
  const { changes, skipped, sideEffects, left, leftTotal } = await restoreAll(undoing, step.operations, force);
  return {
    status: 'fulfilled',
    ...nameOf(step),
    changes,
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(sideEffects.length === 0 ? {} : { sideEffects }),
    ...(left.length === 0 ? {} : { left: left.slice(0, 100), leftTotal }),
  };
};

const go = async (
  context: Context,
  window: Window,
  from: 'done' | 'undone',
  { force = false, ...wanted }: Asked,
): Promise<UndoResult> => {
  const oldest = new Date(context.now().getTime() - aDay);
  let step: Step | undefined;
  const find = async ({ db }: Pick<Context, 'db'>): Promise<Step | undefined> =>
    (step = await selectStep(db, window, from, wanted, oldest));
  // Where there is nothing to undo, nobody is held up.
  if ((await find(context)) === undefined) return { status: 'empty' };
  try {
    demand(context.access, 'record|update', window.tableId);
    const result = await guardedTransaction({ unconfirmed: context }, (within) =>
      undoWithin(within, window, from, find, force),
    );
    if (result === undefined) return { status: 'empty' };
    // It is undone, whatever happens here.
    return await readForAnswer(context, result, async () => {
      context.catalog.forget(window.tableId);
      context.work.add(namedJob(window.baseId));
      context.work.wake();
      return result;
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...failure(error), ...(step === undefined ? {} : nameOf(step)) };
  }
};

const along = async (
  context: Context,
  headers: IncomingHttpHeaders,
  asked: Asked | undefined,
  from: 'done' | 'undone',
): Promise<UndoResult> => {
  const windowId = windowIdOf(headers);
  const { baseId, tableId } = context.access as TableContext['access'];
  return windowId === undefined
    ? { status: 'empty' }
    : go(context, { baseId, tableId, userId: context.principal.userId, windowId }, from, asked ?? {});
};

export const undo = (context: Context, headers: IncomingHttpHeaders, asked: Asked | undefined): Promise<UndoResult> =>
  along(context, headers, asked, 'done');
export const redo = (context: Context, headers: IncomingHttpHeaders, asked: Asked | undefined): Promise<UndoResult> =>
  along(context, headers, asked, 'undone');
