import { one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface DatabaseFacts {
  version: string;
  bytes: number;
  isDurable: boolean;
  schema: number;
  connections: number;
  mostConnections: number;
}

export const selectDatabaseFacts = (db: Queryable): Promise<DatabaseFacts> =>
  one<DatabaseFacts>(
    db,
    sql`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
               current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as "isDurable",
               (select max(version)::int from rowhouse.migrations) as schema,
               (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
               current_setting('max_connections')::int as "mostConnections"`,
  );
