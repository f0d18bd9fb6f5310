import { forbidden } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { unknownClient } from './get-client.ts';
import { deleteAuthorizations } from './grant.sql.ts';

/** A user ends the access of an application to himself; so may the application, with his token. */
export const revokeOwnAccess = (context: Context, clientId: string): Promise<void> => {
  const { db, principal } = context;
  if (principal.kind === 'oauth' && principal.clientId !== clientId)
    throw forbidden('An application can only give up its own access');
  return retriedTransaction(db, async (tx) => {
    if ((await deleteAuthorizations(tx, clientId, principal.userId)).length === 0) throw unknownClient(clientId);
    await writeAudit(tx, doerOf(context), 'application.ended', { member: principal.userId }, { clientId });
    await bumpEpochs(tx, [principal.userId]);
  });
};

/** By GET, which a link can start: so only with a token of the application. */
export const giveUpAccess = (context: Context, clientId: string): Promise<void> => {
  if (context.principal.kind !== 'oauth') throw forbidden('This needs a token of the application; use POST otherwise');
  return revokeOwnAccess(context, clientId);
};
