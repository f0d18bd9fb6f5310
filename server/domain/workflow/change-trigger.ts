// The trigger of a draft. Its id follows from the workflow: there is one at most.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type {
  createWorkflowTrigger as createEndpoint,
  updateWorkflowTrigger as updateEndpoint,
  WorkflowNode,
} from '@rowhouse/contract/workflow.ts';
import type { Context } from '../../context.ts';
import { editDraft, rotateAddress } from '../automation/change-automation.ts';
import { findAutomation } from '../automation/read-automations.ts';
import { triggerNode } from './graph.ts';
import { triggerIdOf } from './node.ts';
import { type OfWorkflow, ofAutomation } from './read-workflows.ts';
import { triggerFrom } from './translate-trigger.ts';

type OfTrigger = OfWorkflow & { triggerId: string };

export const readTriggerNode = async (context: Context, params: OfTrigger): Promise<WorkflowNode> => {
  const row = await findAutomation(context, ofAutomation(params));
  const node = triggerNode(row.draft, row);
  if (node === undefined || params.triggerId !== node.id) throw notFound('Trigger', params.triggerId);
  return node;
};

export const setTrigger = async (
  context: Context,
  params: OfWorkflow,
  { type, config = {} }: BodyOf<typeof createEndpoint>,
): Promise<WorkflowNode> => {
  const trigger = triggerFrom(type, config, { node: type, now: context.now() });
  await editDraft(context, ofAutomation(params), {}, (draft) => ({ ...draft, trigger }));
  return readTriggerNode(context, { ...params, triggerId: triggerIdOf(params.workflowId) });
};

export const updateTrigger = async (
  context: Context,
  params: OfTrigger,
  { config }: BodyOf<typeof updateEndpoint>,
): Promise<WorkflowNode> => {
  const { type, config: before } = await readTriggerNode(context, params);
  return setTrigger(context, params, { type, config: config ?? before });
};

export const generateToken = async (
  context: Context,
  params: OfTrigger,
): Promise<{ token: string; secret: string; url: string }> => {
  const { type } = await readTriggerNode(context, params);
  if (type !== 'webhook')
    throw invalid({ path: 'triggerId', message: `The trigger is of the type ${type}`, expected: 'a webhook' });
  const { url } = await rotateAddress(context, ofAutomation(params));
  return { token: url.split('/').at(-1) as string, secret: '', url };
};
