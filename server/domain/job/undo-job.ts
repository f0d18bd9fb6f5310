// POST /job/:jobId/undo
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict } from '@rowhouse/contract/error.ts';
import type { Job, undoJob as endpoint } from '@rowhouse/contract/job.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { addJob } from '../../work/job.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { type LaterChange, selectLaterChanges, selectOperation } from '../history/history.sql.ts';
import { maxListed, refuse } from '../history/refuse.ts';
import { type Imported, importKind, type ImportPayload } from '../import/import-job.ts';
import { undoImportKind, type UndoPayload } from '../import/undo-import.ts';
import { demandJob } from './get-job.ts';
import { type JobRow, lockJob, selectJob, selectPayload } from './job.sql.ts';
import { showJob } from './show-job.ts';

const operationsIn = (result: JobRow['result']): string[] => (result as Imported | null)?.operationIds ?? [];

/** Of the records that would go, what others have changed since. */
const selectConflicts = async (
  context: Context,
  { baseId, tableId, operationIds }: UndoPayload,
): Promise<LaterChange[]> => {
  const { db, principal } = context;
  const table = await loadTable(db, baseId, tableId);
  const found: LaterChange[] = [];
  for (const operationId of operationIds) {
    const operation = await selectOperation(db, table, operationId);
    if (operation !== undefined)
      found.push(
        ...(await selectLaterChanges(
          db,
          table,
          operation.id,
          'its records',
          principal.userId,
          maxListed - found.length,
        )),
      );
    if (found.length >= maxListed) break;
  }
  return found;
};

export const undoJob = async (
  context: Context,
  jobId: string,
  { force = false }: BodyOf<typeof endpoint>,
): Promise<Job> => {
  const {
    db,
    principal: { userId, tokenId, clientId },
  } = context;
  const job = await demandJob(context, jobId, 'base|read');
  await demandJob(context, jobId, 'record|delete');
  if (job.kind !== importKind)
    throw conflict(`Job ${jobId} cannot be undone: it is of kind ${job.kind}, and only ${importKind} can`);
  if (job.state === 'waiting' || job.state === 'running')
    throw conflict(`Job ${jobId} is ${job.state}: cancel it first`);
  const { baseId, tableId } = (await selectPayload(db, jobId)) as ImportPayload;
  await demandAccess(db, context, { type: 'table', id: tableId, trashed: false }, 'record|delete');
  const payload: UndoPayload = {
    baseId,
    tableId,
    operationIds: operationsIn(job.result),
    by: { userId, tokenId, clientId },
  };
  const later = force ? [] : await selectConflicts(context, payload);
  if (later.length > 0)
    throw refuse(
      later.map(({ recordId, fieldId }) => ({
        recordId,
        fieldId,
        reason: 'changed_since',
        message: 'Someone else has changed a record that this would delete',
      })),
    );
  const undoId = await db.transaction(async (tx) => {
    // Somebody may have continued it meanwhile.
    const { state, result } = (await lockJob(tx, jobId)) ?? job;
    if (state === 'waiting' || state === 'running' || !isDeepStrictEqual(operationsIn(result), payload.operationIds))
      throw conflict(`Job ${jobId} was continued: cancel it first`);
    const added = await addJob(tx, { kind: undoImportKind, key: jobId, baseId, createdBy: userId, payload });
    await writeAudit(tx, doerOf(context), 'table.importUndone', { baseIds: [baseId] }, { baseId, tableIds: [tableId] });
    return added;
  });
  context.work.wake();
  return showJob((await selectJob(db, undoId)) as JobRow, context.principal);
};
