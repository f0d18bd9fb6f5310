import { notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { BaseNode } from '@rowhouse/contract/node.ts';
import { can, demand, isBound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { type DashboardRow, selectDashboards } from '../table/dashboard.sql.ts';
import { type FolderRow, selectFolders } from '../table/folder.sql.ts';
import { byFolder, inTreeOrder, type TreeNode } from '@rowhouse/contract/node-tree.ts';
import { seenTables } from '../table/seen-tables.ts';
import { selectTables, type TableRow } from '../table/table.sql.ts';

// A node has no row of its own: its id is that of what it stands for with another beginning.
export const nodeIdOf = (resourceId: string): string => `bno${resourceId.slice(3)}`;

/** The ids that its table, folder or dashboard would have. */
export const resourceIdsOf = (
  nodeId: string,
): { tableId: string; folderId: string; dashboardId: string } | undefined =>
  isId('bno', nodeId)
    ? { tableId: `tbl${nodeId.slice(3)}`, folderId: `bnf${nodeId.slice(3)}`, dashboardId: `dsh${nodeId.slice(3)}` }
    : undefined;

type Resource =
  | { kind: 'folder'; row: FolderRow }
  | { kind: 'table'; row: TableRow }
  | { kind: 'dashboard'; row: DashboardRow };

const metaOf = ({ kind, row }: Resource): BaseNode['resourceMeta'] =>
  kind !== 'table'
    ? { name: row.name }
    : {
        name: row.name,
        ...(row.icon === null ? {} : { icon: row.icon }),
        ...(row.defaultViewId === null ? {} : { defaultViewId: row.defaultViewId }),
      };

const orNodeId = (folderId: string | null): string | null => (folderId === null ? null : nodeIdOf(folderId));

const nodeVo = (baseId: string, node: TreeNode, resource: Resource, children: readonly TreeNode[]): BaseNode => ({
  id: nodeIdOf(node.id),
  parentId: orNodeId(node.parentId),
  resourceType: node.kind,
  resourceId: node.id,
  order: node.position,
  ...(node.kind === 'table'
    ? { defaultUrl: `/base/${baseId}/${node.id}` }
    : node.kind === 'dashboard'
      ? { defaultUrl: `/base/${baseId}/dashboard/${node.id}` }
      : {}),
  parent: node.parentId === null ? null : { id: nodeIdOf(node.parentId) },
  children: children.map(({ id, position }) => ({ id: nodeIdOf(id), order: position })),
  resourceMeta: metaOf(resource),
});

/** The folders that something of it is in, at any depth, and of a shared folder no further than to that. */
const foldersAround = (
  within: readonly { folderId: string | null }[],
  folders: readonly FolderRow[],
  top: string | null | undefined,
): FolderRow[] => {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const kept = new Set<string>();
  for (const { folderId } of within)
    for (let id = folderId; id !== null && !kept.has(id); id = id === top ? null : (byId.get(id)?.parentId ?? null))
      kept.add(id);
  return folders.filter(({ id }) => kept.has(id));
};

/** Tables are for those who may list them. */
export const listNodes = async (context: Context, baseId: string): Promise<BaseNode[]> => {
  const { db, access, principal } = context;
  const seen = can(access, 'table|read') ? await seenTables(context, await selectTables(db, baseId)) : [];
  const top = principal.visits?.folderId;
  // Of a table that is shared alone its folder is not told.
  const tables = principal.visits?.isTable === true ? seen.map((row) => ({ ...row, folderId: null })) : seen;
  const folders = await selectFolders(db, baseId);
  // A share of a base shows no dashboards: those have shares of their own.
  const dashboards = principal.visits === undefined ? await selectDashboards(db, baseId) : [];
  const resources: Resource[] = [
    ...(isBound(access) ? foldersAround([...tables, ...dashboards], folders, top) : folders).map((row) => ({
      kind: 'folder' as const,
      row,
    })),
    ...dashboards.map((row) => ({ kind: 'dashboard' as const, row })),
    ...tables.map((row) => ({
      kind: 'table' as const,
      row,
    })),
  ];
  const byId = new Map(resources.map((resource) => [resource.row.id, resource]));
  const nodes = resources.map(({ kind, row }) => ({
    id: row.id,
    kind,
    parentId: row.id === top ? null : 'folderId' in row ? row.folderId : row.parentId,
    position: row.position,
  }));
  const children = byFolder(nodes);
  return inTreeOrder(nodes).map((node) =>
    nodeVo(baseId, node, byId.get(node.id) as Resource, children.get(node.id) ?? []),
  );
};

export const getNode = async (context: Context, baseId: string, nodeId: string): Promise<BaseNode> => {
  const node = (await listNodes(context, baseId)).find(({ id }) => id === nodeId);
  if (node !== undefined) return node;
  // It may be a table.
  demand(context.access, 'table|read', baseId);
  throw notFound('Node', nodeId.slice(0, 50));
};

export interface Found {
  kind: 'table' | 'folder' | 'dashboard';
  /** Of the table, folder or dashboard. */
  id: string;
}

/** What a node stands for. Those in the trash have none. */
export const findNode = async (db: Queryable, baseId: string, nodeId: string): Promise<Found | undefined> => {
  const ids = resourceIdsOf(nodeId);
  if (ids === undefined) return undefined;
  if ((await selectTables(db, baseId)).some(({ id }) => id === ids.tableId)) return { kind: 'table', id: ids.tableId };
  if ((await selectFolders(db, baseId)).some(({ id }) => id === ids.folderId))
    return { kind: 'folder', id: ids.folderId };
  return (await selectDashboards(db, baseId)).some(({ id }) => id === ids.dashboardId)
    ? { kind: 'dashboard', id: ids.dashboardId }
    : undefined;
};

export const demandNode = async (db: Queryable, baseId: string, nodeId: string): Promise<Found> => {
  const found = await findNode(db, baseId, nodeId);
  if (found === undefined) throw notFound('Node', nodeId.slice(0, 50));
  return found;
};
