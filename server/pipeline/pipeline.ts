// How a request that rests on remembered facts is carried out. The facts are the schema of the table and the rights of the
// caller; both are remembered by this process and may be out of date.
//
//   plan → write → settle → commit → answer
//
// The rule of what may run again, and on which connection:
// - Only what precedes the commit is ever run again: `plan`, `write` and `settle`, from the beginning, with fresh facts.
//   It is run again when the facts have moved on, when the database took the statement back, or when it took the transaction
//   back because of a deadlock (a few times: db/deadlock.ts); never when the connection was lost, since then nobody knows
//   whether the commit happened.
// - `answer` comes after the commit, once. Its failures are noted, and not told as a failure of the write.
// - A step has one handle, `context.db`: the pool while one statement does all, the transaction from `begin` to `commit`.
//   A pipeline inside of a transaction joins it, and leaves running again to the one who began it.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Access } from '../catalog/access.ts';
import { epochHolder, type Sight, sightOf } from '../catalog/sight.ts';
import { selectVersion } from '../catalog/table.sql.ts';
import type { TableSchema } from '../catalog/table.ts';
import type { Context, Unconfirmed } from '../context.ts';
import type { Tx } from '../db/db.ts';
import { isToRunAfterDeadlock } from '../db/deadlock.ts';
import { isOfOldSchema } from '../db/error.ts';
import type { Sql } from '../db/sql.ts';
import { type Facts, type Guard, guardOf, type ReadFacts, selectEpoch, selectFacts } from './guard.sql.ts';
import { isTakenBack, OutOfReach, Stale } from './stale.ts';

export interface TableAccess extends Access {
  baseId: string;
  spaceId: string;
  tableId: string;
}

export interface TableContext extends Context {
  access: TableAccess;
  /** What this attempt was planned on, by table; absent outside of the pipeline. */
  attempt?: Map<string, TableSchema>;
}

/** Each try lost against another change: only a storm of those gets here. */
const maxTries = 50;

const demandFacts = ({ table, epoch }: Guard, present: Facts): void => {
  if (present.version !== table.version) throw new Stale('schema');
  if (present.epoch !== epoch) throw new Stale('access');
};

/** The schemas that an attempt was planned on, by table. Others may have newer ones by the time it fails. */
type Attempt = NonNullable<TableContext['attempt']>;

const tableOf = async ({ catalog, db, access }: TableContext, attempt: Attempt): Promise<TableSchema> => {
  const table = await catalog.get(db, access.baseId, access.tableId);
  attempt.set(table.id, table);
  // A share shows what its view shows, as the view was when the request was decided about.
  const { version } = access.sight;
  if (version !== undefined && version !== table.version) throw new Stale('access');
  return table;
};

/** The schema of another table that the attempt rests on as well. */
export const tableBeside = async (
  { catalog, db, attempt }: TableContext,
  baseId: string,
  tableId: string,
): Promise<TableSchema> => {
  const table = await catalog.get(db, baseId, tableId);
  attempt?.set(table.id, table);
  return table;
};

/** Whether a table that was looked at beside the own one has changed since. */
const isOtherOld = async ({ db, access }: TableContext, attempt: Attempt): Promise<boolean> => {
  for (const { id, baseId, version } of attempt.values())
    if (id !== access.tableId && (await selectVersion(db, baseId, id)) !== version) return true;
  return false;
};

