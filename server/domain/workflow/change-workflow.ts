// What a client does with a workflow as a whole. Its nodes: change-node.ts.
import type { Trigger } from '@rowhouse/contract/automation-definition.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type {
  createWorkflow as createEndpoint,
  moveWorkflow as moveEndpoint,
  setWorkflowActive as activeEndpoint,
  Workflow,
} from '@rowhouse/contract/workflow.ts';
import { demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { moveAutomationRow, selectAutomation, selectAutomations } from '../automation/automation.sql.ts';
import {
  activateAutomation,
  change,
  deactivateAutomation,
  discardDraft,
  editDraft,
} from '../automation/change-automation.ts';
import { createAutomation } from '../automation/create-automation.ts';
import { findAutomation } from '../automation/read-automations.ts';
import { getWorkflow, type OfWorkflow, ofAutomation } from './read-workflows.ts';
import { triggerFrom } from './translate-trigger.ts';

type Given = BodyOf<typeof createEndpoint>;

const triggerIn = ({ trigger }: Given, { now }: Pick<Context, 'now'>): Trigger | undefined =>
  trigger === undefined
    ? undefined
    : triggerFrom(trigger.type, trigger.config ?? {}, { node: trigger.type, now: now() });

export const createWorkflow = async (context: Context, baseId: string, body: Given): Promise<Workflow> => {
  const { name = 'New workflow', description } = body;
  const { id } = await createAutomation(context, baseId, {
    name,
    ...(description === undefined ? {} : { description }),
    trigger: triggerIn(body, context) ?? null,
  });
  return getWorkflow(context, { baseId, workflowId: id });
};

export const updateWorkflow = async (context: Context, params: OfWorkflow, body: Given): Promise<void> => {
  const { name, description } = body;
  const trigger = triggerIn(body, context);
  await editDraft(
    context,
    ofAutomation(params),
    { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) },
    (draft) => (trigger === undefined ? draft : { ...draft, trigger }),
  );
};

export const setWorkflowActive = async (
  context: Context,
  params: OfWorkflow,
  { method }: BodyOf<typeof activeEndpoint>,
): Promise<void> => {
  const act = { activate: activateAutomation, deactivate: deactivateAutomation, discard: discardDraft }[method];
  await act(context, ofAutomation(params));
};

export const moveWorkflow = async (
  context: Context,
  params: OfWorkflow,
  { anchorId, position }: BodyOf<typeof moveEndpoint>,
): Promise<void> => {
  const { baseId } = params;
  if ((await selectAutomation(context.db, anchorId))?.baseId !== baseId) throw notFound('Workflow', anchorId);
  if (anchorId === params.workflowId)
    throw invalid({ path: 'anchorId', message: 'It is the workflow itself', expected: 'another one' });
  await change(context, ofAutomation(params), 'automation.changed', (tx, { id }) =>
    moveAutomationRow(tx, baseId, { id, anchorId, isAfter: position === 'after' }),
  );
};

const longestName = 100;

export const duplicateWorkflow = async (context: Context, params: OfWorkflow): Promise<Workflow> => {
  // What a draft holds is for those who may change it.
  demand(context.access, 'automation|update', params.workflowId);
  const { name, description, draft } = await findAutomation(context, ofAutomation(params));
  const taken = (await selectAutomations(context.db, params.baseId)).map((one) => one.name);
  const { id } = await createAutomation(context, params.baseId, {
    name: uniqueName(name.slice(0, longestName - 5), taken),
    description,
    ...draft,
  });
  return getWorkflow(context, { ...params, workflowId: id });
};
