// What every scenario stands on: a PostgreSQL of its own that waits for the disk, and Rowhouse as it is shipped.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clusterOf } from '../../server/db/embedded-cluster.ts';
import { readPostmaster } from '../../server/db/embedded-postmaster.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { ownDatabase } from '../../server/db/embedded-handover.ts';
import { createEmptyOnCluster, dropOnCluster, findCluster, urlOn } from '../../test/support/cluster.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Server {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

export interface Stage {
  /** For scripts and answers; gone when the stage is closed. */
  folder: string;
  databaseUrl: string;
  postgresPid: number;
  /** Of the nodes of a Citus cluster, those that run here. */
  nodePids: number[];
  db: pg.Client;
  /** Another server on the same database; `program` when it is not the one that is shipped, `settings` when they are not the usual ones. */
  startServer(program?: string, settings?: Record<string, string>): Promise<Server>;
  token: string;
  userId: string;
  server: Server;
  close(): Promise<void>;
}

/** The plans that come along, without the limits that a benchmark would run into. */
const writePlans = (folder: string): Record<string, string> => {
  const given = join(root, 'server/catalog/plans.json');
  if (!existsSync(given)) return {};
  const plans = JSON.parse(readFileSync(given, 'utf8')) as { products: { limit: Record<string, unknown> }[] };
  for (const { limit } of plans.products)
    Object.assign(limit, {
      maxRows: 1_000_000_000,
      apiRateLimit: 1_000_000,
      advancedPermissionsEnable: true,
      automationEnable: true,
    });
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify(plans));
  return { ROWHOUSE_PLANS: file };
};

export const bundle = join(root, 'server/dist/main.js');

const shipped = (): string[] => (existsSync(bundle) ? [bundle] : ['--import', 'tsx', join(root, 'server/main.ts')]);

const launch = (program: string[], env: Record<string, string>, profileFolder: string | undefined): Promise<Server> =>
  new Promise((ready, fail) => {
    const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
    const child: ChildProcess = spawn(process.execPath, [...profile, ...program, 'serve'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'silent', PORT: '0', ...env },
    });
    let said = '';
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-10_000);
      const origin = /running at (http:\S+)/.exec(said)?.[1];
      if (origin !== undefined) ready({ origin, pid: child.pid as number, stop });
    };
    const ended = new Promise<void>((done) => child.once('exit', () => done()));
    const stop = (): Promise<void> => {
      child.kill('SIGTERM');
      return ended;
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });

interface Database {
  /** For the server. */
  url: string;
  /** For one who may do everything there: measurements begin with a checkpoint. */
  adminUrl: string;
  /** Of the process that all others of PostgreSQL come from; 0 when it runs elsewhere. */
  pid: number;
  nodePids: number[];
  stop(): Promise<unknown>;
}

const startOwn = async (data: string): Promise<Database> => {
  const postgres = await startEmbedded(data);
  return {
    url: await ownDatabase(postgres, 'rowhouse'),
    adminUrl: postgres.urlOf('rowhouse'),
    pid: readPostmaster(clusterOf(data))?.pid ?? 0,
    nodePids: [],
    stop: () => postgres.stop(),
  };
};

/** Of the process that the one behind a connection comes from; 0 when it runs elsewhere. */
const postmasterOf = async (db: pg.Client): Promise<number> => {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = join('/proc', String(rows[0]?.pid), 'status');
  return existsSync(status) ? Number(/^PPid:\s*(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) : 0;
};

const postmasterAt = async (url: string): Promise<number> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  return postmasterOf(db).finally(() => db.end());
};

/** A database of its own on the server of somebody else, or on their Citus cluster. */
const joinGiven = async (url: string): Promise<Database> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const name = `rowhouse_bench_${process.pid}`;
  const cluster = await findCluster(url);
  if (cluster === null) await db.query(`create database ${name}`);
  else await createEmptyOnCluster(url, name, cluster);
  const own = urlOn(url, name);
  const nodePids = await Promise.all((cluster?.nodes ?? []).map((node) => postmasterAt(urlOn(url, name, node))));
  const stop = async (): Promise<void> => {
    if (cluster === null) await db.query(`drop database ${name} with (force)`);
    else await dropOnCluster(url, name, cluster);
    await db.end();
  };
  return { url: own, adminUrl: own, pid: await postmasterOf(db), nodePids: nodePids.filter((pid) => pid > 0), stop };
};

interface StageOptions {
  /** Where servers leave their CPU profiles when they end. */
  profileFolder?: string | undefined;
  /** A PostgreSQL that is running, by a superuser; without, one is started. */
  database?: string | undefined;
}

export const openStage = async ({ profileFolder, database }: StageOptions = {}): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-bench-'));
  // PostgreSQL may run as another user than the one who made the folder.
  chmodSync(folder, 0o755);
  const undo: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      for (const step of undo.splice(0)) await step();
    })();
    return closed;
  };
  try {
    const postgres = await (database === undefined ? startOwn(join(folder, 'database')) : joinGiven(database));
    undo.unshift(() => postgres.stop());
    const databaseUrl = postgres.url;
    const dataFolder = join(folder, 'server');
    const env = { DATABASE_URL: databaseUrl, ROWHOUSE_DATA: dataFolder, ...writePlans(folder) };
    const running = new Set<Server>();
    undo.unshift(() => Promise.all([...running].map((each) => each.stop())));
    const startServer = async (program?: string, settings: Record<string, string> = {}): Promise<Server> => {
      const server = await launch(
        program === undefined ? shipped() : [program],
        { ...env, ...settings },
        profileFolder,
      );
      running.add(server);
      return server;
    };
    const server = await startServer();
    const { token, userId } = JSON.parse(readFileSync(join(dataFolder, 'credentials.json'), 'utf8')) as {
      token: string;
      userId: string;
    };
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    undo.unshift(() => client.end());
    return {
      folder,
      databaseUrl,
      postgresPid: postgres.pid,
      nodePids: postgres.nodePids,
      db: client,
      startServer,
      token,
      userId,
      server,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
