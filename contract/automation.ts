// Automations of a base: what happens there, or a time, or a call from outside starts steps. A draft is edited, a published version runs.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { mostSteps, Step, Trigger, triggerTypes } from './automation-definition.ts';
import { text } from './text.ts';

const tag = 'automation';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofBase = Type.Object({ baseId: id('base') });
const ofAutomation = Type.Object({ baseId: id('base'), automationId: id('automation') });
const ofRun = Type.Object({ baseId: id('base'), automationId: id('automation'), runId: id('run') });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const automationStates = ['off', 'on', 'error', 'stopped', 'paused'] as const;
export const runStates = ['waiting', 'running', 'success', 'failed', 'canceled'] as const;
export const stepStates = ['success', 'failed', 'skipped'] as const;

const Issue = Type.Object({ path: Type.String(), message: Type.String(), expected: Type.Optional(Type.String()) });

const Summary = {
  id: Type.String({ description: 'Begins with `wfl`.' }),
  name: text({ minLength: 1, maxLength: 100 }),
  description: Type.Optional(Type.String()),
  state: Type.Enum([...automationStates], {
    description:
      '`error`: the version that ran no longer fits the base, such as after a field was deleted; it does not run until it is published again. `stopped`: the person it acts as may not any more. `paused`: it was too far behind, or is started too often.',
  }),
  reason: Type.Optional(Type.String({ description: 'Why it is not on.' })),
  triggerType: Type.Optional(Type.Enum(triggerTypes)),
  triggerTableId: Type.Optional(Type.String()),
  triggerFieldIds: Type.Optional(Type.Array(Type.String(), { description: 'Buttons or watched fields; absent: all.' })),
  hasDraft: Type.Boolean({ description: 'The draft differs from the published version.' }),
  createdBy: Type.String(),
  createdTime: Time,
  lastModifiedTime: Type.Optional(Time),
};
export const AutomationSummary = Type.Object(Summary);
export type AutomationSummary = Static<typeof AutomationSummary>;

export const Automation = Type.Object({
  ...Summary,
  trigger: orNull(Trigger),
  steps: Type.Array(Step),
  published: orNull(Type.Object({ version: Type.Integer(), trigger: Trigger, steps: Type.Array(Step), time: Time })),
  issues: Type.Array(Issue, { description: 'What has to be corrected in the draft before it can be published.' }),
  actsAs: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'It does what this person may, who published it.' },
    ),
  ),
  nextTime: Type.Optional(Type.String({ description: 'When a schedule starts it next.' })),
  publicKey: Type.String({ description: 'Verifies the signatures of version `v1a` (ed25519) of its calls.' }),
});
export type Automation = Static<typeof Automation>;

const StepResult = Type.Object({
  path: Type.String({ description: 'Where the step stands: `0`, `1/then/0`, `2/17:100/0` (the 18th of 100 records).' }),
  stepId: Type.String(),
  type: Type.String(),
  name: Type.Optional(Type.String()),
  state: Type.Enum([...stepStates]),
  input: Type.Optional(Type.Unknown({ description: 'With all values put in.' })),
  output: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.String()),
  attempts: Type.Integer(),
  time: Time,
  milliseconds: Type.Integer(),
});
export type StepResult = Static<typeof StepResult>;

const Run = Type.Object({
  id: Type.String({ description: 'Begins with `wru`.' }),
  automationId: Type.String(),
  version: Type.Integer(),
  state: Type.Enum([...runStates]),
  error: Type.Optional(Type.String()),
  triggerType: Type.Enum(triggerTypes),
  recordId: Type.Optional(Type.String({ description: 'The record that started it.' })),
  recordName: Type.Optional(Type.String()),
  depth: Type.Integer({ description: '1, and one more for each automation whose write led to this run.' }),
  chain: Type.Array(Type.String(), { description: 'Ids of the automations that led to it, the first one first.' }),
  startedBy: Type.Optional(Type.String({ description: 'User id.' })),
  createdTime: Time,
  startedTime: Type.Optional(Time),
  endedTime: Type.Optional(Time),
  dueTime: Type.Optional(Type.String({ description: 'While it waits: when it goes on.' })),
  milliseconds: Type.Optional(Type.Integer({ description: 'From its start to its end.' })),
});
export type Run = Static<typeof Run>;
export type RunState = (typeof runStates)[number];

