// Carries out requests that rely on cached facts: the schema of the table and the rights of the caller. Both are cached
// in this process and may be out of date.
//
//   plan → write → settle → commit → answer
//
// What may run again, and on which connection:
// - Only the steps before the commit run again: `plan`, `write` and `settle`, from the beginning, with fresh facts.
//   They run again when the facts were out of date, when a statement took itself back, or after a deadlock (a few times:
//   db/deadlock.ts). They never run again after a lost connection, because then it is unknown whether the commit happened.
// - `answer` runs once, after the commit. If it fails, that is logged, and does not look like a failure of the write.
// - A step has one handle, `context.db`: the pool if a single statement does everything, otherwise the transaction.
//   A pipeline inside a transaction joins it, and leaves retries to the code that began it.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Access } from '../catalog/access.ts';
import { epochHolder } from '../catalog/rights.ts';
import { type Sight, sightOf } from '../catalog/sight.ts';
import { selectVersion } from '../catalog/table.sql.ts';
import type { TableSchema } from '../catalog/table.ts';
import type { Context, Unconfirmed } from '../context.ts';
import type { Tx } from '../db/db.ts';
import { isToRunAfterDeadlock } from '../db/deadlock.ts';
import { isOfOldSchema } from '../db/error.ts';
import type { Sql } from '../db/sql.ts';
import { type Facts, type Guard, guardOf, type ReadFacts, selectEpoch, selectFacts } from './guard.sql.ts';
import { presentTracer } from '../trace.ts';
import { isTakenBack, OutOfReach, Stale } from './stale.ts';

export interface TableAccess extends Access {
  baseId: string;
  spaceId: string;
  tableId: string;
}

export interface TableContext extends Context {
  access: TableAccess;
  /** The schemas that this attempt relies on, by table. Absent outside of the pipeline. */
  attempt?: Map<string, TableSchema>;
}

/** Every try collided with another change. Only a continuous stream of changes gets this far. */
const maxTries = 50;

const demandFacts = ({ table, epoch }: Guard, present: Facts): void => {
  if (present.version !== table.version) throw new Stale('schema');
  if (present.epoch !== epoch) throw new Stale('access');
};

/** The schemas that an attempt relies on, by table. They may be out of date by the time it fails. */
type Attempt = NonNullable<TableContext['attempt']>;

const tableOf = async ({ catalog, db, access }: TableContext, attempt: Attempt): Promise<TableSchema> => {
  const table = await catalog.get(db, access.baseId, access.tableId);
  attempt.set(table.id, table);
  // A share is decided for one version of its view; another version needs a new decision.
  const version = access.rights.of(table.id)?.version;
  if (version !== undefined && version !== table.version) throw new Stale('access');
  return table;
};

/** The schema of another table that the attempt relies on as well. */
export const tableBeside = async (
  { catalog, db, attempt }: TableContext,
  baseId: string,
  tableId: string,
): Promise<TableSchema> => {
  const table = await catalog.get(db, baseId, tableId);
  attempt?.set(table.id, table);
  return table;
};

/** Whether one of the other tables has changed since it was read. */
const isOtherOld = async ({ db, access }: TableContext, attempt: Attempt): Promise<boolean> => {
  for (const { id, baseId, version } of attempt.values())
    if (id !== access.tableId && (await selectVersion(db, baseId, id)) !== version) return true;
  return false;
};

/** Whether the facts of an attempt were out of date. If so, a refusal does not count. */
const wasOld = async (context: TableContext, attempt: Attempt): Promise<boolean> => {
  const { db, access, principal } = context;
  const table = attempt.get(access.tableId);
  try {
    const { version, epoch } = await selectFacts(
      db,
      { baseId: access.baseId, id: access.tableId },
      { userId: epochHolder(access.rights, principal.userId), spaceId: access.spaceId },
    );
    return (
      epoch !== access.epoch ||
      (table !== undefined && table.version !== version) ||
      (await isOtherOld(context, attempt))
    );
  } catch (error) {
    if (isOfOldSchema(error)) return true;
    throw error;
  }
};

/** Somebody changes the schema continuously. That passes. */
export const keepsChanging = (): ApiError =>
  new ApiError('conflict', 'The schema of this table keeps changing at the moment; try again', undefined, {}, 'yes');

/** Whether to start again after this error. The attempt has committed nothing. */
const isToRunAgain = async (
  context: TableContext,
  attempt: Attempt,
  error: unknown,
  isFirst: boolean,
): Promise<boolean> => {
  if (error instanceof Stale || isTakenBack(error)) return true;
  // If it read the schema inside its transaction, there is nothing to compare: start again in any case.
  if (isOfOldSchema(error)) return !attempt.has(context.access.tableId) || wasOld(context, attempt);
  return isFirst && error instanceof ApiError && error.passes === 'no' && wasOld(context, attempt);
};

const again = async (context: TableContext, attempt: Attempt): Promise<TableContext> => {
  for (const tableId of [context.access.tableId, ...attempt.keys()]) context.catalog.forget(tableId);
  const access = (await context.refresh()) as TableAccess;
  return { ...context, access, principal: access.principal };
};

