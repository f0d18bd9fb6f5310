import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import type { Automation, updateAutomation as updateEndpoint } from '@rowhouse/contract/automation.ts';
import type { Definition, Trigger } from '@rowhouse/contract/automation-definition.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { feedOperations } from '../feed/feed.sql.ts';
import { deleteFollower, insertFollower, lockFollower, resumeFollower } from '../feed/follower.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { newSecret } from '../webhook/sign.ts';
import {
  type AutomationRow,
  deleteAutomationRow,
  lockAutomation,
  publishVersion,
  setAddress,
  setSecret,
  trashAutomationRow,
  turnOff,
  updateDraft,
} from './automation.sql.ts';
import { feedTriggers, followerId, unfollowIfUnused } from './end-automation.ts';
import { seenTables } from './known-tables.ts';
import { hashOf } from './start-by-call.ts';
import { nextStart } from './next-start.ts';
import { findAutomation, getAutomation, type OfAutomation } from './read-automations.ts';
import { readDefinition, type ReadDefinition, tablesIn } from './read-definition.ts';
import { cancelRuns } from './run.sql.ts';

/** A change of an automation, with its entry in the audit log. */
export const change = (
  context: Context,
  { baseId, automationId }: OfAutomation,
  action: AuditAction,
  work: (tx: Tx, automation: AutomationRow) => Promise<void>,
): Promise<void> =>
  (context.db as Db).transaction(async (tx) => {
    // In the order in which the follower takes them.
    await lockFollower(tx, followerId(baseId));
    const automation = await lockAutomation(tx, baseId, automationId);
    if (automation === undefined) throw notFound('Automation', automationId);
    await work(tx, automation);
    await writeAudit(
      tx,
      doerOf(context),
      action,
      { baseIds: [baseId] },
      { baseId, automationId, name: automation.name },
    );
  });

/** With ids in place of names, as far as it can be read. */
export const readDraft = async (context: Context, baseId: string, draft: Definition): Promise<ReadDefinition> =>
  readDefinition(draft, await seenTables(context, baseId, tablesIn(draft)));

class DraftChanged extends Error {}

const mostTries = 20;

/**
 * A draft follows from the one before: two who change different nodes of it at once both do. `edit` may be called again.
 */
export const editDraft = async (
  context: Context,
  params: OfAutomation,
  labels: { name?: string; description?: string | null },
  edit: (draft: Definition) => Definition,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const known = await findAutomation(context, params);
    const { definition } = await readDraft(context, params.baseId, edit(known.draft));
    try {
      return await change(context, params, 'automation.changed', async (tx, { id, name, description, draft }) => {
        if (!isDeepStrictEqual(draft, known.draft)) throw new DraftChanged();
        await updateDraft(tx, id, {
          name: labels.name ?? name,
          description: labels.description === undefined ? description : labels.description,
          draft: definition,
        });
      });
    } catch (error) {
      if (!(error instanceof DraftChanged)) throw error;
      if (tries === mostTries) throw conflict('The draft is being changed by others; try again');
    }
  }
};

export const updateAutomation = async (
  context: Context,
  params: OfAutomation,
  body: BodyOf<typeof updateEndpoint>,
): Promise<Automation> => {
  await editDraft(context, params, body, ({ trigger, steps }) => ({
    trigger: body.trigger === undefined ? trigger : body.trigger,
    steps: body.steps ?? steps,
  }));
  return getAutomation(context, params);
};

/** Follows the base from now on, or from where it was paused. */
const follow = async (tx: Tx, { baseId, state }: AutomationRow, trigger: Trigger): Promise<void> => {
  if (!feedTriggers.includes(trigger.type)) return unfollowIfUnused(tx, baseId);
  const id = followerId(baseId);
  if (state === 'paused') {
    await resumeFollower(tx, { id, baseId });
    return undefined;
  }
  if ((await lockFollower(tx, id)) === undefined) {
    await deleteFollower(tx, id);
    await insertFollower(tx, { id, kind: 'automation', baseId });
  }
  return undefined;
};

export const activateAutomation = async (context: Context, params: OfAutomation): Promise<Automation> => {
  demandFeature(context, 'automationEnable');
  const { draft } = await findAutomation(context, params);
  const { definition, issues } = await readDraft(context, params.baseId, draft);
  if (issues.length > 0) throw invalid(issues);
  // What was committed before does not start it.
  await feedOperations(context.db as Db, params.baseId);
  await change(context, params, 'automation.activated', async (tx, automation) => {
    const trigger = definition.trigger as Trigger;
    const next = nextStart(trigger, context.now().getTime());
    await publishVersion(tx, automation.id, {
      definition,
      actsAs: actorOf(context),
      nextTime: next === undefined ? null : new Date(next).toISOString(),
    });
    await follow(tx, automation, trigger);
  });
  context.work.wake();
  return getAutomation(context, params);
};

export const stopAutomation = (context: Context, params: OfAutomation): Promise<void> =>
  change(context, params, 'automation.deactivated', async (tx, { id, baseId }) => {
    await turnOff(tx, id);
    await cancelRuns(tx, id, 'The automation was turned off');
    await unfollowIfUnused(tx, baseId);
  });

export const deactivateAutomation = async (context: Context, params: OfAutomation): Promise<Automation> => {
  await stopAutomation(context, params);
  return getAutomation(context, params);
};

export const discardDraft = async (context: Context, params: OfAutomation): Promise<Automation> => {
  await change(context, params, 'automation.changed', async (tx, { id, name, description, definition }) => {
    if (definition === null)
      throw invalid({
        path: '',
        message: 'It has not been published yet',
        expected: 'an automation with a published version',
      });
    await updateDraft(tx, id, { name, description, draft: definition });
  });
  return getAutomation(context, params);
};

export const deleteAutomation = (context: Context, params: OfAutomation): Promise<void> =>
  change(context, params, 'automation.deleted', async (tx, { id, baseId }) => {
    await trashAutomationRow(tx, id, context.principal.userId);
    await cancelRuns(tx, id, 'The automation was deleted');
    await unfollowIfUnused(tx, baseId);
  });

/** With its runs, whether it is in the trash or not. */
export const destroyAutomation = (context: Context, { baseId, automationId }: OfAutomation): Promise<void> =>
  (context.db as Db).transaction(async (tx) => {
    await lockFollower(tx, followerId(baseId));
    const name = await deleteAutomationRow(tx, baseId, automationId);
    if (name === undefined) throw notFound('Automation', automationId);
    await unfollowIfUnused(tx, baseId);
    await writeAudit(
      tx,
      doerOf(context),
      'automation.destroyed',
      { baseIds: [baseId] },
      { baseId, automationId, name },
    );
  });

export const rotateAddress = async (context: Context, params: OfAutomation): Promise<{ url: string }> => {
  const token = randomBytes(24).toString('base64url');
  await change(context, params, 'automation.addressRotated', (tx, { id }) => setAddress(tx, id, hashOf(token)));
  return { url: `${context.publicUrl()}/api/automation/call/${token}` };
};

export const rotateSecret = async (context: Context, params: OfAutomation): Promise<{ secret: string }> => {
  const secret = newSecret();
  await change(context, params, 'automation.secretRotated', (tx, { id }) =>
    setSecret(tx, id, context.secretKey.seal(secret)),
  );
  return { secret };
};
