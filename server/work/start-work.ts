// Works on jobs in this process: takes what is due, keeps the leases of what runs, and gives everything back when it stops.
import { hostname } from 'node:os';
import type { BackgroundErrors } from '../background-errors.ts';
import type { Db } from '../db/db.ts';
import { coalesce } from './coalesce.ts';
import { type Candidate, chooseJobs, type FreeSlots, hasToGiveWay } from './choose-jobs.ts';
import { JobAborted, type JobKind, type NewJob, type Outcome, type Work } from './job.ts';
import {
  addJobs,
  ensurePeriodic,
  hurryPeriodic,
  releaseJob,
  renewLeases,
  selectDue,
  selectDueKinds,
  takeInOrder,
  takeJobs,
  type TakenJob,
} from './job.sql.ts';
import { runJob } from './run-job.ts';

interface WorkOptions<Services> {
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
  /** Jobs that have given way and go on in this process, at most; beyond that they are given back. */
  mostPaused?: number;
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
  /** Set while it has given way: goes on. */
  resume?: (() => void) | undefined;
}

const lookEvery = 1_000;
/** Milliseconds in which whatever is added goes together. */
const gather = 20;

/** Milliseconds after which nobody else is at work any more. */
const crowdedFor = 1_000;

const usualSlots = 4;
const usualLongSlots = 2;
/** Each has some rows of its file in memory. */
const usualPaused = 8;

/** What jobs can use at once: each slot one connection, those of the kinds that have more, one for each kind that is done in order, and one for the upkeep of the jobs themselves. */
export const connectionsFor = (kinds: readonly Pick<JobKind<never>, 'connections' | 'atOnce' | 'batch'>[]): number =>
  usualSlots +
  usualLongSlots +
  kinds.reduce(
    (sum, { connections = 1, atOnce = 1, batch }) => sum + (connections - 1) * atOnce + (batch === undefined ? 0 : 1),
    0,
  ) +
  1;

