// Signing in through a provider of OpenID Connect, and the identities that an account has there.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const password = Type.String({ minLength: 1, maxLength: 256 });
const providerId = Type.String({ maxLength: 64, description: 'As in `/auth/options`.' });
const redirect = Type.Optional(
  text({ maxLength: 2_000, description: 'Where to go afterwards: a path of this server. Anything else leads home.' }),
);
/** Only places of this server: a link must not lead anywhere else after signing in. Browsers drop tabs and line breaks: `/<tab>/host` would be `//host`. */
export const innerPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])[^\t\r\n]*$/.test(value) ? value : undefined;

const own = { on: 'user', own: true } as const;
const tag = 'identity';

/** Why signing in through a provider did not work: the word in `problem` of the page that people are sent to. */
export const signInProblems = {
  unavailable: 'The provider does not answer at the moment.',
  declined: 'The provider was left without signing in, or refused.',
  untrusted: 'What the provider sent did not pass a check.',
  over: 'It took too long, was begun in another browser, or was finished before.',
  unverified: 'The provider does not say that the e-mail address is verified.',
  domain: 'Addresses of this domain cannot sign in through this provider.',
  unknown: 'There is no account, and this provider makes none.',
  taken: 'The address has an account that is not linked with this identity.',
  deactivated: 'The account was deactivated.',
  elsewhere: 'People of this domain sign in through another provider.',
  weak: 'The provider did not ask for a second factor.',
  linked: 'The identity belongs to another account.',
  changed: 'Somebody else is signed in by now, or nobody.',
} as const;

export type SignInProblem = keyof typeof signInProblems;

export const beginProviderSignIn = endpoint({
  name: 'beginProviderSignIn',
  method: 'GET',
  path: '/auth/oidc/:providerId',
  summary: 'Sign in through a provider',
  description:
    'For the browser of a person: it is sent to the provider, and from there to `/auth/oidc/{providerId}/callback`. More than 1000 from one client in 15 minutes are a 429 with Retry-After.',
  tag,
  access: { on: 'public' },
  params: Type.Object({ providerId }),
  query: Type.Object({ redirect }),
  status: 302,
});

const parameter = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const finishProviderSignIn = endpoint({
  name: 'finishProviderSignIn',
  method: 'GET',
  path: '/auth/oidc/:providerId/callback',
  summary: 'Where a provider sends people back to',
  description:
    'To be registered with the provider as redirect URI. It finishes in the browser in which it began, within 15 minutes, once. What goes wrong leads to the sign-in page, or to the account, with the reason as `problem`.',
  tag,
  access: { on: 'public' },
  params: Type.Object({ providerId }),
  query: Type.Object({
    state: parameter(4_000),
    code: parameter(8_000),
    iss: parameter(2_000),
    error: parameter(1_000),
  }),
  status: 302,
});

export const endSessionsByProvider = endpoint({
  name: 'endSessionsByProvider',
  method: 'POST',
  path: '/auth/oidc/:providerId/backchannel-logout',
  summary: 'Where a provider says that somebody has signed out there',
  description:
    'To be registered with the provider as back-channel logout URI (OpenID Connect Back-Channel Logout 1.0). Sessions that began with that sign-in are ended, and their streams, before it answers. 400 for a token that is not of the provider, not for this client, too old, or used before.',
  tag,
  access: { on: 'public' },
  params: Type.Object({ providerId }),
  form: true,
  body: Type.Object({ logout_token: Type.String({ minLength: 1, maxLength: 20_000 }) }),
  status: 200,
});

export const signOutThere = endpoint({
  name: 'signOutThere',
  method: 'POST',
  path: '/auth/signout/provider',
  summary: 'Sign out, and learn where to sign out at the provider',
  description:
    'Ends the session of the cookie. `url` is where the browser goes to end the session at the provider, which sends it back to the sign-in page; null when the session began without a provider, when the provider has no such page, or when the operator has not asked for it (`signsOutThere`).',
  tag,
  access: { on: 'user' },
  status: 200,
  response: Type.Object({ url: Type.Union([Type.String(), Type.Null()]) }),
});

export const listIdentities = endpoint({
  name: 'listIdentities',
  method: 'GET',
  path: '/user/identity',
  summary: 'With which identities you can sign in',
  tag,
  access: own,
  status: 200,
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      provider: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
        description: 'null when the provider is no longer among those of this server.',
      }),
      issuer: Type.String(),
      email: Type.Union([Type.String(), Type.Null()], {
        description: 'As the provider said when you last signed in with it.',
      }),
      createdTime: Type.String({ description: 'ISO 8601, UTC' }),
      lastUsedTime: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

export const linkIdentity = endpoint({
  name: 'linkIdentity',
  method: 'POST',
  path: '/user/identity',
  summary: 'Begin to link an identity with your account',
  description:
    'Answers the address that your browser has to go to. The browser needs the cookie of this answer and its session when it comes back. Needs your `password`, or a sign-in within the last ten minutes.',
  tag,
  access: own,
  body: Type.Object({ providerId, password: Type.Optional(password), redirect }),
  status: 201,
  response: Type.Object({ url: Type.String() }),
});

export const unlinkIdentity = endpoint({
  name: 'unlinkIdentity',
  method: 'DELETE',
  path: '/user/identity/:identityId',
  summary: 'Unlink an identity from your account',
  description:
    'Ends all other sessions of the account. 409 for the last way in: without a password, or where the domain of your address signs in through a provider only, another identity has to be there.',
  tag,
  access: own,
  params: Type.Object({ identityId: Type.String({ maxLength: 100 }) }),
  status: 200,
});
