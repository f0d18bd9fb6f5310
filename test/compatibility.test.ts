// Every operation of Teable's own client is served, or docs/compatibility.md says why not.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { routes } from '../server/app.ts';
import { compatibilityPage } from './support/compatibility-page.ts';
import { faultsOf } from './support/teable-schemas.ts';
import { operations, walk } from './support/teable-operations.ts';

const endpoints = routes.map(({ endpoint }) => endpoint);

test('the whole list of the client, and of what Teable has added since, is served, planned or explained', () => {
  const walked = walk(endpoints);
  expect(walked.length).toBeGreaterThan(500);
  expect(walked.filter(({ state }) => state === 'served').length).toBeGreaterThan(150);
});

test('the numbers of the page are of the union of both lists: each operation counts once, and none of either is left out', () => {
  const walked = walk(endpoints);
  const keys = walked.map(({ method, path }) => `${method} ${path}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const all = new Set(keys);
  const form = (method: string, path: string): string =>
    `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}|:[A-Za-z]+/g, '{}').replace(/\/$/, '')}`;
  const published = readFileSync('test/support/teable-published.txt', 'utf8').trim().split('\n');
  const require = createRequire(import.meta.url);
  require('@teable/openapi');
  const { getRoutes } = require('@teable/openapi/dist/utils.js') as {
    getRoutes: () => { method: string; path: string }[];
  };
  const listed = [
    ...published.map((line) => form(...(line.split(' ') as [string, string]))),
    ...getRoutes().map(({ method, path }) => form(method, path)),
  ];
  expect(listed.filter((key) => !all.has(key))).toEqual([]);
  const page = compatibilityPage(endpoints);
  const number = (of: string): number => Number(new RegExp(`\\| ${of} \\| (\\d+) \\|`).exec(page)?.[1]);
  expect(number('all')).toBe(all.size);
  expect(['served', 'answered with an empty value', 'planned', 'never'].reduce((sum, of) => sum + number(of), 0)).toBe(
    all.size,
  );
});

test('an operation that nobody serves or explains is found', () => {
  expect(() => walk(endpoints.filter(({ name }) => name !== 'createRecords'))).toThrow(
    'POST /table/{}/record is neither served nor explained',
  );
  expect(operations().some(({ path }) => path === '/table/{}/record')).toBe(true);
});

test('that something is missing is no reason for its absence', () => {
  expect(
    walk(endpoints).filter(({ state, reason }) => state === 'never' && /^There (is|are) no /.test(reason)),
  ).toEqual([]);
});

test('docs/compatibility.md is as `node --import tsx scripts/compatibility.ts` writes it', () => {
  expect(readFileSync('docs/compatibility.md', 'utf8')).toBe(compatibilityPage(endpoints));
});

test('an answer that the client would not understand is named with its place', () => {
  const answer = (records: unknown) => ({ method: 'GET', path: '/table/:tableId/record', body: { records } });
  expect(faultsOf([answer([{ id: 'rec1', fields: {} }])])).toEqual([]);
  expect(faultsOf([answer([{ id: 1, fields: {} }])])).toEqual([
    'GET /table/{}/record: "records.[].id": Expected string, received number',
  ]);
});
