// The way to the provider. What comes back is known by the state; that it comes back in the same browser by a cookie. The
// verifier of PKCE and the nonce follow from both and from the key of the instance, so that the database holds none of them.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { notFound } from '@rowhouse/contract/error.ts';
import { innerPath } from '@rowhouse/contract/identity.ts';
import { buildAuthorizationUrl, calculatePKCECodeChallenge, type Configuration } from 'openid-client';
import { findProvider } from '../../catalog/organization-providers.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment, PublicContext } from '../../context.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import type { Answer } from '../../endpoint/route.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';
import { insertBegun } from './begun-sign-in.sql.ts';
import { browserCookie, browserSecretOf } from './browser-cookie.ts';
import { withProvider } from './connect-provider.ts';
import { failedAt, redirectTo } from './lead-back.ts';
import { logFailure, ProviderFailure } from './provider-failure.ts';

const minutes = 15;

export const providerOf = async (
  context: Pick<Environment, 'db' | 'config' | 'secretKey' | 'signInProviders'>,
  id: string,
): Promise<SignInProvider> => {
  const provider = await findProvider(context, id);
  if (provider === undefined) throw notFound('Provider', id);
  return provider;
};

export const callbackOf = ({ publicUrl }: Pick<Environment, 'publicUrl'>, { id }: SignInProvider): string =>
  `${publicUrl()}/api/auth/oidc/${id}/callback`;

export interface Way {
  state: string;
  browser: string;
}

/** What a provider has to send back, or is asked for. */
export const checksOf = (
  { secretKey }: Pick<Environment, 'secretKey'>,
  { state, browser }: Way,
): { verifier: string; nonce: string } => ({
  verifier: secretKey.derive('sign-in verifier', state, browser),
  nonce: secretKey.derive('sign-in nonce', state, browser),
});

/** Somebody who links has to see with which identity: a browser may be signed in there as somebody else. Some providers refuse what they do not know. */
const promptOf = (connected: Configuration): { prompt?: string } => {
  const offered: unknown = connected.serverMetadata()['prompt_values_supported'];
  const prompt = ['select_account', 'login'].find((one) => Array.isArray(offered) && offered.includes(one));
  return prompt === undefined ? {} : { prompt };
};

/** Answers where the browser has to go, and the cookie that it has to keep meanwhile. */
export const sendToProvider = async (
  context: Pick<PublicContext, 'config' | 'secretKey' | 'publicUrl'> & Pick<Environment, 'db'>,
  provider: SignInProvider,
  input: { headers: IncomingHttpHeaders; ip: string; redirect: string | undefined; userId: string | null },
): Promise<{ url: string; cookie: string }> => {
  const { db, config } = context;
  await limitUses(db, {
    key: ['sign-in begun', networkOf(input.ip)],
    limit: 1_000,
    minutes: 15,
    message: 'Too many sign-ins were begun from here',
  });
  // Several tabs of a browser can be on their way at once.
  const way = {
    state: randomBytes(32).toString('base64url'),
    browser: browserSecretOf(config, input.headers) ?? randomBytes(32).toString('base64url'),
  };
  const { verifier, nonce } = checksOf(context, way);
  const codeChallenge = await calculatePKCECodeChallenge(verifier);
  const url = await withProvider(provider, async (connected) =>
    buildAuthorizationUrl(connected, {
      response_type: 'code',
      redirect_uri: callbackOf(context, provider),
      scope: provider.scopes.join(' '),
      state: way.state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...(provider.acrValues.length === 0 ? {} : { acr_values: provider.acrValues.join(' ') }),
      ...(input.userId === null ? {} : promptOf(connected)),
    }),
  );
  await insertBegun(db, {
    hash: hashSecret(way.state),
    browserHash: hashSecret(way.browser),
    providerId: provider.id,
    redirect: innerPath(input.redirect) ?? '/',
    userId: input.userId,
    minutes,
  });
  return { url: url.href, cookie: browserCookie(config, way.browser, minutes * 60) };
};

export const beginSignIn = async (
  context: PublicContext,
  input: { providerId: string; redirect: string | undefined; headers: IncomingHttpHeaders; ip: string },
): Promise<Answer> => {
  const provider = await providerOf(context, input.providerId);
  try {
    const { url, cookie } = await sendToProvider(context, provider, { ...input, userId: null });
    return redirectTo(url, [cookie]);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(context, provider, error);
    return failedAt(context, provider, error.problem, { redirect: innerPath(input.redirect) ?? '/', userId: null });
  }
};
