// The one writer of rowhouse.servers. A row that was not renewed is that of a process that died: it does not count.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Two renewals may be missed. */
const goodFor = sql`interval '1 minute'`;

interface RunningServer {
  host: string;
  version: string;
  commit: string | null;
  startedTime: string;
}

export const renewServer = async (
  db: Queryable,
  id: string,
  { host, version, commit }: Omit<RunningServer, 'startedTime'>,
): Promise<void> => {
  await db.query(
    sql`with dead as (delete from rowhouse.servers where id <> ${id} and seen_time < clock_timestamp() - ${goodFor})
        insert into rowhouse.servers (id, host, version, commit) values (${id}, ${host}, ${version}, ${commit})
        on conflict (id) do update set seen_time = clock_timestamp()`,
  );
};

export const deleteServer = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.servers where id = ${id}`);
};

export const selectServers = (db: Queryable): Promise<RunningServer[]> =>
  many<RunningServer>(
    db,
    sql`select host, version, commit, started_time as "startedTime" from rowhouse.servers
        where seen_time >= clock_timestamp() - ${goodFor} order by started_time, id`,
  );
