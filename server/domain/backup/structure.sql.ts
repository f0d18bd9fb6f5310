// How the tables of bases are made, from PostgreSQL's catalogue: what a backup has to bring back besides rows.
import { many, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';
import { StartError } from '../../db/error.ts';
import type { Shape } from './manifest.ts';

const inSchemas = (schemas: readonly string[]): Sql => sql`n.nspname = any(${schemas}::text[])`;

interface Of {
  schema: string;
  table: string;
}

const selectTables = (db: Queryable, schemas: readonly string[]): Promise<(Of & { fillFactor: number | null })[]> =>
  many(
    db,
    sql`select n.nspname as schema, c.relname as table, (select option_value::int from pg_options_to_table(c.reloptions) where option_name = 'fillfactor') as "fillFactor"
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${inSchemas(schemas)} and c.relkind = 'r' order by 1, 2`,
  );

const selectColumns = (db: Queryable, schemas: readonly string[]): Promise<(Of & Shape['columns'][number])[]> =>
  many(
    db,
    sql`select n.nspname as schema, c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
               pg_get_expr(d.adbin, d.adrelid) as default,
               case when a.attidentity <> '' then json_build_object('kind', case a.attidentity when 'a' then 'always' else 'by default' end, 'sequence', (
                 select s.relname from pg_depend p join pg_class s on s.oid = p.objid and s.relkind = 'S'
                 where p.classid = 'pg_class'::regclass and p.refclassid = 'pg_class'::regclass and p.refobjid = c.oid and p.refobjsubid = a.attnum and p.deptype = 'i'
               )) end as identity
        from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where ${inSchemas(schemas)} and c.relkind = 'r' order by 1, 2, a.attnum`,
  );

const selectKeys = (db: Queryable, schemas: readonly string[]): Promise<(Of & Shape['keys'][number])[]> =>
  many(
    db,
    sql`select n.nspname as schema, c.relname as table, k.conname as name, k.contype = 'p' as "isPrimary",
               (select json_agg(a.attname order by u.at) from unnest(k.conkey) with ordinality as u(number, at) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number) as columns
        from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        where ${inSchemas(schemas)} and k.contype in ('p', 'u') order by 1, 2, 3`,
  );

const selectChecks = (db: Queryable, schemas: readonly string[]): Promise<(Of & Shape['checks'][number])[]> =>
  many(
    db,
    sql`select n.nspname as schema, c.relname as table, k.conname as name, a.attname as column
        from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
             join pg_attribute a on a.attrelid = c.oid and pg_get_expr(k.conbin, c.oid) = quote_ident(a.attname)
        where ${inSchemas(schemas)} and k.contype = 'c' order by 1, 2, 3`,
  );

/** Those that no key brings along. One that is still being built is left out: the server builds it again. */
const selectIndexes = (db: Queryable, schemas: readonly string[]): Promise<(Of & Shape['indexes'][number])[]> =>
  many(
    db,
    sql`select * from (
          select n.nspname as schema, c.relname as table, x.relname as name, i.indisunique as "isUnique", substring(pg_get_indexdef(x.oid) from ' USING (.*)$') as method
          from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
          where ${inSchemas(schemas)} and c.relkind = 'r' and i.indisvalid and not exists (select from pg_constraint k where k.conindid = x.oid)
        ) found where method is not null order by 1, 2, 3`,
  );

/** What Rowhouse never puts into a base, and a backup would therefore leave out. */
const selectStrange = async (db: Queryable, schemas: readonly string[]): Promise<string | undefined> => {
  const rows = await many<{ what: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as what from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where ${inSchemas(schemas)} and (c.relkind not in ('r', 'i', 'S') or c.relpersistence <> 'p' or c.relhasrules or c.relrowsecurity or c.relispartition or (c.relkind = 'r' and c.reloftype <> 0))
        union all select format('function %I.%I', n.nspname, p.proname) from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${inSchemas(schemas)}
        union all select format('type %I.%I', n.nspname, y.typname) from pg_type y join pg_namespace n on n.oid = y.typnamespace where ${inSchemas(schemas)} and y.typtype <> 'c' and y.typelem = 0
        union all select format('trigger %I on %I.%I', g.tgname, n.nspname, c.relname) from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
                  where ${inSchemas(schemas)} and not g.tgisinternal and g.tgname not like '\\_\\_search\\_%'
        union all select format('constraint %I on %I.%I', k.conname, n.nspname, c.relname) from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
                  where ${inSchemas(schemas)} and (k.contype not in ('p', 'u', 'c', 'n') or k.condeferrable
                    or (k.contype = 'c' and not exists (select from pg_attribute a where a.attrelid = c.oid and pg_get_expr(k.conbin, c.oid) = quote_ident(a.attname))))
        union all select format('column %I of %I.%I', a.attname, n.nspname, c.relname) from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
                  join pg_type y on y.oid = a.atttypid
                  where ${inSchemas(schemas)} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and (a.attgenerated <> '' or a.attcollation <> y.typcollation)
        limit 1`,
  );
  return rows[0]?.what;
};

const groupBy = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
};

/** Schema → its tables. */
export const readStructure = async (db: Queryable, schemas: readonly string[]): Promise<Map<string, Shape[]>> => {
  const strange = await selectStrange(db, schemas);
  if (strange !== undefined)
    throw new StartError(
      `${strange} is not of Rowhouse's making, and a backup would lack it: move it to another schema`,
    );
  const key = ({ schema, table }: Of): string => `${schema}/${table}`;
  const grouped = async <T extends Of>(rows: Promise<T[]>): Promise<(of: Of) => Omit<T, keyof Of>[]> => {
    const groups = groupBy(await rows, key);
    return (of) => (groups.get(key(of)) ?? []).map(({ schema: _schema, table: _table, ...rest }) => rest);
  };
  const tables = await selectTables(db, schemas);
  const columns = await grouped(selectColumns(db, schemas));
  const keys = await grouped(selectKeys(db, schemas));
  const checks = await grouped(selectChecks(db, schemas));
  const indexes = await grouped(selectIndexes(db, schemas));
  const shapes = groupBy(tables, ({ schema }) => schema);
  return new Map(
    schemas.map((schema) => [
      schema,
      (shapes.get(schema) ?? []).map((of) => ({
        name: of.table,
        fillFactor: of.fillFactor,
        columns: columns(of),
        keys: keys(of),
        checks: checks(of),
        indexes: indexes(of),
      })),
    ]),
  );
};
