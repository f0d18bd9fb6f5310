import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { deleteOwnClient } from './client.sql.ts';
import { unknownClient } from './get-client.ts';

/** Its secrets, authorisations and tokens go with it. */
export const deleteClient = ({ db, principal }: Context, clientId: string): Promise<void> =>
  db.transaction(async (tx) => {
    demandUnrestricted(principal);
    if (!(await deleteOwnClient(tx, principal.userId, clientId))) throw unknownClient(clientId);
    await bumpEpoch(tx);
  });
