// SCIM 2.0 (RFC 7643, 7644): the directory of an organisation keeps its people and departments. The token is one of the organisation.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { ofOrganization, organizationId, own } from './organization.ts';
import { text } from './text.ts';

const tag = 'scim';
const place = '/scim/v2';
const anyone = { on: 'public' } as const;
const produces = 'application/scim+json';
const id = Type.String({ maxLength: 100 });
const time = Type.String({ description: 'ISO 8601, UTC' });
/** Faults are answered as RFC 7644 says, so the text is read by the operation. */
const body = Type.String({ description: 'JSON, as `application/scim+json` or `application/json`, of 64 kB at most.' });
const resource = Type.Unsafe<Record<string, unknown>>({ type: 'object' });
const needs = 'Needs `Authorization: Bearer` with a token of `/organization/{organizationId}/scim-token`.';

const query = Type.Object({
  filter: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Comparisons with `eq`, joined by `and`: `userName eq "ada@example.com"`.',
    }),
  ),
  startIndex: Type.Optional(Type.Integer({ maximum: 1_000_000_000, description: 'From 1, the default.' })),
  count: Type.Optional(Type.Integer({ maximum: 1_000_000, description: 'Default 100, at most 200.' })),
  attributes: Type.Optional(Type.String({ maxLength: 1_000 })),
  excludedAttributes: Type.Optional(
    Type.String({ maxLength: 1_000, description: '`members` is left out when named.' }),
  ),
});

const reading = (name: string, path: string, summary: string) =>
  endpoint({
    name,
    method: 'GET',
    path: `${place}${path}`,
    summary,
    tag,
    access: anyone,
    status: 200,
    response: resource,
    produces,
  });

export const getScimConfig = reading('getScimConfig', '/ServiceProviderConfig', 'What of SCIM is served');
export const listScimTypes = reading('listScimTypes', '/ResourceTypes', 'Which resources there are');
export const listScimSchemas = reading('listScimSchemas', '/Schemas', 'Which attributes they have');

const collection = <const N extends string>(name: N, path: string, summary: string) =>
  endpoint({
    name,
    method: 'GET',
    path: `${place}${path}`,
    summary,
    description: needs,
    tag,
    access: anyone,
    query,
    status: 200,
    response: resource,
    produces,
  });
const creating = <const N extends string>(name: N, path: string, summary: string, description: string) =>
  endpoint({
    name,
    method: 'POST',
    path: `${place}${path}`,
    summary,
    description: `${description} ${needs}`,
    tag,
    access: anyone,
    body,
    rawBody: true,
    status: 201,
    response: resource,
    produces,
  });
const params = Type.Object({ id });
const one = <const N extends string>(name: N, path: string, summary: string) =>
  endpoint({
    name,
    method: 'GET',
    path: `${place}${path}/:id`,
    summary,
    description: needs,
    tag,
    access: anyone,
    params,
    query,
    status: 200,
    response: resource,
    produces,
  });
const changing = <const N extends string, const M extends 'PUT' | 'PATCH'>(
  name: N,
  method: M,
  path: string,
  summary: string,
  description: string,
) =>
  endpoint({
    name,
    method,
    path: `${place}${path}/:id`,
    summary,
    description: `${description} ${needs}`,
    tag,
    access: anyone,
    params,
    body,
    rawBody: true,
    status: 200,
    response: resource,
    produces,
  });
const deleting = <const N extends string>(name: N, path: string, summary: string, description: string) =>
  endpoint({
    name,
    method: 'DELETE',
    path: `${place}${path}/:id`,
    summary,
    description: `${description} ${needs}`,
    tag,
    access: anyone,
    params,
    status: 204,
  });

const shuts =
  'With `active` false the account is shut: its sessions, tokens, streams and grants end before it answers.';

export const listScimUsers = collection('listScimUsers', '/Users', 'List the people of the organisation');
export const createScimUser = creating(
  'createScimUser',
  '/Users',
  'Make an account, or take one in',
  'For addresses of verified domains of the organisation.',
);
export const getScimUser = one('getScimUser', '/Users', 'Get a person');
export const replaceScimUser = changing('replaceScimUser', 'PUT', '/Users', 'Replace what is known of a person', shuts);
export const changeScimUser = changing('changeScimUser', 'PATCH', '/Users', 'Change a person', shuts);
export const deleteScimUser = deleting(
  'deleteScimUser',
  '/Users',
  'Remove a person',
  'The account is shut and leaves the organisation; what it has made stays.',
);
export const listScimGroups = collection('listScimGroups', '/Groups', 'List the departments that the directory keeps');
export const createScimGroup = creating(
  'createScimGroup',
  '/Groups',
  'Make a department',
  'At the top of the organisation.',
);
export const getScimGroup = one('getScimGroup', '/Groups', 'Get a department');
export const replaceScimGroup = changing(
  'replaceScimGroup',
  'PUT',
  '/Groups',
  'Replace name and members of a department',
  'Only members that the directory has put there are replaced.',
);
export const changeScimGroup = changing(
  'changeScimGroup',
  'PATCH',
  '/Groups',
  'Change a department',
  'Members come and go at once.',
);
export const deleteScimGroup = deleting('deleteScimGroup', '/Groups', 'Delete a department', 'Its roles end at once.');

const token = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdTime: time,
  lastUsedTime: Type.Union([time, Type.Null()]),
});
const tokenPath = '/organization/:organizationId/scim-token';

export const listScimTokens = endpoint({
  name: 'listScimTokens',
  method: 'GET',
  path: tokenPath,
  summary: 'List the tokens of directories',
  tag,
  access: own,
  params: ofOrganization,
  status: 200,
  response: Type.Array(token),
});

export const createScimToken = endpoint({
  name: 'createScimToken',
  method: 'POST',
  path: tokenPath,
  summary: 'Make a token for a directory',
  description: 'Shown once. 402 where the plan has no sign-in by other services.',
  tag,
  access: own,
  params: ofOrganization,
  body: Type.Object({ name: text({ minLength: 1, maxLength: 100 }) }),
  status: 201,
  response: Type.Object({ id: Type.String(), name: Type.String(), token: Type.String() }),
});

export const deleteScimToken = endpoint({
  name: 'deleteScimToken',
  method: 'DELETE',
  path: `${tokenPath}/:tokenId`,
  summary: 'Revoke a token of a directory',
  tag,
  access: own,
  params: Type.Object({ organizationId, tokenId: Type.String({ maxLength: 100 }) }),
  status: 200,
});
