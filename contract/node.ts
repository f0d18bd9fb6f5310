// The tree of a base: its tables and dashboards, and folders that hold them. A node is one of these with its place in the tree.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Name } from './field.ts';
import { NewTable, setTableIcon } from './table.ts';

export const maxFolderDepth = 2;

const tag = 'base node';
const baseId = Type.String({ maxLength: 100, description: 'Id of the base.' });
const nodeId = Type.String({
  maxLength: 100,
  description: 'Id of the node: `bno` and the rest of the id of its table, folder or dashboard.',
});
const folderId = Type.String({ maxLength: 100, description: 'Id of the folder.' });
const ofBase = Type.Object({ baseId });
const ofNode = Type.Object({ baseId, nodeId });
const ofFolder = Type.Object({ baseId, folderId });
const orNull = Type.Union([Type.String({ maxLength: 100 }), Type.Null()]);

export const BaseNode = Type.Object({
  id: Type.String(),
  parentId: Type.Union([Type.String(), Type.Null()], { description: 'Node of the folder; null at the top.' }),
  resourceType: Type.Enum(['folder', 'table', 'dashboard']),
  resourceId: Type.String({ description: 'Id of the table, folder or dashboard.' }),
  order: Type.Number({ description: 'Nodes of one folder stand in ascending order of it.' }),
  defaultUrl: Type.Optional(Type.String({ description: 'Where the app shows it.' })),
  parent: Type.Union([Type.Object({ id: Type.String() }), Type.Null()]),
  children: Type.Array(Type.Object({ id: Type.String(), order: Type.Number() })),
  resourceMeta: Type.Object({
    name: Type.String(),
    icon: Type.Optional(Type.String()),
    defaultViewId: Type.Optional(Type.String()),
  }),
});
export type BaseNode = Static<typeof BaseNode>;

const Folder = Type.Object({ id: Type.String(), name: Type.String() });

const mayRead = { on: 'base', action: 'base|read' } as const;
const mayUpdate = { on: 'base', action: 'base|update' } as const;
const byKind = 'A folder or dashboard needs `base|update`; a table needs what the same change of a table needs.';

export const listNodes = endpoint({
  name: 'listNodes',
  method: 'GET',
  path: '/base/:baseId/node/list',
  summary: 'List the tables, dashboards and folders of a base',
  description: 'In the order of the tree: each folder before what it holds. Tables need the scope `table|read`.',
  tag,
  access: mayRead,
  params: ofBase,
  status: 200,
  response: Type.Array(BaseNode),
});

export const getNodeTree = endpoint({
  name: 'getNodeTree',
  method: 'GET',
  path: '/base/:baseId/node/tree',
  summary: 'List the tables, dashboards and folders of a base, with how deep folders may be nested',
  tag,
  access: mayRead,
  params: ofBase,
  status: 200,
  response: Type.Object({ nodes: Type.Array(BaseNode), maxFolderDepth: Type.Integer() }),
});

export const getNode = endpoint({
  name: 'getNode',
  method: 'GET',
  path: '/base/:baseId/node/:nodeId',
  summary: 'Get a node',
  tag,
  access: mayRead,
  params: ofNode,
  status: 200,
  response: BaseNode,
});

export const createNode = endpoint({
  name: 'createNode',
  method: 'POST',
  path: '/base/:baseId/node',
  summary: 'Create a table, a dashboard or a folder in a place of the tree',
  description: `At the end of the folder. Everything but \`name\` is for tables, as in creating a table. A folder or dashboard needs \`base|update\`, a table \`table|create\` and \`table|read\`. A name that is taken gets " 2", " 3" … appended.`,
  tag,
  access: mayRead,
  params: ofBase,
  body: Type.Object({
    ...NewTable.properties,
    resourceType: Type.Enum(['folder', 'table', 'dashboard']),
    parentId: Type.Optional(
      Type.Union([orNull], { description: 'Node of a folder; at the top when null or left out.' }),
    ),
    name: Name,
  }),
  status: 201,
  response: BaseNode,
});

