// The tables, dashboards and folders of the sidebar, one below the other, and where a key moves them.
import type { BaseNode } from '@rowhouse/contract/node.ts';
import { maxFolderDepth } from '@rowhouse/contract/node.ts';
import { moved, type NodePlace, type TreeNode } from '@rowhouse/contract/node-tree.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import type { Destination } from '../../ui/reorder.ts';

export interface OutlineRow {
  /** Of the node. */
  id: string;
  parentId: string | null;
  depth: number;
  name: string;
  folder: { id: string; isOpen: boolean; count: number } | undefined;
  table: Table | undefined;
  dashboard: { id: string; name: string } | undefined;
}

const nodeIdOf = (tableId: string): string => `bno${tableId.slice(3)}`;

/** In the order of the nodes. `shownId`: the table or dashboard that is open. Tables whose nodes are not there yet come last. */
export const outlineOf = (
  nodes: readonly BaseNode[],
  tables: readonly Table[],
  closed: ReadonlySet<string>,
  shownId: string | undefined,
): OutlineRow[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const around = ({ parentId }: Pick<BaseNode, 'parentId'>): BaseNode[] => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent === undefined ? [] : [parent, ...around(parent)];
  };
  const tableOf = new Map(tables.map((table) => [table.id, table]));
  const rows = nodes.flatMap((node): OutlineRow[] => {
    const folders = around(node);
    const isHidden = folders.some(({ resourceId }) => closed.has(resourceId));
    const table = tableOf.get(node.resourceId);
    const base = { id: node.id, parentId: node.parentId, depth: folders.length };
    if (node.resourceType === 'folder') {
      if (isHidden) return [];
      const folder = { id: node.resourceId, isOpen: !closed.has(node.resourceId), count: node.children.length };
      return [{ ...base, name: node.resourceMeta.name, folder, table: undefined, dashboard: undefined }];
    }
    if (node.resourceType === 'dashboard') {
      const { name } = node.resourceMeta;
      return isHidden && node.resourceId !== shownId
        ? []
        : [{ ...base, name, folder: undefined, table: undefined, dashboard: { id: node.resourceId, name } }];
    }
    // The table that is open is in sight, also in a folder that is not.
    if (table === undefined || (isHidden && table.id !== shownId)) return [];
    return [{ ...base, name: table.name, folder: undefined, table, dashboard: undefined }];
  });
  const others = tables.filter(({ id }) => !byId.has(nodeIdOf(id)));
  return [
    ...rows,
    ...others.map((table) => ({
      id: nodeIdOf(table.id),
      parentId: null,
      depth: 0,
      name: table.name,
      folder: undefined,
      table,
      dashboard: undefined,
    })),
  ];
};

const treeOf = (nodes: readonly BaseNode[]): TreeNode[] =>
  nodes.map(({ id, resourceType, parentId, order }) => ({ id, kind: resourceType, parentId, position: order }));

export const placeOf = ({ anchorId, position }: Destination): NodePlace =>
  position === 'into' ? { parentId: anchorId } : { anchorId, position };

/** The nodes as they will be; undefined where the node cannot go. */
export const nodesAfter = (nodes: readonly BaseNode[], id: string, to: Destination): BaseNode[] | undefined => {
  const result = moved(treeOf(nodes), id, placeOf(to), maxFolderDepth);
  if ('fault' in result) return undefined;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return result.nodes.map((node) => ({
    ...(byId.get(node.id) as BaseNode),
    parentId: node.parentId,
    order: node.position,
    parent: node.parentId === null ? null : { id: node.parentId },
    children: result.nodes
      .filter(({ parentId }) => parentId === node.id)
      .map(({ id: childId, position }) => ({ id: childId, order: position })),
  }));
};

/** One line up or down: past a table, into an open folder, and out of it at its ends. */
export const stepOf = (
  nodes: readonly BaseNode[],
  closed: ReadonlySet<string>,
  id: string,
  by: -1 | 1,
): Destination | undefined => {
  const node = nodes.find((one) => one.id === id);
  if (node === undefined) return undefined;
  const siblings = nodes.filter(({ parentId }) => parentId === node.parentId);
  const side = by === -1 ? 'before' : 'after';
  const next = siblings[siblings.indexOf(node) + by];
  if (next === undefined) return node.parentId === null ? undefined : { anchorId: node.parentId, position: side };
  if (next.resourceType === 'folder' && !closed.has(next.resourceId)) {
    const first = next.children[0];
    const into: Destination =
      by === 1 && first !== undefined
        ? { anchorId: first.id, position: 'before' }
        : { anchorId: next.id, position: 'into' };
    if (nodesAfter(nodes, id, into) !== undefined) return into;
  }
  return { anchorId: next.id, position: side };
};