/** Whether an attempt rested on old facts. A refusal that does is none. */
const wasOld = async (context: TableContext, attempt: Attempt): Promise<boolean> => {
  const { db, access, principal } = context;
  const table = attempt.get(access.tableId);
  try {
    const { version, epoch } = await selectFacts(
      db,
      { baseId: access.baseId, id: access.tableId },
      { userId: epochHolder(access.sight, principal.userId), spaceId: access.spaceId },
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

/** Somebody changes the schema all the time: that passes. */
export const keepsChanging = (): ApiError =>
  new ApiError('conflict', 'The schema of this table keeps changing at the moment; try again', undefined, {}, 'yes');

/** Whether to begin again after this error. The attempt has committed nothing. */
const isToRunAgain = async (
  context: TableContext,
  attempt: Attempt,
  error: unknown,
  isFirst: boolean,
): Promise<boolean> => {
  if (error instanceof Stale || isTakenBack(error)) return true;
  // Without a schema of its own to compare, it is begun again in any case: it read the schema in its transaction.
  if (isOfOldSchema(error)) return !attempt.has(context.access.tableId) || wasOld(context, attempt);
  return isFirst && error instanceof ApiError && error.passes === 'no' && wasOld(context, attempt);
};

const again = async (context: TableContext, attempt: Attempt): Promise<TableContext> => {
  for (const tableId of [context.access.tableId, ...attempt.keys()]) context.catalog.forget(tableId);
  const access = (await context.refresh()) as TableAccess;
  return { ...context, access, principal: access.principal };
};

/** `work` ends with the commit, or is a read. */
const untilFactsHold = async <T>(
  first: TableContext,
  work: (context: TableContext, attempt: Attempt) => Promise<T>,
): Promise<T> => {
  if (first.db.kind === 'transaction') return work(first, first.attempt ?? new Map());
  let context: TableContext = { ...first, deferred: new Set() };
  let deadlocks = 0;
  for (let tries = 1; ; tries += 1) {
    const attempt: Attempt = new Map();
    try {
      return await work({ ...context, attempt }, attempt);
    } catch (error) {
      // The facts it was planned on may well hold.
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

/** What was read, and the facts from the same snapshot or from after it. */
export interface Seen<T> {
  facts: ReadFacts;
  value: T;
  /** Gives back what the value holds, when it turns out to be of no use. */
  discard?: () => Promise<void>;
}

/** A read that is planned on remembered facts. It is read again when they were old. */
export const guardedRead = <T>(
  { unconfirmed }: Unconfirmed,
  read: (context: TableContext, sight: Sight) => Promise<Seen<T>>,
): Promise<T> =>
  untilFactsHold(unconfirmed as TableContext, async (context, attempt) => {
    const table = await tableOf(context, attempt);
    const { facts, value, discard } = await read(context, sightOf(context, table));
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

/** For reads of several statements: the facts are looked at afterwards. */
export const seen = async <T>(context: TableContext, { table }: Sight, value: T): Promise<Seen<T>> => ({
  facts: await selectFacts(context.db, table, guardOf(context, table)),
  value,
});

/** Nothing was written. With the guard of the statement: the transaction itself may have moved the schema on, by new choices. */
export class Unwritten {
  readonly guard: Guard;

  constructor(guard: Guard) {
    this.guard = guard;
  }
}

export interface Steps<Planned, Written, Answered> {
  /** Reads the request against the schema, and whatever else it needs. Writes nothing; its refusals count only while the facts hold. */
  plan(context: TableContext, sight: Sight): Promise<Planned>;
  /** More than one statement: they get a transaction. */
  needsTransaction(planned: Planned): boolean;
  /** What the transaction begins with, in the same round trip. */
  opening?(planned: Planned): Sql | undefined;
  /** `Unwritten` when the guard in its statement did not hold, or when what it names is not there. */
  write(context: TableContext, planned: Planned): Promise<Written | Unwritten>;
  /** Brings what depends on the written records up to date, in the same transaction. */
  settle?(context: TableContext, planned: Planned, written: Written): Promise<void>;
  /** Why nothing was written although the facts hold. */
  refuse(context: TableContext, planned: Planned): Promise<Error>;
  /** After the commit. */
  answer(context: TableContext, planned: Planned, written: Written): Promise<Answered> | Answered;
}

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

/** The steps up to and with the commit, for a caller whose own answer follows. */
const commit = <P, W, A>(
  first: TableContext,
  steps: Steps<P, W, A>,
): Promise<{ context: TableContext; planned: P; written: W }> =>
  untilFactsHold(first, async (context, attempt) => {
    const table = await tableOf(context, attempt);
    const planned = await steps.plan(context, sightOf(context, table));
    const written = steps.needsTransaction(planned)
      ? await context.db.transaction(
          (tx) => writeAndSettle({ ...context, db: tx }, steps, planned),
          steps.opening?.(planned),
        )
      : await writeAndSettle(context, steps, planned);
    return { context, planned, written };
  });

export const guardedWrite = async <P, W, A>({ unconfirmed }: Unconfirmed, steps: Steps<P, W, A>): Promise<A> => {
  const { context, planned, written } = await commit(unconfirmed as TableContext, steps);
  return steps.answer(context, planned, written);
};

/** A read for the answer to a write that is committed: when it fails, the answer is given without. */
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

/** A change within a transaction that does its own locking and loading: begun again as a whole when its facts were old. */
export const guardedTransaction = <T>(
  { unconfirmed }: Unconfirmed,
  work: (context: TableContext & { db: Tx }) => Promise<T>,
): Promise<T> =>
  untilFactsHold(unconfirmed as TableContext, (context) =>
    context.db.transaction((tx) => work({ ...context, db: tx })),
  );
