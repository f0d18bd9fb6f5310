// A new access token and a new refresh token for a grant that is locked and found good.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import type { issueOauthToken } from '@rowhouse/contract/oauth-server.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret, tokenText } from '../../endpoint/credential.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import type { Grant } from './grant.sql.ts';
import { after, lifetime } from './lifetime.ts';
import { deleteExpiredTokens, insertTokens } from './token.sql.ts';

export type TokenBody = ResponseOf<typeof issueOauthToken>;

const accessSecretLength = 40;
const refreshSecretLength = 60;

export const issueTokens = async (
  services: Services,
  tx: Tx,
  { grant, client, scopes }: { grant: Grant; client: AuthenticatedClient; scopes: string[] },
): Promise<TokenBody> => {
  const now = services.now();
  const accessId = services.newId('acc');
  const accessSecret = randomText(accessSecretLength);
  const refreshToken = `rowhouse_refresh_${randomText(refreshSecretLength)}`;
  await deleteExpiredTokens(tx, grant.id, now);
  await insertTokens(tx, grant, {
    accessId,
    accessHash: hashSecret(accessSecret),
    accessExpires: after(now, lifetime.accessToken),
    scopes,
    refreshHash: hashSecret(refreshToken),
    refreshExpires: after(now, lifetime.refreshToken),
    secretId: client.secretId,
    now,
  });
  return {
    token_type: 'Bearer',
    access_token: tokenText(accessId, accessSecret),
    expires_in: lifetime.accessToken,
    refresh_token: refreshToken,
    refresh_expires_in: lifetime.refreshToken,
    scope: scopes.join(' '),
    scopes,
  };
};
