import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { createWebhook as endpoint, Webhook } from '@rowhouse/contract/webhook.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { feedOperations } from '../feed/feed.sql.ts';
import { insertFollower } from '../feed/follower.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { readSettings } from './read-settings.ts';
import { newKeyPair, newSecret } from './sign.ts';
import { webhookFollower } from './take-changes.ts';
import { webhookVo } from './webhook-vo.ts';
import { insertWebhook, selectWebhook, selectWebhooks, type WebhookRow } from './webhook.sql.ts';

const most = 50;

export const createWebhook = async (
  context: Context,
  baseId: string,
  body: BodyOf<typeof endpoint>,
): Promise<Webhook & { secret: string }> => {
  demandFeature(context, 'automationEnable');
  const settings = await readSettings(context, baseId, {
    tableIds: null,
    fieldIds: null,
    viewId: null,
    filter: null,
    withValues: true,
    fieldKeyType: 'id',
    ...body,
  });
  const { secretKey } = context;
  const id = context.newId('whk');
  const secret = newSecret();
  const { signingKey, publicKey } = newKeyPair();
  const db = context.db as Db;
  // What was committed before is not told.
  await feedOperations(db, baseId);
  await db.transaction(async (tx) => {
    if ((await selectWebhooks(tx, baseId)).length >= most)
      throw invalid({ path: 'name', message: `A base can have ${most} webhooks` });
    await insertFollower(tx, { id, kind: webhookFollower.name, baseId });
    const keys = {
      secret: secretKey.seal(secret),
      formerSecret: null,
      signingKey: secretKey.seal(signingKey),
      publicKey,
    };
    await insertWebhook(tx, id, baseId, settings, keys, actorOf(context));
    await writeAudit(
      tx,
      doerOf(context),
      'webhook.created',
      { baseIds: [baseId] },
      { baseId, webhookId: id, name: body.name, host: new URL(body.url).host },
    );
  });
  return { ...webhookVo((await selectWebhook(db, id)) as WebhookRow, 0), secret };
};
