// Takes one run on, step by step, until it ends, waits, or something is under way outside. Each step is a transaction that holds the row of the run: what the step wrote, its line
// in the log and the path of the next step commit together, so a process that is killed leaves all of it or nothing.
import type { Definition, Step } from '@rowhouse/contract/automation-definition.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import { type Actor, untilFresh } from '../../pipeline/act-as.ts';
import { backOff, JobAborted } from '../../work/job.ts';
import { type AutomationRow, selectAutomation, selectVersion } from './automation.sql.ts';
import { endAndTell } from './end-automation.ts';
import { presentTables } from './known-tables.ts';
import { beginOutside, takePlaceOutside } from './outside.ts';
import { tablesIn } from './read-definition.ts';
import type { Tables } from './read-trigger.ts';
import {
  delayRun,
  endRun,
  lockRun,
  moveRun,
  type RunRow,
  selectOutputs,
  selectRunById,
  selectTrigger,
  writeStep,
} from './run.sql.ts';
import { type Done, type Doing, MayNot, type Outside, runStep, StepFailed } from './run-step.ts';
import { checkFits } from './take-changes.ts';
import type { Outputs } from './value.sql.ts';
import { allSteps, firstPath, pathAfter, pathInto, roundsAt, stepAt } from './walk.ts';

/** A transaction that counts only while this process has the job. */
export type Within = (work: (tx: Tx) => Promise<void>) => Promise<void>;

const mostFaults = 5;
const longestOutput = 2_000_000;
/** Seconds; longer than a request takes. */
const lease = 30;
const busy = 2;
const passing = { attempts: null, first: 1, longest: 30 };

const messageOf = (error: unknown): string =>
  error instanceof StepFailed || error instanceof ApiError || error instanceof MayNot
    ? error.message
    : 'A fault of the server; its log says more';

export const nextPath = ({ steps }: Definition, path: string, { branch }: Pick<Done, 'branch'>): string =>
  branch === undefined ? pathAfter(steps, path) : pathInto(steps, path, branch);

/** What the values of a step can read: the trigger, steps before it, and the records of the loops around it. */
export const outputsAt = (
  { steps }: Definition,
  path: string,
  trigger: Record<string, unknown>,
  outputs: ReadonlyMap<string, unknown>,
): Outputs => {
  const all = new Map([...outputs, ['trigger', trigger]]) as Map<string, Record<string, unknown>>;
  for (const [id, round] of roundsAt(steps, path)) {
    const loop = allSteps(steps).find(({ step }) => step.id === id)?.step;
    const found = loop?.type === 'forEach' ? (all.get(loop.of)?.records as unknown[] | undefined) : undefined;
    all.set(id, { record: found?.[round], index: round });
  }
  return all;
};

interface Moving {
  services: Services;
  automation: AutomationRow;
  definition: Definition;
  tables: Tables;
  run: RunRow;
}

const doingOf = async ({ services, automation, definition, tables, run }: Moving, tx: Tx): Promise<Doing> => {
  const ids = allSteps(definition.steps).map(({ step }) => step.id);
  const trigger = await selectTrigger(tx, run.seq);
  const outputs = await selectOutputs(tx, run.seq, ids);
  return {
    services,
    tx,
    baseId: run.baseId,
    runId: run.id,
    actsAs: automation.actsAs as Actor,
    automationName: automation.name,
    definition,
    tables,
    path: run.path,
    outputs: outputsAt(definition, run.path, trigger, outputs),
  };
};

const logged = (step: Step, run: RunRow, began: number) => ({
  path: run.path,
  stepId: step.id,
  type: step.type,
  name: step.name ?? null,
  attempts: run.attempts + 1,
  milliseconds: Math.round(performance.now() - began),
});

interface Moved {
  /** It goes on at once. */
  goesOn: boolean;
  outside?: { outside: Outside; input: unknown; attempts: number };
}

/** One step. Nothing when somebody else has moved the run meanwhile. `takePlace`: for a request outside; false when none is free. */
const move = async (moving: Moving, tx: Tx, takePlace: () => boolean): Promise<Moved> => {
  const { definition, run } = moving;
  const now = await lockRun(tx, run.id);
  if (now === undefined || now.path !== run.path || now.attempts !== run.attempts) return { goesOn: false };
  if (now.state !== 'waiting' && now.state !== 'running') return { goesOn: false };
  const isFirst = now.state === 'waiting' && now.path === firstPath(definition.steps);
  if (isFirst && !(await checkFits(moving.services, tx, moving.automation))) {
    await endRun(tx, run.seq, 'failed', 'The automation no longer fits the base; no step was done');
    return { goesOn: false };
  }
  const step = stepAt(definition.steps, run.path);
  if (step === undefined) {
    await moveRun(tx, run.seq, { path: '' });
    return { goesOn: false };
  }
  const began = performance.now();
  const done = await runStep(await doingOf(moving, tx), step);
  const { outside, seconds = 0, input, output } = done;
  if (outside !== undefined) {
    if (!takePlace()) {
      await delayRun(tx, run.seq, { seconds: busy, attempts: run.attempts, error: run.error });
      return { goesOn: false };
    }
    const attempts = run.attempts + 1;
    await delayRun(tx, run.seq, { seconds: lease, attempts, error: run.error });
    return { goesOn: false, outside: { outside, input, attempts } };
  }
  if (JSON.stringify(output ?? null).length > longestOutput)
    throw new StepFailed('What came of it is too large; find fewer records', input);
  await writeStep(tx, run.seq, { ...logged(step, run, began), state: 'success', input, output, error: null });
  const path = nextPath(definition, run.path, done);
  await moveRun(tx, run.seq, { path, seconds });
  return { goesOn: path !== '' && seconds === 0 };
};

