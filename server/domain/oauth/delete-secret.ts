import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { deleteSecret as deleteSecretRow, holdOwnClient } from './client.sql.ts';
import { unknownClient } from './get-client.ts';
import { selectGrantors } from './grant.sql.ts';

/** The grants whose newest tokens were issued for it go with it: anyone who got them with a lost secret loses them. */
export const deleteSecret = ({ db, principal }: Context, clientId: string, secretId: string): Promise<void> =>
  retriedTransaction(db, async (tx) => {
    demandUnrestricted(principal);
    if ((await holdOwnClient(tx, principal.userId, clientId)) === undefined) throw unknownClient(clientId);
    const userIds = await selectGrantors(tx, clientId, secretId);
    if (!(await deleteSecretRow(tx, clientId, secretId))) throw notFound('Secret', secretId);
    await bumpEpochs(tx, userIds);
  });
