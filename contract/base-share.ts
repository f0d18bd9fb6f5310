// Shares of whole bases, or of a folder or table of one: everybody who has the address reads what is in it, and may do nothing else.
import { type Static, Type } from 'typebox';
import { baseParams } from './collaborator.ts';
import { createBase } from './base.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

/** Sent with ordinary requests: they are answered as to a visitor of this share, also those of members. */
export const baseShareHeader = 'x-tea-base-share';

const tag = 'base share';
const password = Type.String({
  minLength: 3,
  maxLength: 128,
  description:
    'Asked for before anything is shown. Only its hash is kept. Needs a plan with `passwordRestrictedSharesEnable` (402).',
});
const allowCopy = Type.Boolean({ description: 'Visitors may copy cells.' });
const allowSave = Type.Boolean({
  description: 'People with an account may copy the base into a space of their own. Only of a whole base.',
});
const nodeId = Type.String({
  maxLength: 100,
  description: 'Node of a folder or table, as `GET …/node/list` names it.',
});
const shareId = Type.String({ maxLength: 100, description: 'Of the address.' });
const ofShare = Type.Object({ baseId: Type.String({ maxLength: 100 }), shareId });

export const BaseShare = Type.Object({
  baseId: Type.String(),
  shareId: Type.String(),
  nodeId: Type.Union([Type.String(), Type.Null()], { description: 'Null: the whole base.' }),
  password: Type.Boolean({ description: 'Whether one is set.' }),
  allowSave: Type.Boolean(),
  allowCopy: Type.Boolean(),
  enabled: Type.Boolean(),
});
export type BaseShare = Static<typeof BaseShare>;

const sharing =
  'For those who may change the base and see all of it; a token also needs `table|read`, `field|read`, `view|read` and `record|read`.';
const manage = { on: 'base', action: 'base|update' } as const;

export const createBaseShare = endpoint({
  name: 'createBaseShare',
  method: 'POST',
  path: '/base/:baseId/share',
  summary: 'Share a base, or a folder or table of it, by an address',
  description: `Everybody who has the address reads the tables in it with all their fields, views and records, also those that come later. ${sharing} 409 when the same is shared already; a share that was turned off is replaced.`,
  tag,
  access: manage,
  params: baseParams,
  body: Type.Object({
    nodeId: Type.Optional(Type.Union([nodeId, Type.Null()], { description: 'The whole base when null or absent.' })),
    allowSave: Type.Optional(allowSave),
    allowCopy: Type.Optional(allowCopy),
    password: Type.Optional(Type.Union([password, Type.Null()])),
  }),
  status: 201,
  response: BaseShare,
});

export const listBaseShares = endpoint({
  name: 'listBaseShares',
  method: 'GET',
  path: '/base/:baseId/share',
  summary: 'What of a base is shared by addresses',
  description: 'The addresses themselves are told to those who may change them.',
  tag,
  access: { on: 'base', action: 'base|read' },
  params: baseParams,
  status: 200,
  response: Type.Array(Type.Object({ nodeId: Type.Union([Type.String(), Type.Null()]) })),
});

export const getNodeShare = endpoint({
  name: 'getNodeShare',
  method: 'GET',
  path: '/base/:baseId/share/node/:nodeId',
  summary: 'The share of a folder or table',
  description: 'Null while there is none.',
  tag,
  access: manage,
  params: Type.Object({ baseId: Type.String({ maxLength: 100 }), nodeId }),
  status: 200,
  response: Type.Union([BaseShare, Type.Null()]),
});

export const getWholeShare = endpoint({
  name: 'getWholeShare',
  method: 'GET',
  path: '/base/:baseId/share/node',
  summary: 'The share of a whole base',
  description: 'Null while there is none.',
  tag,
  access: manage,
  params: baseParams,
  status: 200,
  response: Type.Union([BaseShare, Type.Null()]),
});

export const updateBaseShare = endpoint({
  name: 'updateBaseShare',
  method: 'PATCH',
  path: '/base/:baseId/share/:shareId',
  summary: 'Change what a share allows, its password, or turn it off and on',
  description: `What is left out stays. ${sharing}`,
  tag,
  access: manage,
  params: ofShare,
  body: Type.Object({
    allowSave: Type.Optional(allowSave),
    allowCopy: Type.Optional(allowCopy),
    enabled: Type.Optional(Type.Boolean()),
    password: Type.Optional(Type.Union([password, Type.Null()], { description: 'Null takes it away.' })),
  }),
  status: 200,
  response: BaseShare,
});

