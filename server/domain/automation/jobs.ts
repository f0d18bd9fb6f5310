// Runs of automations: one job for a base takes those that are due one after the other, and gives way to other spaces between them.
import type { Services } from '../../context.ts';
import { type JobKind, type RunningJob } from '../../work/job.ts';
import { addJobs } from '../../work/job.sql.ts';
import { advanceRun, type Within } from './advance-run.ts';
import {
  deleteOldRuns,
  type RunRow,
  selectDueBases,
  selectDueRuns,
  selectNextDue,
  selectSpaceOf,
  takeFromMinute,
} from './run.sql.ts';
import { runJob, runKind, type RunPayload } from './run-job.ts';
import { startByTime } from './start-by-time.ts';
import { selectKeptDays } from './kept-days.ts';

const few = 50;
const batch = 1_000;

/** Those that may start this minute, and those that are under way. */
const allowed = async ({ db, config }: Services, baseId: string, due: readonly RunRow[]): Promise<RunRow[]> => {
  const fresh = due.filter(({ state }) => state === 'waiting');
  const taken =
    fresh.length === 0
      ? 0
      : await db.transaction((tx) => takeFromMinute(tx, baseId, fresh.length, config.automationRunsPerMinute));
  const started = new Set(fresh.slice(0, taken));
  return due.filter((run) => run.state !== 'waiting' || started.has(run));
};

const run = async (services: Services, job: RunningJob<RunPayload>): Promise<void> => {
  const { baseId } = job.payload;
  const within: Within = (work) => job.step((tx) => work(tx));
  let isLimited = false;
  for (;;) {
    job.signal.throwIfAborted();
    const due = await selectDueRuns(services.db, baseId, few);
    const now = await allowed(services, baseId, due);
    isLimited = now.length < due.length;
    for (const one of now) {
      await advanceRun(services, within, one);
      await job.giveWay();
    }
    if (now.length === 0) break;
  }
  const seconds = await selectNextDue(services.db, baseId);
  if (seconds !== null)
    await addJobs(services.db, [
      runJob({ baseId, spaceId: await selectSpaceOf(services.db, baseId) }, isLimited ? 1 : Math.max(0.2, seconds)),
    ]);
};

/** The safety net after a crash. */
const findRuns = async ({ db, work }: Services): Promise<void> => {
  const due = await selectDueBases(db);
  if (due.length === 0) return;
  await addJobs(
    db,
    due.map((base) => runJob(base)),
  );
  work.wake();
};

export const automationJobs: JobKind<Services>[] = [
  {
    name: runKind,
    retry: { attempts: null, first: 1, longest: 60 },
    atOnce: 2,
    connections: 2,
    givesWay: true,
    run: (services, job) => run(services, job as RunningJob<RunPayload>),
  },
  { name: 'find-runs', every: 15, run: (services) => findRuns(services) },
  { name: 'start-by-time', every: 5, run: (services, { signal }) => startByTime(services, signal) },
  {
    name: 'remove-old-runs',
    every: 3_600,
    isLong: true,
    async run(services, { signal }) {
      for (const kept of await selectKeptDays(services))
        while ((await deleteOldRuns(services.db, kept, batch)) === batch) signal.throwIfAborted();
    },
  },
];
