import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { deleteOwnClient, holdOwnClient } from './client.sql.ts';
import { unknownClient } from './get-client.ts';
import { selectGrantors } from './grant.sql.ts';

/** Its secrets, authorisations and tokens go with it. */
export const deleteClient = ({ db, principal }: Context, clientId: string): Promise<void> =>
  retriedTransaction(db, async (tx) => {
    demandUnrestricted(principal);
    if ((await holdOwnClient(tx, principal.userId, clientId)) === undefined) throw unknownClient(clientId);
    const userIds = await selectGrantors(tx, clientId, null);
    if (!(await deleteOwnClient(tx, principal.userId, clientId))) throw unknownClient(clientId);
    await bumpEpochs(tx, userIds);
  });
