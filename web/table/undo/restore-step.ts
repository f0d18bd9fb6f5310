// Taking back a write to cells: the history writes the values from before, unless someone changed them since.
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { call } from '../../app/call.ts';
import { showToast } from '../../ui/toast.ts';
import type { Step } from './undo-stack.ts';

export interface RestoreTarget {
  tableId: string;
  /** Reads these records anew. */
  refresh(recordIds: readonly string[]): Promise<void>;
}

/** Answers the operation that it was; null when there was nothing to write. */
export const restore = async ({ tableId, refresh }: RestoreTarget, what: { operationId: string } | { historyIds: string[] }, force: boolean): Promise<string | null> => {
  const { operationId, recordIds, skipped } = await call(restoreHistory, { params: { tableId }, body: { ...what, force } });
  await refresh(recordIds);
  if (skipped[0] !== undefined) showToast({ kind: 'problem', title: `${skipped.length} ${skipped.length === 1 ? 'cell' : 'cells'} could not be restored.`, detail: `${skipped[0].message}.` });
  return operationId;
};

export const restoreStep = (target: RestoreTarget, operationId: string): Step => async (force) => {
  const next = await restore(target, { operationId }, force);
  return next === null ? null : restoreStep(target, next);
};
