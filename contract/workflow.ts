// Automations as Teable's clients know them: workflows of nodes and edges, which are changed node by node. The same automations as in automation.ts.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

export const tag = 'workflow';
export const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofBase = Type.Object({ baseId: id('base') });
export const ofWorkflow = Type.Object({ baseId: id('base'), workflowId: id('workflow') });
export const ofNode = <K extends string>(name: K, of: string) =>
  Type.Object({ ...ofWorkflow.properties, [name]: id(of) } as typeof ofWorkflow.properties & {
    [key in K]: ReturnType<typeof id>;
  });

const Config = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 100,
  description:
    'As Teable has it for the type. A value is `{"resolvable": true, "type": "literal", "value": …}`, `{"resolvable": true, "type": "fact", "fact": "<id of a node>", "path": "$.record.fields.fld…"}`, or an `array` of both in `nodes`. A literal may hold a value of ours, such as `{"formula": "…"}`.',
});

export const WorkflowNode = Type.Object({
  id: Type.String({ description: 'Those of branches and ends follow from their condition or loop.' }),
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  category: Type.Enum(['trigger', 'action', 'logic', 'control']),
  type: Type.String(),
  config: Type.Record(Type.String(), Type.Unknown()),
});
export type WorkflowNode = Static<typeof WorkflowNode>;
const Edge = Type.Object({ source: Type.String(), target: Type.String() });
export type WorkflowEdge = Static<typeof Edge>;

const Labels = {
  id: Type.String({ description: 'Begins with `wfl`; the same as of the automation.' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  hasDraft: Type.Boolean({ description: 'The draft differs from the published version.' }),
  isActive: Type.Boolean(),
  createdBy: Type.String(),
  createdTime: Type.String(),
  lastModifiedTime: Type.Optional(Type.String()),
};
export const Workflow = Type.Object({
  ...Labels,
  baseId: Type.String(),
  nodes: Type.Array(WorkflowNode),
  edges: Type.Array(Edge),
  activeUser: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String(), email: Type.String({ description: 'Empty.' }) },
      { description: 'Who activated it; it does what this person may.' },
    ),
  ),
});
export type Workflow = Static<typeof Workflow>;

const Name = text({ minLength: 1, maxLength: 100 });
const Description = text({ maxLength: 2_000 });
const labels = { name: Type.Optional(Name), description: Type.Optional(Description) };
const type = Type.String({ maxLength: 100 });
const Trigger = Type.Object({ type, ...labels, config: Type.Optional(Config) });
const Changed = Type.Object({ ...labels, config: Type.Optional(Config) });
const NewNode = Type.Object({
  parentNodeId: id('node behind which it stands'),
  type,
  ...labels,
  config: Type.Optional(Config),
});

const read = { on: 'base', action: 'automation|read' } as const;
export const change = { on: 'base', action: 'automation|update' } as const;
const create = { on: 'base', action: 'automation|create' } as const;
const remove = { on: 'base', action: 'automation|delete' } as const;
const path = '/base/:baseId/workflow';
export const one = `${path}/:workflowId` as const;

export const listWorkflows = endpoint({
  name: 'listWorkflows',
  method: 'GET',
  path,
  summary: 'List the workflows of a base',
  tag,
  access: read,
  params: ofBase,
  query: Type.Object({ onlyFirst: Type.Optional(Type.Boolean({ description: 'Of the nodes the trigger alone.' })) }),
  status: 200,
  response: Type.Array(
    Type.Object({
      ...Labels,
      nodes: Type.Array(Type.Pick(WorkflowNode, ['id', 'type', 'category'])),
    }),
  ),
});

export const createWorkflow = endpoint({
  name: 'createWorkflow',
  method: 'POST',
  path,
  summary: 'Create a workflow',
  tag,
  access: create,
  params: ofBase,
  body: Type.Object({ ...labels, trigger: Type.Optional(Trigger) }),
  isStep: false,
  status: 201,
  response: Workflow,
});

