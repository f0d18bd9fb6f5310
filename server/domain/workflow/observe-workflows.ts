// What administrators see of the automations of all bases, and how they end one: names, counts and times, nothing that its steps hold.
import { triggerTypes } from '@rowhouse/contract/automation-definition.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import {
  type ObservedWorkflow,
  type observeWorkflowRuns as runsEndpoint,
  type observeWorkflows as listEndpoint,
  type RelativeTime,
  relativeTimes,
  type summarizeWorkflows as summaryEndpoint,
  type workflowLevels,
} from '@rowhouse/contract/workflow-admin.ts';
import type { Context } from '../../context.ts';
import { selectAutomation } from '../automation/automation.sql.ts';
import { deleteAutomation, stopAutomation } from '../automation/change-automation.ts';
import type { OfAutomation } from '../automation/read-automations.ts';
import {
  countObserved,
  countObservedRuns,
  everything,
  type Observed,
  selectObserved,
  selectObservedRuns,
  type Span,
} from './observe.sql.ts';
import { stateOf, statisticsOf, statusOf } from './run-status.ts';
import { triggerTypeTo } from './translate-trigger.ts';

interface GivenSpan {
  relativeTime?: RelativeTime;
  'timeRange[start]'?: string;
  'timeRange[end]'?: string;
}

const spanOf = (
  { now }: Pick<Context, 'now'>,
  { relativeTime, 'timeRange[start]': start, 'timeRange[end]': end }: GivenSpan,
): Span => {
  if (relativeTime === undefined) return { start: start ?? null, end: end ?? null };
  if (start !== undefined || end !== undefined)
    throw invalid({
      path: 'query.relativeTime',
      message: 'the time is given twice',
      expected: 'relativeTime or timeRange',
    });
  return { start: new Date(now().getTime() - relativeTimes[relativeTime] * 3_600_000).toISOString(), end: null };
};

/** Half of what ended on its own failed, or it was turned off by itself. */
const levelOf = ({ state, counts }: Observed): (typeof workflowLevels)[number] => {
  const count = (of: string): number => counts.find((one) => one.state === of)?.count ?? 0;
  const failed = count('failed');
  if ((state !== 'on' && state !== 'off') || (failed > 0 && failed >= count('success'))) return 'critical';
  return failed > 0 ? 'warning' : 'healthy';
};

const observedVo = (row: Observed): ObservedWorkflow => ({
  id: row.id,
  name: row.name,
  base: { id: row.baseId, name: row.baseName, ...(row.baseIcon === null ? {} : { icon: row.baseIcon }) },
  ...(row.trigger === null ? {} : { triggerType: triggerTypeTo(row.trigger.type) }),
  createdTime: row.createdTime,
  ...(row.lastRunTime === null ? {} : { lastRunTime: row.lastRunTime }),
  runStats: statisticsOf(row.counts),
  level: levelOf(row),
  isActive: row.state === 'on',
});

/** Both names of a type are understood. */
const oursOf = (types: readonly string[]): string[] =>
  triggerTypes.filter((type) => types.includes(type) || types.includes(triggerTypeTo(type)));

export const observeWorkflows = async (
  context: Context,
  query: QueryOf<typeof listEndpoint>,
): Promise<ResponseOf<typeof listEndpoint>> => {
  const { workflowIds, baseIds, spaceIds, triggerType, isActive, skip = 0, take = 50 } = query;
  const choice = {
    ids: workflowIds ?? null,
    baseIds: baseIds ?? null,
    spaceIds: spaceIds ?? null,
    triggerTypes: triggerType === undefined ? null : oursOf(triggerType),
    isActive: isActive ?? null,
  };
  const rows = await selectObserved(context.db, choice, spanOf(context, query), { skip, take });
  return { data: rows.map(observedVo), total: await countObserved(context.db, choice) };
};

export const summarizeWorkflows = async (
  context: Context,
  query: QueryOf<typeof summaryEndpoint>,
): Promise<ResponseOf<typeof summaryEndpoint>> => {
  const rows = await selectObserved(context.db, everything, spanOf(context, query), { skip: 0, take: null });
  const { totalCount, statusStats } = statisticsOf(rows.flatMap(({ counts }) => counts));
  const levelStats = { critical: 0, warning: 0, healthy: 0 };
  for (const row of rows) levelStats[levelOf(row)] += 1;
  return {
    workflow: { activeCount: rows.filter(({ state }) => state === 'on').length, totalCount: rows.length },
    workflowRuns: { totalCount, statusStats, levelStats },
  };
};

const locate = async ({ db }: Pick<Context, 'db'>, workflowId: string): Promise<OfAutomation> => {
  const row = await selectAutomation(db, workflowId);
  if (row === undefined || row.isTrashed) throw notFound('Workflow', workflowId);
  return { baseId: row.baseId, automationId: row.id };
};

export const observeWorkflowRuns = async (
  context: Context,
  workflowId: string,
  query: QueryOf<typeof runsEndpoint>,
): Promise<ResponseOf<typeof runsEndpoint>> => {
  const { status, skip = 0, take = 50 } = query;
  const { automationId } = await locate(context, workflowId);
  const state = status === undefined ? null : stateOf(status);
  const span = spanOf(context, query);
  const rows = await selectObservedRuns(context.db, automationId, state, span, { skip, take });
  return {
    runs: rows.map(({ id, state: is, createdTime, spent }) => ({
      id,
      status: statusOf(is),
      ...(spent === null ? {} : { spent: Math.round(spent) }),
      createdTime,
    })),
    total: await countObservedRuns(context.db, automationId, state, span),
  };
};

export const stopWorkflow = async (context: Context, workflowId: string): Promise<void> =>
  stopAutomation(context, await locate(context, workflowId));

export const removeWorkflow = async (context: Context, workflowId: string): Promise<void> =>
  deleteAutomation(context, await locate(context, workflowId));
