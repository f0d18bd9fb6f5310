// What every operation gets: explicit, no ambient state.
import type { newId } from '@rowhouse/contract/id.ts';
import type { Access } from './catalog/access.ts';
import type { Plans } from './catalog/plans.ts';
import type { Principal } from './catalog/principal.ts';
import type { TableCatalog } from './catalog/table.ts';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import type { Faults } from './faults.ts';
import type { Live } from './live.ts';

/** The parts that live as long as the process. */
export interface Services {
  db: Db;
  config: Config;
  catalog: TableCatalog;
  plans: Plans;
  now: () => Date;
  newId: typeof newId;
  /** Address of this server for links, without a trailing slash. */
  publicUrl: () => string;
  /** Those who listen to changes, and what wakes them. */
  live: Live;
  /** Aborted when the server is to stop: from then on it is not ready, and connections end with their answer. */
  stopping: AbortSignal;
  /** Failures of what runs beside the requests. */
  faults: Faults;
  /** Takes the lines of the log. */
  logStream: { write(line: string): void };
}

/** A request by a known caller. On endpoints of a space, base or table `access` holds its place and role. */
export interface Context extends Services {
  principal: Principal;
  access: Access;
  requestId: string;
}

/** A request by anyone. */
export interface PublicContext extends Services {
  requestId: string;
}
