// The flow as an independent client sees it: openid-client discovers the server and drives everything.
import { createBase, deleteBase, getBase } from '@rowhouse/contract/base.ts';
import { getOauthClient, listAuthorizedClients } from '@rowhouse/contract/oauth.ts';
import { getOauthDecision } from '@rowhouse/contract/oauth-server.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import * as oauth from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { type Application, application, callback, consent, decide, tryToken, visit } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { caller, useWorld } from '../support/world.ts';

let ahead = 0;
const world = useWorld({}, { now: () => new Date(Date.now() + ahead) });
let ada: Person;
let ben: Person;
let cookie: string;

beforeAll(async () => {
  ada = await person(world(), { name: 'Ada' });
  ben = await person(world(), { name: 'Ben' });
  cookie = await ben.cookie();
});

const discover = (app: Application, authentication?: oauth.ClientAuth): Promise<oauth.Configuration> =>
  oauth.discovery(
    new URL(world().origin),
    app.clientId,
    app.secret === '' ? undefined : { client_secret: app.secret },
    authentication,
    {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    },
  );

const begin = async (config: oauth.Configuration, parameters: Record<string, string> = {}) => {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'record|read',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: state } };
};

test('the metadata says where everything is', async () => {
  const response = await fetch(`${world().origin}/.well-known/oauth-authorization-server`);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toMatchObject({
    issuer: world().origin,
    authorization_endpoint: `${world().baseUrl}/oauth/authorize`,
    token_endpoint: `${world().baseUrl}/oauth/access_token`,
    revocation_endpoint: `${world().baseUrl}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  });
});

const kinds: [string, { secret: boolean }, (app: Application) => oauth.ClientAuth][] = [
  ['a secret in the body', { secret: true }, (app) => oauth.ClientSecretPost(app.secret)],
  ['a secret by HTTP Basic', { secret: true }, (app) => oauth.ClientSecretBasic(app.secret)],
  ['no secret, but PKCE', { secret: false }, () => oauth.None()],
];

test.each(kinds)('code, tokens, refresh and revocation work with %s', async (_kind, options, authentication) => {
  const app = await application(ada, options);
  const config = await discover(app, authentication(app));
  const { url, checks } = await begin(config);
  const back = await consent(world(), cookie, url);
  expect(back.origin + back.pathname).toBe(callback);
  const tokens = await oauth.authorizationCodeGrant(config, back, checks);
  expect(tokens).toMatchObject({
    token_type: 'bearer',
    expires_in: 600,
    refresh_expires_in: 2_592_000,
    scope: 'record|read',
    scopes: ['record|read'],
  });
  expect(await tryToken(world(), tokens.access_token)).toBe(200);

  const renewed = await oauth.refreshTokenGrant(config, tokens.refresh_token as string);
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
  expect(await tryToken(world(), renewed.access_token)).toBe(200);

  await oauth.tokenRevocation(config, renewed.refresh_token as string);
  expect(await tryToken(world(), renewed.access_token)).toBe(401);
  expect(await tryToken(world(), tokens.access_token)).toBe(401);
  await expect(oauth.refreshTokenGrant(config, renewed.refresh_token as string)).rejects.toMatchObject({
    error: 'invalid_grant',
    status: 400,
  });
});

test('a confidential application may leave PKCE out', async () => {
  const app = await application(ada);
  const config = await discover(app);
  const url = oauth.buildAuthorizationUrl(config, { redirect_uri: callback });
  const back = await consent(world(), cookie, url);
  const tokens = await oauth.authorizationCodeGrant(config, back);
  expect(tokens.scope).toBe('table|read record|read record|update');
});

test('anyone who is not signed in is sent to sign in, and from there back to where he was', async () => {
  const config = await discover(await application(ada));
  const { url } = await begin(config);
  const { status, location } = await visit(world(), url);
  expect(status).toBe(302);
  expect(location.pathname).toBe('/auth/login');
  const back = new URL(location.searchParams.get('redirect') as string, world().origin);
  expect(back.pathname).toBe('/api/oauth/authorize');
  expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(url.searchParams));
  expect((await visit(world(), back, cookie)).location.pathname).toBe('/oauth/decision');
  expect((await visit(world(), url, 'auth_session=unknown')).location.pathname).toBe('/auth/login');
});

test('the consent page learns who asks for what, and only the user who was asked can see it', async () => {
  const app = await application(ada);
  const { url } = await begin(await discover(app));
  const { location } = await visit(world(), url, cookie);
  expect(location.pathname).toBe('/oauth/decision');
  const params = { transactionId: location.searchParams.get('transaction_id') as string };
  const shown = await (await ben.withSession())(getOauthDecision, { params });
  expect(shown.body).toEqual({
    clientId: app.clientId,
    name: 'Sheet Sync',
    homepage: 'https://app.example.com',
    scopes: ['record|read'],
    redirectUri: callback,
  });
  expect((await ada.call(getOauthDecision, { params })).status).toBe(404);
  expect((await ben.call(getOauthDecision, { params: { transactionId: 'nothing' } })).status).toBe(404);
});

test('declining sends access_denied, and a request is decided once', async () => {
  const config = await discover(await application(ada));
  const { url, checks } = await begin(config);
  const id = (await visit(world(), url, cookie)).location.searchParams.get('transaction_id') as string;
  const declined = await decide(world(), cookie, id, true);
  expect(declined.status).toBe(302);
  await expect(oauth.authorizationCodeGrant(config, declined.location, checks)).rejects.toMatchObject({
    error: 'access_denied',
  });
  expect((await decide(world(), cookie, id)).status).toBe(404);
});

test('a page that decides with JSON is told where to go', async () => {
  const { url } = await begin(await discover(await application(ada)));
  const id = (await visit(world(), url, cookie)).location.searchParams.get('transaction_id') as string;
  const response = await fetch(`${world().baseUrl}/oauth/decision`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ transaction_id: id }),
  });
  expect(response.status).toBe(200);
  const { redirectUrl } = (await response.json()) as { redirectUrl: string };
  expect(redirectUrl).toMatch(/^https:\/\/app\.example\.com\/callback\?code=[0-9A-Za-z]{40,}&state=.+&iss=http/);
});

test('only the user himself can decide: no other user, no token, no other site', async () => {
  const { url } = await begin(await discover(await application(ada)));
  const id = (await visit(world(), url, cookie)).location.searchParams.get('transaction_id') as string;
  const send = async (headers: Record<string, string>): Promise<number> =>
    (
      await fetch(`${world().baseUrl}/oauth/decision`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ transaction_id: id }),
      })
    ).status;
  expect(await send({})).toBe(401);
  expect(await send({ cookie: await ada.cookie() })).toBe(404);
  expect(await send({ authorization: `Bearer ${ben.token}` })).toBe(403);
  expect(await send({ cookie, origin: 'https://evil.example' })).toBe(403);
  expect(await send({ cookie })).toBe(302);
});

test('consent is remembered for seven days for an application with a secret that asks for nothing more', async () => {
  const app = await application(ada);
  const config = await discover(app);
  const place = async (parameters: Record<string, string> = {}): Promise<string> => {
    const { url } = await begin(config, parameters);
    return (await visit(world(), url, cookie)).location.pathname;
  };
  await consent(world(), cookie, (await begin(config)).url);
  expect(await place()).toBe('/callback');
  expect(await place({ scope: 'record|read record|update' })).toBe('/oauth/decision');
  ahead = 7 * 86_400_000 - 60_000;
  expect(await place()).toBe('/callback');
  ahead = 7 * 86_400_000 + 60_000;
  expect(await place()).toBe('/oauth/decision');
  ahead = 0;
});

test('users of a public application are asked every time', async () => {
  const config = await discover(await application(ada, { secret: false }), oauth.None());
  await consent(world(), cookie, (await begin(config)).url);
  expect((await visit(world(), (await begin(config)).url, cookie)).location.pathname).toBe('/oauth/decision');
});

test('a refresh can ask for fewer scopes, not for more', async () => {
  const config = await discover(await application(ada));
  const { url, checks } = await begin(config, { scope: 'record|read record|update' });
  const tokens = await oauth.authorizationCodeGrant(config, await consent(world(), cookie, url), checks);
  const narrow = await oauth.refreshTokenGrant(config, tokens.refresh_token as string, { scope: 'record|read' });
  expect(narrow.scope).toBe('record|read');
  await expect(
    oauth.refreshTokenGrant(config, narrow.refresh_token as string, { scope: 'record|delete' }),
  ).rejects.toMatchObject({ error: 'invalid_scope' });
  const wide = await oauth.refreshTokenGrant(config, narrow.refresh_token as string);
  expect(wide.scope).toBe('record|read record|update');
});

test('a token does what its scopes and the role of its user both allow, and nothing else', async () => {
  const space = (await ben.call(createSpace, { body: { name: 'Plans' } })).body;
  const mine = (await ben.call(createBase, { body: { spaceId: space.id, name: 'Mine' } })).body;
  const hers = (await ada.call(createBase, { body: { spaceId: (await ada.call(createSpace, { body: {} })).body.id } }))
    .body;
  const config = await discover(await application(ada, { scopes: ['base|read', 'base|update'] }));
  const { url, checks } = await begin(config, { scope: 'base|read' });
  const tokens = await oauth.authorizationCodeGrant(config, await consent(world(), cookie, url), checks);
  const call = caller({ baseUrl: world().baseUrl, token: tokens.access_token });
  expect((await call(getBase, { params: { baseId: mine.id } })).status).toBe(200);
  expect((await call(deleteBase, { params: { baseId: mine.id } })).status).toBe(403);
  expect((await call(getBase, { params: { baseId: hers.id } })).status).toBe(404);
});

test('a user sees what he has authorised, and the creator when a secret was last used', async () => {
  const cleo = await person(world(), { name: 'Cleo' });
  const app = await application(ada);
  const config = await discover(app);
  expect((await cleo.call(listAuthorizedClients)).body).toEqual([]);
  const { url, checks } = await begin(config);
  const back = await consent(world(), await cleo.cookie(), url);
  expect((await ada.call(getOauthClient, { params: { clientId: app.clientId } })).body.secrets[0]).not.toHaveProperty(
    'lastUsedTime',
  );
  await oauth.authorizationCodeGrant(config, back, checks);
  expect((await cleo.call(listAuthorizedClients)).body).toEqual([
    {
      clientId: app.clientId,
      name: 'Sheet Sync',
      homepage: 'https://app.example.com',
      scopes: ['record|read'],
      lastUsedTime: expect.any(String),
      createdUser: { name: ada.name, email: ada.email },
    },
  ]);
  const shown = (await ada.call(getOauthClient, { params: { clientId: app.clientId } })).body;
  expect(shown.secrets[0]?.lastUsedTime).toEqual(expect.any(String));
});
