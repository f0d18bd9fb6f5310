// `npm run check`: types, lint, architecture, and the OpenAPI file. Every check runs, also after one failed.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitFaults } from './commit-messages.mjs';
import { documents, faultsOf, runtimePackages } from './dependencies.mjs';
import { installWhatIsMissing, root } from './install.mjs';
import { oldParts } from './proof-age.mjs';

installWhatIsMissing();

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-check-'));
const binary = (name) => join(root, 'node_modules', name);
const node = (args) =>
  new Promise((done) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 28, env }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : 1, stdout, stderr }),
    ).stdin.end();
  });

const lintOpenapi = async () => {
  const printed = await node(['--import', 'tsx', 'scripts/openapi.ts']);
  if (printed.status !== 0) return printed;
  const file = join(folder, 'openapi.json');
  writeFileSync(file, printed.stdout);
  return node([binary('@redocly/cli/bin/cli.js'), 'lint', '--config', 'redocly.yaml', '--format', 'stylish', file]);
};

const checkPackages = () => {
  const stale = Object.entries(documents()).filter(
    ([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text,
  );
  const faults = [
    ...faultsOf(runtimePackages()),
    ...stale.map(([file]) => `${file} is out of date: run "node scripts/dependencies.mjs"`),
  ];
  return { status: faults.length, stdout: faults.map((fault) => `${fault}\n`).join(''), stderr: '' };
};

const checkCommits = () => {
  const faults = commitFaults();
  return { status: faults.length, stdout: faults.map((fault) => `${fault}\n`).join(''), stderr: '' };
};

// One checker: four of them, as by default, look at much of it four times, which took 23 s of CPU time instead of 12.
const tsc = (project) => node([binary('typescript/bin/tsc'), '-p', project, '--checkers', '1']);

const checks = [
  ['types of contract, server and tests', () => tsc('.')],
  ...(existsSync(join(root, 'web/tsconfig.json')) ? [['types of the web app', () => tsc('web')]] : []),
  ['lint', () => node([binary('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'])],
  [
    'architecture and documents',
    () => node([binary('vitest/vitest.mjs'), 'run', '--config', 'test/vitest.check.config.ts']),
  ],
  [
    'types of the recipes in CONTRIBUTING',
    () => node([binary('vitest/vitest.mjs'), 'run', '--config', 'test/check/vitest.config.ts']),
  ],
  ['format (npx biome format --write)', () => node([binary('@biomejs/biome/bin/biome'), 'format'])],
  ['OpenAPI file', lintOpenapi],
  ['packages: licences, none given up, lists up to date', checkPackages],
  ['messages of commits', checkCommits],
];

/** Two at a time: most of them keep one core busy. Told in the order of the list. */
const waiting = [...checks];
const results = new Map();
const lane = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, check] = next;
    results.set(name, await check());
  }
};
await Promise.all([lane(), lane()]);

let failed = 0;
for (const [name] of checks) {
  const { status, stdout, stderr } = results.get(name);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout ?? ''}${stderr ?? ''}`);
}
// A warning: a full run takes hours, and a release waits for it, not a commit (ADR 92).
const old = oldParts() ?? [];
if (old.length > 0)
  console.log(`warn    ${old.length} parts of the proof are older than what they prove: npm run proof -- --check`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
