// The tree of a base: folders, and tables in them.
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { getLastVisitedNode } from '@rowhouse/contract/last-visit.ts';
import * as api from '@rowhouse/contract/node.ts';
import { listTables, moveTable } from '@rowhouse/contract/table.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { beforeEach, expect, test } from 'vitest';
import { exportToFile, importFromFile } from '../support/base-file.ts';
import { listen } from '../support/listen.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop(world());
});

const make = async (
  resourceType: 'folder' | 'table',
  name: string,
  parentId: string | null = null,
): Promise<api.BaseNode> => {
  const body = { resourceType, name, parentId, ...(resourceType === 'table' ? { records: [] } : {}) };
  const made = await shop.owner.call(api.createNode, { params: { baseId: shop.baseId }, body });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  return made.body;
};

const move = (nodeId: string, body: { parentId?: string | null; anchorId?: string; position?: 'before' | 'after' }) =>
  shop.owner.call(api.moveNode, { params: { baseId: shop.baseId, nodeId }, body });

/** Names in their order, indented by how deep they stand. */
const outline = async (baseId = shop.baseId): Promise<string[]> => {
  const { nodes } = (await shop.owner.call(api.getNodeTree, { params: { baseId } })).body;
  const depth = (node: api.BaseNode): number =>
    node.parentId === null ? 0 : 1 + depth(nodes.find(({ id }) => id === node.parentId) as api.BaseNode);
  return nodes.map((node) => `${'  '.repeat(depth(node))}${node.resourceMeta.name}`);
};

const tableNames = async (): Promise<string[]> =>
  (await shop.owner.call(listTables, { params: { baseId: shop.baseId } })).body.map(({ name }) => name);

test('folders hold tables and folders; all tables are listed in the order of the tree', async () => {
  const { owner, baseId } = shop;
  const a = await make('table', 'a');
  const sales = await make('folder', 'Sales');
  const inner = await make('folder', 'Old', sales.id);
  const b = await make('table', 'b', inner.id);
  const c = await make('table', 'c', sales.id);
  const d = await make('table', 'd');
  expect(await outline()).toEqual(['a', 'Sales', '  Old', '    b', '  c', 'd']);
  expect(await tableNames()).toEqual(['a', 'b', 'c', 'd']);

  expect((await move(d.id, { parentId: sales.id })).body).toMatchObject({
    parentId: sales.id,
    parent: { id: sales.id },
  });
  expect((await move(a.id, { anchorId: b.id, position: 'before' })).status).toBe(200);
  expect((await move(inner.id, { anchorId: d.id })).status).toBe(200);
  expect(await outline()).toEqual(['Sales', '  c', '  d', '  Old', '    a', '    b']);
  expect(await tableNames()).toEqual(['c', 'd', 'a', 'b']);
  // As clients do that know nothing of folders.
  await owner.call(moveTable, {
    params: { baseId, tableId: c.resourceId },
    body: { anchorId: a.resourceId, position: 'after' },
  });
  expect(await outline()).toEqual(['Sales', '  d', '  Old', '    a', '    c', '    b']);
  const node = (await owner.call(api.getNode, { params: { baseId, nodeId: inner.id } })).body;
  expect(node).toMatchObject({ resourceType: 'folder', parentId: sales.id, resourceMeta: { name: 'Old' } });
  expect(node.children.map(({ id }) => id)).toEqual([a.id, c.id, b.id]);
  expect((await owner.call(api.listNodes, { params: { baseId } })).body).toContainEqual(node);
  const last = await owner.call(getLastVisitedNode, { query: { parentResourceId: baseId } });
  expect(last.body).toMatchObject({ resourceType: 'table', resourceId: d.resourceId });
});

test('what would break the tree is refused, and says why', async () => {
  const { owner, baseId } = shop;
  const params = { baseId };
  const top = await make('folder', 'Top');
  const inner = await make('folder', 'Inner', top.id);
  const table = await make('table', 'Table', inner.id);
  const refusals = [
    await move(top.id, { parentId: inner.id }),
    await move(table.id, { anchorId: table.id }),
    await move(table.id, { parentId: table.id }),
    await move(table.id, {}),
    await move(table.id, { parentId: null, anchorId: top.id }),
    await owner.call(api.createNode, { params, body: { resourceType: 'folder', name: 'Deep', parentId: inner.id } }),
    await owner.call(api.createNode, { params, body: { resourceType: 'table', name: 'X', parentId: table.id } }),
    await owner.call(api.duplicateNode, { params: { baseId, nodeId: top.id }, body: {} }),
    await owner.call(api.updateNode, { params: { baseId, nodeId: top.id }, body: { icon: '🎈' } }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 400));
  const full = await owner.call(api.deleteNode, { params: { baseId, nodeId: inner.id } });
  expect([full.status, full.error?.message]).toEqual([409, expect.stringContaining('is not empty')]);
  expect(await outline()).toEqual(['Top', '  Inner', '    Table']);
  const other = await openWorkshop(world());
  const foreign = (await other.owner.call(api.createFolder, { params: other, body: { name: 'Foreign' } })).body;
  const nodeId = `bno${foreign.id.slice(3)}`;
  expect((await move(table.id, { parentId: nodeId })).status).toBe(400);
  expect((await move(nodeId, { parentId: null })).status).toBe(404);
  expect(
    (await owner.call(api.renameFolder, { params: { baseId, folderId: foreign.id }, body: { name: 'x' } })).status,
  ).toBe(404);
});

