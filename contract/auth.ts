// Signing up, in and out; who the caller is.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';
import { email, newPassword, shownEmail, userMe } from './user.ts';

const password = Type.String({ minLength: 1, maxLength: 256 });

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/auth/signup',
  summary: 'Create an account and sign in',
  description:
    'Makes a user, a space of their own, and a session, whose cookie is set. Where the server sends e-mails, the address has to be verified first: without `verification` the answer is 422 with `data.token` and `data.expiresTime`, and a code is on its way to the address; the same request with both makes the account. The answer is the same for an address that has an account, which gets an e-mail that says so. Anyone who brings the secret of an invitation that was mailed to the address needs no code. Where no e-mails are sent, an invitation of the address takes effect with its secret (`invitationId` and `invitationCode` of its link), never without. The first user of an instance is its administrator. More than 200 accounts from one client in 15 minutes are a 429 with Retry-After.',
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({
    email,
    password: newPassword,
    name: Type.Optional(
      text({ maxLength: 200, description: 'What others see. Default: what stands before the @ of the address.' }),
    ),
    defaultSpaceName: Type.Optional(
      text({ maxLength: 200, description: 'Name of the first space. Default: "{name}\'s space".' }),
    ),
    invitationId: Type.Optional(Type.String({ maxLength: 100, description: 'Of an invitation to this address.' })),
    invitationCode: Type.Optional(Type.String({ maxLength: 200, description: 'Its secret.' })),
    refMeta: Type.Optional(Type.Unknown({ description: 'Accepted for compatibility, not used.' })),
    verification: Type.Optional(
      Type.Object({
        code: Type.String({ maxLength: 100, description: 'Of the e-mail.' }),
        token: Type.String({
          maxLength: 200,
          description: 'Of the 422 before, or of `send-signup-verification-code`.',
        }),
      }),
    ),
    inviteCode: Type.Optional(Type.Unknown({ description: 'Accepted for compatibility, not used.' })),
  }),
  status: 201,
  response: userMe,
});

export const getSignInOptions = endpoint({
  name: 'getSignInOptions',
  method: 'GET',
  path: '/auth/options',
  summary: 'What the sign-in page may offer',
  tag: 'auth',
  access: { on: 'public' },
  query: Type.Object({
    email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Also offer the providers of the organisation whose verified domain this address is of.',
      }),
    ),
  }),
  status: 200,
  response: Type.Object({
    signUp: Type.Enum(['open', 'invited', 'closed'], { description: 'Who may create an account.' }),
    sendsEmail: Type.Boolean({
      description:
        'Whether this server sends e-mails: then forgotten passwords can be reset, and addresses are verified.',
    }),
    providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'Through which one can sign in: a browser goes to `/api/auth/oidc/{id}`.',
    }),
    organizations: Type.Boolean({
      description: 'Whether organisations have providers of their own: ask with `email`.',
    }),
  }),
});

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/auth/signin',
  summary: 'Sign in',
  description:
    'Sets the cookie of a new session. An account with a second factor is answered 422 with `data.secondFactorToken`, and signs in with it and a code at `/auth/signin/second-factor`. After some wrong tries answers come slower, then 429 with Retry-After, per address and per client.',
  tag: 'auth',
  access: { on: 'public' },
  // No form is demanded of the address: one that was accepted elsewhere must get in, any other is simply wrong.
  body: Type.Object({ email: text({ minLength: 1, maxLength: 254 }), password }),
  status: 200,
  response: userMe,
});

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/auth/signout',
  summary: 'Sign out',
  description: 'Ends the session of the cookie. A token stays valid.',
  tag: 'auth',
  access: { on: 'user' },
  status: 200,
});

export const getUser = endpoint({
  name: 'getUser',
  method: 'GET',
  path: '/auth/user',
  summary: 'Who is calling',
  tag: 'auth',
  access: { on: 'user' },
  status: 200,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    avatar: Type.Union([Type.String(), Type.Null()]),
    email: Type.Optional(shownEmail),
  }),
});

export const getUserMe = endpoint({
  name: 'getUserMe',
  method: 'GET',
  path: '/auth/user/me',
  summary: 'Your account',
  tag: 'auth',
  access: { on: 'user', scope: 'user|email_read' },
  status: 200,
  response: userMe,
});

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'PATCH',
  path: '/auth/change-password',
  summary: 'Change your password',
  description: 'Ends all sessions of the user, this one too. Access tokens stay valid.',
  tag: 'auth',
  access: { on: 'user', own: true },
  body: Type.Object({ password, newPassword }),
  status: 200,
});

export const addPassword = endpoint({
  name: 'addPassword',
  method: 'POST',
  path: '/auth/add-password',
  summary: 'Give your account a password',
  description:
    'For accounts without one, which were made by signing in through a provider: 409 for others. Needs a session, and a sign-in within the last ten minutes.',
  tag: 'auth',
  access: { on: 'user', own: true },
  body: Type.Object({ password: newPassword }),
  status: 201,
});

