// Works on jobs in this process: takes what is due, keeps the leases of what runs, and gives everything back when it stops.
import { hostname } from 'node:os';
import type { BackgroundErrors } from '../background-errors.ts';
import type { Db } from '../db/db.ts';
import { coalesce } from './coalesce.ts';
import { JobAborted, type JobKind, type NewJob, type Outcome, type Work } from './job.ts';
import { addJobs, ensurePeriodic, hurryPeriodic, releaseJob, renewLeases, takeJobs, type TakenJob } from './job.sql.ts';
import { runJob } from './run-job.ts';

export interface WorkOptions<Services> {
  /** A pool of its own: work beside the requests must not take their connections. */
  db: Db;
  services: Services;
  kinds: readonly JobKind<Services>[];
  errors: BackgroundErrors;
  /** Seconds after which another process takes over what this one no longer keeps up. */
  lease?: number;
  /** Jobs at once, and beside them those that may take minutes. */
  slots?: number;
  longSlots?: number;
}

export interface StartedWork extends Work {
  /** Resolves when everything that ran has been given back, or after `seconds`. */
  stop(seconds: number): Promise<void>;
}

interface Running {
  taken: TakenJob;
  controller: AbortController;
  ended: Promise<void>;
  /** When the lease was had last. */
  renewedAt: number;
}

const lookEvery = 1_000;
/** Milliseconds in which whatever is added goes together. */
const gather = 20;

const usualSlots = 4;
const usualLongSlots = 2;

/** What jobs can use at once: each slot one connection, those of the kinds that have more, one for each kind that is done in order, and one for the upkeep of the jobs themselves. */
export const connectionsFor = (kinds: readonly Pick<JobKind<never>, 'connections' | 'atOnce' | 'batch'>[]): number =>
  usualSlots + usualLongSlots + kinds.reduce((sum, { connections = 1, atOnce = 1, batch }) => sum + (connections - 1) * atOnce + (batch === undefined ? 0 : 1), 0) + 1;

