// The real program on a PostgreSQL of its own, in the form that the support of the tests knows: people, tenants and
// requests come from there. Its plans never limit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServices } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { openDb } from '../server/db/db.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { ownDatabase } from '../server/db/embedded-handover.ts';
import { plansFile } from '../test/support/plans.ts';
import type { World } from '../test/support/world.ts';
import { endPrograms, isRunning, serve, usedDataFolder } from './program.ts';

export interface Ground extends World {
  /** Of the server's process. */
  pid: number;
  isUp: () => boolean;
  /** What the server said on its output: in a proof it has nothing to say. */
  output: () => string;
  /** Resident memory of the server in MB. */
  memory: () => number;
  /** From now on; what is answered tells by how many MB its memory has grown at most, and how many ms of a processor it took. */
  measure: () => () => { megabytes: number; cpu: number };
  /** With which another server of the same data is started. */
  env: Readonly<Record<string, string>>;
}

const plenty = 1_000_000_000;

/** A file of plans that never limit, for ROWHOUSE_PLANS. */
export const generousPlans = (folder: string): string => {
  const plans = plansFile();
  for (const product of plans.products) {
    product.maxBytes = Number.MAX_SAFE_INTEGER;
    Object.assign(product.limit, {
      maxRows: plenty,
      maxNumDatabaseConnections: 10_000,
      apiRateLimit: 1_000_000,
      maxRevisionHistoryDays: 36_500,
      userGroupEnable: true,
      passwordRestrictedSharesEnable: true,
      automationEnable: true,
      buttonFieldEnable: true,
      advancedPermissionsEnable: true,
      auditLogEnable: true,
      adminPanelEnable: true,
    });
  }
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify(plans));
  return file;
};

const megabytesOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
};

/** Milliseconds, its threads included. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

const measure = (pid: number): ReturnType<Ground['measure']> => {
  // Resets the highest resident memory to the current one.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const [memory, cpu] = [megabytesOf(pid, 'VmRSS'), cpuOf(pid)];
  return () => ({ megabytes: megabytesOf(pid, 'VmHWM') - memory, cpu: cpuOf(pid) - cpu });
};

export const openGround = async (env: Record<string, string> = {}): Promise<Ground> => {
  const folder = usedDataFolder();
  const databaseUrl = await ownDatabase(await startEmbedded(folder, { durable: false }), 'rowhouse');
  const ROWHOUSE_PLANS = generousPlans(folder);
  const common = { DATABASE_URL: databaseUrl, ROWHOUSE_DATA: folder, ROWHOUSE_PLANS, LOG_LEVEL: 'error', ...env };
  const server = await serve(common);
  const started = server.output().length;
  const db = openDb(databaseUrl, { max: 4 });
  const config = readConfig({ DATABASE_URL: databaseUrl, ROWHOUSE_PLANS });
  const services = createServices(db, config, { publicUrl: () => server.origin });
  return {
    db,
    databaseUrl,
    services,
    origin: server.origin,
    baseUrl: `${server.origin}/api`,
    pid: server.pid,
    env: common,
    isUp: () => isRunning(server.pid),
    output: () => server.output().slice(started),
    memory: () => megabytesOf(server.pid, 'VmRSS'),
    measure: () => measure(server.pid),
    close: async () => {
      await db.close();
      await endPrograms();
    },
  };
};