const sentCode = {
  token: Type.String({ description: 'To be sent along with the code of the e-mail.' }),
  expiresTime: Type.String({ description: 'ISO 8601, UTC' }),
};
const limited =
  'More than 5 e-mails to one address, or 50 from one client, in an hour are a 429 with Retry-After. 422 where the server sends no e-mails.';
const codeBody = {
  token: Type.String({ maxLength: 200 }),
  code: Type.String({ maxLength: 100, description: 'Of the e-mail. After 5 wrong ones it is worth nothing any more.' }),
};

export const sendSignUpCode = endpoint({
  name: 'sendSignUpCode',
  method: 'POST',
  path: '/auth/send-signup-verification-code',
  summary: 'Mail a code that proves an address, to create an account with it',
  description: `The answer is the same whether or not the address has an account. ${limited}`,
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({ email }),
  status: 200,
  response: Type.Object(sentCode),
});

export const sendSignInCode = endpoint({
  name: 'sendSignInCode',
  method: 'POST',
  path: '/auth/send-signin-verification-code',
  summary: 'Mail a code to sign in with',
  description: `The answer is the same whether or not the address has an account. ${limited}`,
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({ email }),
  status: 200,
  response: Type.Object({ expiresTime: Type.String() }),
});

export const signInWithCode = endpoint({
  name: 'signInWithCode',
  method: 'POST',
  path: '/auth/signin-with-code',
  summary: 'Sign in with the newest code that was mailed',
  description:
    'Sets the cookie of a new session, as signing in with a password does; a second factor is asked for in the same way (422). The code works once, for half an hour, and after 5 wrong tries no more. The address counts as verified.',
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({
    email: text({ minLength: 1, maxLength: 254 }),
    code: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  status: 200,
  response: userMe,
});

export const sendResetPasswordEmail = endpoint({
  name: 'sendResetPasswordEmail',
  method: 'POST',
  path: '/auth/send-reset-password-email',
  summary: 'Mail a link to set a new password',
  description: `The answer is the same whether or not the address has an account. The link works once, for an hour. ${limited}`,
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({ email }),
  status: 201,
});

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Set a new password with the code of a mailed link',
  description:
    'Ends all sessions of the user. Access tokens and the second factor stay as they are. The address counts as verified.',
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({
    password: newPassword,
    code: Type.String({ maxLength: 300, description: 'What follows `#` in the link.' }),
  }),
  status: 201,
});

export const sendVerificationCode = endpoint({
  name: 'sendVerificationCode',
  method: 'POST',
  path: '/auth/send-verification-code',
  summary: 'Mail a code to your own address, to verify it',
  description: limited,
  tag: 'auth',
  access: { on: 'user', own: true },
  status: 200,
  response: Type.Object(sentCode),
});

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/auth/verify-email',
  summary: 'Verify your own address with the code',
  description: 'Invitations of the address that wait take effect.',
  tag: 'auth',
  access: { on: 'user', own: true },
  body: Type.Object(codeBody),
  status: 201,
});

export const sendChangeEmailCode = endpoint({
  name: 'sendChangeEmailCode',
  method: 'POST',
  path: '/auth/send-change-email-code',
  summary: 'Mail a code to a new address of your account',
  description: `The answer is the same whether or not another account has the address. ${limited}`,
  tag: 'auth',
  access: { on: 'user', own: true },
  body: Type.Object({ email, password }),
  status: 200,
  response: Type.Object(sentCode),
});

export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'PATCH',
  path: '/auth/change-email',
  summary: 'Change the e-mail address of your account with the code',
  description: 'The old address is told.',
  tag: 'auth',
  access: { on: 'user', own: true },
  body: Type.Object({ email, ...codeBody }),
  status: 200,
});

export const deleteUser = endpoint({
  name: 'deleteUser',
  method: 'DELETE',
  path: '/auth/user',
  summary: 'Delete your account',
  description:
    'It cannot be undone. Your sessions, tokens, applications, roles, notifications and all that is yours alone end at once, and your name, address and picture are forgotten. What you wrote in spaces of others stays, as that of a deleted user. Spaces that have no other owner are named in `data.spaces` of a refusal with 400, also those in the trash: hand them over or delete them for good first. Needs your `password`, unless you signed in within the last ten minutes.',
  tag: 'auth',
  access: { on: 'user', own: true },
  query: Type.Object({ confirm: Type.Literal('DELETE', { description: 'The word DELETE.' }) }),
  body: Type.Object({ password: Type.Optional(password) }),
  bodyOptional: true,
  status: 200,
});

export const getTempToken = endpoint({
  name: 'getTempToken',
  method: 'GET',
  path: '/auth/temp-token',
  summary: 'Get a token for the next ten minutes',
  description:
    'It may do all that you may. It is not among your access tokens, and ends with the credential that it was asked for with.',
  tag: 'auth',
  access: { on: 'user', own: true },
  status: 200,
  response: Type.Object({ accessToken: Type.String(), expiresTime: Type.String({ description: 'ISO 8601, UTC' }) }),
});
