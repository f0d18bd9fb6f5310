// Changes that a client sends with the name of its window are remembered as the steps of that window. A client that names the
// step, too, makes one step of several requests.
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import type { Handle } from '../../db/db.ts';
import { addStep, type Window } from './undo-step.sql.ts';

const longestName = 200;
const stepName = /^[\w-]{1,50}$/;

/** Undefined when the request names none, or is not about a table. */
export const windowOf = (userId: string, tableId: string | null, { 'x-window-id': given }: IncomingHttpHeaders): Window | undefined =>
  typeof given !== 'string' || given === '' || given.length > longestName || tableId === null ? undefined : { userId, tableId, windowId: given };

const nameOf = ({ 'x-window-step': given }: IncomingHttpHeaders): string | undefined => (typeof given === 'string' && stepName.test(given) ? given : undefined);

/** For steps: what is remembered of a change does not depend on whether the one who made it waits for the answer. They may be loading the page again, and undo then. */
export const lasting = (db: Handle): Handle => (db.kind === 'pool' ? db.shared : db);

/** The change is committed: whatever happens here, it was made. */
export const noteStep = async (context: Context, headers: IncomingHttpHeaders, operations: readonly string[], tableId = context.access.tableId): Promise<void> => {
  const window = windowOf(context.principal.userId, tableId, headers);
  if (window === undefined || operations.length === 0) return;
  await addStep(lasting(context.db), window, operations, nameOf(headers)).catch((error: unknown) => context.backgroundErrors.note('remembering what can be undone', error));
};
