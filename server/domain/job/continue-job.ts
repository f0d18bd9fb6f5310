// POST /job/:jobId/continue
import { conflict } from '@rowhouse/contract/error.ts';
import type { Job } from '@rowhouse/contract/job.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { resumeJob } from '../../work/job.sql.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { selectFile } from '../file/file.sql.ts';
import { importKind, type ImportPayload } from '../import/import-job.ts';
import { undoImportKind } from '../import/undo-import.ts';
import { demandJob } from './get-job.ts';
import { hasJobOf, type JobRow, lockJob, selectJob, selectPayload } from './job.sql.ts';
import { showJob } from './show-job.ts';

export const continueJob = async (context: Context, jobId: string): Promise<Job> => {
  const { db } = context;
  const seen = await demandJob(context, jobId, 'base|read');
  // What an import needs at least; what this one needs is demanded of its table below.
  for (const action of ['table|import', 'record|create'] as const) await demandJob(context, jobId, action);
  const refuse = (reason: string): Error => conflict(`Job ${jobId} cannot be continued: ${reason}`);
  if (seen.kind !== importKind) throw refuse(`it is of kind ${seen.kind}, and only ${importKind} can`);
  const payload = (await selectPayload(db, jobId)) as ImportPayload;
  const { baseId, tableId, actions, token } = payload;
  for (const action of actions) await demandAccess(db, context, { type: 'table', id: tableId, trashed: false }, action);
  await db.transaction(async (tx) => {
    const state = (await lockJob(tx, jobId))?.state;
    if (state !== 'failed' && state !== 'cancelled') throw refuse(`it is ${state ?? 'gone'}`);
    if (await hasJobOf(tx, undoImportKind, jobId)) throw refuse('it was undone; import the file again');
    if ((await selectFile(tx, token)) === undefined)
      throw refuse('its file is not there any more; import the file again');
    await resumeJob(tx, jobId, { ...payload, by: actorOf(context) });
    await writeAudit(tx, doerOf(context), 'table.imported', { baseIds: [baseId] }, { baseId, tableIds: [tableId] });
  });
  context.work.wake();
  return showJob((await selectJob(db, jobId)) as JobRow, context.principal);
};
