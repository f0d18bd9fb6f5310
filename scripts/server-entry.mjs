// What the bundle of the server exports: the command line, which `main.js` runs, and every module by its path. Tests take the modules from there, so that
// what they test is what is shipped, and there is one copy of each module.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './install.mjs';

export const entryPoint = 'rowhouse:server';

const skipped = new Set(['node_modules', 'dist', 'data']);

/** What the bundle loads from beside it, when it is asked for. */
export const telemetryEntry = join(root, 'server/telemetry/otlp.ts');

/** All but the one that runs the program as soon as it is loaded, and what is in another bundle. */
const filesOf = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .flatMap(({ name, parentPath }) =>
      statSync(join(parentPath, name)).isDirectory()
        ? filesOf(join(folder, name))
        : /(?<!\.test)\.ts$/.test(name)
          ? [join(folder, name)]
          : [],
    )
    .filter((path) => path !== 'server/main.ts' && !path.startsWith(join('server', 'telemetry')));

const nameOf = (path) => path.slice(0, -'.ts'.length);

/** Types are none of them. Nothing here exports in another way; a name that were missed would be missed by the test that imports it. */
const exportsOf = (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const declared = [...text.matchAll(/^export (?:const|class|(?:async )?function\*?) (\w+)/gm)].map(([, name]) => name);
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, names]) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '));
  return [...declared, ...listed];
};

/** A function of plain objects: objects of modules would be made at every start, and a start took a tenth more. */
const entryText = () => {
  const modules = ['server', 'contract']
    .flatMap(filesOf)
    .map((path, at) => ({ path, at, names: exportsOf(path) }))
    .filter(({ names }) => names.length > 0);
  const local = (at, name) => `${name}_of_${at}`;
  return [
    `export { run } from ${JSON.stringify(join(root, 'server/cli/run.ts'))};`,
    "import pg from 'pg';",
    ...modules.map(
      ({ path, at, names }) =>
        `import { ${names.map((name) => `${name} as ${local(at, name)}`).join(', ')} } from ${JSON.stringify(join(root, path))};`,
    ),
    'export const modules = () => ({ pg: { default: pg },',
    ...modules.map(
      ({ path, at, names }) =>
        `${JSON.stringify(nameOf(path))}: { ${names.map((name) => `${name}: ${local(at, name)}`).join(', ')} },`,
    ),
    '});',
  ].join('\n');
};

export const serverEntry = {
  name: 'server-entry',
  enforce: 'pre',
  resolveId: (source) =>
    source === entryPoint
      ? `\0${entryPoint}`
      : source.endsWith('/telemetry/otlp.ts')
        ? { id: './telemetry.cjs', external: true }
        : null,
  load: (id) => (id === `\0${entryPoint}` ? entryText() : null),
};

const modulesFolder = join(root, 'server/dist/modules');

/** One file for each module, which takes what it exports out of the bundle. */
export const writeModules = (modules) => {
  rmSync(modulesFolder, { recursive: true, force: true });
  const load = join(root, 'server/dist/load.js');
  for (const [name, module] of Object.entries(modules)) {
    const file = join(modulesFolder, `${name}.js`);
    mkdirSync(dirname(file), { recursive: true });
    const names = Object.keys(module).filter((each) => each !== 'default');
    const lines = [
      `import { loadModules } from ${JSON.stringify(relative(dirname(file), load))};`,
      `const module = loadModules()[${JSON.stringify(name)}];`,
      `export const { ${names.join(', ')} } = module;`,
      ...('default' in module ? ['export default module.default;'] : []),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
};

/** Where a module is taken from. Undefined for what is no module of the server or the contract. */
const builtOf = (id) => {
  const [, path] = id.startsWith(`${root}/`)
    ? (/^((?:server|contract)\/(?!dist\/|node_modules\/).*)(?<!\.test)\.ts$/.exec(id.slice(root.length + 1)) ?? [])
    : [];
  return path === undefined || path === 'server/main' ? undefined : join(modulesFolder, `${path}.js`);
};

/** For Vite: modules of the server and the contract, and the driver that they share with tests, come from the bundle. */
export const builtModules = {
  name: 'built-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source === 'pg') return { id: join(modulesFolder, 'pg.js'), external: 'absolute' };
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const built = found === null ? undefined : builtOf(found.id);
    return built === undefined ? found : { id: built, external: 'absolute' };
  },
};
