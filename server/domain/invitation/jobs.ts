import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { mailRetry } from '../mail/deliver.ts';
import { sendInvitation, sendInvitationKind } from './invitation-mail.ts';

export const invitationJobs: JobKind<Services>[] = [
  { name: sendInvitationKind, retry: mailRetry, atOnce: 2, run: sendInvitation },
];
