// Readers: PostgreSQL roles for SQL access to one base. The one writer of rowhouse.base_connections and of the rights
// of these roles. A reader has rights on the record tables of its base that are not in the trash, and on nothing else:
// neither history nor operations, no other base, no system table of Rowhouse.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const maxConnections = 10;
const statementSeconds = 60;

export interface Reader {
  baseId: string;
  roleName: string;
}

export const readerName = (baseId: string): string => `reader_${baseId}`;

export const selectReader = (db: Queryable, baseId: string): Promise<Reader | undefined> =>
  maybe<Reader>(
    db,
    sql`select base_id as "baseId", role_name as "roleName" from rowhouse.base_connections where base_id = ${baseId}`,
  );

export const selectReadersOf = (db: Queryable, spaceId: string): Promise<Reader[]> =>
  many<Reader>(
    db,
    sql`select c.base_id as "baseId", c.role_name as "roleName" from rowhouse.base_connections c join rowhouse.bases b on b.id = c.base_id
        where b.space_id = ${spaceId} order by c.base_id`,
  );

export const insertReader = async (db: Queryable, { baseId, roleName }: Reader, createdBy: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.base_connections (base_id, role_name, created_by) values (${baseId}, ${roleName}, ${createdBy})`,
  );
};

export const deleteReader = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.base_connections where base_id = ${baseId}`);
};

/** `verifier` is what PostgreSQL keeps of the password. */
export const createRole = async (db: Queryable, roleName: string, verifier: string): Promise<void> => {
  const role = sql.id(roleName);
  await db.query(
    sql`create role ${role} with login nosuperuser nocreatedb nocreaterole noinherit noreplication connection limit ${sql.integer(maxConnections)} password ${sql.literal(verifier)}`,
  );
  // Anyone who is a member may end its sessions, also without being a superuser.
  await db.query(sql`grant ${role} to current_user`);
  await db.query(sql`alter role ${role} set default_transaction_read_only = on`);
  await db.query(sql`alter role ${role} set statement_timeout = ${sql.literal(`${statementSeconds}s`)}`);
  await db.query(sql`alter role ${role} set idle_in_transaction_session_timeout = '60s'`);
};

/** Of queries that come over the API: a member of the reader, so that it may what that may. */
export const queryRoleName = (baseId: string): string => `query_${baseId}`;

/** Makes it, or gives it another password. */
export const writeQueryRole = async (db: Queryable, { baseId, roleName }: Reader, verifier: string): Promise<void> => {
  const name = queryRoleName(baseId);
  const role = sql.id(name);
  const isThere = await maybe(db, sql`select 1 as one from pg_roles where rolname = ${name}`);
  if (isThere === undefined) {
    await db.query(
      sql`create role ${role} with login nosuperuser nocreatedb nocreaterole inherit noreplication connection limit 3 password ${sql.literal(verifier)}`,
    );
    await db.query(sql`grant ${role} to current_user`);
    await db.query(sql`alter role ${role} set default_transaction_read_only = on`);
    await db.query(sql`alter role ${role} set idle_in_transaction_session_timeout = '60s'`);
  } else await changePassword(db, name, verifier);
  // The reader may be another one than before.
  await db.query(sql`grant ${sql.id(roleName)} to ${role}`);
};

export const changePassword = async (db: Queryable, roleName: string, verifier: string): Promise<void> => {
  await db.query(sql`alter role ${sql.id(roleName)} with password ${sql.literal(verifier)}`);
};

export const selectDatabase = async (db: Queryable): Promise<string> =>
  (await one<{ name: string }>(db, sql`select current_database() as name`)).name;

