// The real server with a PostgreSQL of its own, for the browser tests. Prints its address, ends with its parent.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createApp, createServices } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { openDb } from '../../server/db/db.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { migrate } from '../../server/db/migrate.ts';
import { startRelay } from '../../server/realtime/start-relay.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-browser-'));
// PostgreSQL may run as another user than the one who made the folder.
chmodSync(folder, 0o755);
const postgres = await startEmbedded(folder, { durable: false });
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
await migrate(client);
await client.end();

const db = openDb(postgres.url);
const services = createServices(db, { ...readConfig({ LOG_LEVEL: 'error' }), ...JSON.parse(process.env['ROWHOUSE_BROWSER_CONFIG'] ?? '{}') });
const relayDb = openDb(postgres.url, { max: 3 });
const stopRelay = startRelay(services, relayDb);
const app = createApp(services);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
services.publicUrl = () => origin;
console.log(origin);

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await stopRelay();
  await app.close();
  await relayDb.close();
  await db.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
// The parent holds the other end: when it goes away for whatever reason, so does this.
process.stdin.resume();
process.stdin.once('end', () => void stop());
