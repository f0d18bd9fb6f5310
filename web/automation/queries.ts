import { getAutomation, getAutomationRun, listAutomationRuns, listAutomations } from '@rowhouse/contract/automation.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const automationsQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['automations', baseId],
    queryFn: ({ signal }) => call(listAutomations, { params: { baseId }, signal }),
  });

export const automationQuery = (baseId: string, automationId: string) =>
  queryOptions({
    queryKey: ['automation', baseId, automationId],
    queryFn: ({ signal }) => call(getAutomation, { params: { baseId, automationId }, signal }),
  });

export const runsKey = (automationId: string) => ['automation-runs', automationId] as const;

/** The latest run, for the list. */
export const lastRunQuery = (baseId: string, automationId: string) =>
  queryOptions({
    queryKey: [...runsKey(automationId), 'last'],
    queryFn: async ({ signal }) =>
      (await call(listAutomationRuns, { params: { baseId, automationId }, query: { take: 1 }, signal })).runs[0] ??
      null,
  });

export const runQuery = (baseId: string, automationId: string, runId: string) =>
  queryOptions({
    queryKey: [...runsKey(automationId), 'one', runId],
    queryFn: ({ signal }) => call(getAutomationRun, { params: { baseId, automationId, runId }, signal }),
  });
