// Runs the draft in a transaction that is taken back: what it answers is what would change, and nothing has. Nothing is sent, and nobody is told.
import type {
  AutomationChange,
  StepResult,
  testAutomation as endpoint,
  TestResult,
} from '@rowhouse/contract/automation.ts';
import type { Definition } from '@rowhouse/contract/automation-definition.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Context, Services } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { silentLive } from '../../live.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { noWork } from '../../work/job.ts';
import { loadSight } from '../feed/seen-changes.ts';
import { recordStates } from '../webhook/record-states.ts';
import { nextPath, outputsAt } from './advance-run.ts';
import { readDraft } from './change-automation.ts';
import { seenTables } from './known-tables.ts';
import { findAutomation, type OfAutomation } from './read-automations.ts';
import { tablesIn } from './read-definition.ts';
import { recordOutput } from './record-output.ts';
import { MayNot, runStep, StepFailed } from './run-step.ts';
import { selectSample, selectWritten } from './test.sql.ts';
import { firstPath, stepAt } from './walk.ts';

const longest = 1_000;

class TakenBack extends Error {
  readonly result: TestResult;
  constructor(result: TestResult) {
    super('taken back');
    this.result = result;
  }
}

const triggerOf = async (
  context: Context,
  tx: Tx,
  baseId: string,
  { trigger }: Definition,
  given: BodyOf<typeof endpoint>,
): Promise<Record<string, unknown>> => {
  const facts = { time: context.now().toISOString(), by: context.principal.name, byId: context.principal.userId };
  if (trigger === null || !('tableId' in trigger)) return { ...facts, body: given?.body ?? {} };
  const sight = await loadSight(tx, context, baseId, trigger.tableId);
  if (sight === undefined) throw notFound('Table', trigger.tableId);
  const found = await selectSample(tx, sight, given?.recordId ?? null);
  if (found === undefined && given?.recordId !== undefined) throw notFound('Record', given.recordId);
  if (found === undefined)
    throw invalid({
      path: 'recordId',
      message: 'The table has no record to try it with',
      expected: 'a record in the table',
    });
  const { id, fields } = found;
  return { ...facts, record: recordOutput(context, sight, id, fields), before: fields, comment: 'A comment' };
};

async function* each<T>(parts: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const part of parts) yield* part;
}

/** From the operations that the run wrote, as their history tells. */
const changesOf = async (context: Context, tx: Tx, baseId: string, runId: string): Promise<AutomationChange[]> => {
  const changes: AutomationChange[] = [];
  for (const row of await selectWritten(tx, baseId, runId)) {
    const ids = JSON.parse(row.recordIds ?? '[]') as string[];
    context.catalog.forget(row.tableId);
    const sight = await loadSight(tx, context, baseId, row.tableId);
    if (sight === undefined) continue;
    if (row.kind === 'comment') {
      changes.push(...ids.map((recordId) => ({ kind: 'commented' as const, tableId: row.tableId, recordId })));
      continue;
    }
    const kind =
      row.kind === 'computed' ? 'computed' : row.rowDelta > 0 ? 'created' : row.rowDelta < 0 ? 'deleted' : 'updated';
    for await (const { id, before, after, changed } of each(recordStates(tx, sight, row, ids))) {
      const only = (cells: Record<string, unknown> | null | undefined) =>
        cells == null || kind === 'created' || kind === 'deleted'
          ? cells
          : Object.fromEntries(changed.map((fieldId) => [fieldId, cells[fieldId] ?? null]));
      changes.push({
        kind,
        tableId: row.tableId,
        recordId: id,
        ...(before == null || kind === 'computed' ? {} : { before: only(before) as Record<string, unknown> }),
        ...(after == null ? {} : { after: only(after) as Record<string, unknown> }),
      });
    }
  }
  return changes;
};

const sampleOf = (kind: 'call' | 'email', to: readonly string[] | undefined): unknown =>
  kind === 'call' ? { status: 200, body: {} } : { sent: to ?? [] };

const tryRun = async (
  context: Context,
  tx: Tx,
  { baseId, automationId }: OfAutomation,
  definition: Definition,
  given: BodyOf<typeof endpoint>,
): Promise<TestResult> => {
  const services = { ...context, db: tx as never, work: noWork, live: silentLive } as Services;
  const tables = await seenTables(context, baseId, tablesIn(definition));
  const runId = context.newId('wru');
  const trigger = await triggerOf(context, tx, baseId, definition, given);
  const outputs = new Map<string, unknown>();
  const steps: StepResult[] = [];
  let error: string | undefined;
  for (let path = firstPath(definition.steps); path !== '' && error === undefined; ) {
    const step = stepAt(definition.steps, path);
    if (step === undefined) break;
    const began = performance.now();
    const of = {
      path,
      stepId: step.id,
      type: step.type,
      ...(step.name === undefined ? {} : { name: step.name }),
      attempts: 1,
      time: context.now().toISOString(),
    };
    const spent = (): number => Math.round(performance.now() - began);
    try {
      if (steps.length >= longest) throw new StepFailed(`A test does at most ${longest} steps`);
      const doing = {
        services,
        tx,
        baseId,
        runId,
        actsAs: actorOf(context),
        automationName: automationId,
        definition,
        tables,
        path,
        outputs: outputsAt(definition, path, trigger, outputs),
      };
      const done = await runStep(doing, step);
      const output = done.outside === undefined ? done.output : sampleOf(done.outside.kind, done.outside.to);
      outputs.set(step.id, output);
      steps.push({
        ...of,
        state: done.outside === undefined && step.type !== 'notify' ? 'success' : 'skipped',
        input: done.input,
        ...(output === undefined ? {} : { output }),
        milliseconds: spent(),
      });
      path = nextPath(definition, path, done);
    } catch (thrown) {
      const isTold = thrown instanceof StepFailed || thrown instanceof MayNot || thrown instanceof ApiError;
      if (!isTold || (thrown instanceof ApiError && thrown.passes !== 'no')) throw thrown;
      error = (thrown as Error).message;
      steps.push({
        ...of,
        state: 'failed',
        ...(thrown instanceof StepFailed && thrown.input !== undefined ? { input: thrown.input } : {}),
        error,
        milliseconds: spent(),
      });
      // A statement that failed may have ended the transaction: what was done before it cannot be read any more.
      return {
        state: 'failed',
        error,
        trigger,
        steps,
        changes: await changesOf(context, tx, baseId, runId).catch(() => []),
      };
    }
  }
  return { state: 'success', trigger, steps, changes: await changesOf(context, tx, baseId, runId) };
};

export const testAutomation = async (
  context: Context,
  params: OfAutomation,
  given: BodyOf<typeof endpoint>,
): Promise<TestResult> => {
  const { draft } = await findAutomation(context, params);
  const { definition, issues } = await readDraft(context, params.baseId, draft);
  if (issues.length > 0) throw invalid(issues);
  try {
    await (context.db as Db).transaction(async (tx) => {
      throw new TakenBack(await tryRun({ ...context, db: tx }, tx, params, definition, given));
    });
  } catch (thrown) {
    if (!(thrown instanceof TakenBack)) throw thrown;
    return thrown.result;
  } finally {
    // Choices that it added are gone again.
    for (const id of tablesIn(definition)) context.catalog.forget(id);
  }
  throw new Error('a test is always taken back');
};
