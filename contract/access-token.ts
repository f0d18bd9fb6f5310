// Personal access tokens: what programs use in place of a password.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const idList = Type.Array(text({ maxLength: 50 }), { maxItems: 1_000 });
const idListOfSome = Type.Array(text({ maxLength: 50 }), { minItems: 1, maxItems: 1_000 });
const scopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 200,
  description: 'Action names, such as `record|read`.',
});
const name = text({ minLength: 1, maxLength: 200 });
const description = text({ maxLength: 2_000 });
const expiredTime = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'When the token stops to work: any date or time that can be read.',
});
const hasFullAccess = Type.Boolean({ description: 'Reaches all spaces and bases of its user, present and future.' });

const item = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  scopes: Type.Array(Type.String()),
  spaceIds: Type.Optional(Type.Array(Type.String(), { description: 'Spaces it reaches, with all their bases.' })),
  baseIds: Type.Optional(Type.Array(Type.String(), { description: 'Bases it reaches.' })),
  hasFullAccess: Type.Boolean(),
};

const accessToken = Type.Object({
  ...item,
  expiredTime: Type.String(),
  createdTime: Type.String(),
  lastUsedTime: Type.Optional(
    Type.String({ description: 'Absent until it is used; kept to about a quarter of a minute.' }),
  ),
});

const params = Type.Object({ accessTokenId: Type.String({ maxLength: 100 }) });
const tag = 'access-token';
const access = { on: 'user', own: true } as const;

export const createAccessToken = endpoint({
  name: 'createAccessToken',
  method: 'POST',
  path: '/access-token',
  summary: 'Make an access token',
  description:
    'The text of the token is in this answer only. Without `spaceIds`, `baseIds` and `hasFullAccess` it reaches nothing. A token cannot make one that may do more than itself, and what was made with a token ends with it. `hasFullAccess` with every scope there is means all its user may, also scopes that come later.',
  tag,
  access,
  body: Type.Object({
    name,
    description: Type.Optional(description),
    scopes,
    spaceIds: Type.Optional(Type.Union([idListOfSome, Type.Null()])),
    baseIds: Type.Optional(Type.Union([idListOfSome, Type.Null()])),
    hasFullAccess: Type.Optional(hasFullAccess),
    expiredTime,
  }),
  status: 201,
  response: Type.Object({
    ...item,
    expiredTime: Type.String(),
    createdTime: Type.String(),
    lastUsedTime: Type.String({ description: 'The time it was made: clients expect a value here.' }),
    token: Type.String({ description: 'For `Authorization: Bearer …`. Shown once.' }),
  }),
});

export const listAccessTokens = endpoint({
  name: 'listAccessTokens',
  method: 'GET',
  path: '/access-token',
  summary: 'Your access tokens, newest first',
  description: 'Without those issued to applications. A limited token sees those that may do no more than itself.',
  tag,
  access,
  status: 200,
  response: Type.Array(accessToken),
});

export const getAccessToken = endpoint({
  name: 'getAccessToken',
  method: 'GET',
  path: '/access-token/:accessTokenId',
  summary: 'One access token',
  tag,
  access,
  params,
  status: 200,
  response: accessToken,
});

export const updateAccessToken = endpoint({
  name: 'updateAccessToken',
  method: 'PUT',
  path: '/access-token/:accessTokenId',
  summary: 'Change what an access token may do',
  description:
    'What is left out stays as it is; null clears a list. When it expires is changed by refreshing it. Tokens that were made with it and may do more than it does now end.',
  tag,
  access,
  params,
  body: Type.Object({
    name,
    description: Type.Optional(description),
    scopes,
    spaceIds: Type.Optional(Type.Union([idList, Type.Null()])),
    baseIds: Type.Optional(Type.Union([idList, Type.Null()])),
    hasFullAccess: Type.Optional(hasFullAccess),
  }),
  status: 200,
  response: Type.Object(item),
});

export const refreshAccessToken = endpoint({
  name: 'refreshAccessToken',
  method: 'POST',
  path: '/access-token/:accessTokenId/refresh',
  summary: 'Give an access token a new text',
  description: 'The old text stops to work at once, and so do the tokens that were made with it.',
  tag,
  access,
  params,
  body: Type.Object({ expiredTime: Type.Optional(expiredTime) }),
  bodyOptional: true,
  // As Teable's server does; its list says 201.
  status: 200,
  response: Type.Object({ id: Type.String(), expiredTime: Type.String(), token: Type.String() }),
});

export const deleteAccessToken = endpoint({
  name: 'deleteAccessToken',
  method: 'DELETE',
  path: '/access-token/:accessTokenId',
  summary: 'Revoke an access token',
  description: 'And the tokens that were made with it.',
  tag,
  access,
  params,
  status: 200,
});
