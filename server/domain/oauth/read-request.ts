// Checks what an application asks for, before anybody is asked to allow it.
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { authorizeOauthClient } from '@rowhouse/contract/oauth-server.ts';
import type { ProtocolClient } from './client.sql.ts';
import { isChallenge } from './pkce.ts';
import { Refusal } from './refusal.ts';
import type { Request } from './transaction.sql.ts';

export type AuthorizeQuery = QueryOf<typeof authorizeOauthClient>;

/** Errors here are shown to the user: an address that nobody registered must not be sent anything. */
export const chooseRedirectUri = (client: ProtocolClient, given: string | undefined): string => {
  const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  const chosen = given === undefined ? only : client.redirectUris.find((uri) => uri === given);
  if (chosen !== undefined) return chosen;
  throw invalid({
    path: 'query.redirect_uri',
    message: given === undefined ? 'Required, because several are registered' : 'Not registered for this application',
    expected: 'a registered redirect URI, character by character',
  });
};

const readScopes = (client: ProtocolClient, text: string | undefined): string[] => {
  const asked = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
  if (asked.length === 0) return client.scopes;
  if (asked.some((scope) => !client.scopes.includes(scope)))
    throw new Refusal('invalid_scope', 'The application is not registered for every scope it asks for');
  return asked;
};

const readChallenge = (query: AuthorizeQuery): string | null => {
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (challenge === undefined) {
    if (method !== undefined) throw new Refusal('invalid_request', 'code_challenge is missing');
    // An application without a secret may begin like this: what it gets is redeemed only with a secret that it has by then.
    return null;
  }
  if (method !== 'S256') throw new Refusal('invalid_request', 'code_challenge_method must be S256');
  if (!isChallenge(challenge)) throw new Refusal('invalid_request', 'code_challenge is not a SHA-256 in base64url');
  return challenge;
};

/** Errors here go back to the application. */
export const readRequest = (client: ProtocolClient, redirectUri: string, query: AuthorizeQuery): Request => {
  if (query.response_type === undefined) throw new Refusal('invalid_request', 'response_type is missing');
  if (query.response_type !== 'code') throw new Refusal('unsupported_response_type', 'response_type must be code');
  return {
    clientId: client.clientId,
    redirectUri,
    redirectUriGiven: query.redirect_uri !== undefined,
    scopes: readScopes(client, query.scope),
    state: query.state ?? null,
    codeChallenge: readChallenge(query),
  };
};
