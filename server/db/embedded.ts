// The PostgreSQL that comes along as an npm package, run as a process of its own with its data in a folder.
// It outlives a server that is killed; the next start finds it by postmaster.pid and goes on with it.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, accountFor, pathInside } from './embedded-account.ts';
import { postgresPrograms } from './embedded-binaries.ts';
import {
  clusterOf,
  type EmbeddedRole,
  passwordOf,
  prepareCluster,
  prepareFolder,
  superuser,
} from './embedded-cluster.ts';
import { disarmPostmaster, isPostmaster, type Postmaster, readPostmaster } from './embedded-postmaster.ts';
import { underStartLock } from './embedded-start-lock.ts';
import { freePort } from './free-port.ts';
import { StartError } from './error.ts';

export interface EmbeddedPostgres {
  /** Connection URL of the superuser, of the database `postgres`, which always exists. */
  url: string;
  /** Of the superuser unless another role is named. */
  urlOf(database: string, role?: EmbeddedRole): string;
  passwordOf(role: EmbeddedRole): string;
  /** Undefined when it listens on a socket. */
  port: number | undefined;
  /** Ends it cleanly: connections are cut, everything is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Listen on this port of loopback instead of on a socket. */
  port?: number;
  /** Listen on this port of loopback besides the socket. */
  alsoPort?: number;
  /** False for tests: nothing has to survive a power cut. */
  durable?: boolean;
  say?: (line: string) => void;
}

// As long as the name can get.
const socketName = '.s.PGSQL.65535';
const longestSocketPath = process.platform === 'linux' ? 107 : 103;

const socketFits = (cluster: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(cluster, socketName)) <= longestSocketPath;

const megabyte = 1_048_576;
const reservedConnections = 100;

/** Of the machine, or of the container where that is less. */
const memory = (): number => {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 && limit < totalmem() ? limit : totalmem();
};

const smallSharedMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < 256 * megabyte;
  } catch {
    return process.platform === 'linux';
  }
};

const whereToListen = (port: number | undefined, alsoPort: number | undefined): string[] =>
  port === undefined
    ? [
        `listen_addresses=${alsoPort === undefined ? '' : '127.0.0.1'}`,
        'unix_socket_directories=.',
        'unix_socket_permissions=0700',
        `port=${alsoPort ?? 5_432}`,
      ]
    : ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];

const settingsFor = (where: string[], durable: boolean): string[] => {
  const buffers = Math.min(Math.max(Math.floor(memory() / 8 / megabyte), 32), 1_024);
  return [
    ...where,
    'max_connections=200',
    // Readers of bases get no more than the rest, however many they are.
    `reserved_connections=${reservedConnections}`,
    `shared_buffers=${buffers}MB`,
    `effective_cache_size=${Math.max(Math.floor(memory() / 2 / megabyte), 64)}MB`,
    'maintenance_work_mem=64MB',
    'max_wal_size=2GB',
    'checkpoint_timeout=15min',
    'random_page_cost=1.1',
    'jit=off',
    'max_wal_senders=0',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
    // Containers give /dev/shm 64 MB, and a parallel query that needs more would fail.
    ...(smallSharedMemory() ? ['dynamic_shared_memory_type=mmap'] : []),
    // Few buffers, because PostgreSQL looks through all of them whenever a table is rewritten or dropped: 6 ms with 1 GB. A deadlock is looked for sooner, yet
    // later than where an index is built, which gives way.
    ...(durable
      ? []
      : [
          // Many servers at once.
          'max_connections=500',
          'fsync=off',
          'synchronous_commit=off',
          'full_page_writes=off',
          'wal_level=minimal',
          'shared_buffers=64MB',
          'deadlock_timeout=300ms',
        ]),
  ];
};

interface Launched {
  /** What it last said, once it has ended. */
  ended: () => string | undefined;
}

