// The database that the settings name, for as long as a command needs it: the one of DATABASE_URL, or the
// embedded one, which is started when it does not run already.
import type pg from 'pg';
import type { Config } from '../config.ts';
import { type Db, openDb } from '../db/db.ts';
import { lockEmbedded } from '../db/embedded-lock.ts';
import { waitForDatabase } from '../db/wait.ts';
import { bringToNewest } from './upgrade.ts';

export interface Database {
  url: string;
  release(): Promise<void>;
}

interface Reach {
  role: 'server' | 'command';
  say: (line: string) => void;
  signal?: AbortSignal;
}

/** Answers the database and a first connection to it. */
export const reachDatabase = async (
  config: Config,
  { role, say, signal }: Reach,
): Promise<{ database: Database; client: pg.Client }> => {
  const database =
    config.databaseUrl === null
      ? await lockEmbedded(config.dataFolder, role, {
          say,
          ...(config.sqlPort === null ? {} : { alsoPort: config.sqlPort }),
        })
      : { url: config.databaseUrl, release: async () => undefined };
  try {
    return { database, client: await waitForDatabase(database.url, { seconds: config.databaseWait, say, signal }) };
  } catch (error) {
    await database.release();
    throw error;
  }
};

/** Runs `work` on a database of the newest version. */
export const withDatabase = async <T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> => {
  const say = (line: string): void => console.error(line);
  const { database, client } = await reachDatabase(config, { role: 'command', say });
  try {
    await bringToNewest(config, database.url, client, say).finally(() => client.end());
    const db = openDb(database.url, { max: 2, statementTime: 0 });
    return await work(db).finally(() => db.close());
  } finally {
    await database.release();
  }
};
