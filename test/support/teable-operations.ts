// All operations that Teable's own client knows, and newer ones that Teable has published, and which of them Rowhouse serves.
// docs/compatibility.md is made from this.
import { readFileSync } from 'node:fs';
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

/** Those of Teable's published OpenAPI file that are newer than the client and were not served when they were compared. */
const published = (): ClientRoute[] =>
  readFileSync(new URL('teable-published.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [method, path] = line.split(' ') as [string, string];
      return { method, path };
    });

/** The list of the client, and the newer ones. The client is of CommonJS, and large: only what reads it loads it. */
export const operations = (): Operation[] => {
  const require = createRequire(import.meta.url);
  require('@teable/openapi');
  const { getRoutes } = require('@teable/openapi/dist/utils.js') as { getRoutes: () => ClientRoute[] };
  const all = [...getRoutes(), ...unlisted, ...published()].map(({ method, path, summary, description }) => ({
    method: method.toUpperCase(),
    path: form(path),
    shown: path,
    summary: summary ?? description ?? '',
  }));
  // What stands in several lists counts once.
  return [...new Map(all.map((one) => [`${one.method} ${one.path}`, one])).values()];
};

export const clientVersion = (): string =>
  (createRequire(import.meta.url)('@teable/openapi/package.json') as { version: string }).version;

/** Why operations are not served, by their place. The first that fits counts. `planned`: they will be; the others never. */
const reasons: readonly (readonly [RegExp, State, string])[] = [
  [
    /^GET \/attachments\/\{\}$|^POST \/comment\/.*\/reaction$|^GET \/plugin\/\{\}\/token$|^POST .*\/activated-index$/,
    'never',
    'It is in the list of the client, but the client calls another method or path',
  ],
  [
    /waitlist/,
    'never',
    '`ROWHOUSE_SIGNUP=invited` does what a waiting list is for: those who were invited can sign up',
  ],
  [
    /mail-transport-config|test-transport-config/,
    'never',
    'The mail server is a setting of the server, `SMTP_URL`: its password does not belong into the database',
  ],
  [
    /reward|credit-|enterprise-license|\/license|add-on-products|all-products|invoice\/base-list|subscription\/plan$|billing\/manage-portal/,
    'never',
    'They sell licences, credits and rewards of the hosted Teable. Operators set their own plans here, and `/space/{spaceId}/billing` is what customers need of them',
  ],
  [
    /\/script-input/,
    'never',
    'Workflows run no scripts: they would have the rights of an owner, and send them anywhere',
  ],
  [
    /\/unsubscribe\//,
    'planned',
    'A link in each mail of an automation by which people want no more of them, and the list of those who do',
  ],
  [
    /\/user-integrations/,
    'planned',
    'Accounts at other services, such as Slack, that steps of workflows act with; until then a step sends a request to any address',
  ],
  [
    /\/share\/\{\}\/view\/.*button-click/,
    'planned',
    'Buttons in shared views: a press starts an automation as the person who presses, and visitors are nobody yet',
  ],
  [
    /\/ai\/|-llm$|-fill$|\/integration|\/chat\/|\/app\/|ai-key|test-api-key|test-public-access/,
    'planned',
    'Agents and AI, with models that the operator chooses; the lists of models are empty until then',
  ],
  [/\/plugin/, 'planned', 'Extensions in frames of their own; the lists of them are empty until then'],
  [
    /\/space\/(\{\}\/)?(authentication|domain-verification)|send-verification-email/,
    'never',
    'Providers and domains belong to organisations, and a domain is shown by a DNS record: a code in a mail shows that somebody reads a mailbox',
  ],
  [
    /^\w+ \/admin\//,
    'planned',
    'Administration of an instance over the API; the command `rowhouse` does the most important part of it',
  ],
];

type State = 'served' | 'empty' | 'planned' | 'never';

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
    const found = reasons.find(([pattern]) => pattern.test(key));
    if (found === undefined)
      throw new Error(`${key} is neither served nor explained: add its reason to test/support/teable-operations.ts`);
    const [, state, reason] = found;
    return { ...operation, state, reason };
  });
};
