// The tree of a base, without a database: the order of its tables and folders, and where a node may be moved.
export interface TreeNode {
  /** Of the table or folder. */
  id: string;
  kind: 'table' | 'folder' | 'dashboard';
  /** The folder that holds it; null at the top. */
  parentId: string | null;
  position: number;
}

/** Where a node goes: to the end of a folder (null: of the top), or beside another node. */
export type NodePlace = { parentId: string | null } | { anchorId: string; position: 'before' | 'after' };

const byPosition = (one: TreeNode, other: TreeNode): number =>
  one.position - other.position || (one.id < other.id ? -1 : 1);

/** In their order, by the folder that holds them. */
export const byFolder = (nodes: readonly TreeNode[]): ReadonlyMap<string | null, TreeNode[]> => {
  const groups = new Map<string | null, TreeNode[]>();
  for (const node of nodes.toSorted(byPosition)) {
    const group = groups.get(node.parentId);
    if (group === undefined) groups.set(node.parentId, [node]);
    else group.push(node);
  }
  return groups;
};

/** Each folder before what it holds. */
export const inTreeOrder = (nodes: readonly TreeNode[]): TreeNode[] => {
  const groups = byFolder(nodes);
  const within = (parentId: string | null): TreeNode[] =>
    (groups.get(parentId) ?? []).flatMap((node) => (node.kind === 'folder' ? [node, ...within(node.id)] : [node]));
  return within(null);
};

/** The same nodes with whole positions in the order of the tree. */
export const renumbered = (nodes: readonly TreeNode[]): TreeNode[] =>
  inTreeOrder(nodes).map((node, at) => ({ ...node, position: at + 1 }));

/** The folders around a node, the nearest first. */
const foldersAround = (nodes: readonly TreeNode[], parentId: string | null): string[] => {
  const folder = nodes.find(({ id }) => id === parentId);
  return folder === undefined ? [] : [folder.id, ...foldersAround(nodes, folder.parentId)];
};

/** How many folders there are from the top to this one. */
export const depthOf = (nodes: readonly TreeNode[], folderId: string | null): number =>
  foldersAround(nodes, folderId).length;

/** How many folders are nested in each other in what a node is. */
const heightOf = (nodes: readonly TreeNode[], node: TreeNode): number => {
  const groups = byFolder(nodes.filter(({ kind }) => kind === 'folder'));
  const height = ({ id }: TreeNode): number =>
    1 + (groups.get(id) ?? []).reduce((most, child) => Math.max(most, height(child)), 0);
  return node.kind === 'folder' ? height(node) : 0;
};

/** The nodes with one of them elsewhere, or what is wrong with that. */
export const moved = (
  nodes: readonly TreeNode[],
  nodeId: string,
  place: NodePlace,
  maxDepth: number,
): { nodes: TreeNode[] } | { fault: string } => {
  const node = nodes.find(({ id }) => id === nodeId) as TreeNode;
  const others = nodes.filter(({ id }) => id !== nodeId);
  const anchor = 'anchorId' in place ? nodes.find(({ id }) => id === place.anchorId) : undefined;
  if ('anchorId' in place && anchor === undefined) return { fault: 'The base has no such node' };
  if (anchor === node) return { fault: 'A node cannot be moved beside itself' };
  const parentId = 'parentId' in place ? place.parentId : (anchor as TreeNode).parentId;
  if (parentId !== null) {
    const parent = nodes.find(({ id }) => id === parentId);
    if (parent === undefined) return { fault: 'The base has no such folder' };
    if (parent.kind !== 'folder') return { fault: 'Only a folder can hold other nodes' };
    if (parentId === nodeId || foldersAround(nodes, parentId).includes(nodeId))
      return { fault: 'A folder cannot be moved into itself' };
  }
  if (node.kind === 'folder' && foldersAround(nodes, parentId).length + heightOf(nodes, node) > maxDepth)
    return { fault: `Folders may be nested ${maxDepth} deep` };
  const siblings = byFolder(others).get(parentId) ?? [];
  const at =
    anchor === undefined
      ? siblings.length
      : siblings.indexOf(anchor) + ('position' in place && place.position === 'before' ? 0 : 1);
  const ordered = siblings.toSpliced(at, 0, { ...node, parentId }).map((one, position) => ({ ...one, position }));
  return {
    nodes: renumbered([...others.filter((one) => one.parentId !== parentId), ...ordered]),
  };
};

/** Without a folder: what it holds stands where it was. */
export const dissolved = (nodes: readonly TreeNode[], folderId: string): TreeNode[] => {
  const folder = nodes.find(({ id }) => id === folderId) as TreeNode;
  return renumbered(
    inTreeOrder(nodes)
      .filter(({ id }) => id !== folderId)
      .map((node, position) => ({
        ...node,
        position,
        parentId: node.parentId === folderId ? folder.parentId : node.parentId,
      })),
  );
};