export const getWorkflow = endpoint({
  name: 'getWorkflow',
  method: 'GET',
  path: one,
  summary: 'Get the draft of a workflow',
  tag,
  access: change,
  params: ofWorkflow,
  status: 200,
  response: Workflow,
});

export const getActiveWorkflow = endpoint({
  name: 'getActiveWorkflow',
  method: 'GET',
  path: `${one}/active-snapshot`,
  summary: 'Get the published version of a workflow',
  tag,
  access: change,
  params: ofWorkflow,
  status: 200,
  response: Workflow,
});

export const updateWorkflow = endpoint({
  name: 'updateWorkflow',
  method: 'PUT',
  path: one,
  summary: 'Rename or describe a workflow, or set its trigger',
  description: 'Name and description apply at once; the trigger is part of the draft.',
  tag,
  access: change,
  params: ofWorkflow,
  body: Type.Object({ ...labels, trigger: Type.Optional(Trigger) }),
  isStep: false,
  status: 200,
});

export const deleteWorkflow = endpoint({
  name: 'deleteWorkflow',
  method: 'DELETE',
  path: one,
  summary: 'Delete a workflow',
  description: 'It goes to the trash of the base, switched off.',
  tag,
  access: remove,
  params: ofWorkflow,
  isStep: false,
  status: 200,
});

export const deleteWorkflowPermanently = endpoint({
  name: 'deleteWorkflowPermanently',
  method: 'DELETE',
  path: `${one}/permanent`,
  summary: 'Delete a workflow for good, with its runs',
  tag,
  access: remove,
  params: ofWorkflow,
  isStep: false,
  status: 200,
});

export const setWorkflowActive = endpoint({
  name: 'setWorkflowActive',
  method: 'PUT',
  path: `${one}/active`,
  summary: 'Activate or deactivate a workflow, or discard its draft',
  description: '`activate` publishes the draft: 400 with all issues while it is not complete.',
  tag,
  access: change,
  params: ofWorkflow,
  body: Type.Object({ method: Type.Enum(['activate', 'deactivate', 'discard']) }),
  isStep: false,
  status: 200,
});

export const moveWorkflow = endpoint({
  name: 'moveWorkflow',
  method: 'PUT',
  path: `${one}/order`,
  summary: 'Put a workflow before or after another one',
  tag,
  access: change,
  params: ofWorkflow,
  body: Type.Object({ anchorId: id('other workflow'), position: Type.Enum(['before', 'after']) }),
  isStep: false,
  status: 200,
});

export const duplicateWorkflow = endpoint({
  name: 'duplicateWorkflow',
  method: 'POST',
  path: `${one}/duplicate`,
  summary: 'Copy a workflow',
  description:
    'The draft, switched off, without runs; a webhook has another address. A token also needs `automation|update`.',
  tag,
  access: create,
  params: ofWorkflow,
  isStep: false,
  status: 200,
  response: Workflow,
});

export const createWorkflowTrigger = endpoint({
  name: 'createWorkflowTrigger',
  method: 'POST',
  path: `${one}/trigger`,
  summary: 'Set the trigger of a workflow',
  tag,
  access: change,
  params: ofWorkflow,
  body: Trigger,
  isStep: false,
  status: 201,
  response: WorkflowNode,
});

const ofTrigger = ofNode('triggerId', 'trigger');
export const getWorkflowTrigger = endpoint({
  name: 'getWorkflowTrigger',
  method: 'GET',
  path: `${one}/trigger/:triggerId`,
  summary: 'Get the trigger of a workflow',
  tag,
  access: change,
  params: ofTrigger,
  status: 200,
  response: WorkflowNode,
});

export const updateWorkflowTrigger = endpoint({
  name: 'updateWorkflowTrigger',
  method: 'PUT',
  path: `${one}/trigger/:triggerId`,
  summary: 'Change the trigger of a workflow',
  tag,
  access: change,
  params: ofTrigger,
  body: Changed,
  isStep: false,
  status: 200,
  response: WorkflowNode,
});

