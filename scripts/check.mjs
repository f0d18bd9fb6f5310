// `npm run check`: types, lint, architecture, and the OpenAPI file. Every check runs, also after one failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documents, faultsOf, runtimePackages } from './dependencies.mjs';
import { installWhatIsMissing, root } from './install.mjs';

installWhatIsMissing();

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-check-'));
const binary = (name) => join(root, 'node_modules', name);
const node = (args, options = {}) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }, ...options });

const lintOpenapi = () => {
  const printed = node(['--import', 'tsx', 'scripts/openapi.ts']);
  if (printed.status !== 0) return printed;
  const file = join(folder, 'openapi.json');
  writeFileSync(file, printed.stdout);
  return node([binary('@redocly/cli/bin/cli.js'), 'lint', '--config', 'redocly.yaml', '--format', 'stylish', file]);
};

const checkPackages = () => {
  const stale = Object.entries(documents()).filter(([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text);
  const faults = [...faultsOf(runtimePackages()), ...stale.map(([file]) => `${file} is out of date: run "node scripts/dependencies.mjs"`)];
  return { status: faults.length, stdout: faults.map((fault) => `${fault}\n`).join(''), stderr: '' };
};

const checks = [
  ['types of contract, server and tests', () => node([binary('typescript/bin/tsc'), '-p', '.'])],
  ...(existsSync(join(root, 'web/tsconfig.json')) ? [['types of the web app', () => node([binary('typescript/bin/tsc'), '-p', 'web'])]] : []),
  ['lint', () => node([binary('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'])],
  ['architecture and documents', () => node([binary('vitest/vitest.mjs'), 'run', '--config', 'test/vitest.check.config.ts'])],
  ['OpenAPI file', lintOpenapi],
  ['packages: licences, none given up, lists up to date', checkPackages],
];

let failed = 0;
for (const [name, check] of checks) {
  const { status, stdout, stderr } = check();
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout ?? ''}${stderr ?? ''}`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
