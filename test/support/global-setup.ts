// Starts one PostgreSQL for the whole test run, and migrates a template that every test file clones.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../server/db/embedded.ts';
import { migrate } from '../../server/db/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-test-'));
  // PostgreSQL may run as another user than the one who made the folder.
  const { chmodSync } = await import('node:fs');
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
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
