// What must not work, and the error it is refused with.
import { createOauthSecret, deleteOauthSecret, updateOauthClient } from '@rowhouse/contract/oauth.ts';
import * as oauth from 'openid-client';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Application,
  application,
  authorizeUrl,
  callback,
  codeFor,
  consent,
  decide,
  pkce,
  redeem,
  refresh,
  revoke,
  tokenRequest,
  tokensFor,
  tryToken,
  visit,
} from '../support/oauth.ts';
import { type Person, person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

let ahead = 0;
const world = useWorld({}, { now: () => new Date(Date.now() + ahead) });
const minutes = 60_000;
const days = 86_400_000;
let ada: Person;
let ben: Person;
let app: Application;
let cookie: string;

beforeAll(async () => {
  ada = await person(world(), { name: 'Ada' });
  ben = await person(world(), { name: 'Ben' });
  app = await application(ada);
  cookie = await ben.cookie();
});

beforeEach(() => {
  ahead = 0;
});

const refusal = (error: string, status = 400) => ({ status, body: { error, error_description: expect.any(String) } });

test('52 redirect URIs that are almost the registered one are refused, and nothing is sent there', async () => {
  const variants = [
    'https://app.example.com/callback/',
    'https://app.example.com/Callback',
    'https://app.example.com/callback2',
    'https://app.example.com/callbac',
    'https://app.example.com/callback?',
    'https://app.example.com/callback?x=1',
    'https://app.example.com/callback#',
    'https://app.example.com/callback#x',
    'https://app.example.com/callback%20',
    'https://app.example.com/callback%00',
    'https://app.example.com/callback%2F',
    'https://app.example.com/callback/..',
    'https://app.example.com/x/../callback',
    'https://app.example.com/./callback',
    'https://app.example.com//callback',
    'https://app.example.com/callback//',
    'https://app.example.com/%63allback',
    'https://app.example.com/callback;x',
    'https://app.example.com\\callback',
    'https://app.example.com/callback\\',
    'http://app.example.com/callback',
    'HTTPS://app.example.com/callback',
    'https://APP.example.com/callback',
    'https://app.example.com:443/callback',
    'https://app.example.com:8443/callback',
    'https://app.example.com./callback',
    'https://app.example.com.evil.example/callback',
    'https://evil.example/callback',
    'https://evil.example/https://app.example.com/callback',
    'https://app.example.com@evil.example/callback',
    'https://user@app.example.com/callback',
    'https://user:pw@app.example.com/callback',
    'https://sub.app.example.com/callback',
    'https://example.com/callback',
    'https://app-example.com/callback',
    'https://app.example.com%2eevil.example/callback',
    'https://app.example.com%00.evil.example/callback',
    '//app.example.com/callback',
    '/callback',
    'callback',
    'app.example.com/callback',
    'https:app.example.com/callback',
    'https:/app.example.com/callback',
    'https:///app.example.com/callback',
    ' https://app.example.com/callback',
    'https://app.example.com/callback ',
    'https://app.example.com/callback\n',
    '\thttps://app.example.com/callback',
    'javascript:alert(1)//https://app.example.com/callback',
    'data:text/html,https://app.example.com/callback',
    'https://app.example.com/callback,https://evil.example/',
    'https://аpp.example.com/callback',
  ];
  expect(new Set(variants).size).toBe(52);
  for (const redirectUri of variants) {
    const url = authorizeUrl(world(), { response_type: 'code', client_id: app.clientId, redirect_uri: redirectUri });
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    expect([redirectUri, response.status, response.headers.get('location')]).toEqual([redirectUri, 400, null]);
  }
});

test('loopback redirect URIs are compared with their port', async () => {
  const local = await application(ada, { redirectUris: ['http://127.0.0.1:4000/cb'] });
  const status = async (redirectUri: string): Promise<number> =>
    (
      await visit(
        world(),
        authorizeUrl(world(), { response_type: 'code', client_id: local.clientId, redirect_uri: redirectUri }),
        cookie,
      )
    ).status;
  expect(await status('http://127.0.0.1:4000/cb')).toBe(302);
  expect(await status('http://127.0.0.1:4001/cb')).toBe(400);
  expect(await status('http://localhost:4000/cb')).toBe(400);
});

test('a redirect URI can be left out only if there is one, and then need not be repeated', async () => {
  const two = await application(ada, { redirectUris: [callback, `${callback}2`] });
  expect(
    (await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: two.clientId }), cookie)).status,
  ).toBe(400);
  const back = await consent(
    world(),
    cookie,
    authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }),
  );
  const code = back.searchParams.get('code') as string;
  const exchange = { grant_type: 'authorization_code', client_id: app.clientId, client_secret: app.secret, code };
  expect(await tokenRequest(world(), { ...exchange, redirect_uri: 'https://evil.example/' })).toMatchObject(
    refusal('invalid_grant'),
  );
  expect((await tokenRequest(world(), exchange)).status).toBe(200);
});

