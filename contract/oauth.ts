// OAuth applications: the record that its creator keeps, and who has allowed it what. The endpoints of the
// protocol itself are in oauth-server.ts.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import type { Action } from './permission.ts';
import { text } from './text.ts';
import { shownEmail } from './user.ts';

/** What an application can ask for. Spaces, people and credentials are not among it. */
export const oauthScopes = [
  'table|create',
  'table|delete',
  'table|export',
  'table|import',
  'table|read',
  'table|update',
  'table|trash_read',
  'table|trash_update',
  'table|trash_reset',
  'view|create',
  'view|delete',
  'view|read',
  'view|update',
  'field|create',
  'field|delete',
  'field|read',
  'field|update',
  'record|comment',
  'record|create',
  'record|delete',
  'record|read',
  'record|update',
  'automation|create',
  'automation|delete',
  'automation|read',
  'automation|update',
  'base|create',
  'base|delete',
  'base|read',
  'base|read_all',
  'base|update',
  'table_record_history|read',
  'user|email_read',
] as const satisfies readonly Action[];

const clientId = Type.String({ maxLength: 100, description: 'Identifier of the application, `clt…`.' });
const clientParams = Type.Object({ clientId });

const words = {
  name: 'What people see when they are asked to allow the application.',
  description: 'What the application does.',
  logo: 'Address of a picture.',
  homepage: 'Address of the page of the application.',
  scopes: `What the application may ask for: any of ${oauthScopes.map((scope) => `\`${scope}\``).join(', ')}.`,
  redirectUris:
    'Where users are sent back to. Compared character by character; `http` only for this computer (`localhost`, `127.0.0.1`, `[::1]`).',
};

const allowDeviceFlow = Type.Boolean({
  description:
    'Whether it may ask without a browser of its own, by a code that people type. Anybody can show such a code in its name, so it is off unless the application needs it.',
});
const name = Type.String({ description: words.name });
const description = Type.String({ description: words.description });
const logo = Type.String({ description: words.logo });
const homepage = Type.String({ description: words.homepage });
const scopes = Type.Array(Type.String(), { description: words.scopes });
const redirectUris = Type.Array(Type.String(), { description: words.redirectUris });

const maskedSecret = Type.Object({
  id: Type.String(),
  secret: Type.String({ description: 'Masked: only its last characters are readable.' }),
  lastUsedTime: Type.Optional(Type.String({ description: 'When an application last proved itself with it.' })),
});

export const OauthClient = Type.Object({
  clientId,
  name,
  description: Type.Optional(description),
  secrets: Type.Array(maskedSecret, {
    description: 'Newest first. Without any the application is public: it must use PKCE.',
  }),
  scopes,
  logo: Type.Optional(logo),
  homepage,
  redirectUris,
  allowDeviceFlow: Type.Optional(allowDeviceFlow),
});
export type OauthClient = Static<typeof OauthClient>;

const emptiable = (meaning: string) =>
  Type.Optional(
    Type.Union([text({ maxLength: 2_000 }), Type.Null()], {
      description: `${meaning} Left out: kept as it is. Empty or null: removed.`,
    }),
  );

const clientFields = {
  name: text({ minLength: 1, maxLength: 255, description: words.name }),
  description: emptiable(words.description),
  homepage: text({ maxLength: 2_000, description: words.homepage }),
  logo: emptiable(words.logo),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200, description: `${words.scopes} Left out: none.` }),
  ),
  redirectUris: Type.Array(text({ maxLength: 2_000 }), { minItems: 1, maxItems: 100, description: words.redirectUris }),
  allowDeviceFlow: Type.Optional(allowDeviceFlow),
};

const CreateBody = Type.Object(clientFields);
export type OauthClientInput = Static<typeof CreateBody>;

const UpdateBody = Type.Object({
  ...clientFields,
  clientId: Type.Optional(
    Type.String({ maxLength: 100, description: 'If it is sent, it must be the one of the path.' }),
  ),
  secrets: Type.Optional(
    Type.Array(Type.Unknown(), {
      maxItems: 100,
      description: 'Read-only here: accepted, not applied. Secrets have endpoints of their own.',
    }),
  ),
});

const tag = 'oauth';
/** Applications hold credentials of their own; the token of one must not manage them. */
const access = { on: 'user', own: true } as const;

export const createOauthClient = endpoint({
  name: 'createOauthClient',
  method: 'POST',
  path: '/oauth/client',
  summary: 'Create an OAuth application',
  tag,
  access,
  body: CreateBody,
  status: 201,
  response: OauthClient,
});

export const listOauthClients = endpoint({
  name: 'listOauthClients',
  method: 'GET',
  path: '/oauth/client',
  summary: 'List the OAuth applications that the caller has created',
  tag,
  access,
  status: 200,
  response: Type.Array(
    Type.Object({ clientId, name, description: Type.Optional(description), logo: Type.Optional(logo), homepage }),
  ),
});

export const getOauthClient = endpoint({
  name: 'getOauthClient',
  method: 'GET',
  path: '/oauth/client/:clientId',
  summary: 'Read an OAuth application',
  description: 'Only its creator can.',
  tag,
  access,
  params: clientParams,
  status: 200,
  response: OauthClient,
});

export const updateOauthClient = endpoint({
  name: 'updateOauthClient',
  method: 'PUT',
  path: '/oauth/client/:clientId',
  summary: 'Replace the details of an OAuth application',
  description: 'Only its creator can. Scopes that are taken away are taken away from the tokens it holds, too.',
  tag,
  access,
  params: clientParams,
  body: UpdateBody,
  status: 200,
  response: OauthClient,
});

export const deleteOauthClient = endpoint({
  name: 'deleteOauthClient',
  method: 'DELETE',
  path: '/oauth/client/:clientId',
  summary: 'Delete an OAuth application',
  description: 'Everything issued to it ends at once.',
  tag,
  access,
  params: clientParams,
  status: 200,
});

export const createOauthSecret = endpoint({
  name: 'createOauthSecret',
  method: 'POST',
  path: '/oauth/client/:clientId/secret',
  summary: 'Generate a secret for an OAuth application',
  description:
    'With its first secret an application is no longer public: from then on it must prove itself with one of its secrets.',
  tag,
  access,
  params: clientParams,
  status: 201,
  response: Type.Object({
    id: Type.String(),
    secret: Type.String({ description: 'Shown this once; only its hash is kept.' }),
    maskedSecret: Type.String({ description: 'As it is shown from now on.' }),
    lastUsedTime: Type.Optional(Type.String()),
  }),
});

export const deleteOauthSecret = endpoint({
  name: 'deleteOauthSecret',
  method: 'DELETE',
  path: '/oauth/client/:clientId/secret/:secretId',
  summary: 'Delete a secret of an OAuth application',
  description:
    'Ends every authorisation whose newest tokens were issued for this secret. To replace a secret, generate the new one first and let the application refresh its tokens with it.',
  tag,
  access,
  params: Type.Object({ clientId, secretId: Type.String({ maxLength: 100 }) }),
  status: 200,
});

export const revokeOauthAccess = endpoint({
  name: 'revokeOauthAccess',
  method: 'POST',
  path: '/oauth/client/:clientId/revoke-access',
  summary: 'End the access of an OAuth application to all its users',
  description: 'Only its creator can. The application stays, and users can allow it again.',
  tag,
  access,
  params: clientParams,
  status: 200,
});

export const listAuthorizedClients = endpoint({
  name: 'listAuthorizedClients',
  method: 'GET',
  path: '/oauth/client/authorized/list',
  summary: 'List the OAuth applications that the caller has allowed to act for them',
  tag,
  access,
  status: 200,
  response: Type.Array(
    Type.Object({
      clientId,
      name,
      description: Type.Optional(description),
      logo: Type.Optional(logo),
      homepage,
      scopes: Type.Array(Type.String(), { description: 'What it is allowed.' }),
      lastUsedTime: Type.Optional(Type.String({ description: 'When it last used or renewed its access.' })),
      createdUser: Type.Object(
        { name: Type.String(), email: shownEmail },
        { description: 'Who made the application.' },
      ),
    }),
  ),
});

export const revokeOauthToken = endpoint({
  name: 'revokeOauthToken',
  method: 'POST',
  path: '/oauth/client/:clientId/revoke-token',
  summary: 'End the access of an OAuth application to the caller',
  description: 'For a user who has allowed the application, and for the application itself with a token of that user.',
  tag,
  access: { on: 'user' },
  params: clientParams,
  status: 200,
});

export const giveUpOauthToken = endpoint({
  name: 'giveUpOauthToken',
  method: 'GET',
  path: '/oauth/client/:clientId/revoke-token',
  summary: 'End the access of an OAuth application, called by the application itself',
  description: 'Only with a token of that application: a link must not be able to do it. Newer software uses the POST.',
  tag,
  access: { on: 'user' },
  params: clientParams,
  status: 200,
});
