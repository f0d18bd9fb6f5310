// Statements of restoring: what has to be so before, and what is set right after.
import { many, one, type Queryable } from '../../db/db.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import { migrationLock } from '../../db/migrate.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Manifest } from './manifest.ts';

/** Until the transaction ends: a server that starts meanwhile waits, and finds what was restored. */
export const lockMigrations = async (db: Queryable): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
};

export const isInUse = async (db: Queryable): Promise<boolean> => {
  const { known } = await one<{ known: boolean }>(db, sql`select to_regclass('rowhouse.users') is not null as known`);
  if (!known) return false;
  return (
    await one<{ used: boolean }>(
      db,
      sql`select exists (select from rowhouse.users) or exists (select from rowhouse.spaces) as used`,
    )
  ).used;
};

export const dropRowhouse = async (db: Queryable): Promise<void> => {
  await db.query(sql`drop schema if exists rowhouse cascade`);
  await db.query(sql`drop schema if exists rowhouse_search cascade`);
};

/** Of what migrations put there. */
export const emptyTables = async (db: Queryable, names: readonly string[]): Promise<void> => {
  await db.query(sql`truncate ${sql.join(names.map((name) => sql.id('rowhouse', name)))} cascade`);
};

/** Tables of schema `rowhouse` that keep their rows for good. On a cluster `people` is a copy; see db/citus.ts. */
export const selectKeptTables = async (db: Queryable): Promise<string[]> =>
  (
    await many<{ name: string }>(
      db,
      sql`select relname as name from pg_class where relnamespace = 'rowhouse'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'people' order by 1`,
    )
  ).map(({ name }) => name);

export const roleExists = async (db: Queryable, roleName: string): Promise<boolean> =>
  (await many(db, sql`select from pg_roles where rolname = ${roleName}`)).length > 0;

/** Beside the tables of schema `rowhouse`, with which it is joined: on a cluster these are elsewhere than the base. */
export const stageName = (baseId: string, name: string): string => `__restored_${baseId}_${name}`;

const stageOf = (baseId: string, name: string): Sql => sql.id('rowhouse', stageName(baseId, name));

/** Ids of the base, its tables, fields and views that are taken here. Those in the trash count. */
export const selectTakenIds = async (db: Queryable, baseId: string): Promise<string[]> => {
  const staged = (name: string) => stageOf(baseId, name);
  const rows = await many<{ id: string }>(
    db,
    sql`select id from rowhouse.tables join ${staged('tables')} using (id)
        union all select id from rowhouse.folders join ${staged('folders')} using (id)
        union all select id from rowhouse.fields join ${staged('fields')} using (id)
        union all select id from rowhouse.deleted_fields join ${staged('deleted_fields')} using (id)
        union all select id from rowhouse.deleted_views join ${staged('deleted_views')} using (id)
        union all select id from rowhouse.record_templates join ${staged('record_templates')} using (id)
        union all select id from rowhouse.views join ${staged('views')} using (id)
        union all select id from rowhouse.dashboards join ${staged('dashboards')} using (id)
        union all select id from rowhouse.dashboard_items join ${staged('dashboard_items')} using (id)
        order by 1`,
  );
  return rows.map(({ id }) => id);
};

export const baseExists = async (db: Queryable, baseId: string): Promise<boolean> =>
  (
    await many(
      db,
      sql`select from rowhouse.bases where id = ${baseId} union all select from pg_namespace where nspname = ${baseId}`,
    )
  ).length > 0;

/** Where rows of schema `rowhouse` stay until they are looked at. What an older version had no column for gets its default. */
export const createStages = async (db: Queryable, baseId: string, names: readonly string[]): Promise<void> => {
  for (const name of names)
    await db.query(sql`create table ${stageOf(baseId, name)} (like ${sql.id('rowhouse', name)} including defaults)`);
};