export const startWork = <Services>({ db, services, kinds, errors, lease = 30, slots = usualSlots, longSlots = usualLongSlots }: WorkOptions<Services>): StartedWork => {
  const worker = `${hostname()}:${process.pid}`;
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const running = new Map<string, Running>();
  const outcomes = new Map<string, Map<Outcome, number>>();
  const added = new Map<string, NewJob>();
  let unkeyed = 0;
  const hurried = new Set<string>();
  /** By kind, for those that are done one after the other. */
  const lasts = new Map<string, Promise<unknown>>();
  const startedAt = performance.now();
  let isPrepared = false;
  let isStopping = false;

  const count = (kind: string, outcome: Outcome): void => {
    const counts = outcomes.get(kind) ?? new Map<Outcome, number>();
    outcomes.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  };

  const begin = (taken: TakenJob): void => {
    const kind = byName.get(taken.kind) as JobKind<Services>;
    const controller = new AbortController();
    // Not even begun.
    const release = (): Promise<Outcome> => releaseJob(db, taken).then(() => 'stopping');
    const run = (): Promise<Outcome> => (isStopping ? release() : runJob(kind, services, taken, { db, errors, lease, controller }));
    const turn = kind.batch === undefined ? run() : (lasts.get(kind.name) ?? Promise.resolve()).then(run, run);
    lasts.set(kind.name, turn);
    const ended = turn
      .then((outcome) => count(taken.kind, outcome))
      .catch((error: unknown) => errors.note(taken.kind, error))
      .finally(() => {
        running.delete(taken.id);
        look.wake();
      });
    running.set(taken.id, { taken, controller, ended, renewedAt: performance.now() });
  };

  const runningOf = (fits: (kind: JobKind<Services>) => boolean): number => [...running.values()].filter(({ taken }) => fits(byName.get(taken.kind) as JobKind<Services>)).length;

  const roomOf = ({ name, atOnce = 1, batch }: JobKind<Services>): number => {
    const own = runningOf((kind) => kind.name === name);
    return batch === undefined ? atOnce - own : own === 0 ? batch : 0;
  };

  /** Answers whether there may be more of them. What is done one after the other needs no slot. */
  const takeOf = async (isLong: boolean): Promise<boolean> => {
    const group = kinds.filter((kind) => (kind.isLong ?? false) === isLong);
    const free = (isLong ? longSlots : slots) - runningOf((kind) => (kind.isLong ?? false) === isLong && kind.batch === undefined);
    const wanted = group.map((kind) => ({ name: kind.name, room: kind.batch === undefined ? Math.min(free, roomOf(kind)) : roomOf(kind) })).filter(({ room }) => room > 0);
    if (isStopping || wanted.length === 0) return false;
    const limit = free + group.reduce((sum, { batch = 0 }) => sum + batch, 0);
    const taken = await takeJobs(db, wanted, { worker, lease, limit });
    for (const job of taken) begin(job);
    return taken.length > 0;
  };

  const look = coalesce(
    async () => {
      if (!isPrepared) {
        await ensurePeriodic(db, kinds.flatMap(({ name, every }) => (every === undefined ? [] : [{ name, every }])), performance.now() - startedAt);
        isPrepared = true;
      }
      while (await takeOf(false));
      while (await takeOf(true));
    },
    () => gather,
    (error) => errors.note('jobs', error),
  );

  const renew = coalesce(
    async () => {
      const held = [...running.values()];
      if (held.length === 0) return;
      const renewed = new Map((await renewLeases(db, held.map(({ taken }) => taken), lease)).map(({ id, isCancelled }) => [id, isCancelled]));
      for (const one of held) {
        const { taken, controller } = one;
        const isCancelled = renewed.get(taken.id);
        one.renewedAt = performance.now();
        // One that has ended meanwhile is not there either, and does not mind.
        if (isCancelled !== false) controller.abort(new JobAborted(isCancelled === undefined ? 'lost' : 'cancelled'));
      }
    },
    () => 0,
    (error) => {
      errors.note('jobs', error);
      const before = performance.now() - lease * 1_000;
      for (const { controller, renewedAt } of running.values()) if (renewedAt < before) controller.abort(new JobAborted('lost'));
    },
  );

  const add = coalesce(
    async () => {
      const [jobs, kindsToHurry] = [[...added], [...hurried]];
      added.clear();
      hurried.clear();
      try {
        if (jobs.length > 0) await addJobs(db, jobs.map(([, job]) => job));
        if (kindsToHurry.length > 0) await hurryPeriodic(db, kindsToHurry);
      } catch (error) {
        for (const [key, job] of jobs) added.set(key, job);
        for (const kind of kindsToHurry) hurried.add(kind);
        throw error;
      }
      look.wake();
    },
    () => gather,
    (error) => errors.note('jobs', error),
  );

  const timers = [
    setInterval(() => {
      if (added.size > 0 || hurried.size > 0) add.wake();
      look.wake();
    }, lookEvery),
    setInterval(renew.wake, (lease * 1_000) / 3),
  ];
  for (const timer of timers) timer.unref();
  look.wake();

  return {
    wake: look.wake,
    add(job) {
      if (isStopping) return;
      added.set(JSON.stringify([job.kind, job.key ?? (unkeyed += 1)]), job);
      add.wake();
    },
    hurry(kind) {
      hurried.add(kind);
      add.wake();
    },
    outcomes: () => outcomes,
    async stop(seconds) {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const { controller } of running.values()) controller.abort(new JobAborted('stopping'));
      const quiet = Promise.all([look.close(), renew.close(), add.close()]).then(() => Promise.all([...running.values()].map(({ ended }) => ended)));
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([quiet, new Promise((passed) => (timer = setTimeout(passed, seconds * 1_000)))]);
      clearTimeout(timer);
    },
  };
};
