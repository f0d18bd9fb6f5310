// A database and a running server for tests: one of its own for a test file (`useWorld`), or the one that its worker has for
// all files that need nothing more than accounts and spaces of their own (`useSharedWorld`).
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import { createApp, createServices, startJobs, workConnections } from '../../server/app.ts';
import { type Config, readConfig } from '../../server/config.ts';
import type { Services } from '../../server/context.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { hashCheaply } from '../../server/domain/user/password.ts';
import { startRelay } from '../../server/realtime/start-relay.ts';
import { createOnCluster, dropOnNodes } from './cluster.ts';
import { keepAnswersIn, recordAnswersOf } from './answer-record.ts';
import { searchDatabase, secretsFile } from './secret-check.ts';
import { keepSecretsIn, keptLog, recordedSecrets, recordSecret, recordSecretsOf } from './secret-record.ts';

export { caller, type Caller } from './caller.ts';

/** On a busy machine, too, cells that are not filled yet come with the page that asks for them. */
limits.pageTime = 20_000;

export interface World {
  db: Db;
  databaseUrl: string;
  services: Services;
  /** Up to and including `/api`. */
  baseUrl: string;
  origin: string;
  close(): Promise<void>;
}

/** One whose server runs in the process of the test. */
export interface LocalWorld extends World {
  /** Whether the server still has the other end of a connection. A client that reads nothing does not notice when it has not. */
  isConnected(socket: Socket): boolean;
}

/** A worker of autovacuum belongs to the superuser, and only the superuser may end it: it ends by itself. */
const dropDatabase = async (client: pg.Client, name: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '42501' || tries >= 100) throw error;
      await new Promise((passed) => setTimeout(passed, 100));
    }
  }
};

const cloneTemplate = async (server: string, prefix: string, name: string): Promise<void> => {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  // Copied file by file it takes PostgreSQL a third of the time, where a checkpoint waits for no disk.
  await admin.query(
    `create database ${name} template ${prefix}template${inject('isEmbedded') ? ' strategy file_copy' : ''}`,
  );
  await admin.end();
};

export const createDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = inject('postgresUrl');
  const prefix = inject('databasePrefix');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const cluster = inject('cluster');
  if (cluster !== null) await createOnCluster(server, prefix, name, cluster);
  else await cloneTemplate(server, prefix, name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      rmSync(filesOf(url.href), { recursive: true, force: true });
      // Afterwards it would be too late to see whether something secret stands in it.
      const search = searchDatabase(url.href, recordedSecrets());
      await search.catch(() => undefined);
      const client = new pg.Client({ connectionString: server });
      await client.connect();
      await dropDatabase(client, name);
      await client.end();
      if (cluster !== null) await dropOnNodes(server, name, cluster);
      await search;
    },
  };
};

/** Servers that share a database share its files. */
const filesOf = (url: string): string => join(tmpdir(), `rowhouse-files${new URL(url).pathname.replace('/', '-')}`);

/** The same for all servers of the tests: some share a database. */
const secret = randomBytes(32).toString('hex');

/** `isForCluster`: its statements have the form that they have on a Citus cluster. */
export const openWorld = async (
  databaseUrl: string,
  config: Partial<Config> = {},
  overrides: Partial<Services> = {},
  { isForCluster = false } = {},
): Promise<LocalWorld> => {
  // Every operation that a test runs is checked not to take a second connection inside of a transaction.
  const db = overrides.db ?? openDb(databaseUrl, { oneConnection: true, isForCluster });
  keepSecretsIn(inject('secrecyFolder'));
  keepAnswersIn(inject('secrecyFolder'));
  hashCheaply(true);
  for (const name of ['adminPassword', 'stripeSecretKey', 'stripeWebhookSecret', 'metricsToken'] as const)
    recordSecret(name, config[name]);
  const services = createServices(
    db,
    {
      ...readConfig({ LOG_LEVEL: 'trace', ROWHOUSE_SECRET: secret }),
      ...(inject('isEmbedded') ? {} : { databaseUrl }),
      filesFolder: filesOf(databaseUrl),
      ...config,
    },
    { logStream: keptLog(), ...overrides },
  );
  const app = createApp(services);
  recordSecretsOf(app);
  recordAnswersOf(app);
  const ports = new Set<number | undefined>();
  app.server.on('connection', (socket) => {
    const port = socket.remotePort;
    ports.add(port);
    socket.once('close', () => ports.delete(port));
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  services.publicUrl = () => origin;
  const relayDb = openDb(databaseUrl, { max: 3, isForCluster });
  const stopRelay = startRelay(services, relayDb);
  const workDb = openDb(databaseUrl, { max: workConnections, isForCluster });
  const stopJobs = startJobs(services, workDb);
  return {
    db,
    databaseUrl,
    services,
    origin,
    baseUrl: `${origin}/api`,
    isConnected: (socket) => ports.has(socket.localPort),
    close: async () => {
      await stopJobs(10);
      await workDb.close();
      await stopRelay();
      await relayDb.close();
      // Node's fetch keeps a spare connection for each that was aborted, which the server would wait for.
      const cut = setInterval(() => app.server.closeAllConnections(), 20);
      await app.close().finally(() => clearInterval(cut));
      await db.close();
    },
  };
};

/**
 * For the top of a test file that changes settings, time or plans, counts statements or connections, opens second servers,
 * or looks at what belongs to nobody in particular: `const world = useWorld();` then `world().baseUrl` inside tests.
 */
export const useWorld = (
  config: Partial<Config> = {},
  overrides: Partial<Services> = {},
  form: { isForCluster?: boolean } = {},
): (() => LocalWorld) => {
  let world: LocalWorld | undefined;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase();
    drop = database.drop;
    world = await openWorld(database.url, config, overrides, form);
  });
  afterAll(async () => {
    await world?.close();
    await drop?.();
  });
  return () => world as LocalWorld;
};

interface Shared {
  world: LocalWorld;
  /** Of all files so far, searched for in the database at the end of the run. */
  secrets: Map<string, string>;
}

let shared: Promise<Shared> | undefined;

const openShared = async (): Promise<Shared> => {
  // Nothing that the server puts off would happen any more, not even after the real timers are back.
  vi.useFakeTimers = () => {
    throw new Error('This process runs a server that other test files use, and its timers would stand still');
  };
  return { world: await openWorld((await createDatabase()).url), secrets: new Map() };
};

/**
 * As `useWorld`, for all other files. The files of a worker run one after the other on one server and database: a world takes
 * 0.6 s of CPU time. Nothing closes it: the worker ends, and `global-setup.ts` searches the database that is left.
 */
export const useSharedWorld = (): (() => LocalWorld) => {
  let world: LocalWorld | undefined;
  beforeAll(async () => {
    shared ??= openShared();
    ({ world } = await shared);
    hashCheaply(true);
  });
  afterAll(async () => {
    const { secrets, world: used } = await (shared as Promise<Shared>);
    for (const [secret, kind] of recordedSecrets()) secrets.set(secret, kind);
    writeFileSync(
      secretsFile(inject('secrecyFolder'), new URL(used.databaseUrl).pathname.slice(1)),
      [...secrets].map(([secret, kind]) => `${JSON.stringify([kind, secret])}\n`).join(''),
    );
  });
  return () => world as LocalWorld;
};
