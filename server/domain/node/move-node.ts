import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { type BaseNode, maxFolderDepth, type moveNode as endpoint } from '@rowhouse/contract/node.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { readTree, writeTree } from '../table/arrange.ts';
import { moved, type NodePlace } from '@rowhouse/contract/node-tree.ts';
import { demandFolder } from './create-node.ts';
import { findNodeFor } from './demand-node-right.ts';
import { changeFolders } from './folders.ts';
import { demandNode, findNode, getNode } from './read-nodes.ts';

type Given = BodyOf<typeof endpoint>;

const placeOf = async (
  tx: Tx,
  baseId: string,
  { parentId, anchorId, position = 'after' }: Given,
): Promise<NodePlace> => {
  if (anchorId === undefined) return { parentId: await demandFolder(tx, baseId, parentId) };
  const anchor = await findNode(tx, baseId, anchorId);
  if (anchor === undefined)
    throw invalid({ path: 'anchorId', message: `The base has no node ${anchorId}`, expected: 'a node of this base' });
  return { anchorId: anchor.id, position };
};

export const moveNode = async (context: Context, baseId: string, nodeId: string, given: Given): Promise<BaseNode> => {
  await findNodeFor(context, baseId, nodeId, { folder: 'base|update', table: 'table|update' });
  if ((given.parentId === undefined) === (given.anchorId === undefined))
    throw invalid({ path: '', message: 'Either parentId or anchorId says where to', expected: 'exactly one of them' });
  await changeFolders(context, baseId, async (tx) => {
    // Somebody may have deleted it since.
    const { id } = await demandNode(tx, baseId, nodeId);
    const place = await placeOf(tx, baseId, given);
    const nodes = await readTree(tx, baseId);
    const result = moved(nodes, id, place, maxFolderDepth);
    if ('fault' in result)
      throw invalid({
        path: given.anchorId === undefined ? 'parentId' : 'anchorId',
        message: result.fault,
        expected: 'a place that the node may have',
      });
    await writeTree(tx, nodes, result.nodes);
  });
  return getNode(context, baseId, nodeId);
};