export const deleteBaseShare = endpoint({
  name: 'deleteBaseShare',
  method: 'DELETE',
  path: '/base/:baseId/share/:shareId',
  summary: 'End a share for good',
  tag,
  access: manage,
  params: ofShare,
  status: 200,
});

export const refreshBaseShare = endpoint({
  name: 'refreshBaseShare',
  method: 'POST',
  path: '/base/:baseId/share/:shareId/refresh',
  summary: 'Give a share a new address',
  description: `The old one ends. ${sharing}`,
  tag,
  access: manage,
  params: ofShare,
  status: 201,
  response: BaseShare,
});

export const SpaceBaseShare = Type.Object({
  ...BaseShare.properties,
  url: Type.String({ description: 'Of the page.' }),
  baseName: Type.String(),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Of the folder or table; null: the whole base.' }),
  createdBy: Type.String({ description: 'Id of the user who shared it.' }),
  createdTime: Type.String(),
});
export type SpaceBaseShare = Static<typeof SpaceBaseShare>;

export const listSpaceBaseShares = endpoint({
  name: 'listSpaceBaseShares',
  method: 'GET',
  path: '/space/:spaceId/base-share',
  summary: 'All shares of bases of a space, and of folders and tables in them',
  description:
    'For owners, the newest first; those that are turned off, too. A token also needs `table|read`, `field|read`, `view|read` and `record|read`: with an address everybody reads what it shows.',
  tag,
  access: { on: 'space', action: 'space|update' },
  params: Type.Object({ spaceId: Type.String({ maxLength: 100 }) }),
  status: 200,
  response: Type.Array(SpaceBaseShare),
});

const visit = { tag, access: { on: 'public' }, params: Type.Object({ shareId }) } as const;

export const getSharedBase = endpoint({
  ...visit,
  name: 'getSharedBase',
  method: 'GET',
  path: '/share/:shareId/base',
  summary: 'What is shared by an address',
  description:
    'The base is read with the ordinary operations and the header `X-Tea-Base-Share: {shareId}`: `GET` of the base, its nodes, tables, fields, views, records, statistics and events. Nobody has to be signed in, and those who are see no more. 404 when there is no such share; 401 `unauthorized_share` when it wants a password first.',
  status: 200,
  response: Type.Object({
    baseId: Type.String(),
    shareMeta: Type.Object({
      password: Type.Boolean(),
      nodeId: Type.Union([Type.String(), Type.Null()]),
      allowSave: Type.Boolean(),
      allowCopy: Type.Boolean(),
    }),
  }),
});

export const enterSharedBase = endpoint({
  ...visit,
  name: 'enterSharedBase',
  method: 'POST',
  path: '/share/:shareId/base/auth',
  summary: 'Enter the password of a share of a base',
  description:
    'Sets a cookie that holds for this share alone, for a week at most. Wrong: 400; after some wrong ones answers come slower, then 429.',
  body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 128 }) }),
  status: 200,
  response: Type.Object({ token: Type.String({ description: 'What the cookie holds.' }) }),
});

export const copySharedBase = endpoint({
  name: 'copySharedBase',
  method: 'POST',
  path: '/share/:shareId/base/copy',
  summary: 'Copy a shared base into a space of your own',
  description:
    'Of a share that allows it (403). Cells that name people stay empty. Needs `base|create` on the space, or `table|create` on the base that the tables are added to.',
  tag,
  access: { on: 'user', scope: 'base|create' },
  params: Type.Object({ shareId }),
  body: Type.Object({
    spaceId: Type.String({ maxLength: 100 }),
    name: Type.Optional(
      text({ minLength: 1, maxLength: 255, description: 'Of the copy; that of the base when absent.' }),
    ),
    withRecords: Type.Optional(Type.Boolean({ description: 'True when absent.' })),
    baseId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Add the tables to this base of the space instead.' }),
    ),
  }),
  status: 201,
  response: Type.Object({
    id: createBase.response.properties.id,
    name: createBase.response.properties.name,
    spaceId: createBase.response.properties.spaceId,
  }),
});
