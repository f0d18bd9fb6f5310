// The file of `rowhouse doctor --bundle`: what somebody who helps needs to know, and nothing of what is in tables, of people, or of secrets.
// Texts that can repeat such a thing, as those of errors, are not in it; codes, kinds, numbers and places of the program are.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus, freemem, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Declared, type Env, read } from '../config-value.ts';
import { openDb, type Queryable } from '../db/db.ts';
import { StartError } from '../db/error.ts';
import { currentVersion, newestVersion } from '../db/migrate.ts';
import { versionOf } from '../db/version.ts';
import { settings } from '../settings.ts';
import { codeOfError } from '../trace.ts';
import { countJobs } from '../work/job.sql.ts';
import { reachDatabase } from './database.ts';
import { selectKinds, selectMigrations, selectPostgres, selectSizes } from './support.sql.ts';
import { readNames } from './upgrade-backups.ts';

/** Numbers and words of a list are shown. Of texts, addresses and folders only whether they are set: names and passwords stand in them. */
const shownSetting = (env: Env, setting: Declared<unknown>): unknown => {
  const isGiven = [env[setting.name], setting.isSecret ? env[`${setting.name}_FILE`] : ''].some(
    (text) => (text ?? '') !== '',
  );
  if (!isGiven) return 'default';
  if (setting.isSecret || !/^(a whole number|one of)/.test(setting.kind.expected)) return 'set';
  try {
    return read(env, setting);
  } catch {
    return 'wrong';
  }
};

/** The subject of a finding; what follows can name tables, folders and addresses. */
const subjectOf = (text: string): string => /^[A-Za-z. ]{1,24}(?=:)/.exec(text)?.[0] ?? 'other';

const tried = async <T>(work: () => Promise<T>): Promise<T | { failed: string }> => {
  try {
    return await work();
  } catch (error) {
    return { failed: codeOfError(error) };
  }
};

const describeDatabase = async (db: Queryable) => ({
  postgres: await tried(() => selectPostgres(db)),
  migrations: await tried(() => selectMigrations(db)),
  sizes: await tried(() => selectSizes(db)),
  kinds: await tried(() => selectKinds(db)),
  jobs: await tried(() => countJobs(db)),
});

const openAndDescribe = async (config: Config) => {
  const { database, client } = await reachDatabase(config, { role: 'command', say: () => undefined });
  try {
    const schema = await currentVersion(client);
    const db = openDb(database.url, { max: 1 });
    return { schema, newest: newestVersion(), ...(await describeDatabase(db).finally(() => db.close())) };
  } finally {
    await client.end();
    await database.release();
  }
};

const here = ({ host, port }: Config): string =>
  `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;

/** Of the server that runs with the same settings. */
const askServer = (config: Config) => {
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(`${here(config)}${path}`, {
      headers: config.metricsToken === null ? {} : { authorization: `Bearer ${config.metricsToken}` },
      signal: AbortSignal.timeout(5_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw Object.assign(new Error(path), { code: `status_${answer.status}` });
    return text;
  };
  const asJson = async (path: string): Promise<unknown> => JSON.parse(await ask(path)) as unknown;
  return tried(async () => ({
    health: await asJson('/health'),
    ready: await tried(() => asJson('/health/ready')),
    recent: await tried(() => asJson('/metrics/recent')),
    metrics: await tried(async () => (await ask('/metrics')).split('\n').filter((line) => !line.startsWith('#'))),
  }));
};

const backupsIn = ({ dataFolder }: Config) => {
  const folder = join(dataFolder, 'backups');
  try {
    return readNames(readdirSync(folder)).map(({ name, from, to, time }) => ({
      from,
      to,
      time,
      bytes: statSync(join(folder, name)).size,
    }));
  } catch {
    return [];
  }
};

interface Told {
  label: string;
  text: string;
}

/** `config`: undefined when the settings cannot be read. */
export const writeSupportFile = async (
  path: string,
  env: Env,
  config: Config | undefined,
  findings: readonly Told[],
): Promise<void> => {
  const content = {
    format: 1,
    time: new Date().toISOString(),
    rowhouse: versionOf(),
    machine: {
      node: process.versions.node,
      platform: process.platform,
      release: release(),
      architecture: process.arch,
      cores: cpus().length,
      memory: totalmem(),
      freeMemory: freemem(),
    },
    settings: Object.fromEntries(
      settings.map((setting) => [setting.name, shownSetting(env, setting as Declared<unknown>)]),
    ),
    findings: findings.map(({ label, text }) => ({ label, subject: subjectOf(text) })),
    database: config === undefined ? null : await tried(() => openAndDescribe(config)),
    server: config === undefined ? null : await askServer(config),
    upgradeBackups: config === undefined ? [] : backupsIn(config),
  };
  try {
    writeFileSync(path, `${JSON.stringify(content, null, 1)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EEXIST' ? `${path} exists already: name another file` : `${path} cannot be written (${code})`,
    );
  }
};
