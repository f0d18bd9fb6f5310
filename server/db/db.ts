// The database handle. Everything that reads or writes gets one as its first argument. Inside a
// transaction, that is the handle of the transaction; there is no other.
import { ApiError } from '@rowhouse/contract/error.ts';
import pg from 'pg';
import { databaseError, OutOfTime, sqlState } from './error.ts';
import { addressSql, type BaseNode, type BaseNodes, createBaseNodes, type NodeAddress, urlAt } from './base-nodes.ts';
import type { Share } from './connection-shares.ts';
import {
  connectionOptions,
  type Connections,
  type ConnectionSettings,
  openConnections,
  urlAs,
  usualPatience,
} from './connections.ts';
import { copyIn } from './copy.ts';
import { createHeldConnections } from './held-connections.ts';
import { createHoldLimit } from './hold-limit.ts';
import { describe, release, run } from './run-statement.ts';
import { compile, type Sql, type Statement, textOf } from './sql.ts';
import type { Purpose, Recent } from '../recent.ts';

export { connectionOptions };

export interface QueryOptions {
  /** Prepares the statement on its connection. For statements with a fixed text on hot paths. */
  prepare?: boolean;
  /** Set this when the statement reads one base and, apart from that, only people. On a cluster it then runs on the node of that base, unless it is in a transaction. */
  base?: string;
  /** Milliseconds after which it is cancelled, with `OutOfTime`. Not within a transaction. */
  within?: number;
}

export interface Queryable {
  /** Runs one statement. */
  query<Row>(statement: Sql | Statement, options?: QueryOptions): Promise<Row[]>;
}

interface Beginning extends Queryable {
  /** The same object for all handles of one database. Caches about that database use it as their key. */
  readonly identity: object;
  /**
   * On the pool: runs `work` in a new transaction. Inside a transaction: `work` joins it, and commits or rolls back with it. `opening` is a
   * statement without parameters that is sent together with `begin`, in one round trip; when joining, it runs first.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, opening?: Sql): Promise<T>;
}

export interface Tx extends Beginning {
  readonly kind: 'transaction';
  /** The statement that was sent with `begin`. If there is one, statements can be sent before earlier ones have answered. */
  readonly opening?: Sql | undefined;
  /**
   * Sends the commit without waiting for the statements that are already sent. If one of those fails, nothing is committed. No statement may follow.
   * Only with an opening, and only for the code that began the transaction.
   */
  commitBehind?(): void;
  /** `copy … from stdin`: answers how many rows were written. */
  copyIn(statement: Sql, parts: Iterable<Buffer>): Promise<number>;
}

/** The pool, or the current transaction. An operation has no other way to reach the database. */
export type Handle = Db | Tx;

/** The client that waits for an answer. */
export interface Caller extends Partial<Purpose> {
  hasLeft: boolean;
  /** Called when the client disconnects before it has its answer. */
  readonly onLeave: Set<() => void>;
}

/** One connection for several statements, outside of a transaction. */
export interface Held extends Queryable {
  /** Closes the connection, with any state that statements left on it. */
  release(): void;
}

export interface Db extends Beginning {
  readonly kind: 'pool';
  /**
   * A handle that uses the connections of one resource (a table, base or space), so that a blocked resource does not block others.
   * Statements of a caller who disconnects are cancelled.
   */
  at(share: Share, caller?: Caller): Db;
  /** The same resource; its statements are told as those of an operation. */
  as(purpose: Purpose): Db;
  /** The same resource, for statements whose result others use as well: they are not cancelled when this caller disconnects. */
  readonly shared: Db;
  /** For answers that are streamed from the database. There are few of these connections, because a slow client occupies one until it has everything. */
  hold(): Promise<Held>;
  /** A connection of its own, for locks and LISTEN that outlive a statement. */
  dedicated(): Promise<pg.Client>;
  /** One of another role, for what that may. */
  dedicatedAs(user: string, password: string): Promise<pg.Client>;
  /** How long to wait for a connection, in milliseconds. */
  readonly patience: number;
  close(): Promise<void>;
  readonly counters: { statements: number; transactions: number };
}

/** If `begin` fails, statements sent behind it fail as well. The error of `begin` is the one to report. */
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

/** Time limits of a statement in seconds: the usual one, and the one after `lockSchema`, for changes of a schema that take long. */
const usualTime = 30;
const longTime = 3_600;

export interface DbOptions {
  max?: number;
  patience?: number;
  statementTime?: number;
  longStatementTime?: number;
  temporaryMegabytes?: number | null;
  /** Throws when code that holds a connection asks for a second one: in a busy pool that can deadlock. */
  oneConnection?: boolean;
  /** Sends the cluster form of every statement, on any PostgreSQL. For tests. */
  isForCluster?: boolean;
  /** Replaces the catalogues of Citus in finding the node of a base. For tests. */
  locate?: (baseId: string) => Promise<NodeAddress | null>;
  /** Told of each statement that takes as many milliseconds. */
  slow?: { after: number; note: Recent['noteSlow'] } | undefined;
}

