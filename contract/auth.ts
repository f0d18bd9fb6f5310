// Signing up, in and out; who the caller is.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';
import { email, newPassword, userMe } from './user.ts';

const password = Type.String({ minLength: 1, maxLength: 256 });

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/auth/signup',
  summary: 'Create an account and sign in',
  description:
    'Makes a user, a space of their own, and a session, whose cookie is set. An invitation of the address takes effect with its secret (`invitationId` and `invitationCode` of its link), never without. The first user of an instance is its administrator. More than 200 accounts from one client in 15 minutes are a 429 with Retry-After.',
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({
    email,
    password: newPassword,
    defaultSpaceName: Type.Optional(text({ maxLength: 200, description: 'Name of the first space. Default: "{name}\'s space".' })),
    invitationId: Type.Optional(Type.String({ maxLength: 100, description: 'Of an invitation to this address.' })),
    invitationCode: Type.Optional(Type.String({ maxLength: 200, description: 'Its secret.' })),
    refMeta: Type.Optional(Type.Unknown({ description: 'Accepted for compatibility, not used.' })),
    verification: Type.Optional(Type.Unknown({ description: 'Accepted for compatibility, not used.' })),
    inviteCode: Type.Optional(Type.Unknown({ description: 'Accepted for compatibility, not used.' })),
  }),
  status: 201,
  response: userMe,
});

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/auth/signin',
  summary: 'Sign in',
  description:
    'Sets the cookie of a new session. After some wrong tries answers come slower, then 429 with Retry-After, per address and per client.',
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
    email: Type.Optional(Type.String({ description: 'A token sees it only with the scope `user|email_read`.' })),
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
