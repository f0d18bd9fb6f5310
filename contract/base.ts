// Bases: groups of tables. Each one is a PostgreSQL schema of its own.
import { Type } from 'typebox';
import { baseParams, roleName, spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

const baseName = text({ minLength: 1, maxLength: 255 });
const baseIcon = text({ maxLength: 255, description: 'Usually an emoji.' });
const icon = Type.Union([Type.String(), Type.Null()]);

const base = Type.Object({ id: Type.String(), name: Type.String(), icon, spaceId: Type.String() });

const isBound = Type.Optional(
  Type.Literal(true, {
    description: 'Rules of the base say what the caller sees and may do there, and not the role.',
  }),
);

const baseWithRole = Type.Object({
  id: Type.String(),
  name: Type.String(),
  icon,
  spaceId: Type.String(),
  role: roleName,
  collaboratorType: Type.Enum(['space', 'base'], {
    description: 'Where the role comes from: the mightier of the two counts.',
  }),
  isBound,
});

const spaceId = Type.String({ maxLength: 100 });

export const createBase = endpoint({
  name: 'createBase',
  method: 'POST',
  path: '/base',
  summary: 'Create a base in a space',
  tag: 'base',
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    spaceId,
    name: Type.Optional(text({ minLength: 1, maxLength: 255, description: 'Default "Untitled Base".' })),
    icon: Type.Optional(Type.Union([baseIcon, Type.Null()])),
  }),
  status: 201,
  response: base,
});

export const listSpaceBases = endpoint({
  name: 'listSpaceBases',
  method: 'GET',
  path: '/space/:spaceId/base',
  summary: 'List the bases of a space, in their order',
  tag: 'base',
  access: { on: 'space', action: 'base|read' },
  params: spaceParams,
  status: 200,
  response: Type.Array(baseWithRole),
});

export const listBases = endpoint({
  name: 'listBases',
  method: 'GET',
  path: '/base/access/all',
  summary: 'List every base you have a role on',
  description: 'Through its space or on the base itself, as far as the token reaches.',
  tag: 'base',
  access: { on: 'user', scope: 'base|read_all' },
  status: 200,
  response: Type.Array(baseWithRole),
});

export const listSharedBases = endpoint({
  name: 'listSharedBases',
  method: 'GET',
  path: '/base/shared-base',
  summary: 'List the bases that were shared with you on their own',
  description: 'Those in whose space you have no role.',
  tag: 'base',
  access: { on: 'user', scope: 'base|read' },
  status: 200,
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      icon,
      spaceId: Type.String(),
      spaceName: Type.String(),
      role: roleName,
      collaboratorType: Type.Literal('base'),
      isBound,
    }),
  ),
});

export const getBase = endpoint({
  name: 'getBase',
  method: 'GET',
  path: '/base/:baseId',
  summary: 'Get a base',
  tag: 'base',
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  status: 200,
  response: baseWithRole,
});

export const getBasePermission = endpoint({
  name: 'getBasePermission',
  method: 'GET',
  path: '/base/:baseId/permission',
  summary: 'What the caller may do in a base',
  description: 'One key per action; a token counts with its scopes.',
  tag: 'base',
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  status: 200,
  response: Type.Record(Type.String(), Type.Boolean()),
});

export const updateBase = endpoint({
  name: 'updateBase',
  method: 'PATCH',
  path: '/base/:baseId',
  summary: 'Change the name or the icon of a base',
  tag: 'base',
  access: { on: 'base', action: 'base|update' },
  params: baseParams,
  body: Type.Object({
    name: Type.Optional(baseName),
    icon: Type.Optional(Type.Union([baseIcon, Type.Null()], { description: 'null takes it away.' })),
  }),
  status: 200,
  response: base,
});

export const updateBaseOrder = endpoint({
  name: 'updateBaseOrder',
  method: 'PUT',
  path: '/base/:baseId/order',
  summary: 'Move a base before or after another one of its space',
  tag: 'base',
  access: { on: 'base', action: 'base|update' },
  params: baseParams,
  body: Type.Object({
    anchorId: Type.String({ maxLength: 100, description: 'A base of the same space.' }),
    position: Type.Enum(['before', 'after']),
  }),
  status: 200,
});

export const moveBase = endpoint({
  name: 'moveBase',
  method: 'PUT',
  path: '/base/:baseId/move',
  summary: 'Move a base to another space',
  description: 'For owners of the space the base is in, with `base|create` on the space it goes to.',
  tag: 'base',
  access: { on: 'base', action: 'base|delete', ownersOnly: true },
  params: baseParams,
  body: Type.Object({ spaceId }),
  status: 200,
});

export const duplicateBase = endpoint({
  name: 'duplicateBase',
  method: 'POST',
  path: '/base/duplicate',
  summary: 'Copy a base with its tables, fields and views',
  description: 'It takes `base|read` on the base and `base|create` on the space. The copies have ids of their own.',
  tag: 'base',
  access: { on: 'user', scope: 'base|create' },
  body: Type.Object({
    fromBaseId: Type.String({ maxLength: 100 }),
    spaceId,
    withRecords: Type.Optional(
      Type.Boolean({ description: 'Also the records. Their history stays behind. Default false.' }),
    ),
    name: Type.Optional(
      text({ minLength: 1, maxLength: 255, description: 'Default: the name of the base with " (Copy)".' }),
    ),
  }),
  status: 201,
  response: base,
});

export const deleteBase = endpoint({
  name: 'deleteBase',
  method: 'DELETE',
  path: '/base/:baseId',
  summary: 'Put a base into the trash',
  tag: 'base',
  access: { on: 'base', action: 'base|delete' },
  params: baseParams,
  status: 200,
});

export const destroyBase = endpoint({
  name: 'destroyBase',
  method: 'DELETE',
  path: '/base/:baseId/permanent',
  summary: 'Delete a base for good',
  description:
    'With its tables and all records. For owners of the space, whether it is in the trash or not. There is no way back.',
  tag: 'base',
  access: { on: 'base', action: 'base|delete', trashed: true, ownersOnly: true },
  params: baseParams,
  status: 200,
});
