import {
  importFrom as importFromEndpoint,
  listOtherBases as listOtherBasesEndpoint,
} from '@rowhouse/contract/import-from.ts';
import * as contract from '@rowhouse/contract/job.ts';
import { route, type Route } from '../../endpoint/route.ts';
import { cancelJob } from './cancel-job.ts';
import { continueJob } from './continue-job.ts';
import { getJob, getJobFile } from './get-job.ts';
import { listBaseJobs } from './list-base-jobs.ts';
import { importFrom } from '../import/other/import-from.ts';
import { listOtherBases } from '../import/other/list-other-bases.ts';
import { undoJob } from './undo-job.ts';

export const jobRoutes: Route[] = [
  route(contract.getJob, (context, { params }) => getJob(context, params.jobId)),
  route(contract.getJobFile, (context, { params }) => getJobFile(context, params.jobId)),
  route(contract.listBaseJobs, (context, { params, query }) => listBaseJobs(context, params.baseId, query)),
  route(contract.cancelJob, (context, { params }) => cancelJob(context, params.jobId)),
  route(contract.continueJob, (context, { params }) => continueJob(context, params.jobId)),
  route(contract.undoJob, (context, { params, body }) => undoJob(context, params.jobId, body ?? {})),
  route(listOtherBasesEndpoint, (context, { body }) => listOtherBases(context, body)),
  // It answers its job.
  route(importFromEndpoint, async (context, { body }) => getJob(context, await importFrom(context, body))),
];
