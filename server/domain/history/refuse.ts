// How a restore is refused: nothing was written, and every place that stands in the way is named.
import { type ApiError, conflict } from '@rowhouse/contract/error.ts';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';

export const maxListed = 100;

export const refuse = (conflicts: readonly RestoreConflict[], what = 'cell(s) stand'): ApiError =>
  conflict(
    `${conflicts.length} ${what} in the way of the restore; nothing was written. Send "force": true to restore what can be`,
    {
      conflicts: conflicts.slice(0, maxListed),
      total: conflicts.length,
    },
  );
