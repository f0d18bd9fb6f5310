// Runs of automations in the words of Teable's clients.
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type {
  getWorkflowRun as getEndpoint,
  getWorkflowRunSummary as summaryEndpoint,
  listWorkflowRuns as listEndpoint,
} from '@rowhouse/contract/workflow-run.ts';
import type { Context } from '../../context.ts';
import { selectVersion } from '../automation/automation.sql.ts';
import { runVo } from '../automation/automation-vo.ts';
import { findAutomation, findRun, getRun } from '../automation/read-automations.ts';
import { countRuns, selectRuns } from '../automation/run.sql.ts';
import { demandEyes } from '../webhook/read-webhooks.ts';
import { findStep, triggerNode } from './graph.ts';
import { triggerIdOf } from './node.ts';
import { type OfWorkflow, ofAutomation } from './read-workflows.ts';
import { stateOf, statisticsOf, statusOf } from './run-status.ts';
import { isLogic, stepTo } from './translate-step.ts';

export const listWorkflowRuns = async (
  context: Context,
  params: OfWorkflow,
  { skip = 0, take = 50, status }: QueryOf<typeof listEndpoint>,
): Promise<ResponseOf<typeof listEndpoint>> => {
  // What a fault says of cells is among it.
  demandEyes(context, params.workflowId);
  await findAutomation(context, ofAutomation(params));
  const state = status === undefined ? null : stateOf(status);
  const counts = await countRuns(context.db, params.workflowId);
  const rows = await selectRuns(context.db, params.workflowId, { before: null, state, skip, limit: take });
  return {
    rowCount: counts.filter((one) => state === null || one.state === state).reduce((sum, { count }) => sum + count, 0),
    runs: rows.map(runVo).map((run) => ({
      id: run.id,
      status: statusOf(run.state),
      ...(run.error === undefined ? {} : { errorMsg: { i18nKey: 'automation.run', context: { message: run.error } } }),
      ...(run.milliseconds === undefined ? {} : { spent: run.milliseconds }),
      createdTime: run.createdTime,
    })),
  };
};

export const getWorkflowRunSummary = async (
  context: Context,
  params: OfWorkflow,
): Promise<ResponseOf<typeof summaryEndpoint>> => {
  await findAutomation(context, ofAutomation(params));
  return statisticsOf(await countRuns(context.db, params.workflowId));
};

export const getWorkflowRun = async (
  context: Context,
  params: OfWorkflow & { runId: string },
): Promise<ResponseOf<typeof getEndpoint>> => {
  const of = { ...ofAutomation(params), runId: params.runId };
  const { version } = await findRun(context, of);
  const run = await getRun(context, of);
  const row = await findAutomation(context, of);
  const definition = await selectVersion(context.db, of.automationId, version);
  const triggerId = triggerIdOf(params.workflowId);
  const trigger = triggerNode(definition, row);
  return [
    {
      id: `${run.id}:trigger`,
      status: 'success',
      nodeId: triggerId,
      nodeType: trigger?.type ?? run.triggerType,
      nodeCategory: 'trigger',
      createdTime: run.createdTime,
      outputRaw: run.trigger,
    },
    ...run.steps.map(({ path, stepId, type, name, state, input, output, error, time, milliseconds }) => {
      const step = findStep(definition.steps, stepId);
      const nodeType = step === undefined ? type : stepTo(step, { node: stepId, triggerId }).type;
      return {
        id: `${run.id}:${path}`,
        status: statusOf(state),
        nodeId: stepId,
        nodeType,
        ...(name === undefined ? {} : { nodeName: name }),
        nodeCategory: isLogic(nodeType) ? 'logic' : 'action',
        createdTime: time,
        spent: milliseconds,
        ...(input === undefined ? {} : { inputRaw: input }),
        ...(output === undefined ? {} : { outputRaw: output }),
        ...(error === undefined ? {} : { errorMsg: error }),
      };
    }),
  ];
};
