// A server with a browser before it, for the pictures of the documentation.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIRequestContext, chromium, type Page } from '@playwright/test';
import pg from 'pg';
import { createApp, createServices, startJobs, workConnections } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { Services } from '../server/context.ts';
import { openDb } from '../server/db/db.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { startRelay } from '../server/realtime/start-relay.ts';
import { findChromium, launchArguments, unpackChromium } from '../test/support/browser-chromium.ts';
import { buildWhatIsStale } from './build.mjs';

const images = join(import.meta.dirname, '../docs/images');

interface Visitor {
  page: Page;
  id: string;
  email: string;
  /** Answers the body, as anything. */
  // What a script reads of it is seen in its pictures.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(method: string, path: string, data?: object): Promise<any>;
  picture(name: string): Promise<void>;
}

interface Stage {
  services: Services;
  client: pg.Client;
  /** Signs up, with a browser window of their own. */
  newVisitor(name: string, viewport: { width: number; height: number }): Promise<Visitor>;
}

const sender =
  (request: APIRequestContext) =>
  async (method: string, path: string, data?: object): Promise<unknown> => {
    const response = await request.fetch(`/api${path}`, { method, ...(data === undefined ? {} : { data }) });
    const text = await response.text();
    if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

/** `settings` as in the environment. All of it goes when the work is done. */
export const onStage = async (
  settings: Readonly<Record<string, string>>,
  work: (stage: Stage) => Promise<void>,
): Promise<void> => {
  await buildWhatIsStale({ only: 'web app' });
  const program = findChromium();
  if (program === undefined) throw new Error('There is no Chromium for this machine');
  if (program.packed) await unpackChromium();
  mkdirSync(images, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-screenshots-'));
  // PostgreSQL may run as another user than the one who made the folder.
  chmodSync(folder, 0o755);
  const postgres = await startEmbedded(folder, { durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await migrate(client);
  const db = openDb(postgres.url);
  const services = createServices(db, readConfig({ LOG_LEVEL: 'error', ...settings }));
  const relayDb = openDb(postgres.url, { max: 3 });
  const stopRelay = startRelay(services, relayDb);
  const app = createApp(services);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  services.publicUrl = () => origin;
  const workDb = openDb(postgres.url, { max: workConnections });
  const stopJobs = startJobs(services, workDb);
  const browser = await chromium.launch({
    executablePath: program.executablePath,
    args: launchArguments,
    env: { ...(process.env as Record<string, string>), ...program.env },
  });
  try {
    await work({
      services,
      client,
      async newVisitor(name, viewport) {
        const context = await browser.newContext({
          baseURL: origin,
          locale: 'en-GB',
          timezoneId: 'Europe/Berlin',
          colorScheme: 'light',
          viewport,
        });
        const send = sender(context.request) as Visitor['send'];
        const email = `${name.toLowerCase()}@example.com`;
        const { id } = await send('POST', '/auth/signup', { email, password: 'correct-horse-1' });
        await send('PATCH', '/user/name', { name });
        const page = await context.newPage();
        return {
          page,
          id,
          email,
          send,
          picture: async (what) => void (await page.screenshot({ path: join(images, `${what}.png`) })),
        };
      },
    });
  } finally {
    await browser.close();
    await stopJobs(10);
    await stopRelay();
    await app.close();
    await workDb.close();
    await relayDb.close();
    await db.close();
    await client.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
