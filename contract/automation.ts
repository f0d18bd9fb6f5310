// Automations of a base: what happens there, or a time, or a call from outside starts steps. A draft is edited, a published version runs.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Filter } from './filter.ts';
import { text } from './text.ts';

const tag = 'automation';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofBase = Type.Object({ baseId: id('base') });
const ofAutomation = Type.Object({ baseId: id('base'), automationId: id('automation') });
const ofRun = Type.Object({ baseId: id('base'), automationId: id('automation'), runId: id('run') });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const strict = { additionalProperties: false };

const longestText = 20_000;
export const mostSteps = 100;
export const deepestSteps = 6;

/**
 * What a step writes: JSON as it is, or something that is made when it runs. In a formula `{trigger.Name}` is a cell of the record that started it, `{stepId.Name}` one of a record of
 * an earlier step; ids of fields do as well as names. A template is a text in which `{trigger.Name}` stands for a value, and `{= …}` for a formula.
 */
export type Value =
  | string
  | number
  | boolean
  | null
  | Value[]
  | { formula: string }
  | { template: string }
  | { [key: string]: unknown };
const Value = Type.Unsafe<Value>(
  Type.Unknown({
    description:
      'JSON as it is; `{"formula": "{trigger.Price} * 2"}`: made by a formula; `{"template": "Hello {trigger.Name}"}`: a text with values, where `{= UPPER({trigger.Name})}` is a formula and `\\{` a brace. Both name what they read: `{trigger.Name}` the cell of the record that started it, `{step1.Name}` one of a step before.',
  }),
);
const isComputed = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as Record<string, unknown>)[key] === 'string';
export const isFormulaValue = (value: unknown): value is { formula: string } => isComputed(value, 'formula');
export const isTemplateValue = (value: unknown): value is { template: string } => isComputed(value, 'template');

const Fields = Type.Record(Type.String({ maxLength: 500 }), Value, {
  maxProperties: 500,
  description: 'Values by field, by id or name.',
});
const FilterWithValues = Type.Object(Filter.properties, {
  description: 'As filters of views; the value of a condition may be a formula or template.',
});

const onTable = { tableId: id('table') };
const filter = Type.Optional(orNull(Filter));

/** What starts an automation, by type. */
export const triggerSchemas = {
  recordCreated: Type.Object({ type: Type.Literal('recordCreated'), ...onTable, filter }, strict),
  recordUpdated: Type.Object(
    {
      type: Type.Literal('recordUpdated'),
      ...onTable,
      fieldIds: Type.Optional(
        orNull(
          Type.Array(id('field'), {
            minItems: 1,
            maxItems: 500,
            description:
              'Only when one of these changed. Null: any that people write; computed fields only when they are named.',
          }),
        ),
      ),
      filter,
    },
    strict,
  ),
  recordMatches: Type.Object(
    { type: Type.Literal('recordMatches'), ...onTable, filter: Filter },
    { ...strict, description: 'The record meets the condition, and did not before.' },
  ),
  viewEntered: Type.Object({ type: Type.Literal('viewEntered'), ...onTable, viewId: id('view') }, strict),
  formSubmitted: Type.Object({ type: Type.Literal('formSubmitted'), ...onTable, viewId: id('form view') }, strict),
  commentAdded: Type.Object({ type: Type.Literal('commentAdded'), ...onTable }, strict),
  buttonPressed: Type.Object(
    {
      type: Type.Literal('buttonPressed'),
      ...onTable,
      fieldIds: orNull(Type.Array(id('button field'), { minItems: 1, maxItems: 100 })),
      filter,
    },
    { ...strict, description: '`fieldIds` null: any button of the table.' },
  ),
  schedule: Type.Object(
    {
      type: Type.Literal('schedule'),
      cron: Type.String({
        maxLength: 200,
        description: 'Minute, hour, day of the month, month, day of the week: `0 9 * * MON-FRI`.',
      }),
      timeZone: Type.String({ maxLength: 100 }),
    },
    strict,
  ),
  dateReached: Type.Object(
    {
      type: Type.Literal('dateReached'),
      ...onTable,
      fieldId: id('date field'),
      days: Type.Integer({ minimum: -3_650, maximum: 3_650, description: 'After the date; below zero: before it.' }),
      time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'Time of that day, such as `09:00`.' }),
      timeZone: Type.String({ maxLength: 100 }),
      filter,
    },
    strict,
  ),
  incomingCall: Type.Object(
    { type: Type.Literal('incomingCall') },
    { ...strict, description: 'A POST to a secret address; `{trigger.body.…}` is what was sent.' },
  ),
} as const;
export type TriggerType = keyof typeof triggerSchemas;
export const triggerTypes = Object.keys(triggerSchemas) as TriggerType[];
export type TriggerOf<T extends TriggerType> = Static<(typeof triggerSchemas)[T]>;
export type Trigger = { [T in TriggerType]: TriggerOf<T> }[TriggerType];
export const Trigger = Type.Unsafe<Trigger>(Type.Union(Object.values(triggerSchemas)));

