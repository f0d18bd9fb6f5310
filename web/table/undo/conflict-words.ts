// What stands in the way of a restore, in words.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';

export interface ConflictWords {
  title: string;
  detail: string;
  /** Whether insisting would help. */
  canForce: boolean;
}

/** undefined: it is another problem. */
export const conflictWords = (error: unknown): ConflictWords | undefined => {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return undefined;
  const { conflicts = [], total = conflicts.length } = (error.data ?? {}) as { conflicts?: RestoreConflict[]; total?: number };
  const [first] = conflicts;
  if (first === undefined) return undefined;
  const more = total > 1 ? `, and ${total - 1} more ${total === 2 ? 'cell' : 'cells'}` : '';
  const forcible = conflicts.filter(({ reason }) => reason === 'changed_since' || reason === 'does_not_fit');
  return {
    title: conflicts.some(({ reason }) => reason === 'changed_since') ? 'Someone changed this since.' : 'It cannot be restored as it was.',
    detail: `${first.message}${more}. Nothing was overwritten.`,
    canForce: forcible.length > 0,
  };
};
