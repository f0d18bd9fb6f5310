// Applications without a browser: a code is shown there, typed here, and tokens are fetched meanwhile (RFC 8628).
import { listAuthorizedClients, revokeOauthToken, updateOauthClient } from '@rowhouse/contract/oauth.ts';
import { decideDeviceRequest, getDeviceRequest } from '@rowhouse/contract/oauth-server.ts';
import * as oauth from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { type Application, application, deviceCodes, poll, redeem, refresh, tryToken } from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

let ahead = 0;
const world = useWorld({}, { now: () => new Date(Date.now() + ahead) });

let ada: Person;
let app: Application;
beforeAll(async () => {
  ada = await person(world());
  app = await application(ada, { secret: false, allowDeviceFlow: true });
});

const begin = async (from = app): Promise<{ device_code: string; user_code: string }> => {
  const { status, body } = await deviceCodes(world(), from);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

const decide = async (who: Person, userCode: string, approve = true): Promise<number> =>
  (await (await who.withSession())(decideDeviceRequest, { body: { userCode, approve } })).status;

test('a client of a library gets tokens after somebody has typed the code, and refreshes them', {
  timeout: 60_000,
}, async () => {
  const config = await oauth.discovery(
    new URL(`${world().origin}/.well-known/oauth-authorization-server`),
    app.clientId,
    undefined,
    oauth.None(),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  );
  const begun = await oauth.initiateDeviceAuthorization(config, { scope: 'record|read' });
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: `${world().origin}/oauth/device`,
    expires_in: 600,
    interval: 5,
  });
  expect(begun.verification_uri_complete).toBeUndefined();
  const session = await ada.withSession();
  // As people type it.
  const userCode = ` ${begun.user_code.toLowerCase().replace('-', ' ')}`;
  const asked = await session(getDeviceRequest, { params: { userCode } });
  expect(asked.body).toEqual({ name: 'Sheet Sync', homepage: 'https://app.example.com', scopes: ['record|read'] });
  expect((await session(decideDeviceRequest, { body: { userCode, approve: true } })).status).toBe(201);
  const tokens = await oauth.pollDeviceAuthorizationGrant(config, begun);
  expect(tokens.scope).toBe('record|read');
  expect(await tryToken(world(), tokens.access_token)).toBe(200);
  expect((await oauth.refreshTokenGrant(config, tokens.refresh_token as string)).scope).toBe('record|read');
  expect((await ada.call(listAuthorizedClients, {})).body.map(({ clientId }) => clientId)).toContain(app.clientId);
});

test('until somebody has decided it waits, and who asks too often is told so', async () => {
  const { device_code: code, user_code: userCode } = await begin();
  const answers = async () => {
    const { status, body } = await poll(world(), app, code);
    return [status, body.error];
  };
  expect(await answers()).toEqual([400, 'authorization_pending']);
  expect(await answers()).toEqual([400, 'slow_down']);
  ahead += 6_000;
  expect(await answers()).toEqual([400, 'authorization_pending']);
  expect(await decide(ada, userCode, false)).toBe(201);
  expect(await answers()).toEqual([400, 'access_denied']);
  expect(await answers()).toEqual([400, 'invalid_grant']);
});

test('a code is decided once, its tokens are fetched once, and both end after ten minutes', async () => {
  const one = await begin();
  const decisions = await Promise.all([decide(ada, one.user_code), decide(ada, one.user_code, false)]);
  expect(decisions.toSorted()).toEqual([201, 404]);
  const two = await begin();
  await decide(ada, two.user_code);
  const polls = await Promise.all([1, 2, 3].map(() => poll(world(), app, two.device_code)));
  expect(polls.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  const { body } = polls.find(({ status }) => status === 200) as (typeof polls)[number];
  // It is no code of the other flow.
  expect((await redeem(world(), app, two.device_code)).status).toBe(400);
  const three = await begin();
  const four = await begin();
  await decide(ada, four.user_code);
  ahead += 601_000;
  expect((await poll(world(), app, three.device_code)).body.error).toBe('expired_token');
  expect((await poll(world(), app, four.device_code)).body.error).toBe('expired_token');
  expect(await decide(ada, three.user_code)).toBe(404);
  expect(body.refresh_token).toMatch(/^rowhouse_refresh_/);
});

test('only applications that allow it, only people decide, and only the application that asked gets tokens', async () => {
  const closed = await application(ada, { secret: false });
  expect((await deviceCodes(world(), closed)).body.error).toBe('unauthorized_client');
  expect((await deviceCodes(world(), { ...app, clientId: 'cltunknown' })).body.error).toBe('invalid_client');
  expect((await deviceCodes(world(), app, { scope: 'record|read space|delete' })).body.error).toBe('invalid_scope');
  const confidential = await application(ada, { allowDeviceFlow: true });
  expect((await deviceCodes(world(), { ...confidential, secret: '' })).body.error).toBe('invalid_client');
  expect((await deviceCodes(world(), confidential)).status).toBe(200);

  const { device_code: code, user_code: userCode } = await begin();
  expect((await ada.call(getDeviceRequest, { params: { userCode } })).status).toBe(403);
  expect((await ada.call(decideDeviceRequest, { body: { userCode, approve: true } })).status).toBe(403);
  const session = await ada.withSession();
  expect((await session(getDeviceRequest, { params: { userCode: 'BBBB-BBBB' } })).status).toBe(404);
  const other = await application(ada, { secret: false, allowDeviceFlow: true });
  await decide(ada, userCode);
  expect((await poll(world(), other, code)).body.error).toBe('invalid_grant');
  expect((await poll(world(), app, code)).status).toBe(200);
});

test('what was allowed can be taken back: the consent, the flow of the application, the account', async () => {
  const one = await begin();
  await decide(ada, one.user_code);
  await ada.call(revokeOauthToken, { params: { clientId: app.clientId } });
  expect((await poll(world(), app, one.device_code)).body.error).toBe('access_denied');

  const own = await application(ada, { secret: false, allowDeviceFlow: true });
  const [two, three] = [await begin(own), await begin(own)];
  await decide(ada, two.user_code);
  const body = {
    name: 'Sheet Sync',
    homepage: 'https://app.example.com',
    scopes: ['record|read'],
    redirectUris: ['https://app.example.com/callback'],
    allowDeviceFlow: false,
  };
  const params = { clientId: own.clientId };
  expect((await ada.call(updateOauthClient, { params, body })).body.allowDeviceFlow).toBeUndefined();
  expect((await poll(world(), own, two.device_code)).body.error).toBe('access_denied');
  expect(await decide(ada, three.user_code)).toBe(404);
  // Left out it stays; scopes that were taken from the application are not given.
  const { allowDeviceFlow: _off, ...others } = body;
  await ada.call(updateOauthClient, { params, body: { ...others, allowDeviceFlow: true } });
  expect((await ada.call(updateOauthClient, { params, body: others })).body.allowDeviceFlow).toBe(true);
  const four = await begin(own);
  await decide(ada, four.user_code);
  const tokens = (await poll(world(), own, four.device_code)).body;
  expect(tokens.scopes).toEqual(['record|read']);
  expect((await refresh(world(), own, tokens.refresh_token)).status).toBe(200);
});
