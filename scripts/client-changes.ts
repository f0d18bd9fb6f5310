// Says what has changed in Teable's client since the version that the tests use: `node --import tsx scripts/client-changes.ts [version or folder]`, the newest on npm when absent.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { routes } from '../server/app.ts';
import { changesBetween, clientShape } from '../test/support/client-changes.ts';
import { clientVersion } from '../test/support/teable-operations.ts';

const wanted = process.argv[2] ?? 'latest';
const own = dirname(createRequire(import.meta.url).resolve('@teable/openapi/package.json'));

const installed = (folder: string): string => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `@teable/openapi@${wanted}`],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return join(folder, 'node_modules/@teable/openapi');
};

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-client-'));
try {
  const other = existsSync(join(wanted, 'package.json')) ? resolve(wanted) : installed(folder);
  const version = (createRequire(import.meta.url)(join(other, 'package.json')) as { version: string }).version;
  const served = new Set(
    routes.map(({ endpoint: { method, path } }) => `${method} ${path.replaceAll(/:[A-Za-z]+/g, '{}')}`),
  );
  const changes = changesBetween(clientShape(own), clientShape(other));
  console.log(`@teable/openapi ${clientVersion()} → ${version}`);
  for (const line of changes)
    console.log(line.startsWith('+ ') && served.has(line.slice(2)) ? `${line}  (served already)` : line);
  if (changes.length === 0) console.log('Nothing has changed.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
