// What stands in the way of a restore, in words.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';

interface ConflictWords {
  title: string;
  detail: string;
  /** Whether insisting would help. */
  canForce: boolean;
}

interface Conflicts {
  conflicts?: readonly RestoreConflict[];
  total?: number;
}

/** undefined: it is another problem. */
export const conflictWords = ({ conflicts = [], total = conflicts.length }: Conflicts): ConflictWords | undefined => {
  const [first] = conflicts;
  if (first === undefined) return undefined;
  const more = total > 1 ? `, and ${total - 1} more ${total === 2 ? 'cell' : 'cells'}` : '';
  const forcible = conflicts.filter(({ reason }) => reason === 'changed_since' || reason === 'does_not_fit');
  return {
    title: conflicts.some(({ reason }) => reason === 'changed_since')
      ? 'Someone changed this since.'
      : 'It cannot be restored as it was.',
    detail: `${first.message}${more}. Nothing was overwritten.`,
    canForce: forcible.length > 0,
  };
};

export const conflictsIn = (error: unknown): Conflicts =>
  error instanceof ApiError && error.code === 'conflict' ? ((error.data ?? {}) as Conflicts) : {};
