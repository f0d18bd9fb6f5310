import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import type { Job } from '@rowhouse/contract/job.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { isBound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { pathOf } from '../file/file.ts';
import { type JobRow, selectJob } from './job.sql.ts';
import { showJob } from './show-job.ts';

/** A job belongs to those who may see its base; one without a base to the one who started it, while they could start it again. To all others it is unknown. */
export const demandJob = async (context: Context, jobId: string, action: Action): Promise<JobRow> => {
  const missing = notFound('Job', jobId);
  const job = await selectJob(context.db, jobId);
  if (job === undefined) throw missing;
  if (job.baseId !== null) {
    const place = { type: 'base', id: job.baseId, trashed: false } as const;
    const stand = await demandAccess(context.db, context, place, action, missing);
    // What it tells is of tables of which they may see nothing.
    if (isBound(stand) && job.createdBy !== context.principal.userId) throw missing;
  } else if (job.createdBy !== context.principal.userId) throw missing;
  else if (job.right !== null) {
    const { type, id, actions } = job.right;
    for (const needed of actions)
      await demandAccess(context.db, context, { type, id, trashed: false }, needed, missing);
  }
  return job;
};

/** The address of the file that it made is made for the one who asks. */
const withAddress = ({ files }: Context, job: Job): Job => {
  const { fileToken, ...result } = job.result ?? {};
  return typeof fileToken === 'string'
    ? { ...job, result: { ...result, url: files.urlOf(pathOf({ token: fileToken, width: null })) } }
    : job;
};

export const getJob = async (context: Context, jobId: string): Promise<Job> =>
  withAddress(context, showJob(await demandJob(context, jobId, 'base|read'), context.principal));

/** GET /job/:jobId/file */
export const getJobFile = async (context: Context, jobId: string): Promise<Answer> => {
  const { state, result } = await getJob(context, jobId);
  if (state !== 'done' || typeof result?.url !== 'string')
    throw new ApiError('not_found', 'This job has made no file, or has not ended yet');
  return new Answer({ status: 302, headers: { location: result.url } });
};
