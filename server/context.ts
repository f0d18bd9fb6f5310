// What every operation gets: explicit, no ambient state.
import type { newId } from '@rowhouse/contract/id.ts';
import type { Access } from './catalog/access.ts';
import type { From } from './catalog/audit.sql.ts';
import type { WindowStep } from './catalog/operation.sql.ts';
import type { Plans } from './catalog/plans.ts';
import type { Principal } from './catalog/principal.ts';
import type { TableCatalog } from './catalog/table.ts';
import type { Config } from './config.ts';
import type { Caller, Db, Handle } from './db/db.ts';
import type { BackgroundErrors } from './background-errors.ts';
import type { Files } from './stored-files.ts';
import type { Live } from './live.ts';
import type { Work } from './work/job.ts';
import type { SecretKey } from './secret-key.ts';

/** The parts that live as long as the process, without the database. */
export interface Tools {
  config: Config;
  catalog: TableCatalog;
  plans: Plans;
  now: () => Date;
  newId: typeof newId;
  /** Address of this server for links, without a trailing slash. */
  publicUrl: () => string;
  secretKey: SecretKey;
  /** Where uploaded files are, and the addresses they are read at. */
  files: Files;
  /** Those who listen to changes, and what wakes them. */
  live: Live;
  /** What is done beside the requests. */
  work: Work;
  /** Aborted when the server is to stop: from then on it is not ready, and connections end with their answer. */
  stopping: AbortSignal;
  /** Failures of what runs beside the requests. */
  backgroundErrors: BackgroundErrors;
  /** Takes the lines of the log. */
  logStream: { write(line: string): void };
}

export interface Environment extends Tools {
  /** The one handle there is: the pool, or inside of a transaction that transaction. */
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
  /** Decides about the request again, by what the database says now; throws when it is to be refused. */
  refresh(): Promise<Access>;
  /** Computed fields that this attempt leaves to a job, because very many records depend on what it writes. Absent: nothing may be left. */
  deferred?: ReadonlySet<string>;
  /** Names the operation that the request was, for the header `X-Operation-Id` of its answer. */
  noteOperation(operationId: string): void;
  /** For the header `X-Side-Effects`: records that the request made in another table, choices that it added to a field. */
  noteEffects?: ((kind: 'records' | 'choices', id: string, count: number) => void) | undefined;
  /** The step to undo that the operations of the request are part of. Absent: it names no window. */
  step?: WindowStep | undefined;
}

/**
 * A request whose rights were remembered and may be out of date. What can be done with it goes through `guardedRead` and
 * `guardedWrite` of `pipeline/`, which find out.
 */
export interface Unconfirmed {
  readonly unconfirmed: Context;
}

/** A request by anyone. */
export interface PublicContext extends Services {
  requestId: string;
  from: From;
  /** For statements that need not run on when nobody waits for the answer. */
  caller?: Caller;
}
