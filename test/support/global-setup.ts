// Starts one PostgreSQL for the whole test run, and migrates a template that every test file clones.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../server/db/free-port.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { migrate } from '../../server/db/migrate.ts';
import { contentsOf, demandNone, filesBelow, searchDatabase, secretsIn } from './secret-check.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** Where the secrets of the run and the logs of its servers are kept until its end. */
    secrecyFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-test-'));
  // PostgreSQL may run as another user than the one who made the folder.
  chmodSync(folder, 0o755);
  const postgres = await startEmbedded(folder, { port: await freePort(), durable: false });
  const admin = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await admin.connect();
  await admin.query('create database template_rowhouse');
  await admin.end();
  const template = new pg.Client({ connectionString: postgres.urlOf('template_rowhouse') });
  await template.connect();
  await migrate(template);
  await template.end();
  project.provide('postgresUrl', postgres.urlOf('postgres'));
  const secrecyFolder = join(folder, 'secrecy');
  mkdirSync(secrecyFolder);
  project.provide('secrecyFolder', secrecyFolder);

  /** Databases were searched before they were dropped: here come those that were not, and all logs. */
  const searchForSecrets = async (): Promise<void> => {
    const secrets = secretsIn(secrecyFolder);
    const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
    await client.connect();
    const left = await client.query<{ name: string }>("select datname as name from pg_database where datname like 'test\\_%'");
    await client.end();
    for (const { name } of left.rows) await searchDatabase(postgres.urlOf(name), secrets);
    const logs = [...filesBelow(secrecyFolder).filter((path) => path.endsWith('.log')), join(folder, 'postgres.log')];
    await demandNone(secrets, contentsOf(logs));
  };

  return async () => {
    await searchForSecrets().catch((error: unknown) => {
      console.error(error);
      // Vitest would print what is thrown here, and yet end as if all were well.
      process.exitCode = 1;
    });
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
