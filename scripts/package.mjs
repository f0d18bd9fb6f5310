// Makes the npm package `rowhouse`: the built server and app, and what they read when they run. `node scripts/package.mjs [folder]` leaves the
// archive in the folder (.cache/package unless it is named) and prints its path. Nothing in it is built or downloaded by an install script.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing, root } from './install.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** What is in no bundle, since it has a binary of its own. */
const isNative = (name) => name === '@napi-rs/image' || name === '@node-rs/argon2';

const manifest = () => {
  const whole = readJson('package.json');
  const server = readJson('server/package.json');
  return {
    name: 'rowhouse',
    version: server.version,
    description: whole.description,
    license: whole.license,
    type: 'module',
    engines: whole.engines,
    bin: { rowhouse: 'bin/rowhouse.mjs' },
    dependencies: Object.fromEntries(Object.entries(server.dependencies).filter(([name]) => isNative(name))),
    optionalDependencies: server.optionalDependencies,
  };
};

/** Without the source map, which is twice as large as the bundle, and what was compiled for the Node.js of this machine. */
const isShipped = (name) => /^(main\.js|load\.js|build\.json|telemetry\.cjs|server-.*\.cjs)$/.test(name);

const stage = (folder) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'server/dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(root, 'scripts/rowhouse.template.mjs'), join(folder, 'bin/rowhouse.mjs'));
  chmodSync(join(folder, 'bin/rowhouse.mjs'), 0o755);
  for (const name of readdirSync(join(root, 'server/dist')).filter(isShipped))
    cpSync(join(root, 'server/dist', name), join(folder, 'server/dist', name));
  const { name, version, license, type } = readJson('server/package.json');
  writeFileSync(join(folder, 'server/package.json'), `${JSON.stringify({ name, version, license, type }, null, 2)}\n`);
  for (const path of ['server/db/migrations', 'server/catalog/plans.json', 'server/http/examples.json', 'web/dist'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  // Packed by the archive already: the server sends documents as they are, if they are not packed.
  cpSync(join(root, 'docs/dist'), join(folder, 'docs/dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.br'),
  });
  for (const name of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md']) cpSync(join(root, name), join(folder, name));
  cpSync(join(root, 'docs/package.md'), join(folder, 'README.md'));
};

/** Answers where the archive is. */
export const makePackage = async (into = join(root, '.cache/package')) => {
  installWhatIsMissing();
  await buildWhatIsStale();
  const folder = join(root, '.cache/package-contents');
  stage(folder);
  mkdirSync(into, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const said = JSON.parse(stdout);
  const { filename } = Array.isArray(said) ? said[0] : Object.values(said)[0];
  return join(into, filename);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder] = process.argv.slice(2);
  const archive = await makePackage(folder === undefined ? undefined : resolve(folder));
  console.log(`${archive} (${(statSync(archive).size / 1_048_576).toFixed(1)} MB)`);
}
