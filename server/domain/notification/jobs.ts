import { namedKind, type NamedPayload, notifyKind, type OutboxMessage } from '../../catalog/outbox.ts';
import type { Services } from '../../context.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { mailRetry } from '../mail/deliver.ts';
import { findUnnotified } from './find-unnotified.ts';
import { deleteOldRead, emailKind } from './notification.sql.ts';
import { notifyNamed } from './notify-named.ts';
import { notify } from './notify.ts';
import { sendEmail } from './send-email.ts';
import { warnOfExpiry } from './warn-of-expiry.ts';

const batchSize = 1_000;

/** Removes read notifications that are older than the setting says. */
export const removeOld = async ({ db, config }: Services, signal: AbortSignal): Promise<void> => {
  while ((await deleteOldRead(db, config.notificationDays, batchSize)) === batchSize) signal.throwIfAborted();
};

/** What was written into inboxes is told to those who listen, and goes out by e-mail. */
const told = ({ live, work }: Services): void => {
  live.inboxChanged();
  work.wake();
};

const untilNotified = { attempts: null, first: 1, longest: 300 };

const runNamed = async (services: Services, { payload: { baseId }, step }: RunningJob<NamedPayload>): Promise<void> => {
  for (let count = 1; count > 0; ) {
    // A base that is gone took along whom it named.
    await step(async (tx) => void (count = await notifyNamed(tx, services, baseId))).catch((error: unknown) => {
      if (!isGone(error)) throw error;
      count = 0;
    });
    if (count > 0) told(services);
  }
};

export const notificationJobs: JobKind<Services>[] = [
  {
    name: notifyKind,
    retry: untilNotified,
    batch: 100,
    async run(services, { payload, finish }) {
      // Together with the end of the job: told again, people would hear of it twice.
      await finish((tx) => notify(tx, services, payload as OutboxMessage));
      told(services);
    },
  },
  {
    name: namedKind,
    retry: untilNotified,
    atOnce: 2,
    run: (services, job) => runNamed(services, job as RunningJob<NamedPayload>),
  },
  { name: 'find-unnotified', every: 60, isLong: true, run: (services, { signal }) => findUnnotified(services, signal) },
  { name: emailKind, retry: mailRetry, atOnce: 2, run: (services, job) => sendEmail(services, job as never) },
  {
    name: 'warn-of-expiry',
    every: 3_600,
    async run(services) {
      if ((await warnOfExpiry(services)) > 0) told(services);
    },
  },
  {
    name: 'remove-old-notifications',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => removeOld(services, signal),
  },
];
