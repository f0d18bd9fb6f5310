// A node is changed by those who may do the same to what it stands for.
import type { Action } from '@rowhouse/contract/permission.ts';
import { can, demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { demandNode, type Found } from './read-nodes.ts';

/** Answers show the node: to change that of a table one has to be allowed to read tables as well. */
export const findNodeFor = async (
  { db, access }: Context,
  baseId: string,
  nodeId: string,
  actionOn: Record<'folder' | 'table', Action>,
): Promise<Found> => {
  // Without the right to change either kind, nobody learns which nodes there are.
  if (!can(access, actionOn.table)) demand(access, actionOn.folder, baseId);
  const found = await demandNode(db, baseId, nodeId);
  if (found.kind === 'table') demand(access, 'table|read', baseId);
  // A dashboard is changed by those who change the base.
  demand(access, found.kind === 'dashboard' ? 'base|update' : actionOn[found.kind], found.id);
  return found;
};
