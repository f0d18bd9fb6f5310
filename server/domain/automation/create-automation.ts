import type { Automation, createAutomation as endpoint } from '@rowhouse/contract/automation.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { newKeyPair, newSecret } from '../webhook/sign.ts';
import { countAutomations, insertAutomation } from './automation.sql.ts';
import { readDraft } from './change-automation.ts';
import { getAutomation } from './read-automations.ts';

const most = 200;

export const demandRoom = async (tx: Tx, baseId: string): Promise<void> => {
  if ((await countAutomations(tx, baseId)) >= most)
    throw invalid({ path: 'name', message: `A base can have ${most} automations`, expected: 'fewer of them' });
};

export const createAutomation = async (
  context: Context,
  baseId: string,
  { name, description = null, trigger = null, steps = [] }: BodyOf<typeof endpoint>,
): Promise<Automation> => {
  demandFeature(context, 'automationEnable');
  const { definition } = await readDraft(context, baseId, { trigger, steps });
  const id = context.newId('wfl');
  const { signingKey, publicKey } = newKeyPair();
  const { secretKey } = context;
  await (context.db as Db).transaction(async (tx) => {
    await demandRoom(tx, baseId);
    await insertAutomation(tx, {
      id,
      baseId,
      name,
      description,
      draft: definition,
      createdBy: context.principal.userId,
      keys: { secret: secretKey.seal(newSecret()), signingKey: secretKey.seal(signingKey), publicKey },
    });
    await writeAudit(
      tx,
      doerOf(context),
      'automation.created',
      { baseIds: [baseId] },
      { baseId, automationId: id, name },
    );
  });
  return getAutomation(context, { baseId, automationId: id });
};
