// Who uses the embedded PostgreSQL of a data folder, and who may stop it. Both are locks of the database,
// held by a connection, so they end with the process however it ends:
// - every user holds `inUse` shared; who leaves stops PostgreSQL when nobody else holds it;
// - a server also holds `serving` alone, which is what makes a second server on the folder impossible.
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { connectServerRole, ownDatabase } from './embedded-handover.ts';
import { isUnavailable, StartError } from './error.ts';

const inUse = 0x726f7701;
const serving = 0x726f7702;
const database = 'rowhouse';

interface EmbeddedLock {
  /** Connection URL of the database `rowhouse`. It stays the same when PostgreSQL is started again. */
  url: string;
  /** Lets go, and stops PostgreSQL unless another process uses it. */
  release(): Promise<void>;
}

interface Held {
  postgres: EmbeddedPostgres;
  client: pg.Client;
  url: string;
}

const holder = async (client: pg.Client): Promise<string> => {
  const found = await client.query(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1`,
    [serving],
  );
  return /\d+$/.exec((found.rows[0]?.name as string | undefined) ?? '')?.[0] ?? '';
};

const lock = async (client: pg.Client, folder: string, role: Role): Promise<void> => {
  await client.query('select pg_advisory_lock_shared($1)', [inUse]);
  if (role === 'command') return;
  const mine = await client.query('select pg_try_advisory_lock($1) as mine', [serving]);
  if (mine.rows[0].mine === true) return;
  const pid = await holder(client);
  throw new StartError(
    `the data folder ${folder} is already served by another Rowhouse${pid === '' ? '' : ` (process ${pid})`}: stop that one, or set ROWHOUSE_DATA to another folder`,
  );
};

type Role = 'server' | 'command';

const acquire = async (folder: string, role: Role, options: EmbeddedOptions): Promise<Held> => {
  for (let tries = 1; ; tries += 1) {
    const postgres = await startEmbedded(folder, options);
    let client: pg.Client | undefined;
    try {
      client = await connectServerRole(postgres, database, `rowhouse ${role} ${process.pid}`);
      await lock(client, folder, role);
      return { postgres, client, url: await ownDatabase(postgres, database, options.say) };
    } catch (error) {
      await client?.end().catch(() => undefined);
      // It was being stopped by the process that used it last: start it again.
      if (tries < 50 && isUnavailable(error)) await sleep(100);
      else throw error;
    }
  }
};

const leave = async ({ postgres, client }: Held): Promise<void> => {
  let last = true;
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [inUse]);
    last = (await client.query('select pg_try_advisory_lock($1) as last', [inUse])).rows[0].last as boolean;
  } catch {
    // The connection is gone: PostgreSQL is down already or on its way.
  }
  if (last) await postgres.stop();
  await client.end().catch(() => undefined);
};

/** For a server: when PostgreSQL dies, it is started again, for as long as it takes. */
export const lockEmbedded = async (
  folder: string,
  role: Role,
  options: EmbeddedOptions = {},
): Promise<EmbeddedLock> => {
  const say = options.say ?? (() => undefined);
  let held = await acquire(folder, role, options);
  let released = false;
  let recovering: Promise<void> = Promise.resolve();

  const recover = async (): Promise<void> => {
    say('PostgreSQL is gone; starting it again');
    for (let pause = 100; !released; pause = Math.min(pause * 2, 5_000)) {
      try {
        // On the same port as before, where it has one: the URL is in the hands of others.
        const { port } = held.postgres;
        held = await acquire(folder, role, port === undefined ? options : { ...options, port });
        watch();
        say('PostgreSQL is back');
        return;
      } catch (error) {
        say(`PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(pause);
      }
    }
  };
  const watch = (): void => {
    held.client.once('end', () => {
      if (!released) recovering = recover();
    });
  };
  if (role === 'server') watch();

  return {
    url: held.url,
    release: async () => {
      released = true;
      await recovering;
      await leave(held);
    },
  };
};
