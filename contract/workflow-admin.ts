// The automations of all bases, for those who look after an instance: which there are, and how their runs go. Nothing that their steps hold is shown:
// administrators have no key to the spaces of others.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { id, tag } from './workflow.ts';
import { workflowRunStates } from './workflow-run.ts';

const all = '/admin/observability/workflow';
const access = { on: 'admin' } as const;
const ofWorkflow = Type.Object({ workflowId: id('workflow') });

const RunState = Type.Enum([...workflowRunStates]);
const StatusStats = Type.Object(
  Object.fromEntries(workflowRunStates.map((state) => [state, Type.Integer()])) as Record<
    (typeof workflowRunStates)[number],
    ReturnType<typeof Type.Integer>
  >,
);

export const workflowLevels = ['critical', 'warning', 'healthy'] as const;
const Level = Type.Enum([...workflowLevels], {
  description:
    '`critical`: it was turned off for an error or paused, or half of its runs failed. `warning`: at least one run failed.',
});

export const relativeTimes = { '30m': 0.5, '1h': 1, '6h': 6, '1d': 24, '3d': 72, '7d': 168, '30d': 720 } as const;
export type RelativeTime = keyof typeof relativeTimes;

const Ids = (of: string) => Type.Optional(Type.Array(id(of), { maxItems: 1_000 }));
const Time = Type.String({ format: 'date-time' });

const span = {
  relativeTime: Type.Optional(
    Type.Enum(Object.keys(relativeTimes) as RelativeTime[], { description: 'Runs that began in the time until now.' }),
  ),
  'timeRange[start]': Type.Optional(Time),
  'timeRange[end]': Type.Optional(Time),
};
const page = {
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 when absent.' })),
};

export const observeWorkflows = endpoint({
  name: 'observeWorkflows',
  method: 'GET',
  path: all,
  summary: 'List the workflows of all bases, and how their runs went',
  tag,
  access,
  query: Type.Object({
    workflowIds: Ids('workflow'),
    baseIds: Ids('base'),
    spaceIds: Ids('space'),
    triggerType: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description: 'Such as `recordCreated`.' }),
    ),
    isActive: Type.Optional(Type.Boolean()),
    ...span,
    ...page,
  }),
  status: 200,
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        base: Type.Object({ id: Type.String(), name: Type.String(), icon: Type.Optional(Type.String()) }),
        triggerType: Type.Optional(Type.String()),
        createdTime: Type.String(),
        lastRunTime: Type.Optional(Type.String()),
        runStats: Type.Object({
          statusStats: StatusStats,
          avgSpent: Type.Integer({ description: 'Milliseconds.' }),
          totalCount: Type.Integer(),
        }),
        level: Level,
        isActive: Type.Boolean(),
      }),
      { description: 'The latest first; those in the trash are not among them.' },
    ),
    total: Type.Integer(),
  }),
});
export type ObservedWorkflow = Static<(typeof observeWorkflows)['response']>['data'][number];

export const summarizeWorkflows = endpoint({
  name: 'summarizeWorkflows',
  method: 'GET',
  path: `${all}/summary`,
  summary: 'Count the workflows of all bases and their runs',
  tag,
  access,
  query: Type.Object(span),
  status: 200,
  response: Type.Object({
    workflow: Type.Object({ activeCount: Type.Integer(), totalCount: Type.Integer() }),
    workflowRuns: Type.Object({
      totalCount: Type.Integer(),
      statusStats: StatusStats,
      levelStats: Type.Object(
        { critical: Type.Integer(), warning: Type.Integer(), healthy: Type.Integer() },
        { description: 'How many workflows there are of each level.' },
      ),
    }),
  }),
});

export const observeWorkflowRuns = endpoint({
  name: 'observeWorkflowRuns',
  method: 'GET',
  path: `${all}/:workflowId/run-history`,
  summary: 'List the runs of any workflow, latest first',
  description: 'What went wrong in a step may quote cells: those who may change the workflow read it.',
  tag,
  access,
  params: ofWorkflow,
  query: Type.Object({ status: Type.Optional(RunState), ...span, ...page }),
  status: 200,
  response: Type.Object({
    runs: Type.Array(
      Type.Object({
        id: Type.String(),
        status: RunState,
        spent: Type.Optional(Type.Integer({ description: 'Milliseconds.' })),
        createdTime: Type.String(),
      }),
    ),
    total: Type.Integer(),
  }),
});

export const stopWorkflow = endpoint({
  name: 'stopWorkflow',
  method: 'POST',
  path: `${all}/:workflowId/deactivate`,
  summary: 'Turn off a workflow of any base',
  description: 'Runs that have not ended are cancelled. The audit log of its space tells of it.',
  tag,
  access,
  params: ofWorkflow,
  status: 200,
});

export const removeWorkflow = endpoint({
  name: 'removeWorkflow',
  method: 'DELETE',
  path: `${all}/:workflowId`,
  summary: 'Put a workflow of any base into the trash of its base, switched off',
  tag,
  access,
  params: ofWorkflow,
  status: 200,
});
