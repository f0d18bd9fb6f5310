// All operations that Teable's own client knows, and which of them Rowhouse serves. docs/compatibility.md is made from this.
import { createRequire } from 'node:module';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { absences } from '@rowhouse/contract/absent.ts';

interface Operation {
  method: string;
  /** With {} for parameters. */
  path: string;
  shown: string;
  summary: string;
}

interface ClientRoute {
  method: string;
  path: string;
  summary?: string;
  description?: string;
}

const form = (path: string): string => path.replaceAll(/\{[^}]+\}|:[A-Za-z]+/g, '{}').replace(/\/$/, '');

/** What the client calls without having it in its list. */
const unlisted: ClientRoute[] = [
  { method: 'post', path: '/query-params', summary: 'Keep parameters of a query' },
  { method: 'post', path: '/base/{baseId}/workflow', summary: 'Create a workflow' },
  { method: 'post', path: '/space/{spaceId}/test-llm', summary: 'Test a model' },
  { method: 'put', path: '/attachments/upload/{token}', summary: 'Upload a file' },
  { method: 'patch', path: '/comment/{tableId}/{recordId}/{commentId}/reaction', summary: 'React to a comment' },
  { method: 'post', path: '/plugin/{pluginId}/token', summary: 'Get the token of a plugin' },
  { method: 'get', path: '/base/{baseId}/table/{tableId}/activated-index', summary: 'Indexes that are switched on' },
];

/** The list of the client. It is of CommonJS, and large: only what reads it loads it. */
export const operations = (): Operation[] => {
  const require = createRequire(import.meta.url);
  require('@teable/openapi');
  const { getRoutes } = require('@teable/openapi/dist/utils.js') as { getRoutes: () => ClientRoute[] };
  return [...getRoutes(), ...unlisted].map(({ method, path, summary, description }) => ({
    method: method.toUpperCase(),
    path: form(path),
    shown: path,
    summary: summary ?? description ?? '',
  }));
};

export const clientVersion = (): string =>
  (createRequire(import.meta.url)('@teable/openapi/package.json') as { version: string }).version;

/** Why operations are not served, by their place. The first that fits counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /^GET \/attachments\/\{\}$|^POST \/comment\/.*\/reaction$|^GET \/plugin\/\{\}\/token$|^POST .*\/activated-index$/,
    'It is in the list of the client, but the client calls another method or path',
  ],
  [/\/dashboard/, 'There are no dashboards; the list of them is empty'],
  [/\/plugin/, 'There are no plugins; the lists of them are empty'],
  [/\/ai\/|-llm$|-fill$|\/integration/, 'There is no AI; the lists of models are empty'],
  [/waitlist/, 'There is no waiting list: `disallowSignUp` lets in those who are invited'],
  [/mail-transport-config|test-transport-config/, 'The mail server is a setting of the server, `SMTP_URL`'],
  [/button-(click|reset)/, 'There are no button fields'],
  [/\/workflow/, 'There are no workflows'],
  [/\/auth\/add-password/, 'Every account has a password'],
];

type State = 'served' | 'empty' | 'absent';

export interface Walked extends Operation {
  state: State;
  reason: string;
}

const empty = new Set(absences.map(([{ method, path }]) => `${method} ${form(path)}`));

/** Throws for an operation that is neither served nor explained. */
export const walk = (endpoints: readonly Declaration[]): Walked[] => {
  const served = new Set(endpoints.map(({ method, path }) => `${method} ${form(path)}`));
  return operations().map((operation) => {
    const key = `${operation.method} ${operation.path}`;
    if (served.has(key)) return { ...operation, state: empty.has(key) ? 'empty' : 'served', reason: '' };
    const reason = reasons.find(([pattern]) => pattern.test(key))?.[1];
    if (reason === undefined)
      throw new Error(`${key} is neither served nor explained: add its reason to test/support/teable-operations.ts`);
    return { ...operation, state: 'absent', reason };
  });
};