const Steps = Type.Array(Type.Unknown(), { maxItems: mostSteps, description: 'Steps of the same form.' });

const Condition = Type.Union([
  Type.Object({ formula: Type.String({ maxLength: longestText }) }, strict),
  Type.Object(
    {
      of: Type.String({ maxLength: 40, description: '`trigger`, or the id of a step with a record.' }),
      filter: Filter,
    },
    strict,
  ),
]);

const common = {
  id: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
    description: 'Once in an automation, and not `trigger`; formulas and templates name it.',
  }),
  name: Type.Optional(text({ maxLength: 100 })),
  description: Type.Optional(text({ maxLength: 2_000 })),
};

/** What an automation does, by type. */
export const stepSchemas = {
  createRecord: Type.Object({ type: Type.Literal('createRecord'), ...common, ...onTable, fields: Fields }, strict),
  updateRecord: Type.Object(
    { type: Type.Literal('updateRecord'), ...common, ...onTable, recordId: Value, fields: Fields },
    strict,
  ),
  upsertRecord: Type.Object(
    {
      type: Type.Literal('upsertRecord'),
      ...common,
      ...onTable,
      matchFieldIds: Type.Array(id('field'), { minItems: 1, maxItems: 10, description: 'By which a record is found.' }),
      fields: Fields,
    },
    strict,
  ),
  deleteRecord: Type.Object({ type: Type.Literal('deleteRecord'), ...common, ...onTable, recordId: Value }, strict),
  findRecords: Type.Object(
    {
      type: Type.Literal('findRecords'),
      ...common,
      ...onTable,
      filter: Type.Optional(orNull(FilterWithValues)),
      sort: Type.Optional(
        Type.Array(Type.Object({ fieldId: id('field'), order: Type.Enum(['asc', 'desc']) }, strict), { maxItems: 10 }),
      ),
      take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 when absent.' })),
    },
    strict,
  ),
  if: Type.Object(
    { type: Type.Literal('if'), ...common, condition: Condition, then: Steps, else: Type.Optional(Steps) },
    strict,
  ),
  forEach: Type.Object(
    {
      type: Type.Literal('forEach'),
      ...common,
      of: Type.String({
        maxLength: 40,
        description: 'Id of a step that finds records. Inside, the id of this step is the record.',
      }),
      steps: Steps,
    },
    strict,
  ),
  sendEmail: Type.Object(
    { type: Type.Literal('sendEmail'), ...common, to: Value, subject: Value, body: Value },
    strict,
  ),
  notify: Type.Object({ type: Type.Literal('notify'), ...common, userIds: Value, message: Value }, strict),
  comment: Type.Object({ type: Type.Literal('comment'), ...common, ...onTable, recordId: Value, text: Value }, strict),
  callUrl: Type.Object(
    {
      type: Type.Literal('callUrl'),
      ...common,
      url: Value,
      method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      headers: Type.Optional(
        Type.Array(
          Type.Object({ name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }), value: Value }, strict),
          {
            maxItems: 20,
          },
        ),
      ),
      body: Type.Optional(Value),
    },
    strict,
  ),
  wait: Type.Object({ type: Type.Literal('wait'), ...common, seconds: Value }, strict),
} as const;
export type StepType = keyof typeof stepSchemas;
export const stepTypes = Object.keys(stepSchemas) as StepType[];

type Nested<S> = S extends { then: unknown }
  ? Omit<S, 'then' | 'else'> & { then: Step[]; else?: Step[] }
  : S extends { steps: unknown }
    ? Omit<S, 'steps'> & { steps: Step[] }
    : S;
/** As one of a type. */
export type StepOf<T extends StepType> = Nested<Static<(typeof stepSchemas)[T]>>;
export type Step = { [T in StepType]: StepOf<T> }[StepType];
/** The form of one step; what is inside of `then`, `else` and `steps` is checked by the server in the same way. */
export const Step = Type.Unsafe<Step>(Type.Union(Object.values(stepSchemas)));

export interface Definition {
  trigger: Trigger | null;
  steps: Step[];
}

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
