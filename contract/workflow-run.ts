// What workflows did and would do: runs and tests, as Teable's clients read them.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Filter } from './filter.ts';
import { change, id, ofNode, ofWorkflow, one, tag } from './workflow.ts';

const ofRun = ofNode('runId', 'run');

export const workflowRunStates = ['success', 'failed', 'running', 'canceled', 'pending'] as const;
const RunState = Type.Enum([...workflowRunStates]);

export const listWorkflowRuns = endpoint({
  name: 'listWorkflowRuns',
  method: 'GET',
  path: `${one}/run`,
  summary: 'List the runs of a workflow, latest first',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofWorkflow,
  query: Type.Object({
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 when absent.' })),
    status: Type.Optional(RunState),
  }),
  status: 200,
  response: Type.Object({
    rowCount: Type.Integer(),
    runs: Type.Array(
      Type.Object({
        id: Type.String(),
        status: RunState,
        errorMsg: Type.Optional(
          Type.Object({ i18nKey: Type.String(), context: Type.Object({ message: Type.String() }) }),
        ),
        spent: Type.Optional(Type.Integer({ description: 'Milliseconds.' })),
        createdTime: Type.String(),
      }),
    ),
  }),
});

export const getWorkflowRunSummary = endpoint({
  name: 'getWorkflowRunSummary',
  method: 'GET',
  path: `${one}/run/summary`,
  summary: 'Count the runs of a workflow',
  tag,
  access: change,
  params: ofWorkflow,
  status: 200,
  response: Type.Object({
    totalCount: Type.Integer(),
    statusStats: Type.Object(
      Object.fromEntries(workflowRunStates.map((state) => [state, Type.Integer()])) as Record<
        (typeof workflowRunStates)[number],
        ReturnType<typeof Type.Integer>
      >,
    ),
    avgSpent: Type.Integer({ description: 'Milliseconds.' }),
  }),
});

export const getWorkflowRun = endpoint({
  name: 'getWorkflowRun',
  method: 'GET',
  path: `${one}/run/:runId`,
  summary: 'List the steps of a run',
  description: 'A token also needs `record|read` and `user|email_read`.',
  tag,
  access: change,
  params: ofRun,
  status: 200,
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      status: RunState,
      nodeId: Type.String(),
      nodeType: Type.String(),
      nodeName: Type.Optional(Type.String()),
      nodeCategory: Type.String(),
      createdTime: Type.String(),
      spent: Type.Optional(Type.Integer()),
      inputRaw: Type.Optional(Type.Unknown()),
      outputRaw: Type.Optional(Type.Unknown()),
      errorMsg: Type.Optional(Type.String()),
    }),
    { description: 'The trigger first.' },
  ),
});

const TestOptions = Type.Object({
  recordId: Type.Optional(
    Type.String({ maxLength: 100, description: 'The record that starts it; the first of the table when absent.' }),
  ),
  sideEffect: Type.Optional(Type.Boolean({ description: 'A test has no effect here: true is refused.' })),
  withDependency: Type.Optional(Type.Boolean({ description: 'Nodes before it are always tested, too.' })),
  body: Type.Optional(Type.Unknown({ description: 'What a webhook would have been sent.' })),
});

export const testWorkflowNode = endpoint({
  name: 'testWorkflowNode',
  method: 'POST',
  path: `${one}/test/:testedNodeId`,
  summary: 'Test the draft up to a node, without changing anything',
  tag,
  access: change,
  params: ofNode('testedNodeId', 'node'),
  body: TestOptions,
  bodyOptional: true,
  isStep: false,
  status: 200,
  response: Type.Object({
    spent: Type.Optional(Type.Integer()),
    inputRaw: Type.Optional(Type.Unknown()),
    outputRaw: Type.Optional(Type.Unknown()),
    errorMsg: Type.Optional(Type.String()),
    createdTime: Type.String(),
  }),
});

export const testWorkflow = endpoint({
  name: 'testWorkflow',
  method: 'POST',
  path: `${one}/test-all`,
  summary: 'Test the draft, without changing anything',
  tag,
  access: change,
  params: ofWorkflow,
  body: TestOptions,
  bodyOptional: true,
  isStep: false,
  status: 200,
  response: Type.Boolean({ description: 'Whether all nodes passed.' }),
});

export const listWorkflowFilterRecords = endpoint({
  name: 'listWorkflowFilterRecords',
  method: 'POST',
  path: '/base/:baseId/workflow/:tableId/filter-link-records',
  summary: 'Records that a filter names, with their titles',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ baseId: id('base'), tableId: id('table') }),
  body: Filter,
  isStep: false,
  status: 200,
  response: Type.Array(
    Type.Object({
      tableId: Type.String(),
      records: Type.Array(Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) })),
    }),
  ),
});
