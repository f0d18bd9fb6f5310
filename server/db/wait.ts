// The first contact with a database: waits for one that is not there yet, and refuses one that cannot do.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from './db.ts';
import { isUnavailable, StartError } from './error.ts';

const oldest = 150_000;

/** Without user and password. */
export const shownUrl = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname === '' ? 'localhost' : decodeURIComponent(hostname)}${port === '' ? '' : `:${port}`}${pathname}`;
};

const reasonOf = (error: unknown): string => {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  return message || errors?.[0]?.message || code || 'no reason given';
};

/** Several addresses of one host that all refuse come as one error of several. */
const mayPass = (error: unknown): boolean =>
  isUnavailable(error) ||
  (error instanceof AggregateError && error.errors.some(isUnavailable)) ||
  /timeout/i.test(reasonOf(error));

const checkServer = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version, current_setting('server_encoding') as encoding",
  );
  const { number, version, encoding } = rows[0] as { number: number; version: string; encoding: string };
  if (number < oldest) throw new StartError(`the database is PostgreSQL ${version}, Rowhouse needs 15 or newer`);
  if (encoding !== 'UTF8')
    throw new StartError(
      `the database has the encoding ${encoding}, Rowhouse needs UTF8: create it with "encoding 'UTF8'"`,
    );
};

interface WaitOptions {
  seconds: number;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** A connection to a database that can be used. */
export const waitForDatabase = async (url: string, { seconds, say, signal }: WaitOptions): Promise<pg.Client> => {
  const deadline = Date.now() + seconds * 1_000;
  let told = false;
  for (;;) {
    const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await checkServer(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (error instanceof StartError) throw error;
      if (!mayPass(error)) throw new StartError(`the database ${shownUrl(url)} refuses: ${reasonOf(error)}`);
      if (Date.now() >= deadline)
        throw new StartError(
          `the database ${shownUrl(url)} cannot be reached: ${reasonOf(error)} (tried for ${seconds} s, see DATABASE_WAIT)`,
        );
      if (!told) say(`the database ${shownUrl(url)} cannot be reached (${reasonOf(error)}); trying for ${seconds} s`);
      told = true;
    }
    await sleep(500, undefined, signal === undefined ? {} : { signal });
  }
};
