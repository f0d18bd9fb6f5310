// So many of something under one key within some minutes, counted in the database.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { countUse, decrementUse, deleteUses } from './attempt.sql.ts';
import { keyOf } from './limit-attempts.ts';

interface UseLimit {
  /** What is counted, and of whom. */
  key: readonly string[];
  limit: number;
  minutes: number;
  amount?: number;
  /** The sentence before "try again in … seconds". */
  message: string;
}

export const limitUses = async (
  db: Queryable,
  { key, limit, minutes, amount = 1, message }: UseLimit,
): Promise<void> => {
  const { count, wait } = await countUse(db, keyOf(...key), minutes, amount);
  if (count <= limit) return;
  const seconds = Math.max(1, wait);
  throw new ApiError('too_many_requests', `${message}; try again in ${seconds} seconds`, undefined, {
    'retry-after': String(seconds),
  });
};

/** One of them turned out not to count. */
export const giveUseBack = (db: Queryable, key: readonly string[]): Promise<void> => decrementUse(db, keyOf(...key));

/** They start from zero. */
export const forgetUses = (db: Queryable, key: readonly string[]): Promise<void> => deleteUses(db, keyOf(...key));