/** `work` ends with the commit, or only reads. */
const untilFactsHold = async <T>(
  first: TableContext,
  work: (context: TableContext, attempt: Attempt) => Promise<T>,
): Promise<T> => {
  if (first.db.kind === 'transaction') return work(first, first.attempt ?? new Map());
  // Values of the reader are cells: what was remembered of them, or read before a body that took its time, is of another moment.
  const begun = first.access.rights.bound?.asks === undefined ? first : await again(first, new Map());
  let context: TableContext = { ...begun, deferred: new Set() };
  let deadlocks = 0;
  for (let tries = 1; ; tries += 1) {
    const attempt: Attempt = new Map();
    try {
      return await work({ ...context, attempt }, attempt);
    } catch (error) {
      // After a deadlock the facts may well be current.
      if (await isToRunAfterDeadlock(error, deadlocks + 1)) {
        deadlocks += 1;
        continue;
      }
      if (!(await isToRunAgain(context, attempt, error, tries === 1))) throw error;
      if (tries >= maxTries) throw isOfOldSchema(error) ? error : keepsChanging();
      if (error instanceof OutOfReach)
        context = { ...context, deferred: new Set([...(context.deferred ?? []), ...error.fieldIds]) };
    }
    context = await again(context, attempt);
  }
};

/** A result, with facts from the same database snapshot or a later one. */
export interface Seen<T> {
  facts: ReadFacts;
  value: T;
  /** Releases the resources of a value that is not used. */
  discard?: () => Promise<void>;
}

/** A read that relies on cached facts. It runs again if they were out of date. */
export const guardedRead = <T>(
  { unconfirmed }: Unconfirmed,
  read: (context: TableContext, sight: Sight) => Promise<Seen<T>>,
): Promise<T> =>
  untilFactsHold(unconfirmed as TableContext, async (context, attempt) => {
    const table = await tableOf(context, attempt);
    const { facts, value, discard } = await traced('read', () => read(context, sightOf(context, table)));
    try {
      const guard = guardOf(context, table);
      demandFacts(guard, { version: facts.version, epoch: facts.epoch ?? (await selectEpoch(context.db, guard)) });
      if (await isOtherOld(context, attempt)) throw new Stale('schema');
    } catch (error) {
      await discard?.();
      throw error;
    }
    return value;
  });

/** For reads with several statements: the facts are checked afterwards. */
export const seen = async <T>(context: TableContext, { table }: Sight, value: T): Promise<Seen<T>> => ({
  facts: await selectFacts(context.db, table, guardOf(context, table)),
  value,
});

/** Nothing was written. Carries the guard of the statement, since the transaction itself may have changed the schema by adding choices. */
export class Unwritten {
  readonly guard: Guard;

  constructor(guard: Guard) {
    this.guard = guard;
  }
}

export interface Steps<Planned, Written, Answered> {
  /** Reads the request with the schema, and anything else it needs. Writes nothing. Its refusals count only if the facts are current. */
  plan(context: TableContext, sight: Sight): Promise<Planned>;
  /** Whether it needs a transaction: there is more than one statement. */
  needsTransaction(planned: Planned): boolean;
  /** A statement that is sent together with `begin`. */
  opening?(planned: Planned): Sql | undefined;
  /** Returns `Unwritten` if the guard in its statement did not hold, or if the records do not exist. */
  write(context: TableContext, planned: Planned): Promise<Written | Unwritten>;
  /** Updates what depends on the written records, in the same transaction. */
  settle?(context: TableContext, planned: Planned, written: Written): Promise<void>;
  /** Explains why nothing was written although the facts are current. */
  refuse(context: TableContext, planned: Planned): Promise<Error>;
  /** After the commit. */
  answer(context: TableContext, planned: Planned, written: Written): Promise<Answered> | Answered;
}

/** A span of its own when traces are wanted. */
const traced = <T>(step: string, work: () => Promise<T>): Promise<T> => {
  const tracer = presentTracer();
  return tracer === undefined ? work() : tracer.span(`pipeline ${step}`, {}, work);
};

const writeAndSettle = async <P, W, A>(context: TableContext, steps: Steps<P, W, A>, planned: P): Promise<W> => {
  const written = await steps.write(context, planned);
  if (written instanceof Unwritten) {
    const { guard } = written;
    demandFacts(guard, await selectFacts(context.db, guard.table, guard));
    throw await steps.refuse(context, planned);
  }
  await steps.settle?.(context, planned, written);
  return written;
};

/** The steps up to the commit. */
const commit = <P, W, A>(
  first: TableContext,
  steps: Steps<P, W, A>,
): Promise<{ context: TableContext; planned: P; written: W }> =>
  untilFactsHold(first, async (context, attempt) => {
    const table = await tableOf(context, attempt);
    const planned = await traced('plan', () => steps.plan(context, sightOf(context, table)));
    const written = await traced('write', () =>
      steps.needsTransaction(planned)
        ? context.db.transaction(
            (tx) => writeAndSettle({ ...context, db: tx }, steps, planned),
            steps.opening?.(planned),
          )
        : writeAndSettle(context, steps, planned),
    );
    return { context, planned, written };
  });

export const guardedWrite = async <P, W, A>({ unconfirmed }: Unconfirmed, steps: Steps<P, W, A>): Promise<A> => {
  const { context, planned, written } = await commit(unconfirmed as TableContext, steps);
  return traced('answer', async () => steps.answer(context, planned, written));
};

/** A read for the answer to a committed write. If it fails, the answer uses the fallback. */
export const readForAnswer = async <T>(
  { backgroundErrors }: Context,
  fallback: T,
  read: () => Promise<T>,
): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!isOfOldSchema(error)) backgroundErrors.note('reading for an answer', error);
    return fallback;
  }
};

/** A change in a transaction that locks and loads for itself. It runs again as a whole if its facts were out of date. */
export const guardedTransaction = <T>(
  { unconfirmed }: Unconfirmed,
  work: (context: TableContext & { db: Tx }) => Promise<T>,
): Promise<T> =>
  untilFactsHold(unconfirmed as TableContext, (context) =>
    context.db.transaction((tx) => work({ ...context, db: tx })),
  );
