// The functions of Teable's own client, and which of them the API tests call, unmodified: read from the sources of the tests.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** They ask no server. */
const local = new Set([
  'createAxios',
  'axios',
  'configApi',
  'getOpenApiDocumentation',
  'pathJoin',
  'getPublicFullStorageUrl',
  'urlBuilder',
  'registerRoute',
  'getRoutes',
  'getFormulaPrompt',
]);

interface ClientFunctions {
  called: string[];
  others: string[];
}

const importsOf = (source: string): string[] =>
  /import \{([^}]*)\} from '@teable\/openapi'/
    .exec(source)?.[1]
    ?.split(',')
    .map((name) => name.trim()) ?? [];

export const clientFunctions = (folder = 'test/api'): ClientFunctions => {
  const client = createRequire(import.meta.url)('@teable/openapi') as Record<string, unknown>;
  const names = Object.keys(client).filter(
    (name) => typeof client[name] === 'function' && /^[a-z]/.test(name) && !local.has(name),
  );
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((source) => source.includes("'@teable/openapi'"));
  const called = new Set(
    sources.flatMap((source) => [
      ...[...source.matchAll(/\bteable\.([a-z]\w*)/g)].map(([, name]) => name as string),
      ...importsOf(source),
    ]),
  );
  return {
    called: names.filter((name) => called.has(name)).toSorted(),
    others: names.filter((name) => !called.has(name)).toSorted(),
  };
};