export const generateWorkflowToken = endpoint({
  name: 'generateWorkflowToken',
  method: 'POST',
  path: `${one}/trigger/:triggerId/generate-webhook-token`,
  summary: 'Make a new address for a webhook trigger',
  description: 'The former one is not valid any more.',
  tag,
  access: change,
  params: ofTrigger,
  isStep: false,
  status: 201,
  response: Type.Object({
    token: Type.String({ description: 'The end of the address.' }),
    secret: Type.String({ description: 'Empty: the address is the secret.' }),
    url: Type.String({ description: 'Anyone who has it can start the workflow by a POST. Shown this once.' }),
  }),
});

const ofAction = ofNode('actionId', 'action');
const ofLogic = ofNode('logicId', 'condition or loop');

export const createWorkflowAction = endpoint({
  name: 'createWorkflowAction',
  method: 'POST',
  path: `${one}/action`,
  summary: 'Add an action behind a node',
  description: 'What is missing in `config` can follow; the workflow cannot be activated until then.',
  tag,
  access: change,
  params: ofWorkflow,
  body: NewNode,
  isStep: false,
  status: 201,
  response: WorkflowNode,
});

export const getWorkflowAction = endpoint({
  name: 'getWorkflowAction',
  method: 'GET',
  path: `${one}/action/:actionId`,
  summary: 'Get an action',
  tag,
  access: change,
  params: ofAction,
  status: 200,
  response: WorkflowNode,
});

export const updateWorkflowAction = endpoint({
  name: 'updateWorkflowAction',
  method: 'PUT',
  path: `${one}/action/:actionId`,
  summary: 'Change an action',
  description: '`config` replaces the one before.',
  tag,
  access: change,
  params: ofAction,
  body: Changed,
  isStep: false,
  status: 200,
  response: WorkflowNode,
});

export const deleteWorkflowAction = endpoint({
  name: 'deleteWorkflowAction',
  method: 'DELETE',
  path: `${one}/action/:actionId`,
  summary: 'Remove an action from the draft',
  tag,
  access: change,
  params: ofAction,
  isStep: false,
  status: 200,
});

export const duplicateWorkflowAction = endpoint({
  name: 'duplicateWorkflowAction',
  method: 'POST',
  path: `${one}/action/:actionId/duplicate`,
  summary: 'Copy an action, behind itself',
  tag,
  access: change,
  params: ofAction,
  isStep: false,
  status: 200,
  response: WorkflowNode,
});

export const createWorkflowLogic = endpoint({
  name: 'createWorkflowLogic',
  method: 'POST',
  path: `${one}/logic`,
  summary: 'Add a condition or a loop behind a node',
  tag,
  access: change,
  params: ofWorkflow,
  body: NewNode,
  isStep: false,
  status: 201,
  response: Type.Object({ logic: WorkflowNode, controls: Type.Array(WorkflowNode) }),
});

export const getWorkflowLogic = endpoint({
  name: 'getWorkflowLogic',
  method: 'GET',
  path: `${one}/logic/:logicId`,
  summary: 'Get a condition or a loop',
  tag,
  access: change,
  params: ofLogic,
  status: 200,
  response: WorkflowNode,
});

export const updateWorkflowLogic = endpoint({
  name: 'updateWorkflowLogic',
  method: 'PUT',
  path: `${one}/logic/:logicId`,
  summary: 'Change a condition or a loop',
  description: 'What it holds stays.',
  tag,
  access: change,
  params: ofLogic,
  body: Changed,
  isStep: false,
  status: 200,
  response: WorkflowNode,
});

export const deleteWorkflowLogic = endpoint({
  name: 'deleteWorkflowLogic',
  method: 'DELETE',
  path: `${one}/logic/:logicId`,
  summary: 'Remove a condition or a loop with what it holds',
  tag,
  access: change,
  params: ofLogic,
  isStep: false,
  status: 200,
});
