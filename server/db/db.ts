// The database handle. It is the first argument of everything that reads or writes; inside a
// transaction only the transaction's own handle is passed on.
import { ApiError } from '@rowhouse/contract/error.ts';
import pg from 'pg';
import { databaseError } from './error.ts';
import { addressSql, type BaseNode, type BaseNodes, createBaseNodes, type NodeAddress, urlAt } from './base-nodes.ts';
import type { Share } from './connection-shares.ts';
import {
  connectionOptions,
  type Connections,
  type ConnectionSettings,
  openConnections,
  usualPatience,
} from './connections.ts';
import { copyIn } from './copy.ts';
import { createHeldConnections } from './held-connections.ts';
import { createHoldLimit } from './hold-limit.ts';
import { release, run } from './run-statement.ts';
import { compile, type Sql, type Statement } from './sql.ts';

export { connectionOptions };

export interface QueryOptions {
  /** Keeps its plan on the connection: for fixed statements on hot paths. */
  prepare?: boolean;
  /** The id of the only base that it reads, and nothing else of the instance but people. On a cluster the node of the base is asked, outside of transactions. */
  base?: string;
}

export interface Queryable {
  /** Runs one statement. */
  query<Row>(statement: Sql | Statement, options?: QueryOptions): Promise<Row[]>;
}

interface Beginning extends Queryable {
  /** The same for all handles of one database: what a process remembers of it is remembered by this. */
  readonly identity: object;
  /**
   * On the pool a new transaction. Inside a transaction the work joins it, and is committed or taken back with it. `opening`: a statement without
   * parameters that goes with `begin`, in one round trip; one that joins runs it first.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, opening?: Sql): Promise<T>;
}

export interface Tx extends Beginning {
  readonly kind: 'transaction';
  /** The statement that it began with. Where there is one, a statement may be sent before those before it have answered. */
  readonly opening?: Sql | undefined;
  /**
   * Where there is an opening, for the one who began: commits behind the statements that are sent already, without waiting for them. When one of them
   * fails nothing is committed. No statement may follow.
   */
  commitBehind?(): void;
  /** `copy … from stdin`: answers how many rows were written. */
  copyIn(statement: Sql, parts: Iterable<Buffer>): Promise<number>;
}

/** The pool, or the transaction that is under way. It is what an operation gets, and all it gets. */
export type Handle = Db | Tx;

/** The one who waits for the answer. */
export interface Caller {
  hasLeft: boolean;
  /** What to do when they leave before they have it. */
  readonly onLeave: Set<() => void>;
}

/** A connection that is kept for several statements, outside of a transaction. */
export interface Held extends Queryable {
  /** Ends the connection, and with it whatever a statement has left on it. */
  release(): void;
}

export interface Db extends Beginning {
  readonly kind: 'pool';
  /**
   * A handle whose statements count for a resource: whatever they wait for, other resources are served. What runs for a
   * caller who hangs up is cancelled.
   */
  at(share: Share, caller?: Caller): Db;
  /** The same resource, for statements that others wait for too: they run on when the caller hangs up. */
  readonly shared: Db;
  /** For answers that are read from the database while they are sent. There are few: a slow client has one for as long as it takes. */
  hold(): Promise<Held>;
  /** A connection of its own, for locks and LISTEN that outlive a statement. */
  dedicated(): Promise<pg.Client>;
  /** Milliseconds that anybody waits for a connection. */
  readonly patience: number;
  close(): Promise<void>;
  readonly counters: { statements: number; transactions: number };
}

/** When a transaction has not begun, the statement that was sent behind it fails too: the first failure says why. */
const begunBefore = async (begun: Promise<unknown>, rows: Promise<unknown>): Promise<void> => {
  try {
    await begun;
  } catch (error) {
    await rows.catch(() => undefined);
    throw databaseError(error);
  }
};

const isConnectionFault = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'database_connection_unavailable';

/** Seconds that a statement may run, and that it may where `lockSchema` has said that it will take long. */
const usualTime = 30;
const longTime = 3_600;

