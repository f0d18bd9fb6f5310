// Sends what waits for a webhook. The job only takes deliveries, each with a lease in its row; requests run beside the jobs, so that a receiver that hangs
// takes no slot from anyone. A process that is killed leaves leases that end, and the same delivery is sent again under the same id.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import type { RunningJob } from '../../work/job.ts';
import { addJobs } from '../../work/job.sql.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  recordAttempt,
  selectDueWebhooks,
  selectNextDue,
} from './delivery.sql.ts';
import { deliverJob, type DeliverPayload } from './deliver-job.ts';
import { createPlaces } from './places.ts';
import { mostAttempts, pauseAfter } from './retry.ts';
import { allowedAddresses, patience, send, type Sent } from './send.ts';
import { signatureOf } from './sign.ts';
import { contextFor, endAndTell } from './take-changes.ts';
import { countFailure, selectSending, selectWebhook, type WebhookRow } from './webhook.sql.ts';

/** Seconds; longer than a request takes. */
const lease = patience + 10;
/** Requests of one process at once: in all, to one receiver, and to one that has failed some times in a row. */
const limits = { all: 64, each: 8, failing: 1, failures: 5 };
const places = createPlaces(limits.all);

const hasArrived = ({ status }: Sent): boolean => status !== null && status >= 200 && status < 300;

const note = async (services: Services, webhook: WebhookRow, delivery: ClaimedDelivery, sent: Sent): Promise<void> => {
  const isDone = hasArrived(sent);
  // Deliveries that were tried too often wait with the webhook until somebody turns it on.
  const pause = isDone ? null : (pauseAfter(delivery.attempts, sent.retryAfter) ?? lease);
  await services.db.transaction(async (tx) => {
    // The webhook before its deliveries, as everyone who changes it.
    await countFailure(tx, webhook.id, !isDone);
    if (!(await recordAttempt(tx, webhook.id, delivery, sent, pause))) return;
    if (sent.status === 410) await endAndTell(tx, webhook, 'off', 'the receiver answered 410 (gone)');
    else if (!isDone && delivery.attempts >= mostAttempts)
      await endAndTell(
        tx,
        webhook,
        'paused',
        `a delivery failed ${mostAttempts} times, the last time with ${sent.status ?? sent.error ?? 'no answer'}`,
      );
  });
};

/** A database that is away for a moment costs no second request. What was noted after all is noted again: an attempt more in the log, and nothing else. */
const noteSoon = async ({ stopping }: Services, work: () => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (passesOf(error) !== 'yes' || tries === 8) throw error;
      await sleep(1_000, undefined, { signal: stopping });
    }
  }
};

const sendOne = async (
  services: Services,
  webhook: WebhookRow,
  delivery: ClaimedDelivery,
  keys: { secrets: string[]; signingKey: string },
): Promise<boolean> => {
  const timestamp = Math.floor(services.now().getTime() / 1_000);
  const { id, body } = delivery;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, keys.secrets, keys.signingKey),
  };
  const sent = await send(webhook.url, body, headers, allowedAddresses(services.config), services.stopping);
  // A request that the end of the server cut off is no attempt: its lease ends, and it is sent again.
  if (services.stopping.aborted) return false;
  await noteSoon(services, () => note(services, webhook, delivery, sent));
  return hasArrived(sent);
};

/** Milliseconds for which deliveries follow each other without asking again who the webhook acts as. */
const longestRun = 5_000;

/** One delivery, and while they arrive the next ones. */
const sendSome = async (
  services: Services,
  webhook: WebhookRow,
  first: ClaimedDelivery,
  keys: { secrets: string[]; signingKey: string },
): Promise<void> => {
  const began = performance.now();
  for (let next: ClaimedDelivery | undefined = first; next !== undefined; ) {
    const isOn: boolean = await sendOne(services, webhook, next, keys);
    const isOver = !isOn || performance.now() - began > longestRun;
    next = isOver ? undefined : (await claimDeliveries(services.db, webhook.id, 1, lease))[0];
  }
};

/** The places are taken before anybody else can look for them: other webhooks are begun while the database answers. Those that are not needed are free again. */
const claimSome = async (db: Db, webhook: WebhookRow, room: number): Promise<ClaimedDelivery[]> => {
  if (room === 0) return [];
  places.take(webhook, room);
  let taken = 0;
  try {
    const claimed = await claimDeliveries(db, webhook.id, room, lease);
    taken = claimed.length;
    return claimed;
  } finally {
    places.take(webhook, taken - room);
  }
};

/** Its place is taken already. */
const begin = (
  services: Services,
  webhook: WebhookRow,
  delivery: ClaimedDelivery,
  keys: { secrets: string[]; signingKey: string },
): void => {
  void sendSome(services, webhook, delivery, keys)
    .catch((error: unknown) => services.backgroundErrors.note('webhooks', error))
    .finally(() => {
      places.take(webhook, -1);
      services.work.add(deliverJob(webhook));
    });
};

export const deliver = async (
  services: Services,
  { payload: { webhookId } }: RunningJob<DeliverPayload>,
): Promise<void> => {
  const { db, secretKey } = services;
  const webhook = await selectWebhook(db, webhookId);
  const sending = await selectSending(db, webhookId);
  if (webhook === undefined || webhook.isTrashed || sending === undefined || !sending.isOn) return;
  // What was rendered for somebody is not sent for them once they may not see it.
  if ((await db.transaction((tx) => contextFor(services, tx, webhook))) === undefined) return;
  const open = (sealed: Buffer | null): string[] => (sealed === null ? [] : [secretKey.unseal(sealed) ?? []].flat());
  const [signingKey] = open(sending.signingKey);
  if (signingKey === undefined || open(sending.secret).length === 0) {
    await db.transaction((tx) =>
      endAndTell(tx, webhook, 'paused', 'the key of this server cannot open its secret: make a new one'),
    );
    return;
  }
  const keys = { signingKey, secrets: [...open(sending.secret), ...open(sending.formerSecret)] };
  for (const delivery of await claimSome(
    db,
    webhook,
    places.roomFor(webhook, sending.failures >= limits.failures ? limits.failing : limits.each),
  ))
    begin(services, webhook, delivery, keys);
  const seconds = await selectNextDue(db, webhookId);
  // Whatever runs now adds the job again when it ends.
  if (seconds !== null && (seconds > 0 || places.countOf(webhookId) === 0))
    await addJobs(db, [deliverJob(webhook, Math.max(1, seconds))]);
};

/** The safety net after a crash. */
export const findDeliveries = async ({ db, work }: Services): Promise<void> => {
  const due = await selectDueWebhooks(db);
  if (due.length === 0) return;
  await addJobs(
    db,
    due.map((webhook) => deliverJob(webhook)),
  );
  work.wake();
};