/** The run ends here, and can be resumed. */
const failRun = async (tx: Tx, moving: Moving, error: unknown, began: number): Promise<void> => {
  const { definition, run, automation } = moving;
  const now = await lockRun(tx, run.id);
  if (now === undefined || now.path !== run.path || (now.state !== 'waiting' && now.state !== 'running')) return;
  const step = stepAt(definition.steps, run.path);
  const message = messageOf(error);
  if (step !== undefined)
    await writeStep(tx, run.seq, {
      ...logged(step, now, began),
      attempts: Math.max(1, now.attempts),
      state: 'failed',
      input: error instanceof StepFailed ? error.input : undefined,
      output: undefined,
      error: message,
    });
  await endRun(tx, run.seq, 'failed', message);
  if (error instanceof MayNot) await endAndTell(tx, automation, 'stopped', message);
};

const definitions = new Map<string, Definition>();

/** Versions never change. */
const definitionOf = async ({ db }: Services, automation: AutomationRow, version: number): Promise<Definition> => {
  if (automation.version === version) return automation.definition as Definition;
  const key = `${automation.id} ${version}`;
  const known = definitions.get(key) ?? (await selectVersion(db, automation.id, version));
  if (definitions.size > 500) definitions.clear();
  definitions.set(key, known);
  return known;
};

const settleError = async (within: Within, moving: Moving, error: unknown, began: number): Promise<void> => {
  const { services, run } = moving;
  const passes = error instanceof StepFailed || error instanceof MayNot ? 'no' : passesOf(error);
  const attempts = run.attempts + 1;
  if (passes !== 'no') services.backgroundErrors.note('automations', error);
  if (passes === 'yes' || (passes === 'perhaps' && attempts < mostFaults))
    return within((tx) =>
      delayRun(tx, run.seq, {
        seconds: backOff(attempts, passing),
        attempts: passes === 'yes' ? run.attempts : attempts,
        error: messageOf(error),
      }),
    );
  return within((tx) => failRun(tx, moving, error, began));
};

/** False: it waits, has ended, or something is under way outside. */
const takeStep = async (within: Within, moving: Moving): Promise<boolean> => {
  const { services, definition, run } = moving;
  const began = performance.now();
  const step = stepAt(definition.steps, run.path);
  let moved: Moved = { goesOn: false };
  const place: { leave?: (() => void) | undefined } = {};
  // A transaction that is tried again keeps the place it has.
  const takePlace = (): boolean => (place.leave ??= takePlaceOutside(moving.automation)) !== undefined;
  try {
    const tableId = step !== undefined && 'tableId' in step ? step.tableId : '';
    await untilFresh(services, tableId, () => within(async (tx) => void (moved = await move(moving, tx, takePlace))));
  } catch (error) {
    place.leave?.();
    if (error instanceof JobAborted) throw error;
    await settleError(within, moving, error, began);
    return false;
  }
  services.live.changed(run.baseId);
  if (moved.outside !== undefined && place.leave !== undefined) beginOutside(moving, moved.outside, place.leave);
  else place.leave?.();
  return moved.goesOn;
};

export const advanceRun = async (services: Services, within: Within, first: RunRow): Promise<void> => {
  const automation = await selectAutomation(services.db, first.automationId);
  if (automation === undefined || automation.state !== 'on') return;
  const definition = await definitionOf(services, automation, first.version);
  const tables = await presentTables(services, automation.baseId, tablesIn(definition));
  let moving: Moving = { services, automation, definition, tables, run: first };
  while (await takeStep(within, moving)) {
    const run = await reread(services, moving.run);
    if (run === undefined || Date.parse(run.dueTime) > Date.now() + 1_000) return;
    moving = { ...moving, run };
  }
};

const reread = async ({ db }: Services, { id }: RunRow): Promise<RunRow | undefined> => {
  const run = await selectRunById(db, id);
  return run !== undefined && (run.state === 'running' || run.state === 'waiting') ? run : undefined;
};
