import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { getOauthDecision } from '@rowhouse/contract/oauth-server.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { selectClient } from './client.sql.ts';
import { detailsOf } from './client-view.ts';
import { selectTransaction } from './transaction.sql.ts';

/** Also when it is somebody else's, decided already, or older than five minutes. */
export const unknownTransaction = (): ApiError =>
  new ApiError('not_found', 'This request is unknown, decided already, or too old; start again from the application');

export const getDecision = async (
  { db, principal, now }: Context,
  transactionId: string,
): Promise<ResponseOf<typeof getOauthDecision>> => {
  const request = await selectTransaction(db, hashSecret(transactionId), principal.userId, now());
  const client = request === undefined ? undefined : await selectClient(db, request.clientId);
  if (request === undefined || client === undefined) throw unknownTransaction();
  return { clientId: client.clientId, ...detailsOf(client), scopes: request.scopes, redirectUri: request.redirectUri };
};