test('an unknown application, or a parameter that is given twice, is refused without a redirect', async () => {
  const twice = authorizeUrl(world(), { response_type: 'code', client_id: app.clientId, redirect_uri: callback });
  twice.searchParams.append('redirect_uri', 'https://evil.example/');
  for (const url of [
    authorizeUrl(world(), { response_type: 'code', client_id: 'cltunknown' }),
    authorizeUrl(world(), {}),
    authorizeUrl(world(), { client_id: '\0' }),
    twice,
  ]) {
    const answer = await visit(world(), url, cookie);
    expect([url.search, answer.status, answer.body.code]).toEqual([url.search, 400, 'validation_error']);
  }
});

test('every other fault of the first request goes back to the application with its state', async () => {
  const open = await application(ada, { secret: false });
  const { challenge } = pkce();
  const faults: [Application, Record<string, string>, string][] = [
    [app, { response_type: 'token' }, 'unsupported_response_type'],
    [app, { response_type: '' }, 'unsupported_response_type'],
    [app, { scope: 'record|delete' }, 'invalid_scope'],
    [app, { scope: 'record|read everything' }, 'invalid_scope'],
    [app, { code_challenge: challenge }, 'invalid_request'],
    [app, { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [app, { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [app, { code_challenge_method: 'S256' }, 'invalid_request'],
    [open, { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [open, { code_challenge: challenge }, 'invalid_request'],
  ];
  for (const [from, parameters, error] of faults) {
    const url = authorizeUrl(world(), {
      client_id: from.clientId,
      redirect_uri: callback,
      state: 'some state',
      response_type: 'code',
      ...parameters,
    });
    const { status, location } = await visit(world(), url, cookie);
    expect([parameters, status, location.searchParams.get('error')]).toEqual([parameters, 302, error]);
    expect(location.origin + location.pathname).toBe(callback);
    expect(location.searchParams.get('state')).toBe('some state');
    expect(location.searchParams.get('iss')).toBe(world().origin);
    expect(location.searchParams.has('code')).toBe(false);
  }
});

test('an independent client meets a wrong verifier, a replay and a foreign application with the right errors', async () => {
  const configOf = (from: Application): Promise<oauth.Configuration> =>
    oauth.discovery(new URL(world().origin), from.clientId, { client_secret: from.secret }, undefined, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    });
  const config = await configOf(app);
  const verifier = oauth.randomPKCECodeVerifier();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = await consent(world(), cookie, url);
  const invalidGrant = { error: 'invalid_grant', status: 400 };
  await expect(
    oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier: oauth.randomPKCECodeVerifier() }),
  ).rejects.toMatchObject(invalidGrant);
  await expect(
    oauth.authorizationCodeGrant(await configOf(await application(ada)), back, { pkceCodeVerifier: verifier }),
  ).rejects.toMatchObject(invalidGrant);
  await expect(
    oauth.authorizationCodeGrant(await configOf({ ...app, secret: 'wrong' }), back, { pkceCodeVerifier: verifier }),
  ).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  const tokens = await oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
  await expect(oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })).rejects.toMatchObject(
    invalidGrant,
  );
  await expect(oauth.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject(invalidGrant);
});

test('a code needs its verifier', async () => {
  const { verifier, challenge } = pkce();
  const code = await codeFor(world(), ben, app, { code_challenge: challenge, code_challenge_method: 'S256' });
  expect(await redeem(world(), app, code)).toMatchObject(refusal('invalid_request'));
  for (const wrong of [challenge, pkce().verifier, verifier.slice(1), `${verifier}x`, 'short']) {
    expect(await redeem(world(), app, code, { code_verifier: wrong })).toMatchObject(refusal('invalid_grant'));
  }
  expect((await redeem(world(), app, code, { code_verifier: verifier })).status).toBe(200);
});

test('PKCE cannot be taken away on the way', async () => {
  const cut = await codeFor(world(), ben, app);
  expect(await redeem(world(), app, cut, { code_verifier: pkce().verifier })).toMatchObject(refusal('invalid_grant'));
  // An application that had a secret when it asked for the code and has none when it redeems it.
  const fickle = await application(ada);
  const code = await codeFor(world(), ben, fickle);
  await ada.call(deleteOauthSecret, { params: { clientId: fickle.clientId, secretId: fickle.secretId } });
  expect(await redeem(world(), { ...fickle, secret: '' }, code)).toMatchObject(refusal('invalid_grant'));
});

test('an application that has no secret yet may begin without PKCE, and gets its tokens only with a secret', async () => {
  const early = await application(ada, { secret: false });
  const code = await codeFor(world(), ben, early);
  expect(await redeem(world(), early, code)).toMatchObject(refusal('invalid_grant'));
  const { body } = await ada.call(createOauthSecret, { params: { clientId: early.clientId } });
  expect(await redeem(world(), early, code)).toMatchObject(refusal('invalid_client', 401));
  expect(await redeem(world(), { ...early, secret: body.secret }, code)).toMatchObject({
    status: 200,
    body: { access_token: expect.any(String) },
  });
});

test('a code is good once; a second use ends everything that came of the first', async () => {
  const code = await codeFor(world(), ben, app);
  const first = await redeem(world(), app, code);
  const renewed = await refresh(world(), app, first.body.refresh_token);
  expect(await redeem(world(), app, code)).toMatchObject(refusal('invalid_grant'));
  expect(await tryToken(world(), first.body.access_token)).toBe(401);
  expect(await tryToken(world(), renewed.body.access_token)).toBe(401);
  expect(await refresh(world(), app, renewed.body.refresh_token)).toMatchObject(refusal('invalid_grant'));
});

test.each([true, false])(
  'of several exchanges of one code at the same time one gets tokens, and they end (with a secret: %s)',
  async (secret) => {
    const racing = await application(ada, { secret });
    for (let round = 0; round < 5; round += 1) {
      const { verifier, challenge } = pkce();
      const code = await codeFor(world(), ben, racing, { code_challenge: challenge, code_challenge_method: 'S256' });
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => redeem(world(), racing, code, { code_verifier: verifier })),
      );
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual([200, 400, 400, 400]);
      for (const { status, body } of outcomes) {
        if (status === 200) expect(await tryToken(world(), body.access_token)).toBe(401);
        else expect(body.error).toBe('invalid_grant');
      }
    }
  },
);

