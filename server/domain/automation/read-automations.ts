import type { Automation, AutomationSummary, Run, RunState, WholeRun } from '@rowhouse/contract/automation.ts';
import type { listAutomationRuns as listEndpoint } from '@rowhouse/contract/automation.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { demandEyes } from '../webhook/read-webhooks.ts';
import { type AutomationRow, selectAutomation, selectAutomations } from './automation.sql.ts';
import { automationVo, runVo, stepVo, summaryVo } from './automation-vo.ts';
import { seenTables } from './known-tables.ts';
import { readDefinition, tablesIn } from './read-definition.ts';
import { type RunRow, selectRun, selectRuns, selectSteps, selectTrigger } from './run.sql.ts';

export interface OfAutomation {
  baseId: string;
  automationId: string;
}

/** Those about tables that are there for the caller. Their names, and why they stopped, may tell of what they work on. */
export const listSeen = async (
  { db, access: { rights } }: Context,
  baseId: string,
): Promise<readonly AutomationRow[]> => {
  const rows = await selectAutomations(db, baseId);
  if (rights.bound === undefined) return rows;
  return rows.filter(({ draft, definition }) =>
    [draft, ...(definition === null ? [] : [definition])].flatMap(tablesIn).every((id) => rights.of(id) !== null),
  );
};

export const listAutomations = async (context: Context, baseId: string): Promise<AutomationSummary[]> => {
  const { rights } = context.access;
  const all = (await listSeen(context, baseId)).map(summaryVo);
  if (rights.bound === undefined) return all;
  return all.map(({ reason: _reason, triggerFieldIds, ...summary }) => {
    const sees = (id: string): boolean => rights.cell?.(summary.triggerTableId ?? '', id) !== false;
    return { ...summary, ...(triggerFieldIds === undefined ? {} : { triggerFieldIds: triggerFieldIds.filter(sees) }) };
  });
};

export const findAutomation = async (
  { db }: Context,
  { baseId, automationId }: OfAutomation,
): Promise<AutomationRow> => {
  const row = await selectAutomation(db, automationId);
  if (row?.baseId !== baseId) throw notFound('Automation', automationId);
  return row;
};

/** With what the caller would have to correct in its draft. */
const shownAutomation = async (context: Context, row: AutomationRow): Promise<Automation> => {
  const tables = await seenTables(context, row.baseId, tablesIn(row.draft));
  return automationVo(row, readDefinition(row.draft, tables).issues.slice(0, 100));
};

export const getAutomation = async (context: Context, params: OfAutomation): Promise<Automation> =>
  shownAutomation(context, await findAutomation(context, params));

const pageSize = 50;

export const listRuns = async (
  context: Context,
  params: OfAutomation,
  { take = pageSize, cursor, state }: QueryOf<typeof listEndpoint>,
): Promise<{ runs: Run[]; nextCursor?: string }> => {
  // Names of records are among them, and what a fault says of cells.
  demandEyes(context, params.automationId);
  await findAutomation(context, params);
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw invalid({ path: 'query.cursor', message: 'It is not a cursor', expected: '`nextCursor` of the page before' });
  const rows = await selectRuns(context.db, params.automationId, {
    before: cursor === undefined ? null : Number(cursor),
    state: (state as RunState | undefined) ?? null,
    limit: take + 1,
  });
  const page = rows.slice(0, take);
  return { runs: page.map(runVo), ...(rows.length > take ? { nextCursor: String(page.at(-1)?.seq) } : {}) };
};

export const findRun = async (context: Context, params: OfAutomation & { runId: string }): Promise<RunRow> => {
  demandEyes(context, params.automationId);
  await findAutomation(context, params);
  const run = await selectRun(context.db, params.automationId, params.runId);
  if (run === undefined) throw notFound('Run', params.runId);
  return run;
};

export const getRun = async (context: Context, params: OfAutomation & { runId: string }): Promise<WholeRun> => {
  const run = await findRun(context, params);
  return {
    ...runVo(run),
    trigger: await selectTrigger(context.db, run.seq),
    steps: (await selectSteps(context.db, run.seq)).map(stepVo),
  };
};
