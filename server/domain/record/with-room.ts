// The slow way to create records, for when the statement wrote nothing: what it was planned on is outdated, or the
// slot of the quota is full.
import { Stale } from '../../catalog/stale.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { makeRoom } from '../plan/quota.ts';
import { type CountedGuard, lockForWriting, selectHolds } from './guard.sql.ts';

export const withRoom = <T>(context: Context, on: Queryable, guard: CountedGuard, count: number, insert: (tx: Queryable) => Promise<T>): Promise<T> => {
  const work = async (tx: Tx): Promise<T> => {
    // The table before the slots, as everyone does: whoever moves it to the trash waits for neither in between.
    await lockForWriting(tx, guard);
    if (!(await selectHolds(tx, guard))) throw new Stale('access');
    await makeRoom(tx, context, guard.spaceId, count);
    return insert(tx);
  };
  return on === context.db ? context.db.transaction(work) : work(on as Tx);
};