/** Readers come and go one after the other: PostgreSQL cannot change the rights on one thing twice at once. */
export const lockReaders = async (db: Queryable): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended('rowhouse readers', 0))`);
};

/** The schemas of the tables have to be locked. */
export const grantReading = async (db: Queryable, { baseId, roleName }: Reader): Promise<void> => {
  const role = sql.id(roleName);
  const schema = sql.id(baseId);
  const tables = await many<{ name: string }>(
    db,
    sql`select db_table_name as name from rowhouse.tables where base_id = ${baseId} and deleted_time is null
        union select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ${baseId} and c.relkind = 'r' and c.relname ~ '^junction_fld' order by 1`,
  );
  await db.query(sql`grant usage on schema ${schema} to ${role}`);
  if (tables.length > 0)
    await db.query(sql`grant select on ${sql.join(tables.map(({ name }) => sql.id(baseId, name)))} to ${role}`);
};

export const grantTable = async (db: Queryable, { baseId, roleName }: Reader, dbTableName: string): Promise<void> => {
  await db.query(sql`grant select on ${sql.id(baseId, dbTableName)} to ${sql.id(roleName)}`);
};

export const revokeTable = async (db: Queryable, { baseId, roleName }: Reader, dbTableName: string): Promise<void> => {
  await db.query(sql`revoke all on ${sql.id(baseId, dbTableName)} from ${sql.id(roleName)}`);
};

export const selectDbTableName = async (db: Queryable, tableId: string): Promise<string | undefined> =>
  (await maybe<{ name: string }>(db, sql`select db_table_name as name from rowhouse.tables where id = ${tableId}`))
    ?.name;

export const grantConnecting = async (db: Queryable, roleName: string): Promise<void> => {
  const database = sql.id(await selectDatabase(db));
  // Everybody may make temporary tables, unless that is taken away; the owner of the database still may.
  await db.query(sql`revoke temporary on database ${database} from public`);
  await db.query(sql`grant connect on database ${database} to ${sql.id(roleName)}`);
};

/**
 * In the embedded PostgreSQL, which is all ours: readers cannot fill the disk with what a statement puts aside. Nor can they
 * take the locks by which servers agree, or keep large objects; see db/embedded-handover.ts. On another server these rights
 * are not ours to take from everybody; there `endOffenders` is what is left.
 */
export const fenceReader = async (db: Queryable, roleName: string): Promise<void> => {
  await db.query(sql`alter role ${sql.id(roleName)} set temp_file_limit = '1GB'`);
};

/** With all its rights, without which it could not be dropped. */
export const dropRole = async (db: Queryable, { baseId, roleName }: Reader): Promise<void> => {
  const role = sql.id(roleName);
  await db.query(sql`revoke all on all tables in schema ${sql.id(baseId)} from ${role}`);
  await db.query(sql`revoke all on schema ${sql.id(baseId)} from ${role}`);
  await db.query(sql`revoke all on database ${sql.id(await selectDatabase(db))} from ${role}`);
  await db.query(sql`drop role if exists ${sql.id(queryRoleName(baseId))}`);
  await db.query(sql`drop role ${role}`);
};

export const countConnections = async (db: Queryable, roleName: string): Promise<number> =>
  (await one<{ n: number }>(db, sql`select count(*) as n from pg_stat_activity where usename = ${roleName}`)).n;

/** A session `a` of the reader `c`, or of queries over the API. */
const isOfReader = sql`a.usename in (c.role_name, 'query_' || c.base_id)`;

interface ReaderLimits {
  statementSeconds: number;
  /** An old snapshot keeps PostgreSQL from clearing away what all others have deleted since. */
  transactionSeconds: number;
}

/**
 * A reader can lift the time limits of its own statements and transactions; these it cannot. None has a reason to hold a lock of
 * its own making.
 */
export const endOffenders = async (
  db: Queryable,
  limits: ReaderLimits = { statementSeconds: 2 * statementSeconds, transactionSeconds: 600 },
): Promise<void> => {
  await db.query(
    sql`select pg_terminate_backend(a.pid) from pg_stat_activity a join rowhouse.base_connections c on ${isOfReader}
        where (a.state <> 'idle' and a.query_start < now() - make_interval(secs => ${limits.statementSeconds}))
           or a.xact_start < now() - make_interval(secs => ${limits.transactionSeconds})
           or exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory')`,
  );
};

/** Sessions, and the processes that help them with a statement. Idle ones keep what they had of memory, too. */
export const selectReaderProcesses = (db: Queryable): Promise<{ roleName: string; pid: number; leader: number }[]> =>
  many(
    db,
    sql`select c.role_name as "roleName", a.pid, coalesce(a.leader_pid, a.pid) as leader from pg_stat_activity a join rowhouse.base_connections c on ${isOfReader}`,
  );

/** How full the queue of notifications is, from 0 to 1. */
export const selectQueueUse = async (db: Queryable): Promise<number> =>
  (await one<{ used: number }>(db, sql`select pg_notification_queue_usage() as used`)).used;

export const endProcesses = async (db: Queryable, pids: readonly number[]): Promise<void> => {
  await db.query(sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as given (pid)`);
};

export const endSessions = async (db: Queryable, roleNames: readonly string[]): Promise<void> => {
  await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = any(${roleNames}::text[])`);
};

interface Listening {
  addresses: string;
  port: number;
}

export const selectListening = (db: Queryable): Promise<Listening> =>
  one<Listening>(
    db,
    sql`select current_setting('listen_addresses') as addresses, current_setting('port')::int as port`,
  );
