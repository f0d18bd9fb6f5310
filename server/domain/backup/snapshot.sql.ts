// One state of the database to copy from, while others write. All tables are locked against changes of their columns
// first, and only then does the transaction get its snapshot: a table that is rewritten looks empty to older snapshots.
import { setTimeout as sleep } from 'node:timers/promises';
import { many, one, type Queryable } from '../../db/db.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { isGone, isSafeToRepeat, sqlState, StartError } from '../../db/error.ts';
import type { Session } from '../../db/session.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Manifest } from './manifest.ts';

export interface QualifiedName {
  schema: string;
  name: string;
}

/** Tables that are locked together, and set free together as soon as they are copied. */
export interface Group {
  schema: string;
  tables: string[];
}

/** What the rows of a base in schema `rowhouse` stand in, and which they are. */
export const baseRows = (baseId: string): { name: string; rows: Sql }[] => {
  const ofTables = sql`table_id in (select id from rowhouse.tables where base_id = ${sql.literal(baseId)})`;
  const ofBase = sql`base_id = ${sql.literal(baseId)}`;
  return [
    { name: 'folders', rows: ofBase },
    { name: 'tables', rows: ofBase },
    ...['fields', 'deleted_fields', 'views', 'deleted_views', 'record_templates'].map((name) => ({
      name,
      rows: ofTables,
    })),
    { name: 'dashboards', rows: ofBase },
    {
      name: 'dashboard_items',
      rows: sql`dashboard_id in (select id from rowhouse.dashboards where ${ofBase})`,
    },
    { name: 'files', rows: sql`token in (select token from rowhouse.file_uses where ${ofBase})` },
    { name: 'file_uses', rows: ofBase },
  ];
};

/** Of a table that is left empty. */
export const noRows: Sql = sql`false`;

/** Of the whole instance or one base, the largest base first. Schema `rowhouse` comes last. */
const selectGroups = async (db: Queryable, baseId: string | undefined): Promise<Group[]> => {
  const own = baseId === undefined ? null : ['bases', ...baseRows(baseId).map(({ name }) => name)];
  return many<Group>(
    db,
    sql`select n.nspname as schema, json_agg(c.relname order by c.relname) as tables
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and (
          (n.nspname = 'rowhouse' and c.relpersistence = 'p' and c.relname <> 'people' and (${own}::text[] is null or c.relname = any(${own}::text[])))
          or n.nspname in (select id from rowhouse.bases where ${baseId ?? null}::text is null or id = ${baseId ?? null}))
        group by 1 order by n.nspname = 'rowhouse', sum(pg_relation_size(c.oid)) desc nulls last, 1`,
  );
};

const namesOf = (groups: readonly Group[]): string =>
  groups
    .map(({ schema, tables }) => `${schema}: ${tables.join(', ')}`)
    .sort()
    .join('\n');

const lockGroups = async (session: Session, groups: readonly Group[]): Promise<void> => {
  await session.query(sql`begin isolation level repeatable read read only`);
  for (const [at, { schema, tables }] of groups.entries()) {
    await session.query(sql`savepoint ${sql.id(`group_${at}`)}`);
    await session.query(
      sql`lock table ${sql.join(tables.map((name) => sql.id(schema, name)))} in access share mode nowait`,
    );
  }
};

const tryGroups = async (session: Session, baseId: string | undefined): Promise<Group[] | undefined> => {
  const groups = await selectGroups(session, baseId);
  try {
    await lockGroups(session, groups);
    // The first look at anything: from here on the transaction sees one state. Is it the one that was locked?
    if (namesOf(await selectGroups(session, baseId)) === namesOf(groups)) return groups;
  } catch (error) {
    if (sqlState(error) === '53200')
      throw new StartError(
        'the database has no room for so many locks at once: raise its setting max_locks_per_transaction',
      );
    // Locked by somebody who changes it, or gone since it was listed.
    if (!isSafeToRepeat(error) && !isGone(error)) throw error;
  }
  await session.query(sql`rollback`);
  return undefined;
};

/** It never waits for a lock: waiting, it could stand in the way of those who change a table, and they of each other. */
export const takeSnapshot = async (session: Session, baseId: string | undefined): Promise<Group[]> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const groups = await tryGroups(session, baseId);
    if (groups !== undefined) return groups;
    await sleep(20 + 80 * Math.random());
  }
  // An export waits for the end of a long conversion; at the command line somebody reads it.
  throw new ApiError(
    'conflict',
    'Tables are changed all the time, so that no state of them could be had: try again later',
    undefined,
    {},
    'yes',
  );
};

/** What is copied is of no more concern: anyone who waits to change its tables goes on. Its group has to be the last that is locked. */
export const leaveGroup = async (session: Session, at: number): Promise<void> => {
  await session.query(sql`rollback to savepoint ${sql.id(`group_${at}`)}`);
};

