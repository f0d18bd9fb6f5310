// Runs one job that this process has taken, and writes down how it ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { BackgroundErrors } from '../background-errors.ts';
import type { Db, Queryable } from '../db/db.ts';
import { databaseError, passesOf } from '../db/error.ts';
import { presentTracer } from '../trace.ts';
import {
  backOff,
  GiveUp,
  JobAborted,
  type JobKind,
  type Outcome,
  passing,
  type Retry,
  type RunningJob,
  type StepResult,
} from './job.ts';
import { endJob, finishJob, recordStep, releaseJob, retryJob, type TakenJob, waitJob } from './job.sql.ts';

/** Milliseconds. */
const longestRest = 250;

const usualRetry: Retry = { attempts: 10, first: 1, longest: 300 };

/** What its owner may read: of a fault of ours only that there was one. */
const messageOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof GiveUp ? error.message : 'A fault of the server; its log says more';

interface Circumstances {
  db: Db;
  errors: BackgroundErrors;
  /** Seconds. */
  lease: number;
  controller: AbortController;
  giveWay: () => Promise<void>;
  isCrowded: () => boolean;
}

const runningJob = (
  taken: TakenJob,
  { db, lease, controller, giveWay, isCrowded }: Circumstances,
): { job: RunningJob; isFinished: () => boolean } => {
  let { cursor, result } = taken;
  let stepTook = 0;
  let isFinished = false;
  const lose = (): never => {
    const lost = new JobAborted('lost');
    controller.abort(lost);
    throw lost;
  };
  const record = async (on: Queryable, result: StepResult): Promise<void> => {
    const recorded = await recordStep(on, taken, result, lease);
    if (recorded === undefined) return lose();
    taken.waits = 0;
    if (recorded.isCancelled) controller.abort(new JobAborted('cancelled'));
  };
  const job: RunningJob = {
    id: taken.id,
    payload: taken.payload,
    attempt: taken.attempt,
    get cursor() {
      return cursor;
    },
    get result() {
      return result;
    },
    signal: controller.signal,
    async step(work) {
      controller.signal.throwIfAborted();
      const begun = performance.now();
      const step = await db.transaction(async (tx) => {
        const made = (await work(tx)) ?? {};
        await record(tx, made);
        return made;
      });
      stepTook = performance.now() - begun;
      if (step.cursor !== undefined) ({ cursor } = step);
      if (step.result !== undefined) ({ result } = step);
    },
    async finish(work) {
      controller.signal.throwIfAborted();
      await db.transaction(async (tx) => {
        const answer = await work(tx);
        if (!(await finishJob(tx, taken, answer ?? undefined))) lose();
      });
      isFinished = true;
    },
    async giveWay() {
      await giveWay();
      // Two cores have room for a file of a million rows or for others to be quick, but not for both at once.
      if (!isCrowded()) return;
      await sleep(Math.min(stepTook, longestRest), undefined, { signal: controller.signal }).catch(() =>
        controller.signal.throwIfAborted(),
      );
    },
    isCrowded,
    async mark(given) {
      await record(db, { cursor: given });
      cursor = given;
    },
  };
  return { job, isFinished: () => isFinished };
};

/** An error that comes of having been aborted is told as that. */
const reasonOf = (error: unknown, { controller: { signal } }: Circumstances): JobAborted | undefined => {
  if (error instanceof JobAborted) return error;
  return signal.aborted && signal.reason instanceof JobAborted ? signal.reason : undefined;
};

const settleAborted = async (taken: TakenJob, { reason }: JobAborted, { db }: Circumstances): Promise<Outcome> => {
  if (reason === 'stopping' || reason === 'yielding') await releaseJob(db, taken);
  if (reason === 'cancelled') await endJob(db, taken, 'cancelled', null);
  return reason;
};

const settleFailed = async <S>(
  kind: JobKind<S>,
  taken: TakenJob,
  thrown: unknown,
  { db, errors }: Circumstances,
): Promise<Outcome> => {
  const error = databaseError(thrown);
  const retry = kind.retry ?? usualRetry;
  const passes = error instanceof GiveUp ? 'no' : passesOf(error);
  // A refusal that stays one, such as a full plan, is told to the owner of the job: nothing is wrong with the server.
  if (passes !== 'no' || taken.every !== null) errors.note(kind.name, error);
  // What runs from time to time is tried again at its next time at the latest.
  if (taken.every !== null) {
    await retryJob(db, taken, messageOf(error), Math.min(taken.every, backOff(taken.attempt, retry)));
    return 'retry';
  }
  if (passes === 'yes') {
    await waitJob(db, taken, messageOf(error), passing);
    return 'passing';
  }
  if (
    !(error instanceof GiveUp) &&
    (retry.attempts === null || (passes === 'perhaps' && taken.attempt < retry.attempts))
  ) {
    await retryJob(db, taken, messageOf(error), backOff(taken.attempt, retry));
    return 'retry';
  }
  await endJob(db, taken, 'failed', messageOf(error));
  return 'failed';
};

/** Fails only when the database is away: then the lease ends by itself, and the job is taken again. */
export const runJob = async <S>(
  kind: JobKind<S>,
  services: S,
  taken: TakenJob,
  given: Circumstances,
): Promise<Outcome> => {
  const circumstances = { ...given, db: given.db.as({ operation: `job ${kind.name}` }) };
  try {
    const { job, isFinished } = runningJob(taken, circumstances);
    const tracer = presentTracer();
    const result = await (tracer === undefined
      ? kind.run(services, job)
      : tracer.span(
          `job ${kind.name}`,
          { kind: 'consumer', attributes: { 'rowhouse.job.kind': kind.name, 'rowhouse.job.attempt': taken.attempt } },
          () => kind.run(services, job),
        ));
    if (!isFinished()) await finishJob(circumstances.db, taken, result ?? undefined);
    return 'done';
  } catch (error) {
    const aborted = reasonOf(error, circumstances);
    return aborted === undefined
      ? settleFailed(kind, taken, error, circumstances)
      : settleAborted(taken, aborted, circumstances);
  }
};
