// What every operation is given. There is no ambient state.
import type { newId } from '@rowhouse/contract/id.ts';
import type { Access } from './catalog/access.ts';
import type { From } from './catalog/audit.sql.ts';
import type { WindowStep } from './catalog/operation.sql.ts';
import type { Plans } from './catalog/plans.ts';
import type { Principal } from './catalog/principal.ts';
import type { SignInProviders } from './catalog/sign-in-providers.ts';
import type { TableCatalog } from './catalog/table.ts';
import type { Config } from './config.ts';
import type { Caller, Db, Handle } from './db/db.ts';
import type { BackgroundErrors } from './background-errors.ts';
import type { Recent } from './recent.ts';
import type { Files } from './stored-files.ts';
import type { Live } from './live.ts';
import type { Work } from './work/job.ts';
import type { SecretKey } from './secret-key.ts';

/** Services that live as long as the process, without the database. */
export interface Tools {
  config: Config;
  catalog: TableCatalog;
  plans: Plans;
  signInProviders: SignInProviders;
  now: () => Date;
  newId: typeof newId;
  /** Address of this server for links, without a trailing slash. */
  publicUrl: () => string;
  secretKey: SecretKey;
  /** Storage of uploaded files, and their URLs. */
  files: Files;
  /** Streams of events, and what wakes them. */
  live: Live;
  /** Gives everything that is committed in a base its place in the feed. */
  settleFeed: (db: Db, baseId: string) => Promise<void>;
  /** Background work. */
  work: Work;
  /** Aborted when the server shuts down: it is no longer ready, and closes each connection after its current answer. */
  stopping: AbortSignal;
  /** Failures of background work. */
  backgroundErrors: BackgroundErrors;
  /** What was slow and what failed a short while ago. */
  recent: Recent;
  /** The log. */
  logStream: { write(line: string): void };
}

export interface Environment extends Tools {
  /** The pool, or the current transaction. There is no other handle. */
  db: Handle;
}

export interface Services extends Environment {
  db: Db;
}

/** A request by a known caller. On endpoints of a space, base or table `access` holds its place and role. */
export interface Context extends Environment {
  principal: Principal;
  access: Access;
  requestId: string;
  from: From;
  /** Repeats the access decision with the current state of the database. Throws if the request is refused. */
  refresh(): Promise<Access>;
  /** Computed fields that this attempt leaves to a job, because too many records depend on what it writes. Absent: nothing may be left to a job. */
  deferred?: ReadonlySet<string>;
  /** Records the operation of the request, for the header `X-Operation-Id`. */
  noteOperation(operationId: string): void;
  /** For the header `X-Side-Effects`: records that the request made in another table, choices that it added to a field. */
  noteEffects?: ((kind: 'records' | 'choices', id: string, count: number) => void) | undefined;
  /** For the header `Idempotency-Replayed`: the request was done before, and is not done again. */
  noteReplay?: (() => void) | undefined;
  /** The undo step that the operations of this request belong to. Absent if the request names no window. */
  step?: WindowStep | undefined;
}

/**
 * A request whose access decision comes from a cache and may be out of date. It can only be used through `guardedRead` and
 * `guardedWrite` of `pipeline/`, which check it.
 */
export interface Unconfirmed {
  readonly unconfirmed: Context;
}

/** A request by anyone. */
export interface PublicContext extends Services {
  requestId: string;
  from: From;
  /** For statements that may be cancelled when the client disconnects. */
  caller?: Caller;
}
