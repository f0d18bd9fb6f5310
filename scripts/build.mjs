// Bundles the server to server/dist and the web app to web/dist. `npm start` calls it too, and then only
// what is older than its sources is built. The parts for tests are built when they are asked for by name.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installWhatIsMissing, root } from './install.mjs';
import { builtModules, entryPoint, serverEntry, telemetryEntry } from './server-entry.mjs';

const parts = [
  {
    name: 'server',
    sources: [
      'server',
      'contract',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/compile.mjs',
      'scripts/load.template.mjs',
      'scripts/main.template.mjs',
      'scripts/server-entry.mjs',
    ],
    output: 'server/dist/main.js',
    config: () => serverConfig,
    beside: () => telemetryConfig,
    finish: () => finishServer(),
  },
  {
    name: 'web app',
    sources: ['web', 'contract', 'package-lock.json', 'scripts/build.mjs'],
    output: 'web/dist/index.html',
    config: () => ({ root: join(root, 'web'), configFile: join(root, 'web/vite.config.ts') }),
    when: 'web/index.html',
  },
  {
    name: 'documents',
    sources: [
      'docs',
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'deploy',
      'Dockerfile',
      'scripts/docs',
      'scripts/docs.mjs',
      'web/public/icon.svg',
      'package-lock.json',
    ],
    output: 'docs/dist/index.html',
    make: async () => (await import('./docs.mjs')).buildDocs(),
    when: 'README.md',
  },
  {
    name: 'test programs',
    sources: ['test/support', 'package-lock.json', 'scripts/build.mjs', 'scripts/server-entry.mjs'],
    output: 'server/dist/programs/browser-server.js',
    config: () => programsConfig,
    isForTests: true,
  },
];

const serverConfig = {
  root,
  configFile: false,
  plugins: [serverEntry],
  // Packages are inside of the bundle, where they are there at once: ready after 1.0 s instead of 2.0 s. Not those with a binary of their own, nor those
  // that others only look for.
  ssr: {
    noExternal: true,
    external: ['@napi-rs/image', '@node-rs/argon2', 'bufferutil', 'pg-cloudflare', 'pg-native', 'utf-8-validate'],
  },
  build: {
    ssr: true,
    outDir: 'server/dist',
    // What tests use is beside it, and may be in use.
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    // Named by its contents, so that nothing is ever run with what was compiled of another one. `import()` becomes `require`: V8 forgets how to import
    // when it takes compiled code from a file, and every `import()` of the running server would fail.
    rollupOptions: {
      input: entryPoint,
      output: { format: 'cjs', dynamicImportInCjs: false, entryFileNames: 'server-[hash].cjs', codeSplitting: false },
    },
  },
};

/** Loaded by the bundle of the server when an endpoint for it is set: a start without one reads nothing of it. */
const telemetryConfig = {
  ...serverConfig,
  plugins: [],
  ssr: { noExternal: true },
  build: {
    ...serverConfig.build,
    sourcemap: false,
    rollupOptions: {
      input: telemetryEntry,
      output: { ...serverConfig.build.rollupOptions.output, entryFileNames: 'telemetry.cjs' },
    },
  },
};

/** Null outside of a repository. */
const presentCommit = () => {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};

/** Compiles the bundle, writes what loads and runs it, and takes older bundles away. */
const finishServer = () => {
  const folder = join(root, 'server/dist');
  const bundles = readdirSync(folder)
    .filter((name) => /^server-.*\.cjs$/.test(name))
    .map((name) => ({ name, builtAt: statSync(join(folder, name)).mtimeMs }));
  const newest = bundles.toSorted((one, other) => other.builtAt - one.builtAt)[0].name;
  writeFileSync(
    join(folder, 'load.js'),
    readFileSync(join(root, 'scripts/load.template.mjs'), 'utf8').replace('server.cjs', newest),
  );
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/compile.mjs'), join(folder, newest)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error(
      `the server was built, but it does not run: "node scripts/compile.mjs server/dist/${newest}" says why`,
    );
  writeFileSync(join(folder, 'build.json'), `${JSON.stringify({ commit: presentCommit() })}\n`);
  writeFileSync(join(folder, 'main.js'), readFileSync(join(root, 'scripts/main.template.mjs'), 'utf8'));
  for (const name of readdirSync(folder))
    if (/^server-.*\.cjs/.test(name) && !name.startsWith(newest)) rmSync(join(folder, name));
};

/** What tests start as processes of their own. The server in them is the bundle. */
const programsConfig = {
  ...serverConfig,
  plugins: [builtModules],
  build: {
    ...serverConfig.build,
    ssr: true,
    outDir: 'server/dist/programs',
    emptyOutDir: true,
    rollupOptions: {
      input: Object.fromEntries(
        ['browser-server', 'work-process'].map((name) => [name, join(root, `test/support/${name}.ts`)]),
      ),
      output: { entryFileNames: '[name].js', format: 'es' },
    },
  },
};

const skipped = new Set(['node_modules', 'dist', 'data']);

const filesIn = (path, found = []) => {
  const full = join(root, path);
  const entry = statSync(full, { throwIfNoEntry: false });
  if (entry === undefined) return found;
  if (entry.isFile()) found.push(`${path} ${entry.size} ${Math.round(entry.mtimeMs)}`);
  else
    for (const name of readdirSync(full).sort())
      if (!skipped.has(name) && !name.endsWith('.test.ts')) filesIn(`${path}/${name}`, found);
  return found;
};

const stateOf = ({ sources }) =>
  createHash('sha256')
    .update(sources.flatMap((path) => filesIn(path)).join('\n'))
    .digest('hex');

const stampFile = ({ name }) => join(root, '.cache', `${name.replace(' ', '-')}.built`);

const isFresh = (part, state) =>
  existsSync(join(root, part.output)) && existsSync(stampFile(part)) && readFileSync(stampFile(part), 'utf8') === state;

const wanted = (only) =>
  parts.filter(
    ({ name, when, isForTests = false }) =>
      (only === undefined ? !isForTests : name === only) && (when === undefined || existsSync(join(root, when))),
  );

const bundle = async (part) => {
  const { build } = await import('vite');
  await build({ ...part.config(), logLevel: 'warn' });
  if (part.beside !== undefined) await build({ ...part.beside(), logLevel: 'warn' });
  part.finish?.();
};

export const buildWhatIsStale = async ({ force = false, only } = {}) => {
  for (const part of wanted(only)) {
    const state = stateOf(part);
    if (!force && isFresh(part, state)) continue;
    console.error(`Building the ${part.name} …`);
    rmSync(stampFile(part), { force: true });
    if (part.make !== undefined) await part.make();
    else await bundle(part);
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stampFile(part), state);
  }
};

/** In a process of its own: what builds takes several hundred megabytes, and a server would keep them as long as it runs. */
export const buildApart = ({ only } = {}) => {
  if (wanted(only).every((part) => isFresh(part, stateOf(part)))) return;
  const { status, error } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--stale', ...(only === undefined ? [] : [only])],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error('the lines above say why');
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [flag, only] = process.argv.slice(2);
  installWhatIsMissing();
  await buildWhatIsStale({ force: flag !== '--stale', only });
}
