// The endpoints of the OAuth 2 protocol: RFC 6749 (authorisation code and refresh), 7636 (PKCE),
// 7009 (revocation), 8414 (metadata), 8628 (devices), 9207 (issuer).
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const tag = 'oauth';

const parameter = (description: string, maxLength = 2_000) => Type.Optional(text({ maxLength, description }));

export const authorizeOauthClient = endpoint({
  name: 'authorizeOauthClient',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Start the authorisation code flow',
  description: [
    'For the browser of the user. Sends it to the sign-in page, to the page that asks for consent, or back to the application.',
    'An unknown application or redirect URI is a 400; every other fault goes back to the redirect URI as `error`.',
    'Consent is not asked for again for seven days if the application has a secret and asks for nothing more.',
  ].join('\n\n'),
  tag,
  access: { on: 'public' },
  query: Type.Object({
    response_type: parameter('Must be `code`.', 100),
    client_id: parameter('Identifier of the application.', 100),
    redirect_uri: parameter(
      'One of the registered redirect URIs, character by character. May be left out if only one is registered.',
    ),
    scope: parameter('Scopes, separated by spaces. Left out: all that are registered.', 5_000),
    state: parameter('Returned as it is.', 4_000),
    code_challenge: parameter(
      'PKCE: the SHA-256 of the verifier in base64url. Required for applications without a secret.',
      500,
    ),
    code_challenge_method: parameter('Must be `S256` where a challenge is sent.', 100),
  }),
  status: 302,
});

export const getOauthDecision = endpoint({
  name: 'getOauthDecision',
  method: 'GET',
  path: '/oauth/decision/:transactionId',
  summary: 'Read what an application asks the caller for',
  tag,
  access: { on: 'user', own: true },
  params: Type.Object({ transactionId: Type.String({ maxLength: 200 }) }),
  status: 200,
  response: Type.Object({
    clientId: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    homepage: Type.String(),
    logo: Type.Optional(Type.String()),
    scopes: Type.Array(Type.String(), { description: 'What it asks for.' }),
    redirectUri: Type.String({ description: 'Where the decision is sent.' }),
  }),
});

export const decideOauthRequest = endpoint({
  name: 'decideOauthRequest',
  method: 'POST',
  path: '/oauth/decision',
  summary: 'Allow or decline what an application asks for',
  description:
    'Only a signed-in user can, not a token. The body may be JSON or a form; a form is answered with 302 to the application, JSON with the address to go to.',
  tag,
  access: { on: 'user', own: true },
  form: true,
  body: Type.Object({
    transaction_id: Type.String({ maxLength: 200, description: 'From the address of the consent page.' }),
    cancel: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 100 })], { description: 'Present and not false: decline.' }),
    ),
  }),
  status: 200,
  response: Type.Object({ redirectUrl: Type.String({ description: 'With the code, or with the error.' }) }),
});

// Faults of these two endpoints are answered as RFC 6749 says, so nothing is refused before they see it.
const lenient = (properties: Record<string, string>) =>
  Type.Unsafe<Record<string, unknown>>({
    properties: Object.fromEntries(Object.entries(properties).map(([key, description]) => [key, { description }])),
  });

const clientCredentials = {
  client_id: 'Identifier of the application, unless it is in the Authorization header (Basic).',
  client_secret: 'One of its secrets, unless in the header. Public applications have none.',
};

export const issueOauthToken = endpoint({
  name: 'issueOauthToken',
  method: 'POST',
  path: '/oauth/access_token',
  summary: 'Redeem a code or a refresh token',
  description: [
    'The body is a form (`application/x-www-form-urlencoded`) or JSON. Errors are `{error, error_description}` as in RFC 6749.',
    'A code is good for 5 minutes and once, an access token for 10 minutes, a refresh token for 30 days and once. A second use of a code or refresh token ends everything that came of it.',
  ].join('\n\n'),
  tag,
  access: { on: 'public' },
  form: true,
  bodyOptional: true,
  body: lenient({
    grant_type: '`authorization_code`, `refresh_token`, or `urn:ietf:params:oauth:grant-type:device_code`.',
    device_code:
      'For devices. Until somebody has decided the answer is `authorization_pending`, or `slow_down` to those who poll too often.',
    code: 'The code, for `authorization_code`.',
    redirect_uri: 'The same as in the authorisation request, if it was sent there.',
    code_verifier: 'The PKCE verifier, if a challenge was sent.',
    refresh_token: 'The refresh token, for `refresh_token`.',
    scope: 'For `refresh_token`: fewer scopes for the new access token.',
    ...clientCredentials,
  }),
  status: 200,
  response: Type.Object({
    token_type: Type.Literal('Bearer'),
    access_token: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.String(),
    refresh_expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'Scopes, separated by spaces.' }),
    scopes: Type.Array(Type.String()),
  }),
});

export const createDeviceCode = endpoint({
  name: 'createDeviceCode',
  method: 'POST',
  path: '/oauth/device/code',
  summary: 'Start the flow for devices without a browser',
  description: [
    'RFC 8628, for command lines and devices. The application shows `user_code` and `verification_uri`; a person opens the page elsewhere, signs in, types the code and allows it. Meanwhile the application asks for tokens with `device_code`, every `interval` seconds.',
    'Only for applications with `allowDeviceFlow`. Codes are good for ten minutes. Errors are `{error, error_description}` as in RFC 6749.',
  ].join('\n\n'),
  tag,
  access: { on: 'public' },
  form: true,
  bodyOptional: true,
  body: lenient({
    scope: 'Scopes, separated by spaces. Left out: all that are registered.',
    ...clientCredentials,
  }),
  status: 200,
  response: Type.Object({
    device_code: Type.String(),
    user_code: Type.String({ description: 'Eight consonants, as `BCDF-GHJK`. Case and dash do not count.' }),
    verification_uri: Type.String({ description: 'The page where it is typed.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds between two polls.' }),
  }),
});

const userCode = Type.String({ maxLength: 100, description: 'As the device shows it.' });

export const getDeviceRequest = endpoint({
  name: 'getDeviceRequest',
  method: 'GET',
  path: '/oauth/device/:userCode',
  summary: 'Read what a device asks the caller for',
  description:
    '404 for a code that is unknown, decided already, or too old. For people who are signed in, not for tokens.',
  tag,
  access: { on: 'user', own: true },
  params: Type.Object({ userCode }),
  status: 200,
  response: Type.Object({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    homepage: Type.String(),
    logo: Type.Optional(Type.String()),
    scopes: Type.Array(Type.String(), { description: 'What it asks for.' }),
  }),
});

export const decideDeviceRequest = endpoint({
  name: 'decideDeviceRequest',
  method: 'POST',
  path: '/oauth/device/decision',
  summary: 'Allow or decline what a device asks for',
  description: 'Only a signed-in user can, not a token, and once.',
  tag,
  access: { on: 'user', own: true },
  body: Type.Object({ userCode, approve: Type.Boolean() }),
  status: 201,
});

export const revokeIssuedToken = endpoint({
  name: 'revokeIssuedToken',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke an access or refresh token',
  description:
    'RFC 7009. The body is a form or JSON. A refresh token ends with everything that came of the same code; an access token ends alone. An unknown token is no error.',
  tag,
  access: { on: 'public' },
  form: true,
  bodyOptional: true,
  body: lenient({
    token: 'The token.',
    token_type_hint: '`access_token` or `refresh_token`; not needed.',
    ...clientCredentials,
  }),
  status: 200,
});
