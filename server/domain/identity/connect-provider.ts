// What a provider says of itself, looked up when somebody wants to sign in and remembered for some minutes. Its keys are read for
// every sign-in: a key that was changed counts at once.
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import { failureOf, ProviderFailure } from './provider-failure.ts';
import { fetchFor, patience } from './provider-fetch.ts';

/** Seconds by which the clock of a provider may differ. */
export const clockDifference = 60;
const rememberedFor = 10 * 60_000;
/** Requests of people that wait for one provider at once: one that hangs must not take the places of all others. */
const mostWaiting = 32;

const authenticationOf = ({ clientAuthentication, clientSecret }: SignInProvider): ClientAuth => {
  if (clientSecret === null || clientAuthentication === 'none') return None();
  return clientAuthentication === 'client_secret_post'
    ? ClientSecretPost(clientSecret)
    : ClientSecretBasic(clientSecret);
};

interface Known {
  metadata: Promise<ServerMetadata>;
  until: number;
}

/** Per process, by the provider of the settings. */
const known = new WeakMap<SignInProvider, Known>();

const isPlain = (provider: SignInProvider): boolean => provider.issuer.startsWith('http:');

const discover = async (provider: SignInProvider): Promise<ServerMetadata> =>
  (
    await discovery(new URL(provider.issuer), provider.clientId, undefined, authenticationOf(provider), {
      algorithm: 'oidc',
      [customFetch]: fetchFor(provider),
      timeout: patience,
      ...(isPlain(provider) ? { execute: [allowInsecureRequests] } : {}),
    })
  ).serverMetadata();

const metadataOf = (provider: SignInProvider): Promise<ServerMetadata> => {
  const found = known.get(provider);
  if (found !== undefined && found.until > Date.now()) return found.metadata;
  const metadata = discover(provider);
  known.set(provider, { metadata, until: Date.now() + rememberedFor });
  metadata.catch(() => known.delete(provider));
  return metadata;
};

/** For one sign-in. */
const connect = async (provider: SignInProvider): Promise<Configuration> => {
  const config = new Configuration(
    await metadataOf(provider),
    provider.clientId,
    { [clockTolerance]: clockDifference },
    authenticationOf(provider),
  );
  config[customFetch] = fetchFor(provider);
  config.timeout = patience;
  if (isPlain(provider)) allowInsecureRequests(config);
  // Also of tokens that came by TLS from the provider itself: its signature is looked at.
  enableNonRepudiationChecks(config);
  return config;
};

/** Its public keys, as it has them now. */
export const keysOf = async (provider: SignInProvider, connected: Configuration): Promise<unknown> => {
  const { jwks_uri: address } = connected.serverMetadata();
  if (address === undefined) throw new ProviderFailure('untrusted', 'it has no keys');
  const answer = await fetchFor(provider)(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  });
  if (!answer.ok) throw new ProviderFailure('unavailable', `its keys are answered with ${answer.status}`);
  return answer.json();
};

const waiting = new WeakMap<SignInProvider, number>();

/** What goes wrong is a `ProviderFailure`. */
export const withProvider = async <T>(
  provider: SignInProvider,
  use: (config: Configuration) => Promise<T>,
): Promise<T> => {
  const before = waiting.get(provider) ?? 0;
  if (before >= mostWaiting) throw new ProviderFailure('unavailable', 'too many wait for it already');
  waiting.set(provider, before + 1);
  try {
    return await use(await connect(provider));
  } catch (error) {
    throw failureOf(error);
  } finally {
    waiting.set(provider, (waiting.get(provider) ?? 1) - 1);
  }
};
