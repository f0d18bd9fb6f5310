import * as contract from '@rowhouse/contract/node.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { deleteNode, deleteNodePermanently, duplicateNode, updateNode } from './change-node.ts';
import { createNode } from './create-node.ts';
import { createFolder, deleteFolder, renameFolder } from './folders.ts';
import { moveNode } from './move-node.ts';
import { getNode, listNodes } from './read-nodes.ts';

export const nodeRoutes: Route[] = [
  route(contract.listNodes, (context, { params }) => listNodes(context, params.baseId)),
  route(contract.getNodeTree, async (context, { params }) => ({
    nodes: await listNodes(context, params.baseId),
    maxFolderDepth: contract.maxFolderDepth,
  })),
  route(contract.getNode, (context, { params }) => getNode(context, params.baseId, params.nodeId)),
  route(contract.createNode, (context, { params, body }) => createNode(context, params.baseId, body)),
  route(contract.updateNode, (context, { params, body }) => updateNode(context, params.baseId, params.nodeId, body)),
  route(contract.moveNode, (context, { params, body }) => moveNode(context, params.baseId, params.nodeId, body)),
  route(contract.duplicateNode, (context, { params, body }) =>
    duplicateNode(context, params.baseId, params.nodeId, body),
  ),
  route(contract.deleteNode, (context, { params }) => deleteNode(context, params.baseId, params.nodeId)),
  route(contract.deleteNodePermanently, (context, { params }) =>
    deleteNodePermanently(context, params.baseId, params.nodeId),
  ),
  route(contract.createFolder, (context, { params, body }) => createFolder(context, params.baseId, body.name)),
  route(contract.renameFolder, (context, { params, body }) =>
    renameFolder(context, params.baseId, params.folderId, body.name),
  ),
  route(contract.deleteFolder, (context, { params }) => deleteFolder(context, params.baseId, params.folderId)),
];
