import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import { endFamily } from './end-family.ts';
import { type Grant, lockGrantOfRefreshToken, markRefreshTokenUsed, selectRefreshToken } from './grant.sql.ts';
import { issueTokens, type TokenBody } from './issue-tokens.ts';
import type { Parameters } from './parameters.ts';
import { Refusal } from './refusal.ts';

const readScopes = (grant: Grant, text: string | undefined): string[] => {
  const asked = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
  if (asked.length === 0) return grant.scopes;
  if (asked.some((scope) => !grant.scopes.includes(scope)))
    throw new Refusal('invalid_scope', 'The user did not allow every scope that is asked for');
  return asked;
};

/** The old access token is left to expire by itself: requests under way go on, and no remembered access decision is upset. */
export const refreshTokens = async (
  services: Services,
  tx: Tx,
  client: AuthenticatedClient,
  parameters: Parameters,
): Promise<TokenBody | Refusal> => {
  const hash = hashSecret(parameters.need('refresh_token'));
  const scope = parameters.get('scope');
  const now = services.now();
  const grant = await lockGrantOfRefreshToken(tx, hash);
  const token = grant === undefined ? undefined : await selectRefreshToken(tx, hash);
  if (grant === undefined || token === undefined || grant.clientId !== client.clientId) {
    throw new Refusal('invalid_grant', 'The refresh token is unknown, revoked, or was issued to another application');
  }
  if (token.usedTime !== null) return endFamily(tx, grant, 'refresh token');
  if (new Date(token.expiresTime) <= now) throw new Refusal('invalid_grant', 'The refresh token has expired');
  if (!grant.isUserActive) throw new Refusal('invalid_grant', 'The user has been deactivated');
  const scopes = readScopes(grant, scope);
  await markRefreshTokenUsed(tx, hash, now);
  return issueTokens(services, tx, { grant, client, scopes });
};
