// Changes that a client sends with the name of its window are the steps of that window. A client that names the step, too, makes
// one step of several requests.
import type { IncomingHttpHeaders } from 'node:http';
import type { WindowStep } from '../../catalog/operation.sql.ts';

const longestName = 200;
const stepName = /^[\w-]{1,50}$/;
/** Begins the name of a step that the client gave none. */
const unnamed = ':';

/** Undefined when the request names none. */
export const windowIdOf = ({ 'x-window-id': given }: IncomingHttpHeaders): string | undefined =>
  typeof given !== 'string' || given === '' || given.length > longestName ? undefined : given;

/** The step that a request is part of. */
export const stepOf = (headers: IncomingHttpHeaders, tableId: string, requestId: string): WindowStep | undefined => {
  const windowId = windowIdOf(headers);
  if (windowId === undefined) return undefined;
  const given = headers['x-window-step'];
  return {
    tableId,
    windowId,
    name: typeof given === 'string' && stepName.test(given) ? given : unnamed + requestId,
    state: 'done',
  };
};

/** As the client called it. */
export const clientName = (name: string): string | undefined => (name.startsWith(unnamed) ? undefined : name);
