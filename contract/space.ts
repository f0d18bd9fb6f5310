// Spaces: where bases stand and people work together.
import { Type } from 'typebox';
import { roleName, spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const spaceName = text({ minLength: 1, maxLength: 255 });

const space = Type.Object({ id: Type.String(), name: Type.String() });

const spaceWithRole = Type.Object({ id: Type.String(), name: Type.String(), role: roleName });

export const createSpace = endpoint({
  name: 'createSpace',
  method: 'POST',
  path: '/space',
  summary: 'Create a space',
  description: 'The caller becomes its owner. A name that another of your own spaces has gets a number: "Space 2".',
  tag: 'space',
  access: { on: 'user', scope: 'space|create', everywhere: true },
  body: Type.Object({ name: Type.Optional(spaceName) }),
  bodyOptional: true,
  status: 201,
  response: space,
});

export const listSpaces = endpoint({
  name: 'listSpaces',
  method: 'GET',
  path: '/space',
  summary: 'List your spaces, oldest first',
  description: 'Those you have a role on, as far as the token reaches.',
  tag: 'space',
  access: { on: 'user', scope: 'space|read' },
  status: 200,
  response: Type.Array(spaceWithRole),
});

export const getSpace = endpoint({
  name: 'getSpace',
  method: 'GET',
  path: '/space/:spaceId',
  summary: 'Get a space',
  tag: 'space',
  access: { on: 'space', action: 'space|read' },
  params: spaceParams,
  status: 200,
  response: spaceWithRole,
});

export const updateSpace = endpoint({
  name: 'updateSpace',
  method: 'PATCH',
  path: '/space/:spaceId',
  summary: 'Rename a space',
  tag: 'space',
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  body: Type.Object({ name: Type.Optional(spaceName) }),
  status: 200,
  response: space,
});

export const deleteSpace = endpoint({
  name: 'deleteSpace',
  method: 'DELETE',
  path: '/space/:spaceId',
  summary: 'Put a space into the trash',
  tag: 'space',
  access: { on: 'space', action: 'space|delete' },
  params: spaceParams,
  status: 200,
});

export const destroySpace = endpoint({
  name: 'destroySpace',
  method: 'DELETE',
  path: '/space/:spaceId/permanent',
  summary: 'Delete a space for good',
  description: 'With its bases, their tables and all records, whether it is in the trash or not. There is no way back.',
  tag: 'space',
  access: { on: 'space', action: 'space|delete', trashed: true },
  params: spaceParams,
  status: 200,
});