const hasLeft = (): ApiError =>
  new ApiError('request_timeout', 'The client closed the connection before it had its answer');

const enter = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** All held connections count as one resource. */
const heldConnections: Share = { resource: 'held', holders: [] };

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

  /** Gets a connection for the resource. `work` has to release it. */
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
   * Runs a statement, and cancels it when the caller disconnects. The connection is discarded then, because a late cancel would hit the next statement on it.
   * The cancel is sent only after `begin` has succeeded: cancelling `begin` would run the statement outside of its transaction.
   */
  const runCancellable = async <Row>(
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

  const { slow } = options;
  const runWatched = async <Row>(...given: Parameters<typeof runCancellable>): Promise<Row[]> => {
    const [, caller, , , statement] = given;
    const began = performance.now();
    let failed = true;
    try {
      const rows = await runCancellable<Row>(...given);
      failed = false;
      return rows;
    } finally {
      const milliseconds = Math.round(performance.now() - began);
      if (slow !== undefined && milliseconds >= slow.after)
        slow.note({
          operation: caller?.operation ?? 'other',
          requestId: caller?.requestId,
          milliseconds,
          ...describe(textOf(statement, false).text),
          ...(failed ? { failed } : {}),
        });
    }
  };
  const runFor: typeof runCancellable = slow === undefined ? runCancellable : runWatched;

  // A class, because every request makes one: an object of closures costs measurably more per small write.
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

    as({ operation, requestId }: Purpose): Db {
      return new Pooled(this.share, { hasLeft: false, onLeave: new Set(), operation, requestId });
    }

    get shared(): Db {
      const { caller } = this;
      if (caller === undefined) return this;
      return caller.operation === undefined ? new Pooled(this.share) : this.as(caller as Purpose);
    }

    query<Row>(statement: Sql | Statement, { prepare = false, base, within }: QueryOptions = {}): Promise<Row[]> {
      const node = base === undefined ? undefined : nodes?.of(base);
      return node === undefined
        ? this.ask(main, statement, prepare, within)
        : this.askNode(node, statement, prepare, within);
    }

    private async askNode<Row>(
      node: BaseNode,
      statement: Sql | Statement,
      prepare: boolean,
      within: number | undefined,
    ): Promise<Row[]> {
      try {
        return await this.ask<Row>(node.connections, statement, prepare, within);
      } catch (error) {
        if (!node.mayHaveCaused(error)) throw error;
        return this.ask<Row>(main, statement, prepare, within);
      }
    }

    private ask<Row>(
      connections: Connections,
      statement: Sql | Statement,
      prepare: boolean,
      within: number | undefined,
    ): Promise<Row[]> {
      return connected(connections, this.share, async (client) => {
        const spoilt = { yes: false };
        let isLate = false;
        const cancel = (): void => {
          isLate = spoilt.yes = true;
          connections.canceller.cancel((client as unknown as { processID: number }).processID);
        };
        const timer = within === undefined ? undefined : setTimeout(cancel, within);
        try {
          const rows = await runFor<Row>(connections, this.caller, client, spoilt, statement, prepare);
          if (spoilt.yes) client.release(true);
          else release(client);
          return rows;
        } catch (error) {
          client.release(spoilt.yes || isConnectionFault(error));
          throw isLate ? new OutOfTime() : error;
        } finally {
          clearTimeout(timer);
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
        let committed: Promise<pg.QueryResult> | undefined;
        let failure: unknown;
        const tx: Tx = {
          kind: 'transaction',
          identity: counters,
          async query<Row>(statement: Sql | Statement, { prepare = false }: QueryOptions = {}) {
            if (committed !== undefined)
              throw new Error('a statement was to be sent behind the commit of its transaction');
            try {
              const rows = runFor<Row>(main, caller, client, spoilt, statement, prepare, begun);
              if (opening !== undefined) await begunBefore(begun, rows);
              return await rows;
            } catch (error) {
              // What follows a failed statement is refused with 25P02, which says nothing of the cause.
              if (sqlState(error) === '25P02' && failure !== undefined) throw failure;
              failure = error;
              throw error;
            }
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
          const { command } = await (committed ?? client.query('commit'));
          // PostgreSQL answers a commit after a failed statement with a rollback, and calls that a success.
          if (command !== 'COMMIT')
            throw failure ?? new Error('the transaction was rolled back in place of its commit');
          sending.pipeline = false;
          if (spoilt.yes) client.release(true);
          else release(client);
          return result;
        } catch (error) {
          // If the rollback fails, discard the connection.
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
        .take(heldConnections)
        .then(() =>
          main.pool.connect().catch((error: unknown) => {
            main.shares.give(heldConnections);
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
          main.shares.give(heldConnections);
          holding.leave();
        },
      };
    }

    dedicated(): Promise<pg.Client> {
      return enter(url);
    }

    dedicatedAs(user: string, password: string): Promise<pg.Client> {
      return enter(urlAs(url, user, password));
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
