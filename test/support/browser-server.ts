// The real server with a PostgreSQL of its own, for the browser tests. Prints its address and that of its
// database, ends with its parent.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createApp, createServices, startJobs } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { openDb } from '../../server/db/db.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { ownDatabase } from '../../server/db/embedded-handover.ts';
import { migrate } from '../../server/db/migrate.ts';
import { hashCheaply } from '../../server/domain/user/password.ts';
import { startRelay } from '../../server/realtime/start-relay.ts';
import { newScratchFolder } from './scratch.ts';
import { contentsOf, demandNone, filesBelow, searchDatabase } from './secret-check.ts';
import { keepSecretsIn, keptLog, recordedSecrets, recordSecretsOf } from './secret-record.ts';

const folder = newScratchFolder('browser');
const postgres = await startEmbedded(folder, { durable: false });
const url = await ownDatabase(postgres, 'rowhouse');
const client = new pg.Client({ connectionString: url });
await client.connect();
await migrate(client);
await client.end();

const db = openDb(url);
const secrecyFolder = join(folder, 'secrecy');
mkdirSync(secrecyFolder);
keepSecretsIn(secrecyFolder);
hashCheaply(true);
const services = createServices(
  db,
  {
    ...readConfig({ LOG_LEVEL: 'trace', ROWHOUSE_FETCH_PRIVATE: 'yes', ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8' }),
    ...JSON.parse(process.env['ROWHOUSE_BROWSER_CONFIG'] ?? '{}'),
  },
  { logStream: keptLog() },
);
const relayDb = openDb(url, { max: 3 });
const stopRelay = startRelay(services, relayDb);
const workDb = openDb(url, { max: 4 });
const stopJobs = startJobs(services, workDb);
const app = createApp(services);
recordSecretsOf(app);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
services.publicUrl = () => origin;
console.log(origin, url);

/** Of everything that was typed, issued and used, nothing secret stays in plain text. */
const searchForSecrets = async (): Promise<void> => {
  await searchDatabase(url, recordedSecrets());
  await demandNone(
    recordedSecrets(),
    contentsOf([...filesBelow(secrecyFolder).filter((path) => path.endsWith('.log')), join(folder, 'postgres.log')]),
  );
};

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await stopJobs(10);
  await workDb.close();
  await stopRelay();
  await app.close();
  await relayDb.close();
  await db.close();
  let code = 0;
  await searchForSecrets().catch((error: unknown) => {
    console.error(error);
    code = 1;
  });
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
// The parent holds the other end: when it goes away for whatever reason, so does this.
process.stdin.resume();
process.stdin.once('end', () => void stop());
