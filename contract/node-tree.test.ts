import { expect, test } from 'vitest';
import { dissolved, inTreeOrder, moved, type NodePlace, type TreeNode } from './node-tree.ts';

const table = (id: string, parentId: string | null, position: number): TreeNode => ({
  id,
  kind: 'table',
  parentId,
  position,
});
const folder = (id: string, parentId: string | null, position: number): TreeNode => ({
  id,
  kind: 'folder',
  parentId,
  position,
});

// a, F(b, G(c)), d
const tree = [
  table('d', null, 9),
  table('a', null, 1),
  folder('F', null, 2),
  table('b', 'F', 1),
  folder('G', 'F', 3),
  table('c', 'G', 0),
];

const after = (id: string, place: NodePlace): string => {
  const result = moved(tree, id, place, 2);
  return 'fault' in result ? result.fault : result.nodes.map((node) => `${node.parentId ?? ''}/${node.id}`).join(' ');
};

test('a folder stands before what it holds, whatever positions other folders have', () => {
  expect(inTreeOrder(tree).map(({ id }) => id)).toEqual(['a', 'F', 'b', 'G', 'c', 'd']);
});

test('a node goes to the end of a folder, to the top, or beside another node', () => {
  expect(after('a', { parentId: 'F' })).toBe('/F F/b F/G G/c F/a /d');
  expect(after('c', { parentId: null })).toBe('/a /F F/b F/G /d /c');
  expect(after('d', { anchorId: 'c', position: 'before' })).toBe('/a /F F/b F/G G/d G/c');
  expect(after('a', { anchorId: 'F', position: 'after' })).toBe('/F F/b F/G G/c /a /d');
});

test('positions are whole numbers in the order of the tree', () => {
  const result = moved(tree, 'a', { parentId: 'G' }, 2);
  expect('nodes' in result && result.nodes.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what would break the tree is refused', () => {
  expect(after('F', { parentId: 'G' })).toContain('into itself');
  expect(after('F', { parentId: 'F' })).toContain('into itself');
  expect(after('a', { anchorId: 'a', position: 'before' })).toContain('beside itself');
  expect(after('a', { parentId: 'b' })).toContain('Only a folder');
  expect(after('a', { parentId: 'nothing' })).toContain('no such folder');
  expect(after('a', { anchorId: 'nothing', position: 'after' })).toContain('no such node');
  const deeper = [...tree, folder('H', null, 20), folder('I', 'H', 0)];
  expect(moved(deeper, 'H', { parentId: 'F' }, 2)).toEqual({ fault: 'Folders may be nested 2 deep' });
  expect(moved(deeper, 'I', { parentId: 'F' }, 2)).toHaveProperty('nodes');
});

test('what a deleted folder held stands in its place', () => {
  expect(dissolved(tree, 'F').map((node) => `${node.parentId ?? ''}/${node.id}`)).toEqual([
    '/a',
    '/b',
    '/G',
    'G/c',
    '/d',
  ]);
});
