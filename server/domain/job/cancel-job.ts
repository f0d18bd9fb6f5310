import { conflict } from '@rowhouse/contract/error.ts';
import type { Job } from '@rowhouse/contract/job.ts';
import type { Context } from '../../context.ts';
import { requestCancel } from '../../work/job.sql.ts';
import { demandJob } from './get-job.ts';
import { selectJob, type JobRow } from './job.sql.ts';
import { showJob } from './show-job.ts';

export const cancelJob = async (context: Context, jobId: string): Promise<Job> => {
  const seen = await demandJob(context, jobId, 'base|read');
  if (seen.createdBy !== context.principal.userId) await demandJob(context, jobId, 'base|update');
  if (!(await requestCancel(context.db, jobId)))
    throw conflict(
      `Job ${jobId} cannot be cancelled: it is ${((await selectJob(context.db, jobId)) ?? seen).state} already`,
    );
  return showJob((await selectJob(context.db, jobId)) as JobRow, context.principal);
};