test('names of folders are unique; deleting one leaves what it held in its place', async () => {
  const { owner, baseId } = shop;
  const first = await make('folder', 'Folder');
  expect((await make('folder', 'Folder')).resourceMeta.name).toBe('Folder 2');
  const renamed = await owner.call(api.renameFolder, {
    params: { baseId, folderId: first.resourceId },
    body: { name: 'Folder 2' },
  });
  expect(renamed.body.name).toBe('Folder 2 2');
  const inner = await make('folder', 'Inner', first.id);
  await make('table', 'a', first.id);
  await make('table', 'b', inner.id);
  await owner.call(api.deleteFolder, { params: { baseId, folderId: first.resourceId } });
  expect(await outline()).toEqual(['Inner', '  b', 'a', 'Folder 2']);
});

test('a table is renamed, copied and deleted by its node; a restored one comes back to its folder', async () => {
  const { owner, baseId } = shop;
  const outer = await make('folder', 'Outer');
  const folder = await make('folder', 'Folder', outer.id);
  const table = await make('table', 'a', folder.id);
  const params = { baseId, nodeId: table.id };
  const renamed = await owner.call(api.updateNode, { params, body: { name: 'b', icon: '🎈' } });
  expect(renamed.body.resourceMeta).toMatchObject({ name: 'b', icon: '🎈', defaultViewId: expect.any(String) });
  const copy = await owner.call(api.duplicateNode, { params, body: { includeRecords: true } });
  expect([copy.status, copy.body.parentId]).toEqual([201, folder.id]);
  expect(await outline()).toEqual(['Outer', '  Folder', '    b', '    b 2']);

  const trashId = `tra${table.id.slice(3)}`;
  const restore = () => owner.call(restoreTrash, { params: { trashId } });
  const deleted = await owner.call(api.deleteNode, { params });
  expect(deleted.body).toEqual({ resourceId: table.resourceId, resourceType: 'table', permanent: false });
  expect((await owner.call(api.getNode, { params })).status).toBe(404);
  await restore();
  expect(await outline()).toEqual(['Outer', '  Folder', '    b', '    b 2']);
  // Its folder goes meanwhile: the table comes back to the folder around it.
  await owner.call(api.deleteNode, { params });
  await owner.call(api.deleteNode, { params: { baseId, nodeId: copy.body.id } });
  expect((await owner.call(api.deleteNode, { params: { baseId, nodeId: folder.id } })).body.permanent).toBe(true);
  await restore();
  expect(await outline()).toEqual(['Outer', '  b']);
  const gone = await owner.call(api.deleteNodePermanently, { params: { baseId, nodeId: copy.body.id } });
  expect(gone.body).toEqual({ resourceId: copy.body.resourceId, resourceType: 'table', permanent: true });
});

test('copies and files of a base have its folders', async () => {
  const { owner, baseId, spaceId } = shop;
  await make('table', 'a');
  const outer = await make('folder', 'Outer');
  const inner = await make('folder', 'Inner', outer.id);
  await make('table', 'b', inner.id);
  await make('table', 'c', outer.id);
  const before = await outline();
  const copy = await owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } });
  expect(await outline(copy.body.id)).toEqual(before);
  const file = await exportToFile(owner, baseId);
  expect(await outline(await importFromFile(owner, spaceId, file))).toEqual(before);
});

test('two people who move at once leave one tree, and others hear of it', async () => {
  const { owner, baseId } = shop;
  const folders = [await make('folder', 'One'), await make('folder', 'Two')] as const;
  const tables = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make('table', name)));
  const ear = await listen(`${world().baseUrl}/table/${tables[0]?.resourceId}/events`, { token: owner.token });
  await ear.until((event) => event.name === 'ready');
  const moves = await Promise.all([
    move(folders[0].id, { parentId: folders[1].id }),
    move(folders[1].id, { parentId: folders[0].id }),
    ...tables.map(({ id }, at) => move(id, { parentId: folders[at % 2]?.id as string })),
  ]);
  // One of the two folders is in the other; the other move would have made a circle.
  expect(
    moves
      .slice(0, 2)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([200, 400]);
  const nodes = (await owner.call(api.listNodes, { params: { baseId } })).body;
  expect(nodes).toHaveLength(6);
  expect(nodes.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6]);
  const heard = await ear.until((event) => event.name === 'tables.changed');
  expect(heard.data).toMatchObject({ baseId, by: owner.userId });
});

test('editors see the tree and cannot change it; a token without table|read sees folders alone', async () => {
  const { owner, baseId, spaceId } = shop;
  const folder = await make('folder', 'Folder');
  const table = await make('table', 'a', folder.id);
  const editor = await member(world(), owner, spaceId, 'editor');
  expect((await editor.call(api.listNodes, { params: { baseId } })).body).toHaveLength(2);
  const params = { baseId, nodeId: table.id };
  expect((await editor.call(api.moveNode, { params, body: { parentId: null } })).status).toBe(403);
  expect((await editor.call(api.deleteNode, { params })).status).toBe(403);
  expect((await editor.call(api.createNode, { params, body: { resourceType: 'table', name: 'x' } })).status).toBe(403);
  const limited = await owner.withToken({
    name: 'limited',
    scopes: ['base|read'],
    spaceIds: [spaceId],
    expiredTime: new Date(Date.now() + 86_400_000),
  });
  const seen = (await limited.call(api.listNodes, { params: { baseId } })).body;
  expect(seen.map(({ id, children }) => [id, children])).toEqual([[folder.id, []]]);
  expect((await limited.call(api.getNode, { params })).status).toBe(403);
});