const launch = (folder: string, programs: string, account: Account, settings: string[]): Launched => {
  const cluster = clusterOf(folder);
  const logFile = join(folder, 'postgres.log');
  if (existsSync(logFile) && statSync(logFile).size > 16 * megabyte) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const from = statSync(logFile).size;
  // Detached: Ctrl-C reaches the whole group of the terminal, and PostgreSQL must outlive the last request.
  const child = spawn(
    join(programs, 'bin/postgres'),
    ['-D', pathInside(cluster, account), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...account,
      cwd: cluster,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...(process.platform === 'win32' ? process.env : {}) },
    },
  );
  closeSync(log);
  child.unref();
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    ended: () => failure?.message ?? (hasEnded() ? readFileSync(logFile).subarray(from).toString() : undefined),
  };
};

const reason = (said: string): string => {
  const lines = said.trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|PANIC/.test(line)).at(-1) ?? lines.at(-1) ?? 'no reason given';
  return fatal.replace(/^.*?(FATAL|PANIC):\s*/, '');
};

/** Left-overs of a crash or another start, that pass by themselves. */
const passing = /lock file "?postmaster\.pid"?|shared memory block .* is still in use|lock file .* already exists/;

/** Waits for the PostgreSQL that is coming up, or starts one; recovery after a crash takes the time it takes. */
const awaitReady = async (cluster: string, start: () => Launched, say: (line: string) => void): Promise<Postmaster> => {
  const begun = Date.now();
  let launched: Launched | undefined;
  let told = false;
  for (;;) {
    const found = readPostmaster(cluster);
    const alive = found !== undefined && isPostmaster(found.pid, cluster);
    if (found !== undefined && alive && found.ready) return found;
    const said = launched?.ended();
    if (said !== undefined) {
      if (!passing.test(said) || Date.now() - begun > 30_000)
        throw new StartError(`PostgreSQL did not start: ${reason(said)} (see postgres.log in the data folder)`);
      launched = undefined;
      await sleep(200);
    }
    if (!alive && launched === undefined) {
      disarmPostmaster(cluster);
      launched = start();
    }
    if (!told && Date.now() - begun > 5_000) {
      say('PostgreSQL is still starting, after a crash it first repairs its files');
      told = true;
    }
    await sleep(10);
  }
};

const stopPostmaster = async (cluster: string, pid: number): Promise<void> => {
  if (!isPostmaster(pid, cluster)) return;
  process.kill(pid, 'SIGINT');
  while (isPostmaster(pid, cluster)) await sleep(10);
};

const urlFor = (cluster: string, role: EmbeddedRole, { port, socketFolder }: Postmaster, database: string): string =>
  socketFolder === null
    ? `postgres://${role}:${passwordOf(cluster, role)}@127.0.0.1:${port}/${database}`
    : `postgres://${role}:${passwordOf(cluster, role)}@localhost:${port}/${database}?host=${encodeURIComponent(cluster)}`;

/** Starts the PostgreSQL of the data folder, making its files first where there are none, or finds it running. */
export const startEmbedded = async (dataFolder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> => {
  const folder = resolve(dataFolder);
  const cluster = clusterOf(folder);
  prepareFolder(folder);
  const postmaster = await underStartLock(folder, async () => {
    const account = accountFor(folder, cluster);
    const programs = await postgresPrograms(account);
    await prepareCluster(folder, programs, account);
    const port = options.port ?? (socketFits(cluster) ? undefined : (options.alsoPort ?? (await freePort())));
    const settings = settingsFor(whereToListen(port, options.alsoPort), options.durable ?? true);
    return awaitReady(cluster, () => launch(folder, programs, account, settings), options.say ?? (() => undefined));
  });
  const urlOf = (database: string, role: EmbeddedRole = superuser): string =>
    urlFor(cluster, role, postmaster, database);
  return {
    url: urlOf('postgres'),
    urlOf,
    passwordOf: (role) => passwordOf(cluster, role),
    port: postmaster.socketFolder === null ? postmaster.port : undefined,
    stop: () => stopPostmaster(cluster, postmaster.pid),
  };
};
