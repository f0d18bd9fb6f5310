// Many records are deleted part by part within one transaction: it is one operation, all or nothing, and it is known how far it is.
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { type Guard, lockForWriting } from '../../../pipeline/guard.sql.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { allowLong, beginDeletion, deletePart, deleteRows, lockForDeletion } from './delete.sql.ts';

/** More than this may take longer than other statements are allowed. */
export const manyToDelete = 5_000;

const partSize = 2_000;

export interface Progress {
  processed: number;
  total: number;
}

export type OnProgress = (progress: Progress) => void;

/** False when the guard does not hold, or when not all of them are there: then nothing was written. */
export const deleteInParts = async (db: Queryable, sight: Sight, guard: Guard, ids: readonly string[], operation: OperationFacts, onProgress?: OnProgress): Promise<boolean> => {
  if (ids.length <= manyToDelete) return (await deleteRows(db, sight, guard, ids, operation, 'ids')).length === ids.length;
  await allowLong(db);
  await lockForWriting(db, guard);
  const { isBegun, ids: locked } = await lockForDeletion(db, sight, guard, ids);
  if (!isBegun) return false;
  if (locked.length !== ids.length) throw new Stale('records');
  const opId = await beginDeletion(db, guard, ids, operation);
  for (let processed = 0; processed < locked.length; processed += partSize) {
    onProgress?.({ processed, total: locked.length });
    await deletePart(db, guard, opId, locked.slice(processed, processed + partSize), processed);
  }
  onProgress?.({ processed: locked.length, total: locked.length });
  return true;
};