test('a refresh token is good once; a second use ends the family, the newest tokens too', async () => {
  const first = await tokensFor(world(), ben, app);
  const second = await refresh(world(), app, first.refresh_token);
  const third = await refresh(world(), app, second.body.refresh_token);
  expect(await tryToken(world(), third.body.access_token)).toBe(200);
  expect(await refresh(world(), app, first.refresh_token)).toMatchObject(refusal('invalid_grant'));
  for (const tokens of [first, second.body, third.body]) expect(await tryToken(world(), tokens.access_token)).toBe(401);
  expect(await refresh(world(), app, third.body.refresh_token)).toMatchObject(refusal('invalid_grant'));
});

test.each([true, false])(
  'of many refreshes of one token at the same time one gets tokens, and they end (with a secret: %s)',
  async (secret) => {
    const racing = await application(ada, { secret });
    const { verifier, challenge } = pkce();
    const code = await codeFor(world(), ben, racing, { code_challenge: challenge, code_challenge_method: 'S256' });
    const tokens = (await redeem(world(), racing, code, { code_verifier: verifier })).body;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refresh(world(), racing, tokens.refresh_token)));
    expect(outcomes.filter((outcome) => outcome.status === 200)).toHaveLength(1);
    for (const { status, body } of outcomes) {
      if (status === 200) expect(await tryToken(world(), body.access_token)).toBe(401);
      else expect([status, body.error]).toEqual([400, 'invalid_grant']);
    }
  },
);

