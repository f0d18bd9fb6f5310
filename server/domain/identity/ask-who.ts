// What comes back from the provider is exchanged for who somebody is there, and checked.
import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import { claimedValues } from '../../catalog/claim-rules.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { SessionOrigin } from '../auth/session-origin.ts';
import { callbackOf, checksOf, type Way } from './begin-sign-in.ts';
import { ProviderFailure } from './provider-failure.ts';
import { type ProviderPerson, readPerson, withUserinfo } from './read-person.ts';

export interface ReturnedQuery {
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

export interface Told {
  person: ProviderPerson;
  origin: SessionOrigin;
}

/** A thousand groups in a token are no reason to keep it, and it would not fit into an address. */
const longestKept = 4_000;

const keptToken = (
  { secretKey }: PublicContext,
  { signsOutThere }: SignInProvider,
  token: string | undefined,
): Buffer | null =>
  signsOutThere && token !== undefined && token.length <= longestKept ? secretKey.seal(token) : null;

export const askWho = async (
  context: PublicContext,
  provider: SignInProvider,
  connected: Configuration,
  query: ReturnedQuery,
  way: Way,
): Promise<Told> => {
  const { verifier, nonce } = checksOf(context, way);
  const address = new URL(callbackOf(context, provider));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
  const tokens = await authorizationCodeGrant(connected, address, {
    expectedState: way.state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailure('untrusted', 'there is no ID token');
  const told = (person: ProviderPerson): Told => ({
    person,
    origin: {
      issuer: provider.issuer,
      subject: claims.sub,
      sid: person.sid,
      sealedIdToken: keptToken(context, provider, tokens.id_token),
      issuedAt: claims.iat,
    },
  });
  const isComplete =
    claims['email'] !== undefined &&
    claims[provider.verifiedClaim] !== undefined &&
    (provider.groupsClaim === null || claimedValues(claims, provider.groupsClaim) !== null);
  if (isComplete || connected.serverMetadata().userinfo_endpoint === undefined)
    return told(readPerson(provider, claims));
  // Signed by the provider or not: it comes from it by TLS, and has to be about the same person.
  const more = await fetchUserInfo(connected, tokens.access_token, claims.sub);
  return told(readPerson(provider, withUserinfo(provider, claims, more)));
};
