import { invalid, unauthorized } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { holdActiveUser } from '../user/user.sql.ts';
import { withParameters } from './address.ts';
import { holdClient } from './client.sql.ts';
import { deleteExpiredGrants, insertGrant, upsertAuthorization } from './grant.sql.ts';
import { after, lifetime } from './lifetime.ts';
import type { Request } from './transaction.sql.ts';

const codeLength = 48;

/** Answers the address that brings the code to the application. `approved`: the user has just said yes. */
export const issueCode = async (
  services: Environment,
  tx: Tx,
  request: Request,
  userId: string,
  approved: boolean,
): Promise<string> => {
  const now = services.now();
  // The creator may have changed or deleted the application since it asked.
  const client = await holdClient(tx, request.clientId);
  if (!(await holdActiveUser(tx, userId))) throw unauthorized();
  if (client === undefined || !client.redirectUris.includes(request.redirectUri)) {
    throw invalid({ path: '', message: 'The application has changed meanwhile; start again from the application' });
  }
  const scopes = request.scopes.filter((scope) => client.scopes.includes(scope));
  const granted = { ...request, scopes };
  const code = randomText(codeLength);
  await upsertAuthorization(tx, granted, userId, now, approved);
  await deleteExpiredGrants(tx, request.clientId, userId, now);
  await insertGrant(tx, granted, userId, hashSecret(code), after(now, lifetime.code));
  return withParameters(request.redirectUri, { code, state: request.state, iss: services.publicUrl() });
};