test('another family of the same user and application stays when one ends', async () => {
  const one = await tokensFor(world(), ben, app);
  const other = await tokensFor(world(), ben, app);
  await refresh(world(), app, one.refresh_token);
  await refresh(world(), app, one.refresh_token);
  expect(await tryToken(world(), other.access_token)).toBe(200);
});

test('everything expires: the request after 5 minutes, the code after 5, the refresh token after 30 days', async () => {
  const url = authorizeUrl(world(), { response_type: 'code', client_id: (await application(ada)).clientId });
  const id = (await visit(world(), url, cookie)).location.searchParams.get('transaction_id') as string;
  ahead = 5 * minutes + 1_000;
  expect((await decide(world(), cookie, id)).status).toBe(404);

  ahead = 0;
  const late = await codeFor(world(), ben, app);
  const early = await codeFor(world(), ben, app);
  ahead = 5 * minutes - 5_000;
  const tokens = (await redeem(world(), app, early)).body;
  ahead = 5 * minutes + 1_000;
  expect(await redeem(world(), app, late)).toMatchObject(refusal('invalid_grant'));

  ahead += 30 * days - minutes;
  const renewed = await refresh(world(), app, tokens.refresh_token);
  expect(renewed.status).toBe(200);
  ahead += 30 * days + minutes;
  expect(await refresh(world(), app, renewed.body.refresh_token)).toMatchObject(refusal('invalid_grant'));
});

test('an access token ends after 10 minutes', async () => {
  // Bearer tokens are checked by the clock of the database, so these are issued in the past.
  ahead = -10 * minutes + 20_000;
  const living = await tokensFor(world(), ben, app);
  ahead = -10 * minutes;
  const dead = await tokensFor(world(), ben, app);
  expect(await tryToken(world(), living.access_token)).toBe(200);
  expect(await tryToken(world(), dead.access_token)).toBe(401);
});

test('codes and refresh tokens of one application are worth nothing to another, and survive the attempt', async () => {
  const other = await application(ada);
  const code = await codeFor(world(), ben, app);
  expect(await redeem(world(), other, code)).toMatchObject(refusal('invalid_grant'));
  const { body } = await redeem(world(), app, code);
  expect(await refresh(world(), other, body.refresh_token)).toMatchObject(refusal('invalid_grant'));
  expect(await revoke(world(), other, body.refresh_token)).toMatchObject(refusal('invalid_grant'));
  expect(await revoke(world(), other, body.access_token)).toMatchObject(refusal('invalid_grant'));
  expect(await revoke(world(), other, ben.token)).toMatchObject(refusal('invalid_grant'));
  expect(await tryToken(world(), body.access_token)).toBe(200);
  expect((await refresh(world(), app, body.refresh_token)).status).toBe(200);
});