export interface DbOptions {
  max?: number;
  patience?: number;
  statementTime?: number;
  longStatementTime?: number;
  temporaryMegabytes?: number | null;
  /** Makes asking for a second connection while holding one an error: in a busy pool the two would wait for each other. */
  oneConnection?: boolean;
  /** Statements have the form for a Citus cluster on any PostgreSQL. */
  isForCluster?: boolean;
  /** Where a base is, in place of the catalogues of Citus. */
  locate?: (baseId: string) => Promise<NodeAddress | null>;
}

const hasLeft = (): ApiError =>
  new ApiError('request_timeout', 'The client closed the connection before it had its answer');

/** All that are held count as one. */
const heldShare: Share = { resource: 'held', holders: [] };

export const openDb = (url: string, options: DbOptions = {}): Db => {
  const {
    max = 10,
    patience = usualPatience,
    statementTime = usualTime,
    longStatementTime = longTime,
    temporaryMegabytes = null,
    oneConnection = false,
    isForCluster = false,
  } = options;
  const settings: ConnectionSettings = {
    max,
    patience,
    statementTime,
    longStatementTime,
    temporaryMegabytes,
    isForCluster,
  };
  let nodes: BaseNodes | undefined;
  const main = openConnections(url, { ...settings, onCluster: () => (nodes ??= createNodes()) });
  const counters = { statements: 0, transactions: 0 };
  const holding = createHoldLimit(Math.max(1, Math.floor(max / 4)));
  const held = createHeldConnections(oneConnection);

  /** With a connection for the resource, which `work` gives back. */
  const connected = async <T>(
    { pool, shares }: Connections,
    share: Share,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> => {
    held.demandNone();
    await shares.take(share);
    try {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseError(error);
      });
      return await work(client);
    } finally {
      shares.give(share);
    }
  };

  /**
   * Runs a statement, and cancels it when the caller leaves. The connection is then thrown away: a late cancel would hit the next statement on it. A cancel that hit
   * the `begin` before it would leave the statement without its transaction: it is sent when that is there.
   */
  const runFor = async <Row>(
    { canceller }: Connections,
    caller: Caller | undefined,
    client: pg.PoolClient,
    spoilt: { yes: boolean },
    statement: Sql | Statement,
    prepare: boolean,
    begun?: Promise<unknown>,
  ): Promise<Row[]> => {
    counters.statements += 1;
    if (caller === undefined) return run<Row>(client, statement, prepare);
    if (caller.hasLeft) throw hasLeft();
    const leave = (): void => {
      spoilt.yes = true;
      const cancel = (): void => canceller.cancel((client as unknown as { processID: number }).processID);
      if (begun === undefined) cancel();
      else void begun.then(cancel, () => undefined);
    };
    caller.onLeave.add(leave);
    try {
      return await run<Row>(client, statement, prepare);
    } finally {
      caller.onLeave.delete(leave);
    }
  };

  // A class: there is one for every request, and what an object of functions costs is seen in the rate of small writes.
  class Pooled implements Db {
    readonly kind = 'pool';
    readonly identity = counters;
    readonly counters = counters;
    readonly patience = patience;
    private readonly share: Share;
    private readonly caller: Caller | undefined;

    constructor(share: Share, caller?: Caller) {
      this.share = share;
      this.caller = caller;
    }

    at(share: Share, caller?: Caller): Db {
      return new Pooled(share, caller);
    }

    get shared(): Db {
      return this.caller === undefined ? this : new Pooled(this.share);
    }

    query<Row>(statement: Sql | Statement, { prepare = false, base }: QueryOptions = {}): Promise<Row[]> {
      const node = base === undefined ? undefined : nodes?.of(base);
      return node === undefined ? this.ask(main, statement, prepare) : this.askNode(node, statement, prepare);
    }

    private async askNode<Row>(node: BaseNode, statement: Sql | Statement, prepare: boolean): Promise<Row[]> {
      try {
        return await this.ask<Row>(node.connections, statement, prepare);
      } catch (error) {
        if (!node.mayHaveCaused(error)) throw error;
        return this.ask<Row>(main, statement, prepare);
      }
    }

    private ask<Row>(connections: Connections, statement: Sql | Statement, prepare: boolean): Promise<Row[]> {
      return connected(connections, this.share, async (client) => {
        const spoilt = { yes: false };
        try {
          const rows = await runFor<Row>(connections, this.caller, client, spoilt, statement, prepare);
          if (spoilt.yes) client.release(true);
          else release(client);
          return rows;
        } catch (error) {
          client.release(spoilt.yes || isConnectionFault(error));
          throw error;
        }
      });
    }

    transaction<T>(work: (tx: Tx) => Promise<T>, opening?: Sql): Promise<T> {
      return connected(main, this.share, async (client) => {
        counters.transactions += 1;
        const spoilt = { yes: false };
        const { caller } = this;
        const sending = client as unknown as { pipeline: boolean };
        sending.pipeline = opening !== undefined;
        const begun = client.query(opening === undefined ? 'begin' : `begin; ${compile(opening).text}`);
        let committed: Promise<unknown> | undefined;
        const tx: Tx = {
          kind: 'transaction',
          identity: counters,
          async query<Row>(statement: Sql | Statement, { prepare = false }: QueryOptions = {}) {
            if (committed !== undefined)
              throw new Error('a statement was to be sent behind the commit of its transaction');
            const rows = runFor<Row>(main, caller, client, spoilt, statement, prepare, begun);
            if (opening !== undefined) await begunBefore(begun, rows);
            return rows;
          },
          opening,
          async transaction(inner, first) {
            if (first !== undefined && first !== opening) await tx.query(first);
            return inner(tx);
          },
          async copyIn(statement, parts) {
            counters.statements += 1;
            await begun;
            sending.pipeline = false;
            return copyIn(client, compile(statement).text, parts).catch((error: unknown) => {
              throw databaseError(error);
            });
          },
        };
        if (opening !== undefined) {
          begun.catch(() => undefined);
          tx.commitBehind = () => {
            committed = client.query('commit');
            committed.catch(() => undefined);
          };
        }
        try {
          if (opening === undefined) await begun;
          const result = await held.during(() => work(tx));
          await (committed ?? client.query('commit'));
          sending.pipeline = false;
          if (spoilt.yes) client.release(true);
          else release(client);
          return result;
        } catch (error) {
          // A connection that cannot even roll back is thrown away.
          await client.query('rollback').then(
            () => {
              sending.pipeline = false;
              client.release(spoilt.yes);
            },
            (fault: Error) => client.release(fault),
          );
          throw databaseError(error);
        }
      });
    }

    async hold(): Promise<Held> {
      await holding.enter();
      const client = await main.shares
        .take(heldShare)
        .then(() =>
          main.pool.connect().catch((error: unknown) => {
            main.shares.give(heldShare);
            throw databaseError(error);
          }),
        )
        .catch((error: unknown) => {
          holding.leave();
          throw error;
        });
      let isReleased = false;
      return {
        query: (statement, { prepare = false } = {}) =>
          runFor(main, this.caller, client, { yes: false }, statement, prepare),
        release() {
          if (isReleased) return;
          isReleased = true;
          client.release(true);
          main.shares.give(heldShare);
          holding.leave();
        },
      };
    }

    async dedicated(): Promise<pg.Client> {
      const client = new pg.Client(connectionOptions(url));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }

    async close(): Promise<void> {
      await main.close();
      await nodes?.close();
    }
  }
  const createNodes = (): BaseNodes =>
    createBaseNodes({
      locate: options.locate ?? (async (baseId) => (await pooled.query<NodeAddress>(addressSql(baseId)))[0] ?? null),
      open(address) {
        const there = urlAt(url, address);
        return there === undefined ? undefined : openConnections(there, settings);
      },
    });
  if (options.locate !== undefined) nodes = createNodes();
  const pooled = new Pooled(null);
  return pooled;
};

export const many = <Row>(db: Queryable, statement: Sql | Statement, options?: QueryOptions): Promise<Row[]> =>
  db.query<Row>(statement, options);

export const maybe = async <Row>(
  db: Queryable,
  statement: Sql | Statement,
  options?: QueryOptions,
): Promise<Row | undefined> => (await db.query<Row>(statement, options))[0];

export const one = async <Row>(db: Queryable, statement: Sql | Statement, options?: QueryOptions): Promise<Row> => {
  const row = await maybe<Row>(db, statement, options);
  if (row === undefined) throw new Error('a statement that must return a row returned none');
  return row;
};
