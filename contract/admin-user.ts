// Accounts of the instance, for its administrators: found, made, shut out, deleted, and the ways into them.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Session } from './session.ts';
import { text } from './text.ts';
import { email, shownEmail } from './user.ts';

const tag = 'admin';
const id = Type.String({ maxLength: 100 });
const ofUser = Type.Object({ userId: id });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const TimeOrNull = Type.Union([Time, Type.Null()]);

/** Reads by an administrator; a token has to be one without limits. */
export const forAdmins = { on: 'admin' } as const;
/** Acts of an administrator, who has to be there: no token may. */
export const byAdmins = { on: 'admin', session: true } as const;

/** Pages by number, as Teable's lists for administrators have them. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: '1 when absent.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '10 when absent.' })),
  search: Type.Optional(text({ maxLength: 200 })),
};

export const paged = { total: Type.Integer(), page: Type.Integer(), pageSize: Type.Integer() };

const person = {
  id: Type.String(),
  name: Type.String(),
  email: shownEmail,
  avatar: Type.Union([Type.String(), Type.Null()]),
  createdTime: Time,
  lastSignTime: TimeOrNull,
  deactivatedTime: TimeOrNull,
  deletedTime: TimeOrNull,
  isAdmin: Type.Boolean(),
  billable: Type.Boolean({ description: 'Has a role somewhere that takes a seat of a plan.' }),
  isEmailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
};

const AdminUser = Type.Object(person);
export type AdminUser = Static<typeof AdminUser>;

export const userStates = ['active', 'deactivated', 'deleted', 'admin', 'neverSignedIn'] as const;

export const listAdminUsers = endpoint({
  name: 'listAdminUsers',
  method: 'GET',
  path: '/admin/user',
  summary: 'Accounts of this instance, newest first',
  tag,
  access: forAdmins,
  query: Type.Object({
    ...pageQuery,
    search: Type.Optional(text({ maxLength: 200, description: 'A part of the name or the address, or the id.' })),
    includeDeleted: Type.Optional(Type.Boolean({ description: 'Also deleted accounts that can be restored.' })),
    state: Type.Optional(
      Type.Enum([...userStates], { description: 'Only these. `deleted` needs no `includeDeleted`.' }),
    ),
  }),
  status: 200,
  response: Type.Object({ data: Type.Array(AdminUser), ...paged }),
});

const AdminToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdTime: Time,
  lastUsedTime: TimeOrNull,
  expiredTime: Time,
  isUnlimited: Type.Boolean({ description: 'It may do all that its user may.' }),
});
export type AdminToken = Static<typeof AdminToken>;

export const getAdminUser = endpoint({
  name: 'getAdminUser',
  method: 'GET',
  path: '/admin/user/:userId',
  summary: 'An account, with what it is signed in with and where it has roles',
  description: 'Of sessions and tokens nothing is shown that they could be used with.',
  tag,
  access: forAdmins,
  params: ofUser,
  status: 200,
  response: Type.Object({
    ...person,
    sessions: Type.Array(Session),
    tokens: Type.Array(AdminToken),
    applications: Type.Array(Type.Object({ clientId: Type.String(), name: Type.String() }), {
      description: 'Which they allowed to act for them.',
    }),
    identities: Type.Integer({ description: 'How many identities of other providers sign in to it.' }),
    spaces: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        role: Type.String(),
        isOnlyOwner: Type.Boolean({ description: 'Nobody else who is active owns it.' }),
      }),
    ),
  }),
});

const PasswordLink = Type.Object({
  link: Type.String({ description: 'Sets a new password, once. Anyone who has it can.' }),
  expiresTime: Time,
  isMailed: Type.Boolean({ description: 'It is also on its way to the address of the account.' }),
});

export const createAdminUser = endpoint({
  name: 'createAdminUser',
  method: 'POST',
  path: '/admin/user',
  summary: 'Make an account',
  description:
    'Also where sign-up is closed. It has a space of its own and no password: the link sets one. Where the server sends e-mails, it goes to the address, too. The address counts as verified.',
  tag,
  access: byAdmins,
  body: Type.Object({
    email,
    name: Type.Optional(text({ minLength: 1, maxLength: 200, description: 'The part before the @ when absent.' })),
    isAdmin: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  response: Type.Object({ id: Type.String(), name: Type.String(), email: shownEmail, ...PasswordLink.properties }),
});

export const updateAdminUser = endpoint({
  name: 'updateAdminUser',
  method: 'PATCH',
  path: '/admin/user/:userId',
  summary: 'Rename an account, shut it out or let it in again',
  description:
    'A deactivated account loses its sessions, tokens, streams and what applications were allowed before the answer comes; they do not come back. Its roles stay. 409 for the last administrator.',
  tag,
  access: byAdmins,
  params: ofUser,
  body: Type.Object({
    name: Type.Optional(text({ minLength: 1, maxLength: 200 })),
    isActivated: Type.Optional(Type.Boolean()),
  }),
  status: 200,
});

export const setUserAdmin = endpoint({
  name: 'setUserAdmin',
  method: 'PATCH',
  path: '/admin/user/:userId/admin',
  summary: 'Make somebody an administrator, or no longer',
  description: '409 for the last administrator, and for an account that is deactivated.',
  tag,
  access: byAdmins,
  params: ofUser,
  body: Type.Object({ isAdmin: Type.Boolean() }),
  status: 200,
});

export const deleteAdminUser = endpoint({
  name: 'deleteAdminUser',
  method: 'DELETE',
  path: '/admin/user/:userId',
  summary: 'Delete an account, so that it can be restored',
  description: 'It is shut out as a deactivated one, and no longer listed. Its address stays taken.',
  tag,
  access: byAdmins,
  params: ofUser,
  status: 200,
});

export const restoreAdminUser = endpoint({
  name: 'restoreAdminUser',
  method: 'POST',
  path: '/admin/user/:userId/restore-delete',
  summary: 'Restore a deleted account',
  description: 'It is as it was: one that was deactivated before stays deactivated.',
  tag,
  access: byAdmins,
  params: ofUser,
  status: 200,
});

export const eraseAdminUser = endpoint({
  name: 'eraseAdminUser',
  method: 'DELETE',
  path: '/admin/user/:userId/permanent-delete',
  summary: 'Delete an account for good',
  description:
    'Only one that is deleted already. Everything that is theirs alone goes; what they wrote stays, by “Deleted user”. 400 while they are the only owner of a space.',
  tag,
  access: byAdmins,
  params: ofUser,
  status: 200,
});

export const createPasswordLink = endpoint({
  name: 'createPasswordLink',
  method: 'POST',
  path: '/admin/user/:userId/password-link',
  summary: 'Make a link with which somebody sets a new password',
  description:
    'It works once, for a day, and ends those made before. The present password and sessions stay valid until it is used. Where the server sends e-mails, it is mailed, too.',
  tag,
  access: byAdmins,
  params: ofUser,
  status: 201,
  response: PasswordLink,
});

export const endUserSession = endpoint({
  name: 'endUserSession',
  method: 'DELETE',
  path: '/admin/user/:userId/sessions/:sessionId',
  summary: 'End a session of somebody',
  tag,
  access: byAdmins,
  params: Type.Object({ userId: id, sessionId: id }),
  status: 200,
});

export const revokeUserToken = endpoint({
  name: 'revokeUserToken',
  method: 'DELETE',
  path: '/admin/user/:userId/token/:tokenId',
  summary: 'Revoke an access token of somebody',
  description: 'With the tokens that were made with it.',
  tag,
  access: byAdmins,
  params: Type.Object({ userId: id, tokenId: id }),
  status: 200,
});

export const removeSecondFactorOf = endpoint({
  name: 'removeSecondFactorOf',
  method: 'DELETE',
  path: '/admin/user/:userId/second-factor',
  summary: 'Take the second factor off an account',
  description: 'For somebody who has lost the app and the recovery codes. They are told by e-mail.',
  tag,
  access: byAdmins,
  params: ofUser,
  status: 200,
});
