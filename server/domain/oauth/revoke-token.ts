// RFC 7009: an application gives a token back.
import type { IncomingHttpHeaders } from 'node:http';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf, hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { authenticateClient } from './authenticate-client.ts';
import { deleteGrant, lockGrantOfRefreshToken } from './grant.sql.ts';
import { readParameters } from './parameters.ts';
import { answering, Refusal } from './refusal.ts';
import { deleteApplicationToken, selectAccessTokenOwner } from './token.sql.ts';

const demandOwner = (owner: string | null, clientId: string): void => {
  if (owner !== clientId) throw new Refusal('invalid_grant', 'The token was not issued to this application');
};

/** Answers whose it was; undefined when there is no such token. */
const revokeAccessToken = async (tx: Tx, token: string, clientId: string): Promise<string | undefined> => {
  const credential = credentialOf({ authorization: `Bearer ${token}` });
  const found = credential === undefined ? undefined : await selectAccessTokenOwner(tx, credential.id, credential.hash);
  if (credential === undefined || found === undefined) return undefined;
  demandOwner(found.clientId, clientId);
  await deleteApplicationToken(tx, credential.id, clientId);
  return found.userId;
};

const revokeRefreshToken = async (tx: Tx, token: string, clientId: string): Promise<string | undefined> => {
  const grant = await lockGrantOfRefreshToken(tx, hashSecret(token));
  if (grant === undefined) return undefined;
  demandOwner(grant.clientId, clientId);
  await deleteGrant(tx, grant.id);
  return grant.userId;
};

export const revokeToken = (context: PublicContext, body: unknown, headers: IncomingHttpHeaders): Promise<Answer> =>
  answering(async () => {
    const parameters = readParameters(body);
    await retriedTransaction(context.db, async (tx) => {
      const client = await authenticateClient(tx, headers, parameters, context.now());
      const token = parameters.need('token');
      const userId =
        (await revokeAccessToken(tx, token, client.clientId)) ?? (await revokeRefreshToken(tx, token, client.clientId));
      if (userId !== undefined) await bumpEpochs(tx, [userId]);
    });
    return new Answer({ headers: { pragma: 'no-cache' } });
  });
