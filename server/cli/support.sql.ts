// What a support file says of the database: numbers, versions and kinds. No names that people gave, and no values.
import { many, one, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

const postgresSettings = [
  'autovacuum',
  'effective_cache_size',
  'fsync',
  'max_connections',
  'max_locks_per_transaction',
  'server_version',
  'shared_buffers',
  'synchronous_commit',
  'temp_file_limit',
  'work_mem',
] as const;

export const selectPostgres = async (db: Queryable) => ({
  settings: Object.fromEntries(
    (
      await many<{ name: string; value: string }>(
        db,
        sql`select name, concat(setting, unit) as value from pg_settings where name = any(${postgresSettings}::text[]) order by name`,
      )
    ).map(({ name, value }) => [name, value]),
  ),
  extensions: (
    await many<{ name: string }>(db, sql`select concat(extname, ' ', extversion) as name from pg_extension order by 1`)
  ).map(({ name }) => name),
  ...(await one<{ bytes: number; connections: number }>(
    db,
    sql`select pg_database_size(current_database()) as bytes,
               (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  )),
});

export const selectMigrations = (db: Queryable) =>
  many<{ version: number; name: string; time: string }>(
    db,
    sql`select version, name, applied_time as time from rowhouse.migrations order by version`,
  );

/** Rows are what PostgreSQL guesses: counting all would take long. */
export const selectSizes = async (db: Queryable) => ({
  system: await many<{ table: string; rows: number; bytes: number }>(
    db,
    sql`select c.relname as "table", greatest(0, c.reltuples)::bigint as rows, pg_total_relation_size(c.oid) as bytes
        from pg_class c where c.relkind = 'r' and c.relnamespace = 'rowhouse'::regnamespace order by 3 desc`,
  ),
  bases: await one<{ bases: number; tables: number; rows: number; bytes: number; largestTableRows: number }>(
    db,
    sql`select (select count(*)::int from rowhouse.bases) as bases, (select count(*)::int from rowhouse.tables) as tables,
               coalesce(sum(greatest(0, c.reltuples)), 0)::bigint as rows, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes,
               coalesce(max(greatest(0, c.reltuples)), 0)::bigint as "largestTableRows"
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname in (select id from rowhouse.bases)`,
  ),
});

export const selectKinds = async (db: Queryable) => ({
  fields: await many<{ type: string; count: number }>(
    db,
    sql`select type, count(*)::int as count from rowhouse.fields group by 1 order by 1`,
  ),
  views: await many<{ type: string; count: number }>(
    db,
    sql`select type, count(*)::int as count from rowhouse.views group by 1 order by 1`,
  ),
  baseVersions: await many<{ version: number; count: number }>(
    db,
    sql`select schema_version as version, count(*)::int as count from rowhouse.bases group by 1 order by 1`,
  ),
});
