// The database handle. It is the first argument of everything that reads or writes; inside a
// transaction only the transaction's own handle is passed on.
import { createHash } from 'node:crypto';
import { ApiError } from '@rowhouse/contract/error.ts';
import pg from 'pg';
import { databaseError } from './error.ts';
import { createShares, type Place } from './share.ts';
import { compile, type Sql, Statement } from './sql.ts';

export interface Queryable {
  /** Runs one statement. `prepare` keeps its plan on the connection: for fixed statements on hot paths. */
  query<Row>(statement: Sql | Statement, options?: { prepare?: boolean }): Promise<Row[]>;
}

export interface Tx extends Queryable {
  readonly kind: 'transaction';
}

export interface Db extends Queryable {
  readonly kind: 'pool';
  /** The same for all handles of one database: what a process remembers of it is remembered by this. */
  readonly identity: object;
  /** A handle whose statements count for a place: whatever they wait for, other places are served. */
  at(place: string): Db;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection of its own, for locks and LISTEN that outlive a statement. */
  dedicated(): Promise<pg.Client>;
  close(): Promise<void>;
  readonly counters: { statements: number; transactions: number };
}

// timestamptz as ISO text with milliseconds and bigint as number: what the API speaks.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

const names = new Map<string, string>();
const statementName = (text: string): string => {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 20);
    if (names.size > 5_000) names.clear();
    names.set(text, name);
  }
  return name;
};

// Statements name their table, so a server of many tables prepares many: a plan of a wide insert takes some
// 200 kB of its connection. A connection that holds this many is replaced.
const maxPrepared = 200;
const prepared = new WeakMap<object, Set<string>>();

const remember = (client: pg.ClientBase, name: string): void => {
  const known = prepared.get(client) ?? new Set();
  prepared.set(client, known.add(name));
};

/** Gives a connection back to the pool, or away for good when it holds too many plans. */
const release = (client: pg.PoolClient): void => client.release((prepared.get(client)?.size ?? 0) > maxPrepared);

const run = async <Row>(on: pg.PoolClient, statement: Sql | Statement, prepare: boolean): Promise<Row[]> => {
  const { text, values } = statement instanceof Statement ? statement : compile(statement);
  try {
    if (!prepare) return (await on.query({ text, values, types })).rows as Row[];
    const name = statementName(text);
    remember(on, name);
    return (await on.query({ name, text, values, types })).rows as Row[];
  } catch (error) {
    throw databaseError(error);
  }
};

const isConnectionFault = (error: unknown): boolean => error instanceof ApiError && error.code === 'database_connection_unavailable';

/** Milliseconds that a statement waits for a connection, and then for each of its locks. */
const usualPatience = 10_000;

export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'rowhouse',
  connectionTimeoutMillis: usualPatience,
  keepAlive: true,
});

export const openDb = (url: string, options: { max?: number; patience?: number } = {}): Db => {
  const { max = 10, patience = usualPatience } = options;
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max,
    idleTimeoutMillis: 30_000,
    onConnect: (client) => client.query(`set lock_timeout = ${patience}`) as never,
  });
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // So would one that dies while a transaction has it; the statement that runs on it fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const counters = { statements: 0, transactions: 0 };
  const shares = createShares(max, patience);

  /** With a connection for the place, which `work` gives back. */
  const connected = async <T>(place: Place, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    await shares.take(place);
    try {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseError(error);
      });
      return await work(client);
    } finally {
      shares.give(place);
    }
  };

  const handle = (place: Place): Db => ({
    kind: 'pool',
    identity: counters,
    counters,
    at: handle,
    query: <Row>(statement: Sql | Statement, { prepare = false }: { prepare?: boolean } = {}) =>
      connected(place, async (client) => {
        counters.statements += 1;
        try {
          const rows = await run<Row>(client, statement, prepare);
          release(client);
          return rows;
        } catch (error) {
          client.release(isConnectionFault(error));
          throw error;
        }
      }),
    transaction: (work) =>
      connected(place, async (client) => {
        counters.transactions += 1;
        const tx: Tx = {
          kind: 'transaction',
          query(statement, { prepare = false } = {}) {
            counters.statements += 1;
            return run(client, statement, prepare);
          },
        };
        try {
          await client.query('begin');
          const result = await work(tx);
          await client.query('commit');
          release(client);
          return result;
        } catch (error) {
          // A connection that cannot even roll back is thrown away.
          await client.query('rollback').then(
            () => client.release(),
            (fault: Error) => client.release(fault),
          );
          throw databaseError(error);
        }
      }),
    async dedicated() {
      const client = new pg.Client(connectionOptions(url));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    close: () => pool.end(),
  });
  return handle(null);
};

export const many = <Row>(db: Queryable, statement: Sql): Promise<Row[]> => db.query<Row>(statement);

export const maybe = async <Row>(db: Queryable, statement: Sql): Promise<Row | undefined> => (await db.query<Row>(statement))[0];

export const one = async <Row>(db: Queryable, statement: Sql): Promise<Row> => {
  const row = await maybe<Row>(db, statement);
  if (row === undefined) throw new Error('a statement that must return a row returned none');
  return row;
};
