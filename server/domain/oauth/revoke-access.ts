import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { holdOwnClient } from './client.sql.ts';
import { unknownClient } from './get-client.ts';
import { deleteAuthorizations } from './grant.sql.ts';

/** The creator ends the access of the application to everybody. */
export const revokeAccess = ({ db, principal }: Context, clientId: string): Promise<void> =>
  retriedTransaction(db, async (tx) => {
    demandUnrestricted(principal);
    if ((await holdOwnClient(tx, principal.userId, clientId)) === undefined) throw unknownClient(clientId);
    await bumpEpochs(tx, await deleteAuthorizations(tx, clientId, null));
  });