/** At the end of the space. */
export const insertRestoredBase = async (
  db: Queryable,
  spaceId: string,
  { id, name, icon, createdBy, createdTime, schemaVersion = 1 }: Manifest['bases'][number],
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.bases (id, space_id, name, icon, position, created_by, created_time, schema_version)
        select ${id}, ${spaceId}, ${name}, ${icon}, coalesce(max(position), 0) + 1, ${createdBy}, ${createdTime}::timestamptz, ${schemaVersion}
        from rowhouse.bases where space_id = ${spaceId}`,
  );
};

/** A file holds no automations: what buttons say of theirs is about another base. */
export const forgetAutomations = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(
    sql`update ${stageOf(baseId, 'fields')} set options = options - 'workflow' where options ? 'workflow'`,
  );
  await db.query(
    sql`update ${stageOf(baseId, 'deleted_fields')} set field = field #- '{options,workflow}' where field -> 'options' ? 'workflow'`,
  );
};

/** Those that belong to the base and to tables that are in it; answers how many, of those that the file held. */
export const moveStages = async (db: Queryable, baseId: string): Promise<{ moved: number; held: number }> => {
  const staged = (name: string) => stageOf(baseId, name);
  const { held } = await one<{ held: number }>(
    db,
    sql`select (select count(*) from ${staged('folders')}) + (select count(*) from ${staged('tables')}) + (select count(*) from ${staged('fields')}) + (select count(*) from ${staged('deleted_fields')}) + (select count(*) from ${staged('deleted_views')}) + (select count(*) from ${staged('views')}) + (select count(*) from ${staged('record_templates')}) + (select count(*) from ${staged('dashboards')}) + (select count(*) from ${staged('dashboard_items')}) as held`,
  );
  const ownFolder = (column: Sql): Sql =>
    sql`(${column} is null or ${column} in (select id from ${staged('folders')}))`;
  const folders = await many(
    db,
    sql`insert into rowhouse.folders select s.* from ${staged('folders')} s where s.base_id = ${baseId} and ${ownFolder(sql`s.parent_id`)} returning id`,
  );
  const tables = await many(
    db,
    sql`insert into rowhouse.tables select s.* from ${staged('tables')} s
        where s.base_id = ${baseId} and ${ownFolder(sql`s.folder_id`)} and exists (select from pg_tables where schemaname = ${baseId} and tablename = s.db_table_name) returning id`,
  );
  const within = sql`(select id from rowhouse.tables where base_id = ${baseId})`;
  const fields = await many(
    db,
    sql`insert into rowhouse.fields select s.* from ${staged('fields')} s where s.table_id in ${within} returning id`,
  );
  const trashed = async (name: string): Promise<number> =>
    (
      await many(
        db,
        sql`insert into ${sql.id('rowhouse', name)} select s.* from ${staged(name)} s where s.table_id in ${within} returning id`,
      )
    ).length;
  const deleted =
    (await trashed('deleted_fields')) + (await trashed('deleted_views')) + (await trashed('record_templates'));
  const views = await many(
    db,
    sql`insert into rowhouse.views select s.* from ${staged('views')} s where s.table_id in ${within} returning id`,
  );
  const dashboards = await many(
    db,
    sql`insert into rowhouse.dashboards select s.* from ${staged('dashboards')} s where s.base_id = ${baseId} and ${ownFolder(sql`s.folder_id`)} returning id`,
  );
  const items = await many(
    db,
    sql`insert into rowhouse.dashboard_items select s.* from ${staged('dashboard_items')} s
        where s.dashboard_id in (select id from rowhouse.dashboards where base_id = ${baseId}) returning id`,
  );
  const charts = dashboards.length + items.length;
  return { moved: folders.length + tables.length + fields.length + deleted + views.length + charts, held };
};

