import * as contract from '@rowhouse/contract/job.ts';
import { route, type Route } from '../../endpoint/route.ts';
import { cancelJob } from './cancel-job.ts';
import { getJob } from './get-job.ts';
import { listBaseJobs } from './list-base-jobs.ts';
import { undoJob } from './undo-job.ts';

export const jobRoutes: Route[] = [
  route(contract.getJob, (context, { params }) => getJob(context, params.jobId)),
  route(contract.listBaseJobs, (context, { params, query }) => listBaseJobs(context, params.baseId, query)),
  route(contract.cancelJob, (context, { params }) => cancelJob(context, params.jobId)),
  route(contract.undoJob, (context, { params, body }) => undoJob(context, params.jobId, body ?? {})),
];
