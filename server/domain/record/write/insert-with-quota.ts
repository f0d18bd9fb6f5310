// The slow way to create records, for when the statement wrote nothing: what it was planned on is outdated, or the
// slot of the quota is full.
import type { Context } from '../../../context.ts';
import type { Handle, Tx } from '../../../db/db.ts';
import { makeRoom } from '../../plan/quota.ts';
import { type Guard, lockForWriting, selectFacts } from '../../../pipeline/guard.sql.ts';

type Insert<T> = (context: Pick<Context, 'db'>) => Promise<T | undefined>;

/** By space: who of this process is sharing out again what is left. */
const sharing = new WeakMap<object, Map<string, Promise<unknown>>>();

const sharingOf = (db: Handle): Map<string, Promise<unknown>> => {
  const known = sharing.get(db.identity) ?? new Map<string, Promise<unknown>>();
  sharing.set(db.identity, known);
  return known;
};

/**
 * What one has shared out is enough for most who found their slot full at the same time: they try the quick way once
 * more, each for itself, because a slot may have room for one and not for all of them together.
 */
const afterAnother = async <T>(
  context: Context,
  other: Promise<unknown>,
  insert: Insert<T>,
): Promise<T | undefined> => {
  const isShared = await other.then(
    () => true,
    () => false,
  );
  return isShared ? insert(context) : undefined;
};

/** Undefined when the facts have moved on. In a transaction that is under way it joins it. */
export const insertWithQuota = async <T>(
  context: Context,
  guard: Guard,
  count: number,
  insert: Insert<T>,
): Promise<T | undefined> => {
  const { db } = context;
  const { spaceId } = guard;
  const work = async (tx: Tx): Promise<T | undefined> => {
    // The table before the slots, as everyone does: anyone who moves it to the trash waits for neither in between.
    await lockForWriting(tx, guard);
    const { version, epoch } = await selectFacts(tx, guard.table, guard);
    if (version !== guard.table.version || epoch !== guard.epoch) return undefined;
    await makeRoom(tx, context, spaceId, count);
    return insert({ db: tx });
  };
  if (db.kind === 'transaction') return db.transaction(work);
  const running = sharingOf(db);
  const other = running.get(spaceId);
  const inserted = other === undefined ? undefined : await afterAnother(context, other, insert);
  if (inserted !== undefined) return inserted;
  // From here to the entry nothing is awaited: anyone who comes now finds it.
  const mine = db.transaction(work);
  if (!running.has(spaceId)) running.set(spaceId, mine);
  return mine.finally(() => {
    if (running.get(spaceId) === mine) running.delete(spaceId);
  });
};