test('an application that does not prove itself is refused with 401, by Basic with a challenge', async () => {
  const code = await codeFor(world(), ben, app);
  const open = await application(ada, { secret: false });
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback };
  const basic = (text: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  });
  const attempts = await Promise.all([
    tokenRequest(world(), exchange),
    tokenRequest(world(), { ...exchange, client_id: app.clientId }),
    tokenRequest(world(), { ...exchange, client_id: app.clientId, client_secret: 'wrong' }),
    tokenRequest(world(), { ...exchange, client_id: 'cltunknown', client_secret: app.secret }),
    tokenRequest(world(), { ...exchange, client_id: 'clt\0', client_secret: app.secret }),
    tokenRequest(world(), { ...exchange, client_id: open.clientId, client_secret: 'has none' }),
    tokenRequest(world(), exchange, basic(`${app.clientId}:wrong`)),
    tokenRequest(world(), exchange, basic('nonsense')),
  ]);
  for (const attempt of attempts) expect(attempt).toMatchObject(refusal('invalid_client', 401));
  expect(attempts.map((attempt) => attempt.headers.get('www-authenticate')?.startsWith('Basic ') ?? false)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(
    (await tokenRequest(world(), { ...exchange, client_secret: app.secret }, basic(`${app.clientId}:${app.secret}`)))
      .body.error,
  ).toBe('invalid_request');
  expect((await tokenRequest(world(), exchange, basic(`${app.clientId}:${app.secret}`))).status).toBe(200);
});

test('malformed token requests are answered in the words of RFC 6749', async () => {
  const mine = { client_id: app.clientId, client_secret: app.secret };
  expect(await tokenRequest(world(), {})).toMatchObject(refusal('invalid_request'));
  for (const grantType of ['password', 'client_credentials', 'constructor', 'implicit']) {
    expect(await tokenRequest(world(), { grant_type: grantType, ...mine })).toMatchObject(
      refusal('unsupported_grant_type'),
    );
  }
  expect(await tokenRequest(world(), { grant_type: 'authorization_code', ...mine })).toMatchObject(
    refusal('invalid_request'),
  );
  expect(await tokenRequest(world(), { grant_type: 'refresh_token', ...mine })).toMatchObject(
    refusal('invalid_request'),
  );
  expect(await tokenRequest(world(), { grant_type: 'authorization_code', code: 'x\0', ...mine })).toMatchObject(
    refusal('invalid_grant'),
  );
  expect(await tokenRequest(world(), { grant_type: 'refresh_token', refresh_token: 'é', ...mine })).toMatchObject(
    refusal('invalid_grant'),
  );
  const send = async (contentType: string | undefined, body: string | undefined): Promise<unknown> => {
    const response = await fetch(`${world().baseUrl}/oauth/access_token`, {
      method: 'POST',
      ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
      ...(body === undefined ? {} : { body }),
    });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  expect(await send('application/x-www-form-urlencoded', 'grant_type=a&grant_type=b')).toEqual([
    400,
    'invalid_request',
  ]);
  for (const body of ['[]', '5', 'null', '"x"', '{"grant_type":5}', '{"grant_type":["refresh_token"]}'])
    expect([body, await send('application/json', body)]).toEqual([body, [400, 'invalid_request']]);
  expect(await send(undefined, undefined)).toEqual([400, 'invalid_request']);
  expect(await send('application/x-www-form-urlencoded', '%%%&=&&&')).toEqual([400, 'invalid_request']);
});

test('an answer with tokens is never cached', async () => {
  const { headers } = await redeem(world(), app, await codeFor(world(), ben, app));
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
});

test('forms are understood by the endpoints of OAuth only', async () => {
  const response = await fetch(`${world().baseUrl}/oauth/client`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}` },
    body: new URLSearchParams({ name: 'x', homepage: callback, redirectUris: callback }),
  });
  expect(response.status).toBe(415);
});

test('a request is not carried out if the application gave up its redirect URI meanwhile', async () => {
  const moving = await application(ada);
  const id = (
    await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: moving.clientId }), cookie)
  ).location.searchParams.get('transaction_id') as string;
  await ada.call(updateOauthClient, {
    params: { clientId: moving.clientId },
    body: { name: 'x', homepage: callback, redirectUris: [`${callback}2`] },
  });
  expect((await decide(world(), cookie, id)).status).toBe(400);
});
