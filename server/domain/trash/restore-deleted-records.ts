import { ApiError, conflict, notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { guardedTransaction } from '../../pipeline/pipeline.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { restoreRecords } from '../history/restore-records.ts';
import { atTable } from './list-table-trash.ts';
import type { RecordTrash } from './record-trash-id.ts';

/** A cell that cannot be as it was stands in the way of all that were deleted with it. */
const asConflict = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'validation_error'
    ? conflict(`The records cannot come back as they were; nothing was restored. ${error.message}`, error.data)
    : error;

/** All that one request deleted, or nothing. */
export const restoreDeletedRecords = async (
  context: Context,
  trashId: string,
  { tableId, opId }: RecordTrash,
): Promise<void> => {
  const missing = notFound('Trash item', trashId);
  const there = await atTable(context, tableId, 'table|trash_update', missing);
  const restored = await guardedTransaction({ unconfirmed: there }, async (within) => {
    await closeGate(within.db, within.access.baseId);
    return restoreRecords(within, opId, { force: true, refuse: () => missing, explain: asConflict });
  });
  if (restored === undefined) throw missing;
  context.noteOperation(restored.operationId);
  // Choices may have come back with them.
  context.catalog.forget(tableId);
  context.live.changed(there.access.baseId as string);
};