export const startWork = <Services>({
  db,
  services,
  kinds,
  errors,
  lease = 30,
  slots = usualSlots,
  longSlots = usualLongSlots,
  mostPaused = usualPaused,
}: WorkOptions<Services>): StartedWork => {
  const worker = `${hostname()}:${process.pid}`;
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const names = [...byName.keys()];
  const running = new Map<string, Running>();
  const outcomes = new Map<string, Map<Outcome, number>>();
  const added = new Map<string, NewJob>();
  let unkeyed = 0;
  const hurried = new Set<string>();
  /** By kind, for those that are done one after the other. */
  const lasts = new Map<string, Promise<unknown>>();
  /** By space. */
  const lastTurn = new Map<string, number>();
  let turns = 0;
  const startedAt = performance.now();
  let isPrepared = false;
  let isStopping = false;

  const count = (kind: string, outcome: Outcome): void => {
    const counts = outcomes.get(kind) ?? new Map<Outcome, number>();
    outcomes.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  };

  /** A space that had none for long comes first anyway: what is forgotten does no harm. */
  const mostTurns = 10_000;
  const noteTurn = (space: string): void => {
    if (lastTurn.size >= mostTurns) lastTurn.clear();
    lastTurn.set(space, (turns += 1));
  };

  /** The spaces whose quick jobs were begun last: the newest, and the newest of another space. */
  const lastQuick: { space: string; at: number }[] = [];
  const noteQuick = (space: string): void => {
    const [newest] = lastQuick;
    if (newest !== undefined && newest.space !== space) lastQuick[1] = newest;
    lastQuick[0] = { space, at: performance.now() };
  };
  const isCrowded = (own: string): boolean => {
    const other = lastQuick.find(({ space }) => space !== own);
    return other !== undefined && performance.now() - other.at < crowdedFor;
  };

  const begin = (taken: TakenJob): void => {
    const kind = byName.get(taken.kind) as JobKind<Services>;
    // What belongs to no space is upkeep.
    if (kind.isLong !== true && taken.space !== '') noteQuick(taken.space);
    const controller = new AbortController();
    const entry: Running = { taken, controller, ended: Promise.resolve(), renewedAt: performance.now() };
    running.set(taken.id, entry);
    noteTurn(taken.space);
    // Not even begun.
    const release = (): Promise<Outcome> => releaseJob(db, taken).then(() => 'stopping');
    const run = (): Promise<Outcome> =>
      isStopping
        ? release()
        : runJob(kind, services, taken, {
            db,
            errors,
            lease,
            controller,
            giveWay: () => giveWay(entry),
            isCrowded: () => kind.isLong === true && isCrowded(taken.space),
          });
    const turn = kind.batch === undefined ? run() : (lasts.get(kind.name) ?? Promise.resolve()).then(run, run);
    lasts.set(kind.name, turn);
    entry.ended = turn
      .then((outcome) => count(taken.kind, outcome))
      .catch((error: unknown) => errors.note(taken.kind, error))
      .finally(() => {
        running.delete(taken.id);
        look.wake();
      });
  };

  const kindOf = ({ taken }: Running): JobKind<Services> => byName.get(taken.kind) as JobKind<Services>;
  const inGroup =
    (isLong: boolean) =>
    (kind: JobKind<Services>): boolean =>
      (kind.isLong ?? false) === isLong && kind.batch === undefined;
  const candidateOf = ({ taken: { id, kind, space } }: Running): Candidate => ({ id, kind, space });

  /** Those that have a slot; `but` is left out. */
  const active = (fits: (kind: JobKind<Services>) => boolean, but?: Running): Running[] =>
    [...running.values()].filter((one) => one !== but && one.resume === undefined && fits(kindOf(one)));
  const paused = (isLong: boolean): Running[] =>
    [...running.values()].filter((one) => one.resume !== undefined && inGroup(isLong)(kindOf(one)));

  const keepsSlot = (name: string): boolean => byName.get(name)?.isLong === true && byName.get(name)?.givesWay !== true;

  const slotsOf = (isLong: boolean, but?: Running): FreeSlots => {
    const busy = active(inGroup(isLong), but);
    const spaces = new Map<string, number>();
    for (const {
      taken: { space },
    } of busy)
      spaces.set(space, (spaces.get(space) ?? 0) + 1);
    return {
      free: (isLong ? longSlots : slots) - busy.length,
      freeForWhole: isLong
        ? Math.max(1, longSlots - 1) - busy.filter(({ taken }) => keepsSlot(taken.kind)).length
        : Number.POSITIVE_INFINITY,
      keepsSlot,
      room: new Map(
        kinds
          .filter(inGroup(isLong))
          .map(({ name, atOnce = 1 }) => [name, atOnce - busy.filter(({ taken }) => taken.kind === name).length]),
      ),
      running: spaces,
      lastTurn,
    };
  };

  const dueFor = async ({ room, free }: FreeSlots): Promise<Candidate[]> => {
    const wanted = [...room].flatMap(([name, left]) =>
      left > 0 ? [{ name, room: Math.min(left, Math.max(1, free)) }] : [],
    );
    return wanted.length === 0 ? [] : selectDue(db, wanted);
  };

  const giveWay = async (own: Running): Promise<void> => {
    const {
      taken,
      controller: { signal },
    } = own;
    signal.throwIfAborted();
    const isLong = kindOf(own).isLong ?? false;
    if (slotsOf(isLong).free > 0) return;
    noteTurn(taken.space);
    const due = await dueFor(slotsOf(isLong, own));
    signal.throwIfAborted();
    if (!hasToGiveWay(candidateOf(own), [...paused(isLong).map(candidateOf), ...due], slotsOf(isLong, own))) return;
    if (paused(isLong).length >= mostPaused) throw new JobAborted('yielding');
    await new Promise<void>((goOn, stop) => {
      const abort = (): void => {
        own.resume = undefined;
        stop(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      own.resume = () => {
        signal.removeEventListener('abort', abort);
        own.resume = undefined;
        noteTurn(taken.space);
        goOn();
      };
      look.wake();
    });
  };

  /** Gives the free slots away; answers whether there may be more to give. */
  const giveSlots = async (isLong: boolean, dueKinds: ReadonlySet<string>): Promise<boolean> => {
    if (isStopping || slotsOf(isLong).free <= 0) return false;
    if (paused(isLong).length === 0 && !kinds.some((kind) => dueKinds.has(kind.name) && inGroup(isLong)(kind)))
      return false;
    const due = await dueFor(slotsOf(isLong));
    const waiting = new Map(paused(isLong).map((one) => [one.taken.id, one]));
    const chosen = chooseJobs([...[...waiting.values()].map(candidateOf), ...due], slotsOf(isLong)).map(({ id }) => id);
    for (const id of chosen) waiting.get(id)?.resume?.();
    const wanted = chosen.filter((id) => !waiting.has(id));
    const taken = wanted.length === 0 ? [] : await takeJobs(db, wanted, { worker, lease });
    for (const job of taken) begin(job);
    return taken.length > 0 || wanted.length < chosen.length;
  };

  /** What is done one after the other needs no slot. */
  const takeBatches = async (dueKinds: ReadonlySet<string>): Promise<boolean> => {
    const wanted = kinds.flatMap(({ name, batch }) =>
      batch === undefined || !dueKinds.has(name) || active((kind) => kind.name === name).length > 0
        ? []
        : [{ name, room: batch }],
    );
    if (isStopping || wanted.length === 0) return false;
    const taken = await takeInOrder(db, wanted, { worker, lease });
    for (const job of taken) begin(job);
    return taken.length > 0;
  };

  const look = coalesce(
    async () => {
      if (!isPrepared) {
        await ensurePeriodic(
          db,
          kinds.flatMap(({ name, every }) => (every === undefined ? [] : [{ name, every }])),
          performance.now() - startedAt,
        );
        isPrepared = true;
      }
      for (let isMore = true; isMore; ) {
        const due = await selectDueKinds(db, names);
        const taken = [await takeBatches(due), await giveSlots(false, due), await giveSlots(true, due)];
        isMore = taken.includes(true);
      }
    },
    () => gather,
    (error) => errors.note('jobs', error),
  );

  const renew = coalesce(
    async () => {
      const held = [...running.values()];
      if (held.length === 0) return;
      const renewed = new Map(
        (
          await renewLeases(
            db,
            held.map(({ taken }) => taken),
            lease,
          )
        ).map(({ id, isCancelled }) => [id, isCancelled]),
      );
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
      for (const { controller, renewedAt } of running.values())
        if (renewedAt < before) controller.abort(new JobAborted('lost'));
    },
  );

  const add = coalesce(
    async () => {
      const [jobs, kindsToHurry] = [[...added], [...hurried]];
      added.clear();
      hurried.clear();
      try {
        if (jobs.length > 0)
          await addJobs(
            db,
            jobs.map(([, job]) => job),
          );
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
      const quiet = Promise.all([look.close(), renew.close(), add.close()]).then(() =>
        Promise.all([...running.values()].map(({ ended }) => ended)),
      );
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([quiet, new Promise((passed) => (timer = setTimeout(passed, seconds * 1_000)))]);
      clearTimeout(timer);
    },
  };
};
