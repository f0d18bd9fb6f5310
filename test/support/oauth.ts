// Steps of the OAuth flow for tests: an application, a user who decides in his browser, and raw token requests.
import { createHash } from 'node:crypto';
import { randomText } from '@rowhouse/contract/id.ts';
import { createOauthClient, createOauthSecret } from '@rowhouse/contract/oauth.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

export const callback = 'https://app.example.com/callback';

export interface Application {
  clientId: string;
  secret: string;
  secretId: string;
}

/** Without `secret` it stays a public application. */
export const application = async (
  creator: Person,
  options: { scopes?: string[]; redirectUris?: string[]; secret?: boolean; allowDeviceFlow?: boolean } = {},
): Promise<Application> => {
  const made = await creator.call(createOauthClient, {
    body: {
      name: 'Sheet Sync',
      homepage: 'https://app.example.com',
      scopes: options.scopes ?? ['table|read', 'record|read', 'record|update'],
      redirectUris: options.redirectUris ?? [callback],
      ...(options.allowDeviceFlow === undefined ? {} : { allowDeviceFlow: options.allowDeviceFlow }),
    },
  });
  const { clientId } = made.body;
  if (options.secret === false) return { clientId, secret: '', secretId: '' };
  const secret = await creator.call(createOauthSecret, { params: { clientId } });
  return { clientId, secret: secret.body.secret, secretId: secret.body.id };
};

export const pkce = (): { verifier: string; challenge: string } => {
  const verifier = randomText(64);
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

interface Hop {
  status: number;
  /** Where the browser is sent, absolute. */
  location: URL;
  body: any;
}

const hop = async (world: World, response: Response): Promise<Hop> => {
  const text = await response.text();
  return {
    status: response.status,
    // Clients of Teable read it without a base.
    location: new URL(response.headers.get('location') ?? `${world.origin}/nowhere`),
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** Opens an address as a browser would that does not follow redirects. */
export const visit = async (world: World, url: string | URL, cookie?: string): Promise<Hop> =>
  hop(world, await fetch(url, { redirect: 'manual', ...(cookie === undefined ? {} : { headers: { cookie } }) }));

export const authorizeUrl = (world: World, parameters: Record<string, string>): URL => {
  const url = new URL(`${world.baseUrl}/oauth/authorize`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url;
};

/** What the button on the consent page sends. */
export const decide = async (world: World, cookie: string, transactionId: string, cancel = false): Promise<Hop> =>
  hop(
    world,
    await fetch(`${world.baseUrl}/oauth/decision`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: world.origin },
      body: new URLSearchParams({ transaction_id: transactionId, ...(cancel ? { cancel: 'true' } : {}) }),
    }),
  );

/** From the first redirect to the way back to the application; consents if asked. */
export const consent = async (world: World, cookie: string, url: URL): Promise<URL> => {
  const first = await visit(world, url, cookie);
  if (first.status !== 302) throw new Error(`authorize answered ${first.status}: ${JSON.stringify(first.body)}`);
  const transactionId = first.location.searchParams.get('transaction_id');
  return transactionId === null ? first.location : (await decide(world, cookie, transactionId)).location;
};

/** A code for the application, by a user who consents. */
export const codeFor = async (
  world: World,
  user: Person,
  app: Application,
  parameters: Record<string, string> = {},
): Promise<string> => {
  const url = authorizeUrl(world, {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callback,
    ...parameters,
  });
  const back = await consent(world, await user.cookie(), url);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`no code came back: ${back}`);
  return code;
};

interface TokenOutcome {
  status: number;
  headers: Headers;
  body: any;
}

const post = async (
  url: string,
  parameters: Record<string, string>,
  headers: Record<string, string>,
): Promise<TokenOutcome> => {
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(parameters) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
};

const credentials = (app: Application): Record<string, string> => ({
  client_id: app.clientId,
  ...(app.secret === '' ? {} : { client_secret: app.secret }),
});

export const tokenRequest = (
  world: World,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenOutcome> => post(`${world.baseUrl}/oauth/access_token`, parameters, headers);

export const redeem = (
  world: World,
  app: Application,
  code: string,
  parameters: Record<string, string> = {},
): Promise<TokenOutcome> =>
  tokenRequest(world, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...credentials(app),
    ...parameters,
  });

export const refresh = (
  world: World,
  app: Application,
  token: string,
  parameters: Record<string, string> = {},
): Promise<TokenOutcome> =>
  tokenRequest(world, { grant_type: 'refresh_token', refresh_token: token, ...credentials(app), ...parameters });

export const revoke = (
  world: World,
  app: Application,
  token: string,
  parameters: Record<string, string> = {},
): Promise<TokenOutcome> => post(`${world.baseUrl}/oauth/revoke`, { token, ...credentials(app), ...parameters }, {});

/** The whole flow at once. */
export const tokensFor = async (
  world: World,
  user: Person,
  app: Application,
  parameters: Record<string, string> = {},
): Promise<any> => {
  const outcome = await redeem(world, app, await codeFor(world, user, app, parameters));
  if (outcome.status !== 200) throw new Error(`no tokens: ${JSON.stringify(outcome.body)}`);
  return outcome.body;
};

/** Status of a harmless request with a token: 200 while it works, 401 when it does not. */
export const tryToken = async (world: World, token: string): Promise<number> =>
  (await fetch(`${world.baseUrl}/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Codes for a device of the application. */
export const deviceCodes = (
  world: World,
  app: Application,
  parameters: Record<string, string> = {},
): Promise<TokenOutcome> => post(`${world.baseUrl}/oauth/device/code`, { ...credentials(app), ...parameters }, {});

/** What a device does until it has tokens. */
export const poll = (world: World, app: Application, deviceCode: string): Promise<TokenOutcome> =>
  tokenRequest(world, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
    ...credentials(app),
  });
