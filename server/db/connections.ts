// Connections to one PostgreSQL, who gets the next of them, and how statements on them are cancelled.
import pg from 'pg';
import { type Canceller, createCanceller } from './canceller.ts';
import { type ConnectionShares, createConnectionShares } from './connection-shares.ts';
import { markCluster } from './run-statement.ts';

export interface Connections {
  readonly pool: pg.Pool;
  readonly shares: ConnectionShares;
  readonly canceller: Canceller;
  close(): Promise<void>;
}

export interface ConnectionSettings {
  max: number;
  /** Milliseconds that anybody waits for a connection, and a statement for each of its locks. */
  patience: number;
  /** Seconds. */
  statementTime: number;
  longStatementTime: number;
  /** Megabytes of temporary files of one connection; null: as PostgreSQL says. Only where the role may set it. */
  temporaryMegabytes: number | null;
  /** Statements have the form for a Citus cluster on any PostgreSQL. */
  isForCluster: boolean;
  /** Called for each new connection to a database that has the extension. */
  onCluster?: () => void;
}

// timestamptz as ISO text with milliseconds and bigint as number: what the API speaks.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

/** Milliseconds that a statement waits for a connection, and then for each of its locks. */
export const usualPatience = 10_000;

/** The same place as another role. */
export const urlAs = (url: string, user: string, password: string): string => {
  const there = new URL(url);
  there.username = user;
  there.password = password;
  return there.href;
};

export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'rowhouse',
  connectionTimeoutMillis: usualPatience,
  keepAlive: true,
});

export const openConnections = (
  url: string,
  { max, patience, statementTime, longStatementTime, temporaryMegabytes, isForCluster, onCluster }: ConnectionSettings,
): Connections => {
  const limitFiles =
    temporaryMegabytes === null
      ? ''
      : `select set_config('temp_file_limit', '${temporaryMegabytes}MB', false) where has_parameter_privilege('temp_file_limit', 'set');`;
  const pool = new pg.Pool({
    ...connectionOptions(url),
    types,
    max,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => {
      const answers = (await client.query(
        `set lock_timeout = ${patience}; set statement_timeout = '${statementTime}s'; set rowhouse.long_statement_timeout = '${longStatementTime}s'; ${limitFiles} select from pg_extension where extname = 'citus'`,
      )) as unknown as pg.QueryResult[];
      const isCluster = answers.at(-1)?.rowCount === 1;
      if (isCluster) onCluster?.();
      if (isForCluster || isCluster) markCluster(client);
    },
  });
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // So would one that dies while a transaction has it; the statement that runs on it fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const canceller = createCanceller(connectionOptions(url));
  return {
    pool,
    shares: createConnectionShares(max, patience),
    canceller,
    async close() {
      await pool.end();
      await canceller.close();
    },
  };
};
