// rowhouse serve: from the settings to a listening server, and back down in the reverse order.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@rowhouse/contract/client.ts';
import { createApp, createServices, startJobs } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { findCitus } from '../db/citus.ts';
import { openDb } from '../db/db.ts';
import { StartError } from '../db/error.ts';
import { startRelay } from '../realtime/start-relay.ts';
import { keepScratchFiles } from '../work/scratch-file.ts';
import { announceServer } from '../domain/admin/announce-server.ts';
import { watchReaders } from '../domain/sql-access/watch-readers.ts';
import { shortenSessions } from '../domain/auth/session.sql.ts';
import { setUp } from '../domain/setup/set-up.ts';
import type { Command } from './command.ts';
import { type Database, reachDatabase } from './database.ts';
import { addressOf, demandFreePort, listen } from './listen.ts';
import { makeDemo } from './demo-base.ts';
import { poolsOf } from './pools.ts';
import { createRecent } from '../recent.ts';
import { sendTelemetry } from './telemetry.ts';
import { bringToNewest } from './upgrade.ts';
import { welcome } from './welcome.ts';

/** Undone last first, each one even when another fails or does not end in time. */
const undoList = () => {
  const steps: { undo: (left: () => number) => Promise<unknown>; isWaitedFor: boolean }[] = [];
  return {
    /** `left` tells the seconds that are left for everything. What is waited for ends by itself. */
    add: (undo: (left: () => number) => Promise<unknown>, { isWaitedFor = false } = {}): void =>
      void steps.unshift({ undo, isWaitedFor }),
    run: async (seconds: number): Promise<void> => {
      const end = performance.now() + seconds * 1_000;
      const left = (): number => Math.max(0, (end - performance.now()) / 1_000);
      for (const { undo, isWaitedFor } of steps.splice(0)) {
        const undone = undo(left).catch((error: unknown) => console.error(error));
        // A pool, for instance, waits for its last statement, however long that takes.
        await (isWaitedFor
          ? undone
          : Promise.race([undone, sleep((left() + grace) * 1_000, undefined, { ref: false })]));
      }
    },
  };
};

/**
 * Aborts at SIGTERM and Ctrl-C. npm passes on the signals it gets, and a terminal sends them to everyone, so
 * one Ctrl-C may come twice: what comes after the first is ignored, and the end does not take long.
 */
const stopSignal = (): AbortSignal => {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  return controller.signal;
};

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Seconds. */
const grace = 1;

const demoRecords = 300;

const say = (line: string): void => console.error(`rowhouse: ${line}`);

const prepare = async (config: Config, signal: AbortSignal): Promise<Database> => {
  const { database, client } = await reachDatabase(config, { role: 'server', say, signal });
  try {
    await bringToNewest(config, database.url, client, say);
    const citus = await findCitus(client);
    if (citus !== undefined)
      say(`the database is a Citus cluster (${citus}): each new base is put on one of its nodes ("rowhouse nodes")`);
    return database;
  } catch (error) {
    await database.release();
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const start = async (config: Config, signal: AbortSignal, undo: ReturnType<typeof undoList>): Promise<void> => {
  await demandFreePort(config);
  const database = await prepare(config, signal);
  undo.add(() => database.release(), { isWaitedFor: true });
  const pools = poolsOf(config);
  const recent = createRecent();
  const slow = config.slowStatement === 0 ? undefined : { after: config.slowStatement, note: recent.noteSlow };
  const db = openDb(database.url, { ...pools.requests, slow });
  undo.add(() => db.close());
  if (signal.aborted) return;
  const services = createServices(db, config, { stopping: signal, recent });
  undo.add(keepScratchFiles(services.backgroundErrors));
  await shortenSessions(db, config);
  const made = await setUp(services);
  const app = createApp(services);
  if (config.telemetryEndpoint !== null) undo.add(await sendTelemetry(config, config.telemetryEndpoint, app, services));
  process.on('unhandledRejection', (error) => app.log.error({ err: error }, 'unhandled rejection'));
  let closing: Promise<void> | undefined;
  const closeApp = (left: () => number): Promise<void> => {
    closing ??= (async () => {
      // Requests that take longer are cut off: anyone who stops the server will not wait for ever either.
      const cut = setTimeout(() => app.server.closeAllConnections(), left() * 1_000);
      // Connections whose last answer was under way when the signal came are idle by and by.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
      await app.close().finally(() => {
        clearTimeout(cut);
        clearInterval(sweep);
      });
    })();
    closing.catch(() => undefined);
    return closing;
  };
  undo.add(closeApp);
  const relayDb = openDb(database.url, pools.relay);
  undo.add(() => relayDb.close());
  undo.add(startRelay(services, relayDb));
  const workDb = openDb(database.url, { ...pools.work, slow });
  undo.add(() => workDb.close());
  if (config.databaseUrl === null && config.sqlPort !== null) undo.add(watchReaders(workDb, services.backgroundErrors));
  const stopJobs = startJobs(services, workDb);
  undo.add((left) => stopJobs(left()));
  // The first thing to happen: nobody new is let in, however long a job takes to its end.
  undo.add(async (left) => void closeApp(left));
  if (signal.aborted) return;
  const port = await listen(app, config);
  const address = config.publicUrl ?? addressOf(config.host, port);
  services.publicUrl = () => address;
  undo.add(announceServer(workDb, services.backgroundErrors));
  welcome(config, address, made);
  if (made === undefined || !config.demo) return;
  const here = createClient({ baseUrl: `${addressOf(config.host, port)}/api`, token: made.token });
  // Beside all else: a stop of the server does not wait for it.
  void makeDemo(here, made.spaceId, demoRecords, () => undefined).then(
    ({ baseId }) => say(`a base to look at is at ${address}/base/${baseId}`),
    (error: unknown) => {
      if (!signal.aborted)
        say(`the base to look at is not whole: ${(error as Error).message}; "rowhouse sample" makes another`);
    },
  );
};

export const serve: Command = {
  name: 'serve',
  summary: 'Start the server: the API and the web app',
  async run() {
    const config = readConfig(process.env);
    const signal = stopSignal();
    const undo = undoList();
    try {
      await start(config, signal, undo);
      await whenAborted(signal);
      await sleep(config.stopDelay * 1_000);
      return 0;
    } catch (error) {
      // Ctrl-C also reaches the programs that a start runs: what is broken off by it is no failure.
      if (signal.aborted && (error instanceof StartError || (error as Error).name === 'AbortError')) return 0;
      throw error;
    } finally {
      await undo.run(config.stopWait);
      // Whatever did not end in time does not keep the process alive either.
      setTimeout(() => process.exit(), grace * 1_000).unref();
    }
  },
};
