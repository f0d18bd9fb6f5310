import { readConfig } from '../config.ts';
import { migrate, newestVersion } from '../db/migrate.ts';
import type { Command } from './command.ts';
import { reachDatabase } from './database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database to the newest version (serve does so too)',
  async run() {
    const { database, client } = await reachDatabase(readConfig(process.env), { role: 'command', say: (line) => console.error(line) });
    try {
      const ran = await migrate(client);
      for (const { version, name } of ran) console.log(`migrated to ${version} (${name})`);
      if (ran.length === 0) console.log(`the database is of the newest version, ${newestVersion()}`);
    } finally {
      await client.end();
      await database.release();
    }
  },
};
