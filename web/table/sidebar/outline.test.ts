import type { BaseNode } from '@rowhouse/contract/node.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { nodesAfter, outlineOf, stepOf } from './outline.ts';

const node = (id: string, resourceType: 'folder' | 'table', parentId: string | null, order: number): BaseNode => ({
  id: `bno${id}`,
  resourceType,
  resourceId: `${resourceType === 'folder' ? 'bnf' : 'tbl'}${id}`,
  parentId: parentId === null ? null : `bno${parentId}`,
  parent: null,
  order,
  children: [],
  resourceMeta: { name: id },
});

const table = (id: string): Table => ({
  id: `tbl${id}`,
  name: id,
  dbTableName: '',
  order: 0,
  lastModifiedTime: '',
});

// a, F(b, c), d
const plain = [
  node('a', 'table', null, 1),
  node('F', 'folder', null, 2),
  node('b', 'table', 'F', 3),
  node('c', 'table', 'F', 4),
  node('d', 'table', null, 5),
];
const nodes = plain.map((one) => ({
  ...one,
  children: plain.filter(({ parentId }) => parentId === one.id).map(({ id, order }) => ({ id, order })),
}));
const tables = ['a', 'b', 'c', 'd'].map(table);
const none: ReadonlySet<string> = new Set();

test('a closed folder hides its tables, but not the one that is open', () => {
  expect(outlineOf(nodes, tables, none, undefined).map(({ name, depth }) => `${depth}${name}`)).toEqual([
    '0a',
    '0F',
    '1b',
    '1c',
    '0d',
  ]);
  const closed = new Set(['bnfF']);
  expect(outlineOf(nodes, tables, closed, undefined).map(({ name }) => name)).toEqual(['a', 'F', 'd']);
  expect(outlineOf(nodes, tables, closed, 'tblc').map(({ name }) => name)).toEqual(['a', 'F', 'c', 'd']);
});

test('tables are shown before their nodes are known, and not after they are gone', () => {
  expect(outlineOf([], tables, none, undefined).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(outlineOf(nodes, [table('a')], none, undefined).map(({ name }) => name)).toEqual(['a', 'F']);
});

/** The whole way of a node, as somebody presses the key again and again. */
const way = (id: string, by: -1 | 1, closed = none): string[] => {
  const seen: string[] = [];
  for (let now: BaseNode[] | undefined = nodes; now !== undefined; ) {
    const to = stepOf(now, closed, id, by);
    if (to === undefined) break;
    now = nodesAfter(now, id, to);
    if (now !== undefined)
      seen.push(now.map((one) => `${one.parentId === null ? '' : '·'}${one.resourceMeta.name}`).join(' '));
  }
  return seen;
};

test('dashboards stand among the tables, and are hidden with their folder unless they are open', () => {
  const sales: BaseNode = {
    ...node('s', 'table', 'F', 3.5),
    id: 'bnos',
    resourceType: 'dashboard',
    resourceId: 'dshs',
  };
  const all = [...nodes.slice(0, 3), sales, ...nodes.slice(3)];
  const names = (closed: ReadonlySet<string>, shown: string | undefined): string[] =>
    outlineOf(all, tables, closed, shown).map(({ name, dashboard }) => (dashboard === undefined ? name : `[${name}]`));
  expect(names(none, undefined)).toEqual(['a', 'F', 'b', '[s]', 'c', 'd']);
  expect(names(new Set(['bnfF']), undefined)).toEqual(['a', 'F', 'd']);
  expect(names(new Set(['bnfF']), 'dshs')).toEqual(['a', 'F', '[s]', 'd']);
});

test('a key takes a table through an open folder line by line', () => {
  expect(way('bnoa', 1)).toEqual(['F ·a ·b ·c d', 'F ·b ·a ·c d', 'F ·b ·c ·a d', 'F ·b ·c a d', 'F ·b ·c d a']);
  expect(way('bnod', -1)).toEqual(['a F ·b ·c ·d', 'a F ·b ·d ·c', 'a F ·d ·b ·c', 'a d F ·b ·c', 'd a F ·b ·c']);
});

test('a key takes a table past a closed folder', () => {
  expect(way('bnoa', 1, new Set(['bnfF']))).toEqual(['F ·b ·c a d', 'F ·b ·c d a']);
});