/** Files that are here already are the same: their tokens were made once. */
export const moveStagedFiles = async (db: Queryable, baseId: string): Promise<void> => {
  const staged = (name: string) => stageOf(baseId, name);
  await db.query(
    sql`insert into rowhouse.files (token, type, size, mimetype, name, width, height, created_by, created_time, expires_time, notified_time, is_unmeasured)
        select s.token, s.type, s.size, s.mimetype, s.name, s.width, s.height, s.created_by, s.created_time, s.expires_time, s.notified_time, s.width is null and s.mimetype like 'image/%' from ${staged('files')} s
        where s.token ~ '^att[0-9A-Za-z]{21}$' and s.notified_time is not null and s.size >= 0 on conflict (token) do nothing`,
  );
  await db.query(
    sql`insert into rowhouse.file_uses (base_id, token) select ${baseId}, s.token from ${staged('file_uses')} s join rowhouse.files f on f.token = s.token and not f.is_leaving where s.base_id = ${baseId}`,
  );
};

export const dropStages = async (db: Queryable, baseId: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await db.query(sql`drop table ${stageOf(baseId, name)}`);
};

/**
 * Who was to be told has been, or is not to be told so late. And the tables get versions that they never had: a server
 * may remember tables of these ids by their version.
 */
export const settleBase = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`update ${sql.id(baseId, '__operation')} set notify = null where notify is not null`);
  await db.query(
    sql`update ${sql.id(baseId, '__table')} set version = version + extract(epoch from statement_timestamp())::bigint`,
  );
};

export const analyzeAll = async (db: Queryable): Promise<void> => {
  await db.query(sql`analyze`);
};

export const analyzeBase = async (db: Queryable, baseId: string, tables: readonly string[]): Promise<void> => {
  await db.query(sql`analyze ${sql.join(tables.map((name) => sql.id(baseId, name)))}`);
};

/** For a step that may fail without the rest. */
export const attempt = async (db: Queryable, step: () => Promise<void>): Promise<Error | undefined> => {
  await db.query(sql`savepoint attempt`);
  try {
    await step();
    await db.query(sql`release savepoint attempt`);
    return undefined;
  } catch (error) {
    await db.query(sql`rollback to savepoint attempt`);
    return error as Error;
  }
};

export const begin = async (db: Queryable): Promise<void> => {
  await db.query(sql`begin`);
};

export const commit = async (db: Queryable): Promise<void> => {
  await db.query(sql`commit`);
};

export interface RestoredTable {
  id: string;
  name: string;
  description: string | null;
  icon: string | null;
  dbTableName: string;
}

/** Those in the trash too. */
export const selectRestoredTables = (db: Queryable, baseId: string): Promise<RestoredTable[]> =>
  many(
    db,
    sql`select id, name, description, icon, db_table_name as "dbTableName" from rowhouse.tables where base_id = ${baseId} order by id`,
  );

interface TrashedParts {
  fields: { id: string; field: FieldSchema; columns: unknown }[];
  views: { id: string; view: ViewSchema }[];
}

export const selectTrashedParts = async (db: Queryable, tableId: string): Promise<TrashedParts> => ({
  fields: await many(
    db,
    sql`select id, field, columns from rowhouse.deleted_fields where table_id = ${tableId} order by id`,
  ),
  views: await many(db, sql`select id, view from rowhouse.deleted_views where table_id = ${tableId} order by id`),
});

interface RestoredComment {
  id: string;
  tableId: string;
  recordId: string;
  quoteId: string | null;
  content: unknown;
  reactions: unknown;
  createdBy: string;
}

/** The next ones, in the order of their ids. */
export const selectRestoredComments = (
  db: Queryable,
  baseId: string,
  after: string,
  take: number,
): Promise<RestoredComment[]> =>
  many(
    db,
    sql`select id, table_id as "tableId", record_id as "recordId", quote_id as "quoteId", content, reactions, created_by as "createdBy"
        from ${sql.id(baseId, '__comment')} where id > ${after} order by id limit ${take}`,
  );
