// Starts one PostgreSQL for the whole test run, or uses the one that TEST_DATABASE_URL names, and migrates a template that
// every test file clones.
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../server/db/free-port.ts';
import { startEmbedded } from '../../server/db/embedded.ts';
import { serverRole } from '../../server/db/embedded-cluster.ts';
import { ownDatabase } from '../../server/db/embedded-handover.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type ClusterNodes, createTemplates, dropOnNodes, findCluster } from './cluster.ts';
import { newScratchFolder } from './scratch.ts';
import { demandTeableSchemas } from './teable-schemas.ts';
import { contentsOf, demandNone, filesBelow, searchDatabase, secretsIn, secretsOf } from './secret-check.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** The databases of this run are `<prefix>…`; the migrated one that they are clones of is `<prefix>template`. */
    databasePrefix: string;
    /** False: it is one that TEST_DATABASE_URL names, where the tests may not be superuser. */
    isEmbedded: boolean;
    /** Where TEST_DATABASE_URL names a Citus cluster. */
    cluster: ClusterNodes | null;
    /** Where the secrets of the run and the logs of its servers are kept until its end. */
    secrecyFolder: string;
  }
}

interface Postgres {
  /** The one to connect to for making others. */
  database: string;
  urlOf(database: string): string;
  logs: string[];
  isOurs: boolean;
  stop(): Promise<void>;
}

const ask = async (url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

const openPostgres = async (folder: string, prefix: string): Promise<Postgres> => {
  const given = process.env['TEST_DATABASE_URL'];
  if (given === undefined || given === '') {
    // Servers use the socket, which takes less of the system than loopback does; the port is for readers of bases.
    const postgres = await startEmbedded(folder, { alsoPort: await freePort(), durable: false });
    await ownDatabase(postgres, `${prefix}template`);
    // The role of servers, with the one right more that the tests need: what a superuser alone can do fails here.
    await ask(postgres.url, (client) => client.query(`alter role ${serverRole} createdb`));
    const urlOf = (database: string): string => postgres.urlOf(database, serverRole);
    return { database: 'postgres', urlOf, logs: [join(folder, 'postgres.log')], isOurs: true, stop: postgres.stop };
  }
  const urlOf = (database: string): string => Object.assign(new URL(given), { pathname: `/${database}` }).href;
  return { database: new URL(given).pathname.slice(1), urlOf, logs: [], isOurs: false, stop: async () => undefined };
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = newScratchFolder('test');
  // A PostgreSQL that is not ours may have databases of others, and of other runs.
  const prefix = `test_${randomBytes(4).toString('hex')}_`;
  const postgres = await openPostgres(folder, prefix);
  const root = postgres.urlOf(postgres.database);
  const cluster = postgres.isOurs ? null : await findCluster(root);
  if (cluster !== null) await createTemplates(root, prefix, cluster, (url) => ask(url, migrate));
  else {
    if (!postgres.isOurs) await ask(root, (client) => client.query(`create database ${prefix}template`));
    await ask(postgres.urlOf(`${prefix}template`), migrate);
  }
  project.provide('postgresUrl', root);
  project.provide('databasePrefix', prefix);
  project.provide('isEmbedded', postgres.isOurs);
  project.provide('cluster', cluster);
  const secrecyFolder = join(folder, 'secrecy');
  mkdirSync(secrecyFolder);
  project.provide('secrecyFolder', secrecyFolder);

  const leftDatabases = async (isOpen: boolean): Promise<string[]> => {
    let names: string[] = [];
    await ask(root, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select datname as name from pg_database where starts_with(datname, $1) and (datallowconn or not $2)',
        [prefix, isOpen],
      );
      names = rows.map(({ name }) => name);
    });
    return names;
  };

  /** Databases were searched before they were dropped: here come those that were not, and all logs. */
  const searchForSecrets = async (): Promise<void> => {
    const secrets = secretsIn(secrecyFolder);
    for (const name of await leftDatabases(true))
      await searchDatabase(postgres.urlOf(name), secretsOf(secrecyFolder, name));
    const logs = [...filesBelow(secrecyFolder).filter((path) => path.endsWith('.log')), ...postgres.logs];
    await demandNone(secrets, contentsOf(logs));
  };

  return async () => {
    await searchForSecrets().catch((error: unknown) => {
      console.error(error);
      // Vitest would print what is thrown here, and yet end as if all were well.
      process.exitCode = 1;
    });
    try {
      demandTeableSchemas(secrecyFolder);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
    if (!postgres.isOurs) {
      for (const name of await leftDatabases(false)) {
        await ask(root, (client) => client.query(`drop database ${name} with (force)`));
        if (cluster !== null) await dropOnNodes(root, name, cluster);
      }
    }
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
