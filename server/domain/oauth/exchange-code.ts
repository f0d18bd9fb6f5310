import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import { endFamily } from './end-family.ts';
import { type Grant, lockGrantOfCode, markCodeUsed } from './grant.sql.ts';
import { issueTokens, type TokenBody } from './issue-tokens.ts';
import type { Parameters } from './parameters.ts';
import { verifies } from './pkce.ts';
import { Refusal } from './refusal.ts';

const refuse = (description: string): never => {
  throw new Refusal('invalid_grant', description);
};

const checkRedirectUri = (grant: Grant, given: string | undefined): void => {
  if (given === undefined && grant.redirectUriGiven) throw new Refusal('invalid_request', 'redirect_uri is missing');
  if (given !== undefined && given !== grant.redirectUri)
    refuse('redirect_uri is not the one of the authorisation request');
};

const checkVerifier = (client: AuthenticatedClient, grant: Grant, verifier: string | undefined): void => {
  if (grant.codeChallenge === null) {
    // A code without a challenge may have been slipped in by somebody who cut the challenge off the request.
    if (verifier !== undefined) refuse('The authorisation request had no code_challenge');
    if (client.isPublic)
      refuse('An application without a secret needs a code that was issued for a code_challenge (PKCE)');
    return;
  }
  if (verifier === undefined) throw new Refusal('invalid_request', 'code_verifier is missing');
  if (!verifies(verifier, grant.codeChallenge)) refuse('code_verifier does not fit the code_challenge');
};

export const exchangeCode = async (
  services: Services,
  tx: Tx,
  client: AuthenticatedClient,
  parameters: Parameters,
): Promise<TokenBody | Refusal> => {
  const code = parameters.need('code');
  const redirectUri = parameters.get('redirect_uri');
  const verifier = parameters.get('code_verifier');
  const now = services.now();
  const grant = await lockGrantOfCode(tx, hashSecret(code));
  if (grant === undefined || grant.clientId !== client.clientId)
    return refuse('The code is unknown, or was issued to another application');
  if (grant.codeUsedTime !== null) return endFamily(tx, grant, 'code');
  if (new Date(grant.codeExpiresTime) <= now) refuse('The code has expired');
  checkRedirectUri(grant, redirectUri);
  checkVerifier(client, grant, verifier);
  if (!grant.isUserActive) refuse('The user has been deactivated');
  await markCodeUsed(tx, grant.id, now);
  return issueTokens(services, tx, { grant, client, scopes: grant.scopes });
};
