// Changes that a client sends with the name of its window are remembered as the steps of that window.
import type { Context } from '../../context.ts';
import { addStep, type Window } from './undo-step.sql.ts';

const longestName = 200;

/** Undefined when the request names none, or is not about a table. */
export const windowOf = ({ access, principal }: Pick<Context, 'access' | 'principal'>, given: unknown): Window | undefined =>
  typeof given !== 'string' || given === '' || given.length > longestName || access.tableId === null ? undefined : { userId: principal.userId, tableId: access.tableId, windowId: given };

/** The change is committed: whatever happens here, it was made. `operations`: as in `X-Operation-Id`. */
export const noteStep = async (context: Context, windowId: unknown, operations: string): Promise<void> => {
  const window = windowOf(context, windowId);
  if (window === undefined) return;
  await addStep(context.db, window, operations.split(', ')).catch((error: unknown) => context.backgroundErrors.note('remembering what can be undone', error));
};