/** Columns that COPY can write: not those that are computed from others. */
export const selectColumns = async (db: Queryable, schemas: readonly string[]): Promise<Map<string, string[]>> => {
  const rows = await many<{ place: string; columns: string[] }>(
    db,
    sql`select n.nspname || '.' || c.relname as place, json_agg(a.attname order by a.attnum) as columns
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
        where n.nspname = any(${schemas}::text[]) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' group by 1`,
  );
  return new Map(rows.map(({ place, columns }) => [place, columns]));
};

/** Tables of schema `rowhouse`, each after those that it refers to. */
export const sortByReference = async (db: Queryable, names: readonly string[]): Promise<string[]> => {
  const references = await many<{ from: string; to: string }>(
    db,
    sql`select a.relname as from, b.relname as to from pg_constraint k join pg_class a on a.oid = k.conrelid join pg_class b on b.oid = k.confrelid
        where k.contype = 'f' and k.connamespace = 'rowhouse'::regnamespace and a.oid <> b.oid`,
  );
  const sorted = new Set<string>();
  const add = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`tables refer to each other in a circle: ${[...path, name].join(' → ')}`);
    for (const { from, to } of references) if (from === name) add(to, [...path, name]);
    if (names.includes(name)) sorted.add(name);
  };
  for (const name of names) add(name, []);
  return [...sorted];
};

/** Where those stand that were used. It may be later than the snapshot, which leaves a gap and does no harm. */
export const selectSequences = (
  db: Queryable,
  schemas: readonly string[],
): Promise<{ schema: string; name: string; value: string }[]> =>
  many(
    db,
    sql`select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
        where schemaname = any(${schemas}::text[]) and last_value is not null order by 1, 2`,
  );

/** With the passwords as PostgreSQL keeps them, which superusers may see, and the role of the embedded one by way of a function. */
const verifierOf = async (db: Queryable): Promise<Sql> => {
  const { mayAll, mayReaders } = await one<{ mayAll: boolean; mayReaders: boolean }>(
    db,
    sql`select has_table_privilege('pg_catalog.pg_authid', 'select') as "mayAll", to_regprocedure('rowhouse_admin.reader_verifier(name)') is not null as "mayReaders"`,
  );
  if (mayAll) return sql`(select a.rolpassword from pg_authid a where a.rolname = c.role_name)`;
  return mayReaders ? sql`rowhouse_admin.reader_verifier(c.role_name)` : sql`null::text`;
};

export const selectReaders = async (
  db: Queryable,
): Promise<{ baseId: string; roleName: string; password: string | null }[]> =>
  many(
    db,
    sql`select c.base_id as "baseId", c.role_name as "roleName", ${await verifierOf(db)} as password from rowhouse.base_connections c order by 1`,
  );

/** Also of a database that has not been migrated yet, where versions have no column. */
export const selectBaseFacts = (
  db: Queryable,
  baseIds: readonly string[],
): Promise<Omit<Manifest['bases'][number], 'tables'>[]> =>
  many(
    db,
    sql`select id, name, icon, created_by as "createdBy", to_char(created_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdTime",
               coalesce((to_jsonb(b) ->> 'schema_version')::int, 1) as "schemaVersion"
        from rowhouse.bases b where id = any(${baseIds}::text[]) order by id`,
  );

/** Also of a database that has not been migrated yet. */
export const hasUploads = async (db: Queryable): Promise<boolean> =>
  (await one<{ has: boolean }>(db, sql`select to_regclass('rowhouse.file_uses') is not null as has`)).has;

/** Those that are there as a whole. */
export const selectUploads = (db: Queryable, baseId: string | undefined): Promise<{ token: string; size: number }[]> =>
  many(
    db,
    sql`select f.token, f.size from rowhouse.files f where f.notified_time is not null and not f.is_leaving
          and (${baseId ?? null}::text is null or f.token in (select u.token from rowhouse.file_uses u where u.base_id = ${baseId ?? null})) order by 1`,
  );

export const selectServerVersion = async (db: Queryable): Promise<string> =>
  (await one<{ version: string }>(db, sql`select current_setting('server_version') as version`)).version;

/** So that what COPY writes reads the same everywhere. */
export const settleFormats = async (session: Session): Promise<void> => {
  for (const setting of [
    "timezone = 'UTC'",
    "datestyle = 'ISO, YMD'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    'statement_timeout = 0',
    'idle_in_transaction_session_timeout = 0',
  ] as const) {
    await session.query(sql`set ${sql.raw(setting)}`);
  }
};

export const copyStatement = (
  { schema, name }: QualifiedName,
  columns: readonly string[],
  direction: 'from stdin' | 'to stdout',
  rows?: Sql,
): Sql => {
  const list = sql.join(columns.map((column) => sql.id(column)));
  const what =
    rows === undefined
      ? sql`${sql.id(schema, name)} (${list})`
      : sql`(select ${list} from ${sql.id(schema, name)} where ${rows})`;
  return sql`copy ${what} ${sql.raw(direction)}`;
};
