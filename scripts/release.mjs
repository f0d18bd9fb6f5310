// Versions by one rule (CONTRIBUTING.md, "A release"), for people and for the workflow that releases:
//   node scripts/release.mjs set 0.2.0        writes the version to every file that has it
//   node scripts/release.mjs check v0.2.0     says what does not fit, and ends with 1
//   node scripts/release.mjs notes v0.2.0     prints what CHANGELOG.md says of it
//   node scripts/release.mjs checksums <folder>   writes SHA256SUMS beside the files of a folder
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (name) => readFileSync(join(root, name), 'utf8');

/** As semantic versioning has it, without build metadata, which npm drops. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

const number = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.(?!tgz)[0-9A-Za-z-]+)*)?`;

/** Where it stands, and how it is found there. Each pattern has what precedes the version as its first group. */
const places = [
  ...['package.json', 'contract/package.json', 'server/package.json', 'web/package.json'].map((file) => ({
    file,
    pattern: new RegExp(`(^  "version": ")${number}`, 'm'),
  })),
  ...['server/package.json', 'web/package.json'].map((file) => ({
    file,
    pattern: new RegExp(`("@rowhouse/contract": ")${number}`),
  })),
  { file: 'deploy/chart/Chart.yaml', pattern: new RegExp(`(^version: )${number}`, 'm') },
  { file: 'deploy/chart/Chart.yaml', pattern: new RegExp(`(^appVersion: )${number}`, 'm') },
  { file: 'deploy/rowhouse.service', pattern: new RegExp(`(rowhouse-)${number}(?=\\.tgz)`, 'g') },
  { file: 'README.md', pattern: new RegExp(`(rowhouse[-:])${number}(?=\\.tgz| )`, 'g') },
];

const foundIn = ({ file, pattern }) => {
  const text = read(file);
  const all = [...text.matchAll(new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`))];
  return all.map(([whole, before]) => whole.slice(before.length));
};

/** The entries of the lock file for the workspaces. */
const inLock = () => {
  const { version, packages } = JSON.parse(read('package-lock.json'));
  return [version, ...['', 'contract', 'server', 'web'].map((name) => packages[name].version)];
};

const heading = (version) => new RegExp(`^## ${version.replaceAll('.', '\\.')}(?:,? .*)?$`, 'm');

/** What is said of a version, without its heading. */
export const notesOf = (version, changelog = read('CHANGELOG.md')) => {
  const found = heading(version).exec(changelog);
  if (found === null) return undefined;
  const rest = changelog.slice(found.index + found[0].length);
  const end = rest.search(/^## /m);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
};

/** In words what keeps the tag from being released. */
export const faultsOf = (tag, changelog = read('CHANGELOG.md')) => {
  const version = tag.replace(/^v/, '');
  if (!tag.startsWith('v') || !form.test(version))
    return [`${tag} is no tag of a version, such as v0.2.0 or v0.2.0-beta.1`];
  const elsewhere = places.flatMap((place) => {
    const found = foundIn(place);
    if (found.length === 0) return [`${place.file} has no version where one is looked for`];
    return found.filter((one) => one !== version).map((one) => `${place.file} says ${one}, not ${version}`);
  });
  const locked = inLock()
    .filter((one) => one !== version)
    .map((one) => `package-lock.json says ${one}, not ${version}`);
  const line = heading(version).exec(changelog)?.[0];
  const told =
    line === undefined
      ? [`CHANGELOG.md has no heading "## ${version}"`]
      : /unreleased/.test(line)
        ? [`CHANGELOG.md calls ${version} unreleased: put the date there`]
        : notesOf(version, changelog) === ''
          ? [`CHANGELOG.md says nothing of ${version}`]
          : [];
  return [...elsewhere, ...locked, ...told];
};

const set = (version) => {
  for (const { file, pattern } of places)
    writeFileSync(
      join(root, file),
      read(file).replace(pattern, (_whole, before) => `${before}${version}`),
    );
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = version;
  for (const name of ['', 'contract', 'server', 'web']) {
    lock.packages[name].version = version;
    if (lock.packages[name].dependencies?.['@rowhouse/contract'] !== undefined)
      lock.packages[name].dependencies['@rowhouse/contract'] = version;
  }
  writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
};

export const checksums = (folder) => {
  const names = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .sort();
  const lines = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
};

const usage = 'usage: node scripts/release.mjs set <version> | check <tag> | notes <tag> | checksums <folder>';

const run = ([word, value]) => {
  if (value === undefined) throw new Error(usage);
  if (word === 'checksums') return checksums(resolve(value));
  if (word === 'set') {
    if (!form.test(value)) throw new Error(`${value} is no version, such as 0.2.0 or 0.2.0-beta.1`);
    return set(value);
  }
  if (word === 'notes') {
    const notes = notesOf(value.replace(/^v/, ''));
    if (notes === undefined) throw new Error(`CHANGELOG.md has no heading for ${value}`);
    return console.log(notes);
  }
  if (word !== 'check') throw new Error(usage);
  const faults = faultsOf(value);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    run(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
