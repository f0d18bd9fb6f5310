// Background work as jobs: what a kind of job is, and what one that runs can do. Kinds belong to their domains
// (`domain/<noun>/jobs.ts`) and are joined in app.ts, as routes are. See docs/adr/0018-jobs.md.
import type { Action } from '@rowhouse/contract/permission.ts';
import type { Tx } from '../db/db.ts';

/** What somebody has to be allowed to do, at the moment they ask, to see a job that belongs to no base, and to read its result. */
export interface JobRight {
  type: 'space' | 'base';
  id: string;
  actions: readonly Action[];
}

export interface NewJob {
  kind: string;
  /** Of one kind and key one waits and one runs at most: adding it again while it waits only makes it due sooner. */
  key?: string;
  payload?: object;
  /** The base it belongs to, whose people see it. */
  baseId?: string;
  /** For a job without a base: of its starter this is demanded again whenever they ask for it. */
  right?: JobRight;
  /** Whose turn it takes, unless it is the space of its base. */
  spaceId?: string;
  /** Whose it is; nobody's is the server's own, which is forgotten once it is done. */
  createdBy?: string;
  /** Seconds until it may run. */
  delay?: number;
}

export interface StepResult {
  /** Where to go on; left out: as it was. */
  cursor?: unknown;
  done?: number;
  total?: number;
  /** What came of it so far, for its owner; left out: as it was. It stays when the job fails or is cancelled. */
  result?: object;
}

/** A job in the process that has its lease. */
export interface RunningJob<Payload = unknown> {
  readonly id: string;
  readonly payload: Payload;
  /** 1 for the first time. */
  readonly attempt: number;
  /** What the last step left, perhaps in another process. */
  readonly cursor: unknown;
  /** What came of it so far, as the last step left it. */
  readonly result: unknown;
  /** Aborted when the job was cancelled, when its lease was lost, and when the server stops. */
  readonly signal: AbortSignal;
  /**
   * A transaction that counts only while this process has the job: it writes down how far the job is together with
   * what it did, or nothing at all. So each step happens once, no matter who is killed when.
   */
  step(work: (tx: Tx) => Promise<StepResult | void>): Promise<void>;
  /**
   * The last step, which ends the job in the same transaction: for what must not be done again when the process is
   * killed between the step and the end. What it answers is the result of the job.
   */
  finish(work: (tx: Tx) => Promise<object | void>): Promise<void>;
  /**
   * Between two steps, outside of every transaction: gives the slot to a job of another space that waits, and goes on when it is its turn again. May end the
   * run: the job is taken again later, and goes on from its cursor and result.
   */
  giveWay(): Promise<void>;
  /** Of a long job: whether other spaces have had work in this process within a second. Steps are to be small then, and `giveWay` rests for as long as the last one took. */
  isCrowded(): boolean;
  /** Only writes down where to go on; also after the signal, unless the lease is lost. */
  mark(cursor: unknown): Promise<void>;
}

/** What passes (see `Passes` in contract/error.ts) is waited for without end and is no try; what cannot pass ends a job at once, unless it must succeed. */
export interface Retry {
  /** Faults before it has failed for good; null: until it succeeds. */
  attempts: number | null;
  /** Seconds before the second try; they double from try to try. */
  first: number;
  longest: number;
}

export interface JobKind<Services, Payload = unknown> {
  /** As it stands in the table, the API and the metrics. */
  name: string;
  /** Seconds between runs: there is one such job, from the first start on. */
  every?: number;
  retry?: Retry;
  /** How many of them one process runs at once; 1 unless it says more. */
  atOnce?: number;
  /** Takes up to so many, and does them one after the other in the order in which they were added: for what is quick and has an order. */
  batch?: number;
  /** How many connections one of them has at once; 1 unless it says more. */
  connections?: number;
  /** May take minutes: some of the slots are kept free for those that do not. */
  isLong?: boolean;
  /** Calls `giveWay` between its steps. Long ones that do not keep their slot until they end, and get all but one of the slots at most. */
  givesWay?: boolean;
  /** Has done everything when it returns, and answers the result for the owner of the job. Aborted in the middle, it throws. */
  run(services: Services, job: RunningJob<Payload>): Promise<object | void>;
}

/** For `run`, when another try would not help and no ApiError says why: the job has failed, and its owner reads the message. */
export class GiveUp extends Error {}

/** Why the signal of a job was aborted. */
type AbortReason = 'cancelled' | 'lost' | 'stopping' | 'yielding';

export class JobAborted extends Error {
  readonly reason: AbortReason;

  constructor(reason: AbortReason) {
    super(`the job is ${reason}`);
    this.reason = reason;
  }
}

/** What requests and jobs know of the work beside them. */
export interface Work {
  /** After the commit of a transaction that added jobs: they are looked for now, and not within a second. */
  wake(): void;
  /** By and by; nobody waits for it, and many added at once are one statement. Inside of a transaction it is `addJob`. */
  add(job: NewJob): void;
  /** Makes the one job of a kind that runs from time to time due now. */
  hurry(kind: string): void;
  /** Runs that have ended in this process, by kind and outcome. */
  outcomes(): ReadonlyMap<string, ReadonlyMap<Outcome, number>>;
}

export type Outcome = 'done' | 'retry' | 'passing' | 'failed' | AbortReason;

/** For commands, which do not work in the background. */
export const noWork: Work = {
  wake: () => undefined,
  add: () => undefined,
  hurry: () => undefined,
  outcomes: () => new Map(),
};

/** How a job waits for what passes: soon at first, since most locks are short, and later twice a minute, however long a conversion takes. */
export const passing: Retry = { attempts: null, first: 1, longest: 30 };

/** Seconds until the next try after `attempt` of them have failed, somewhat spread so that what failed together does not come back together. */
export const backOff = (attempt: number, { first, longest }: Retry, random: () => number = Math.random): number =>
  Math.min(longest, first * 2 ** Math.min(attempt - 1, 30)) * (0.8 + 0.4 * random());
