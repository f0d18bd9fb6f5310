// One node of a draft: read, added, changed, copied or removed. Two clients who change different nodes at once both do.
import { type Definition, mostSteps, type Step } from '@rowhouse/contract/automation-definition.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type {
  createWorkflowAction as createEndpoint,
  updateWorkflowAction as updateEndpoint,
  WorkflowNode,
} from '@rowhouse/contract/workflow.ts';
import type { Context } from '../../context.ts';
import { editDraft } from '../automation/change-automation.ts';
import { findAutomation } from '../automation/read-automations.ts';
import { allSteps } from '../automation/walk.ts';
import { findStep, placeStep, replaceStep, stepNode, withInside } from './graph.ts';
import { controlsOf, triggerIdOf, unmapped } from './node.ts';
import { type OfWorkflow, ofAutomation } from './read-workflows.ts';
import { isLogic, type NewNode, stepFrom, stepTo } from './translate-step.ts';

type Kind = 'action' | 'logic';
type OfNode = OfWorkflow & { nodeId: string };

const kindOf = (step: Step): Kind => (step.type === 'if' || step.type === 'forEach' ? 'logic' : 'action');

const demandKind = ({ steps }: Definition, { nodeId }: OfNode, kind: Kind): Step => {
  const step = findStep(steps, nodeId);
  if (step === undefined || kindOf(step) !== kind) throw notFound(kind === 'logic' ? 'Logic' : 'Action', nodeId);
  return step;
};

const stepOf = ({ baseId, workflowId }: OfWorkflow, node: NewNode, label: string): Step =>
  stepFrom(node, { baseId, triggerId: triggerIdOf(workflowId), label });

export const readNode = async (context: Context, params: OfNode, kind: Kind): Promise<WorkflowNode> => {
  const { draft } = await findAutomation(context, ofAutomation(params));
  return stepNode(demandKind(draft, params, kind), params.workflowId);
};

/** As it was stored: names of fields are ids there. */
const edited = async (
  context: Context,
  params: OfNode,
  kind: Kind,
  edit: (draft: Definition) => Definition,
): Promise<WorkflowNode> => {
  await editDraft(context, ofAutomation(params), {}, (draft) => {
    const next = edit(draft);
    if (allSteps(next.steps).length > mostSteps)
      throw invalid({ path: '', message: `A workflow has at most ${mostSteps} nodes`, expected: 'fewer of them' });
    return next;
  });
  return readNode(context, params, kind);
};

export const createNode = async (
  context: Context,
  params: OfWorkflow,
  kind: Kind,
  { parentNodeId, type, name, description, config = {} }: BodyOf<typeof createEndpoint>,
): Promise<WorkflowNode> => {
  if (isLogic(type) !== (kind === 'logic'))
    throw unmapped(type, 'type', `it is no ${kind}`, kind === 'logic' ? 'condition, Repeat' : 'a type of action');
  const nodeId = context.newId(kind === 'logic' ? 'wde' : 'wac');
  const step = stepOf(params, { id: nodeId, type, name, description, config }, type);
  return edited(context, { ...params, nodeId }, kind, (draft) =>
    placeStep(draft, parentNodeId, params.workflowId, step),
  );
};

export const createLogic = async (
  context: Context,
  params: OfWorkflow,
  body: BodyOf<typeof createEndpoint>,
): Promise<{ logic: WorkflowNode; controls: WorkflowNode[] }> => {
  const logic = await createNode(context, params, 'logic', body);
  return { logic, controls: controlsOf(logic.id, logic.type === 'Repeat' ? 'forEach' : 'if') };
};

export const updateNode = (
  context: Context,
  params: OfNode,
  kind: Kind,
  { name, description, config }: BodyOf<typeof updateEndpoint>,
): Promise<WorkflowNode> =>
  edited(context, params, kind, (draft) => {
    const before = demandKind(draft, params, kind);
    const { nodeId: id, workflowId } = params;
    const theirs = stepTo(before, { node: id, triggerId: triggerIdOf(workflowId) });
    const labels = {
      name: name ?? before.name,
      description: description ?? before.description,
    };
    const changed = stepOf(params, { id, type: theirs.type, ...labels, config: config ?? theirs.config }, id);
    return replaceStep(draft, id, () => withInside(changed, before));
  });

export const removeNode = async (context: Context, params: OfNode, kind: Kind): Promise<void> =>
  editDraft(context, ofAutomation(params), {}, (draft) => {
    demandKind(draft, params, kind);
    return replaceStep(draft, params.nodeId, () => undefined);
  });

export const duplicateAction = (context: Context, params: OfNode): Promise<WorkflowNode> => {
  const nodeId = context.newId('wac');
  return edited(context, { ...params, nodeId }, 'action', (draft) =>
    placeStep(draft, params.nodeId, params.workflowId, { ...demandKind(draft, params, 'action'), id: nodeId }),
  );
};
