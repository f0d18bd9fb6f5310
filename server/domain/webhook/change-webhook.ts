import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { updateWebhook as endpoint, Webhook } from '@rowhouse/contract/webhook.ts';
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { addJob } from '../../work/job.sql.ts';
import { feedOperations } from '../feed/feed.sql.ts';
import { followJob } from '../feed/follow.ts';
import { deleteFollower, insertFollower, lockFollower, resumeFollower } from '../feed/follower.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { deliverJob } from './deliver-job.ts';
import { hurryWaiting } from './delivery.sql.ts';
import { demandEyes, getWebhook } from './read-webhooks.ts';
import { readSettings } from './read-settings.ts';
import { newSecret } from './sign.ts';
import { webhookFollower } from './take-changes.ts';
import { deleteWebhookRow, lockWebhook, replaceSecret, updateSettings, type WebhookRow } from './webhook.sql.ts';

interface OfWebhook {
  baseId: string;
  webhookId: string;
}

/** A change of a webhook, with its entry in the audit log. */
export const changeWebhook = <T>(
  context: Context,
  { baseId, webhookId }: OfWebhook,
  action: AuditAction | null,
  work: (tx: Tx, webhook: WebhookRow) => Promise<T>,
): Promise<T> =>
  (context.db as Db).transaction(async (tx) => {
    // In the order in which the follower takes them.
    await lockFollower(tx, webhookId);
    const webhook = await lockWebhook(tx, baseId, webhookId);
    if (webhook === undefined) throw notFound('Webhook', webhookId);
    const done = await work(tx, webhook);
    if (action !== null)
      await writeAudit(tx, doerOf(context), action, { baseIds: [baseId] }, { baseId, webhookId, name: webhook.name });
    return done;
  });

/** Follows the base again: from where it stopped, or from now on when it was off. */
const turnOn = async (tx: Tx, { id, baseId, spaceId, state }: WebhookRow): Promise<void> => {
  if (state === 'off') await insertFollower(tx, { id, kind: webhookFollower.name, baseId });
  else await resumeFollower(tx, { id, baseId });
  await hurryWaiting(tx, id);
  await addJob(tx, followJob({ id, spaceId }));
  await addJob(tx, deliverJob({ id, spaceId }));
};

export const updateWebhook = async (
  context: Context,
  params: OfWebhook,
  { isOn, ...body }: BodyOf<typeof endpoint>,
): Promise<Webhook> => {
  // What waits is sent to where the webhook leads now.
  demandEyes(context, params.webhookId);
  if (isOn === true) demandFeature(context, 'automationEnable');
  const { id: _id, ...known } = await getWebhook(context, params);
  const settings = await readSettings(context, params.baseId, { ...known, ...body });
  if (isOn === true) await feedOperations(context.db as Db, params.baseId);
  await changeWebhook(context, params, 'webhook.changed', async (tx, webhook) => {
    const state = isOn === undefined ? webhook.state : isOn ? 'on' : 'off';
    await updateSettings(tx, webhook.id, settings, state, actorOf(context));
    if (state === 'on' && webhook.state !== 'on') await turnOn(tx, webhook);
    if (state === 'off' && webhook.state !== 'off') await deleteFollower(tx, webhook.id);
  });
  context.work.wake();
  return getWebhook(context, params);
};

export const deleteWebhook = (context: Context, params: OfWebhook): Promise<void> =>
  changeWebhook(context, params, 'webhook.deleted', async (tx, { id }) => {
    await deleteFollower(tx, id);
    await deleteWebhookRow(tx, id);
  });

/** Hours in which both secrets sign. */
const overlap = 24;

export const rotateSecret = async (
  context: Context,
  params: OfWebhook,
): Promise<{ secret: string; formerSecretUntil: string }> => {
  const secret = newSecret();
  const formerSecretUntil = await changeWebhook(context, params, 'webhook.secretRotated', (tx, { id }) =>
    replaceSecret(tx, id, context.secretKey.seal(secret), overlap),
  );
  return { secret, formerSecretUntil };
};
