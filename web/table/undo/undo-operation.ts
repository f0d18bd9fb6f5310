// Undoing one operation of the server, whatever it was, and reading again what it changed.
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { call } from '../../app/call.ts';
import { showToast } from '../../ui/toast.ts';

export interface UndoTarget {
  tableId: string;
  /** Reads these records again. */
  refresh(recordIds: readonly string[]): Promise<void>;
  /** Reads all records again. */
  reload(): Promise<void>;
  /** Reads fields, views and records again. */
  reloadSchema(): Promise<void>;
}

/** Answers the operation that it was; null when there was nothing to write. */
export const restore = async ({ tableId, refresh, reload, reloadSchema }: UndoTarget, what: { operationId: string } | { historyIds: string[] }, force: boolean): Promise<string | null> => {
  const { kind, operationId, recordIds, skipped } = await call(restoreHistory, { params: { tableId }, body: { ...what, force } });
  await (kind === 'cells' ? refresh(recordIds) : kind === 'records' ? reload() : reloadSchema());
  if (skipped[0] !== undefined) showToast({ kind: 'problem', title: `${skipped.length} ${skipped.length === 1 ? 'cell' : 'cells'} could not be restored.`, detail: `${skipped[0].message}.` });
  return operationId;
};
