// Reads and writes the order of tables, folders and dashboards in a base. Those who write it have locked the base.
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { placeDashboards, selectDashboards } from './dashboard.sql.ts';
import { placeFolders, selectFolders, selectSharedFolders } from './folder.sql.ts';
import { renumbered, type TreeNode } from '@rowhouse/contract/node-tree.ts';
import { placeTables, selectTables } from './table.sql.ts';

export const readTree = async (db: Queryable, baseId: string): Promise<TreeNode[]> => [
  ...(await selectFolders(db, baseId)).map(({ id, parentId, position }) => ({
    id,
    kind: 'folder' as const,
    parentId,
    position,
  })),
  ...(await selectTables(db, baseId)).map(({ id, folderId, position }) => ({
    id,
    kind: 'table' as const,
    parentId: folderId,
    position,
  })),
  ...(await selectDashboards(db, baseId)).map(({ id, folderId, position }) => ({
    id,
    kind: 'dashboard' as const,
    parentId: folderId,
    position,
  })),
];

/** -1 of an empty base. */
export const lastPosition = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((last, { position }) => Math.max(last, position), -1);

export const writeTree = async (tx: Tx, before: readonly TreeNode[], after: readonly TreeNode[]): Promise<void> => {
  const old = new Map(before.map((node) => [node.id, node]));
  const changed = after.filter(
    ({ id, parentId, position }) => old.get(id)?.parentId !== parentId || old.get(id)?.position !== position,
  );
  await placeFolders(
    tx,
    changed.filter(({ kind }) => kind === 'folder'),
  );
  await placeTables(
    tx,
    changed.filter(({ kind }) => kind === 'table'),
  );
  await placeDashboards(
    tx,
    changed.filter(({ kind }) => kind === 'dashboard'),
  );
};

/** Positions count in each folder. With folders they are given out again, so that all tables are also listed in the order of the tree. */
export const settleTree = async (tx: Tx, baseId: string): Promise<void> => {
  const nodes = await readTree(tx, baseId);
  if (nodes.some(({ kind }) => kind === 'folder')) await writeTree(tx, nodes, renumbered(nodes));
};

/** Visitors of a shared folder are decided about again: another table may be in it. */
export const askVisitorsAgain = async (tx: Tx, baseId: string): Promise<void> =>
  bumpEpochs(tx, await selectSharedFolders(tx, baseId));
