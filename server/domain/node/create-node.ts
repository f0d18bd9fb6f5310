import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { type BaseNode, type createNode as endpoint, maxFolderDepth } from '@rowhouse/contract/node.ts';
import { demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { createDashboard } from '../dashboard/change-dashboard.ts';
import { readTree } from '../table/arrange.ts';
import { createTable } from '../table/create-table.ts';
import { depthOf } from '@rowhouse/contract/node-tree.ts';
import { createFolder } from './folders.ts';
import { findNode, getNode, nodeIdOf } from './read-nodes.ts';

/** The folder of a node that something is to be put into. */
export const demandFolder = async (
  tx: Tx,
  baseId: string,
  parentId: string | null | undefined,
): Promise<string | null> => {
  if (parentId === null || parentId === undefined) return null;
  const found = await findNode(tx, baseId, parentId);
  if (found?.kind !== 'folder')
    throw invalid({
      path: 'parentId',
      message: `The base has no folder ${parentId}`,
      expected: 'the node of a folder of this base',
    });
  return found.id;
};

const demandShallow = async (tx: Tx, baseId: string, folderId: string | null): Promise<void> => {
  if (depthOf(await readTree(tx, baseId), folderId) >= maxFolderDepth)
    throw invalid({
      path: 'parentId',
      message: `Folders may be nested ${maxFolderDepth} deep`,
      expected: 'a folder that is not within another one',
    });
};

export const createNode = async (
  context: Context,
  baseId: string,
  { resourceType, parentId, ...given }: BodyOf<typeof endpoint>,
): Promise<BaseNode> => {
  demand(context.access, resourceType === 'table' ? 'table|create' : 'base|update', baseId);
  if (resourceType === 'table') demand(context.access, 'table|read', baseId);
  const made =
    resourceType === 'folder'
      ? await createFolder(context, baseId, given.name, async (tx) => {
          const folderId = await demandFolder(tx, baseId, parentId);
          await demandShallow(tx, baseId, folderId);
          return folderId;
        })
      : resourceType === 'dashboard'
        ? await createDashboard(context, baseId, given.name, (tx) => demandFolder(tx, baseId, parentId))
        : await createTable(context, given, (tx) => demandFolder(tx, baseId, parentId));
  return getNode(context, baseId, nodeIdOf(made.id));
};
