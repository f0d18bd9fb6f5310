// The import rule of ARCHITECTURE.md: one direction, no cycles, no unlisted folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** From the ground up: a file imports from its own layer and from those before it. */
const layers = ['config', 'faults', 'db', 'catalog', 'live', 'context', 'domain', 'http', 'realtime', 'app', 'cli', 'main'];

/** A domain imports only from domains before it. */
const domains = [
  'user', 'access-token', 'plan', 'collaborator', 'space', 'invitation', 'auth', 'base', 'field', 'query', 'view',
  'record', 'aggregation', 'history', 'table', 'trash', 'oauth', 'notification', 'billing', 'setup', 'backup',
];

/** What a domain may know of HTTP: how a route is declared, how a credential is hashed, how a value is checked. */
const openToDomains = ['http/route.ts', 'http/auth.ts', 'http/validate.ts'];

/** Each field type gives the SQL expressions of its column; the readiness check asks for nothing. */
const mayWriteSql = /\.sql\.ts$|^db\/|^domain\/field\/type(\/|s?\.ts$)|^domain\/field\/convert-cells\.ts$|^http\/server\.ts$/;

const topLevel: Record<string, string[]> = {
  server: ['app.ts', 'bin', 'catalog', 'cli', 'config.ts', 'context.ts', 'db', 'dist', 'domain', 'faults.test.ts', 'faults.ts', 'http', 'live.ts', 'main.ts', 'node_modules', 'package.json', 'realtime'],
  test: ['api', 'architecture.test.ts', 'browser', 'crash', 'documents.test.ts', 'load', 'proof', 'support', 'vitest.check.config.ts', 'vitest.program.config.ts'],
};

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || name === 'dist') return [];
    return statSync(join(root, path)).isDirectory() ? filesBelow(path) : /\.tsx?$/.test(name) ? [path] : [];
  });

interface Import {
  from: string;
  to: string;
  /** Gone after compilation: cannot make a cycle. */
  onlyTypes: boolean;
}

const importForm = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importForm)].map((match) => {
    const target = (match[3] ?? match[4] ?? match[5]) as string;
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target.replace(/^@rowhouse\//, '');
    return { from: file, to, onlyTypes: match[1] !== undefined };
  });

const isTest = (file: string): boolean => file.endsWith('.test.ts');
const inServer = (path: string): string | undefined => (path.startsWith('server/') ? path.slice('server/'.length) : undefined);
const layerOf = (path: string): string => (path.split('/')[0] as string).replace(/\.ts$/, '');
const serverImports = filesBelow('server').filter((file) => !isTest(file)).flatMap(importsOf);

const broken = (imports: Import[], allowed: (from: string, to: string, item: Import) => boolean): string[] =>
  imports.filter((item) => !allowed(item.from, item.to, item)).map(({ from, to }) => `${from} → ${to}`);

test('imports between the layers of the server go one way only', () => {
  const upwards = broken(serverImports, (from, to, { onlyTypes }) => {
    const [one, other] = [inServer(from) as string, inServer(to)];
    if (other === undefined) return true;
    if (layerOf(one) === 'domain' && openToDomains.includes(other)) return true;
    if (one === 'context.ts' && onlyTypes) return true;
    return layers.indexOf(layerOf(other)) <= layers.indexOf(layerOf(one));
  });
  expect(upwards).toEqual([]);
});

test('a domain imports only from domains before it', () => {
  const domainOf = (path: string): number => domains.indexOf(path.split('/')[2] as string);
  const between = serverImports.filter(({ from, to }) => from.startsWith('server/domain/') && to.startsWith('server/domain/'));
  expect(broken(between, (from, to) => domainOf(to) <= domainOf(from))).toEqual([]);
});

test('http and realtime do not import each other', () => {
  const across = (one: string, other: string): boolean => one.startsWith('server/http/') && other.startsWith('server/realtime/');
  expect(broken(serverImports, (from, to) => !across(from, to))).toEqual([]);
});

test('no file of the server imports itself by way of others', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to, onlyTypes } of serverImports) if (!onlyTypes && to.startsWith('server/')) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});

test('Fastify is known to http and realtime alone', () => {
  const users = serverImports.filter(({ to }) => /^@?fastify(\/|$)/.test(to));
  expect(broken(users, (from, _to, { onlyTypes }) => /^server\/(http|realtime)\//.test(from) || (from === 'server/app.ts' && onlyTypes))).toEqual([]);
});

test('SQL is written in *.sql.ts and db/ alone', () => {
  const writers = filesBelow('server').filter((file) => /\bsql`/.test(readFileSync(join(root, file), 'utf8')) && !isTest(file));
  expect(writers.map((file) => inServer(file) as string).filter((file) => !mayWriteSql.test(file))).toEqual([]);
});

test('the contract imports nothing of the server or the web app, the web app nothing of the server', () => {
  const contract = broken(filesBelow('contract').flatMap(importsOf), (_from, to) => !/^(server|web)\//.test(to));
  const web = broken(filesBelow('web').flatMap(importsOf), (_from, to) => !to.startsWith('server/'));
  expect([...contract, ...web]).toEqual([]);
});

test('there is no folder or domain that is not listed', () => {
  const unlisted = Object.entries(topLevel).flatMap(([folder, known]) => readdirSync(join(root, folder)).filter((name) => !known.includes(name)).map((name) => `${folder}/${name}`));
  const unknown = readdirSync(join(root, 'server/domain')).filter((name) => !domains.includes(name)).map((name) => `server/domain/${name}`);
  expect([...unlisted, ...unknown]).toEqual([]);
});