const WholeRun = Type.Object({
  ...Run.properties,
  trigger: Type.Unknown({ description: 'What steps read as `{trigger.…}`.' }),
  steps: Type.Array(StepResult, { description: 'In the order in which they ran.' }),
});
export type WholeRun = Static<typeof WholeRun>;

const Change = Type.Object({
  kind: Type.Enum(['created', 'updated', 'deleted', 'commented', 'computed']),
  tableId: Type.String(),
  recordId: Type.String(),
  before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type AutomationChange = Static<typeof Change>;

const TestResult = Type.Object({
  state: Type.Enum(['success', 'failed']),
  error: Type.Optional(Type.String()),
  trigger: Type.Unknown(),
  steps: Type.Array(StepResult, {
    description: 'Of calls, e-mails and notifications the input says what would be sent; nothing is.',
  }),
  changes: Type.Array(Change, { description: 'What would change, by field id. Nothing has changed.' }),
});
export type TestResult = Static<typeof TestResult>;

const Name = text({ minLength: 1, maxLength: 100 });
const Description = orNull(text({ maxLength: 2_000 }));
const DraftTrigger = orNull(Trigger);
const DraftSteps = Type.Array(Step, { maxItems: mostSteps });

// A definition may hold secrets in its calls, and runs hold cells: both are for those who may change automations.
const read = { on: 'base', action: 'automation|read' } as const;
const change = { on: 'base', action: 'automation|update' } as const;
const create = { on: 'base', action: 'automation|create' } as const;
const remove = { on: 'base', action: 'automation|delete' } as const;

export const createAutomation = endpoint({
  name: 'createAutomation',
  method: 'POST',
  path: '/base/:baseId/automation',
  summary: 'Create an automation',
  description: 'As a draft, which need not be complete: `issues` says what is missing.',
  tag,
  access: create,
  params: ofBase,
  body: Type.Object({
    name: Name,
    description: Type.Optional(Description),
    trigger: Type.Optional(DraftTrigger),
    steps: Type.Optional(DraftSteps),
  }),
  isStep: false,
  status: 201,
  response: Automation,
});

export const listAutomations = endpoint({
  name: 'listAutomations',
  method: 'GET',
  path: '/base/:baseId/automation',
  summary: 'List the automations of a base',
  tag,
  access: read,
  params: ofBase,
  status: 200,
  response: Type.Array(AutomationSummary),
});

export const getAutomation = endpoint({
  name: 'getAutomation',
  method: 'GET',
  path: '/base/:baseId/automation/:automationId',
  summary: 'Get an automation with its draft and its published version',
  tag,
  access: change,
  params: ofAutomation,
  status: 200,
  response: Automation,
});

export const updateAutomation = endpoint({
  name: 'updateAutomation',
  method: 'PATCH',
  path: '/base/:baseId/automation/:automationId',
  summary: 'Change the draft of an automation',
  description:
    'The name applies at once. Trigger and steps are a draft until it is published; the published version runs on.',
  tag,
  access: change,
  params: ofAutomation,
  body: Type.Partial(Type.Object({ name: Name, description: Description, trigger: DraftTrigger, steps: DraftSteps })),
  isStep: false,
  status: 200,
  response: Automation,
});

export const deleteAutomation = endpoint({
  name: 'deleteAutomation',
  method: 'DELETE',
  path: '/base/:baseId/automation/:automationId',
  summary: 'Delete an automation',
  description:
    'It goes to the trash of the base with its runs; those that have not ended are canceled. `POST /trash/restore/{trashId}` brings it back, switched off.',
  tag,
  access: remove,
  params: ofAutomation,
  isStep: false,
  status: 200,
});

export const activateAutomation = endpoint({
  name: 'activateAutomation',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/activate',
  summary: 'Publish the draft and turn it on',
  description: 'From now on it acts as you. 400 with all `issues` while the draft is not complete.',
  tag,
  access: change,
  params: ofAutomation,
  isStep: false,
  status: 200,
  response: Automation,
});

export const deactivateAutomation = endpoint({
  name: 'deactivateAutomation',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/deactivate',
  summary: 'Turn an automation off',
  description: 'Runs that have not ended are canceled.',
  tag,
  access: change,
  params: ofAutomation,
  isStep: false,
  status: 200,
  response: Automation,
});

export const discardAutomationDraft = endpoint({
  name: 'discardAutomationDraft',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/discard',
  summary: 'Make the draft the published version again',
  tag,
  access: change,
  params: ofAutomation,
  isStep: false,
  status: 200,
  response: Automation,
});

export const rotateAutomationAddress = endpoint({
  name: 'rotateAutomationAddress',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/address',
  summary: 'Make a new address for incoming calls',
  description: 'The former one is not valid any more.',
  tag,
  access: change,
  params: ofAutomation,
  isStep: false,
  status: 201,
  response: Type.Object({
    url: Type.String({ description: 'Anyone who has it can start the automation. Shown this once.' }),
  }),
});

export const rotateAutomationSecret = endpoint({
  name: 'rotateAutomationSecret',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/secret',
  summary: 'Make a new secret that signs its calls',
  tag,
  access: change,
  params: ofAutomation,
  isStep: false,
  status: 201,
  response: Type.Object({ secret: Type.String({ description: 'Begins with `whsec_`. Shown this once.' }) }),
});

export const listAutomationRuns = endpoint({
  name: 'listAutomationRuns',
  method: 'GET',
  path: '/base/:baseId/automation/:automationId/run',
  summary: 'List runs, latest first',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofAutomation,
  query: Type.Object({
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 when absent.' })),
    cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the page before.' })),
    state: Type.Optional(Type.Enum([...runStates])),
  }),
  status: 200,
  response: Type.Object({ runs: Type.Array(Run), nextCursor: Type.Optional(Type.String()) }),
});

export const getAutomationRun = endpoint({
  name: 'getAutomationRun',
  method: 'GET',
  path: '/base/:baseId/automation/:automationId/run/:runId',
  summary: 'Get a run with its steps',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofRun,
  status: 200,
  response: WholeRun,
});

export const testAutomation = endpoint({
  name: 'testAutomation',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/test',
  summary: 'Run the draft without changing anything',
  description:
    'As you, in a transaction that is taken back: the answer shows what would change. Nothing is sent; a call answers `{"status": 200, "body": {}}`.',
  tag,
  access: change,
  params: ofAutomation,
  body: Type.Object({
    recordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The record that starts it; the first of the table when absent.' }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'What an incoming call would have sent.' })),
  }),
  bodyOptional: true,
  isStep: false,
  status: 200,
  response: TestResult,
});

export const callAutomation = endpoint({
  name: 'callAutomation',
  method: 'POST',
  path: '/automation/call/:token',
  summary: 'Start an automation by its secret address',
  tag,
  access: { on: 'public' },
  params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The same key starts it once within a day.' }),
    ),
  }),
  body: Type.Unknown({ description: 'JSON, at most 256 kB.' }),
  maxBodyBytes: 262_144,
  bodyOptional: true,
  status: 202,
  response: Type.Object({ runId: Type.String() }),
});

export const resumeAutomationRun = endpoint({
  name: 'resumeAutomationRun',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/run/:runId/resume',
  summary: 'Go on with a failed run at the step that failed',
  description:
    '409 when it has not failed, or when the automation is off or was published again since. A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofRun,
  isStep: false,
  status: 200,
  response: Run,
});

export const cancelAutomationRun = endpoint({
  name: 'cancelAutomationRun',
  method: 'POST',
  path: '/base/:baseId/automation/:automationId/run/:runId/cancel',
  summary: 'Cancel a run that has not ended',
  description: 'What its steps have done stays. A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofRun,
  isStep: false,
  status: 200,
  response: Run,
});
