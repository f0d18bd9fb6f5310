import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { mailRetry } from '../mail/deliver.ts';
import { copyJob } from './copy-job.ts';
import { confirmKind, sendConfirmation } from './confirm-answer.ts';

export const shareJobs: JobKind<Services>[] = [
  { name: confirmKind, retry: mailRetry, atOnce: 2, run: sendConfirmation },
  copyJob as JobKind<Services>,
];