export const updateNode = endpoint({
  name: 'updateNode',
  method: 'PUT',
  path: '/base/:baseId/node/:nodeId',
  summary: 'Rename a node, or set the icon of a table',
  description: byKind,
  tag,
  access: mayRead,
  params: ofNode,
  body: Type.Object({ name: Type.Optional(Name), icon: Type.Optional(setTableIcon.body.properties.icon) }),
  status: 200,
  response: BaseNode,
});

export const moveNode = endpoint({
  name: 'moveNode',
  method: 'PUT',
  path: '/base/:baseId/node/:nodeId/move',
  summary: 'Move a node into a folder, or before or after another node',
  description: `Either \`parentId\`, for the end of a folder or, with null, of the top; or \`anchorId\`. Folders may be nested ${maxFolderDepth} deep. ${byKind}`,
  tag,
  access: mayRead,
  params: ofNode,
  body: Type.Object({
    parentId: Type.Optional(orNull),
    anchorId: Type.Optional(Type.String({ maxLength: 100, description: 'The node to stand beside, in its folder.' })),
    position: Type.Optional(Type.Enum(['before', 'after'], { description: '`after` when left out.' })),
  }),
  status: 200,
  response: BaseNode,
});

export const duplicateNode = endpoint({
  name: 'duplicateNode',
  method: 'POST',
  path: '/base/:baseId/node/:nodeId/duplicate',
  summary: 'Duplicate a table or dashboard, into the same folder',
  description: 'Needs `table|create`, for a dashboard `base|update`. Folders cannot be duplicated.',
  tag,
  access: mayRead,
  params: ofNode,
  body: Type.Object({
    name: Type.Optional(Name),
    includeRecords: Type.Optional(Type.Boolean({ description: 'Copy the records too; false when left out.' })),
  }),
  status: 201,
  response: BaseNode,
});

const Deleted = Type.Object({
  resourceId: Type.String(),
  resourceType: Type.Enum(['folder', 'table', 'dashboard']),
  permanent: Type.Optional(Type.Boolean()),
});

export const deleteNode = endpoint({
  name: 'deleteNode',
  method: 'DELETE',
  path: '/base/:baseId/node/:nodeId',
  summary: 'Move a table or dashboard to the trash, or delete an empty folder',
  description: `A folder that holds something is refused. ${byKind}`,
  tag,
  access: mayRead,
  params: ofNode,
  status: 200,
  response: Deleted,
});

export const deleteNodePermanently = endpoint({
  name: 'deleteNodePermanently',
  method: 'DELETE',
  path: '/base/:baseId/node/:nodeId/permanent',
  summary: 'Delete a table or dashboard for good, or an empty folder',
  description:
    'Tables and dashboards are for owners of the space, whether they are in the trash or not. There is no way back.',
  tag,
  access: mayRead,
  params: ofNode,
  status: 200,
  response: Deleted,
});

export const createFolder = endpoint({
  name: 'createFolder',
  method: 'POST',
  path: '/base/:baseId/node/folder',
  summary: 'Create a folder at the top',
  tag,
  access: mayUpdate,
  params: ofBase,
  body: Type.Object({ name: Name }),
  status: 201,
  response: Folder,
});

export const renameFolder = endpoint({
  name: 'renameFolder',
  method: 'PATCH',
  path: '/base/:baseId/node/folder/:folderId',
  summary: 'Rename a folder',
  tag,
  access: mayUpdate,
  params: ofFolder,
  body: Type.Object({ name: Name }),
  status: 200,
  response: Folder,
});

export const deleteFolder = endpoint({
  name: 'deleteFolder',
  method: 'DELETE',
  path: '/base/:baseId/node/folder/:folderId',
  summary: 'Delete a folder; what it holds moves to where the folder was',
  tag,
  access: mayUpdate,
  params: ofFolder,
  status: 200,
});
