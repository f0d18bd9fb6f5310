import { readConfig } from '../config.ts';
import { openDb } from '../db/db.ts';
import { newestVersion } from '../db/migrate.ts';
import { upgradeAllBases } from '../db/upgrade-base.ts';
import type { Command } from './command.ts';
import { reachDatabase } from './database.ts';
import { bringToNewest } from './upgrade.ts';

const upgradeBases = async (url: string): Promise<number> => {
  // A base that something long holds, such as a backup, is not waited for.
  const db = openDb(url, { max: 1, patience: 2_000 });
  try {
    const { count, failed } = await upgradeAllBases(db);
    if (count > 0) console.log(`upgraded ${count} ${count === 1 ? 'base' : 'bases'}`);
    for (const { baseId, error } of failed)
      console.error(`rowhouse: base ${baseId} is not upgraded, it will be when it is used: ${error.message}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
};

export const migrateCommand: Command = {
  name: 'migrate',
  summary:
    'Bring the database and all bases to the newest version (serve does so too, with each base when it is first used)',
  async run() {
    const config = readConfig(process.env);
    const say = (line: string): void => console.error(line);
    const { database, client } = await reachDatabase(config, { role: 'command', say });
    try {
      const ran = await bringToNewest(config, database.url, client, say);
      for (const { version, name } of ran) console.log(`migrated to ${version} (${name})`);
      if (ran.length === 0) console.log(`the database is of the newest version, ${newestVersion()}`);
      return await upgradeBases(database.url);
    } finally {
      await client.end();
      await database.release();
    }
  },
};
