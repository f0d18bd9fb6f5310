import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { conflict } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import type { createOauthSecret } from '@rowhouse/contract/oauth.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { holdOwnClient, insertSecret, selectSecrets } from './client.sql.ts';
import { endingLength, mask } from './client-view.ts';
import { unknownClient } from './get-client.ts';

const secretLength = 50;
const mostSecrets = 20;

export const createSecret = (
  { db, principal, newId }: Context,
  clientId: string,
): Promise<ResponseOf<typeof createOauthSecret>> =>
  retriedTransaction(db, async (tx) => {
    demandUnrestricted(principal);
    if ((await holdOwnClient(tx, principal.userId, clientId)) === undefined) throw unknownClient(clientId);
    const others = await selectSecrets(tx, clientId);
    if (others.length >= mostSecrets)
      throw conflict(`An application can have ${mostSecrets} secrets; delete one first`);
    const id = newId('sec');
    const secret = randomText(secretLength);
    const ending = secret.slice(-endingLength);
    await insertSecret(tx, { id, clientId, hash: hashSecret(secret), ending });
    return { id, secret, maskedSecret: mask(ending) };
  });
