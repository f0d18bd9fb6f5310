// Brings the database to the version of this program. Before it changes anything it writes a backup, and says the way back; a database that is
// newer is refused, with the backup of which this program could go on.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { newestBaseVersion } from '../db/base-migrations/steps.ts';
import { clusterOf } from '../db/embedded-cluster.ts';
import { StartError } from '../db/error.ts';
import { migrate, NewerDatabase, newestVersion, type Upgrade } from '../db/migrate.ts';
import { nameOfBackup, readNames, type UpgradeBackup } from './upgrade-backups.ts';
import { writeBackup } from '../domain/backup/write-backup.ts';

type Say = (line: string) => void;

const folderOf = ({ dataFolder }: Config): string => join(dataFolder, 'backups');

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The same after a restore: backups of another database that this data folder has served are none of ours. */
const instanceOf = async (client: pg.Client): Promise<string> =>
  (await client.query<{ id: string }>('select id from rowhouse.instance')).rows[0]?.id.slice(0, 8) ?? '';

/** Of this database, the newest first. */
const backupsOf = (config: Config, instance: string): UpgradeBackup[] =>
  readNames(namesIn(folderOf(config))).filter((backup) => backup.instance === instance);

/** What to do, as it is typed. The key, the files and the credentials stay in the data folder. */
const wayBack = (config: Config, name: string): string => {
  const { databaseUrl, dataFolder } = config;
  const cluster = clusterOf(dataFolder);
  const aside =
    databaseUrl === null
      ? `stop it, move ${JSON.stringify(cluster)} away`
      : 'stop it, set DATABASE_URL to an empty database';
  return `${aside}, and with the older Rowhouse: rowhouse restore ${JSON.stringify(join(folderOf(config), name))}`;
};

/**
 * A start that was interrupted goes on with the backup of its beginning: one of half a migrated database would be of no use to an older Rowhouse.
 * Of bases alone nothing tells how far they are, since each is upgraded when it is first used: one backup for that version.
 */
const isInterrupted =
  ({ from, to }: Upgrade) =>
  (backup: UpgradeBackup): boolean =>
    backup.to.schema === to.schema &&
    backup.to.base === to.base &&
    (from.schema === to.schema || backup.from.schema < from.schema);

const backUp = async (config: Config, url: string, instance: string, upgrade: Upgrade, say: Say): Promise<void> => {
  const begun = backupsOf(config, instance).find(isInterrupted(upgrade));
  if (begun !== undefined) {
    if (upgrade.from.schema < upgrade.to.schema)
      say(`an upgrade that was interrupted goes on. The way back: ${wayBack(config, begun.name)}`);
    return;
  }
  const folder = folderOf(config);
  const time = new Date();
  const name = nameOfBackup(instance, upgrade, time);
  const path = join(folder, name);
  say(`backing up before the upgrade from version ${upgrade.from.schema} to ${upgrade.to.schema} …`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Nobody else writes one of this database: there is a lock around all of it.
    for (const half of namesIn(folder).filter(
      (each) => each.startsWith(`upgrade-${instance}-`) && each.endsWith('.part'),
    ))
      rmSync(join(folder, half), { force: true });
    // Without uploaded files: a migration does not touch them, and they stay where they are.
    const { size } = await writeBackup(url, path, { now: time });
    say(`backed up to ${path} (${(size / 1_048_576).toFixed(1)} MB). The way back: ${wayBack(config, name)}`);
  } catch (error) {
    throw new StartError(
      `nothing was upgraded, since the backup before it failed: ${(error as Error).message}. ROWHOUSE_UPGRADE_BACKUPS=0 upgrades without one`,
      { cause: error },
    );
  }
};

const prune = (config: Config, instance: string): void => {
  for (const { name } of backupsOf(config, instance).slice(config.upgradeBackups))
    rmSync(join(folderOf(config), name), { force: true });
};

/** For a database that is newer than this program: the newest backup of a form that it knows. Begins as a further sentence; empty without one. */
export const wayBackOf = async (config: Config, client: pg.Client): Promise<string> => {
  const instance = await instanceOf(client).catch(() => '');
  const known = backupsOf(config, instance).find(
    ({ from }) => from.schema <= newestVersion() && from.base <= newestBaseVersion,
  );
  return known === undefined
    ? ''
    : `. To go back to what was there on ${known.time}, before the upgrade: ${wayBack(config, known.name)}`;
};

/** Answers which migrations it ran. */
export const bringToNewest = async (
  config: Config,
  url: string,
  client: pg.Client,
  say: Say,
): ReturnType<typeof migrate> => {
  try {
    let instance: string | undefined;
    const ran = await migrate(client, async (upgrade) => {
      if (config.upgradeBackups === 0) return;
      instance = await instanceOf(client);
      await backUp(config, url, instance, upgrade, say);
    });
    if (instance !== undefined) prune(config, instance);
    return ran;
  } catch (error) {
    if (!(error instanceof NewerDatabase)) throw error;
    throw new NewerDatabase(`${error.message}${await wayBackOf(config, client)}`);
  }
};
